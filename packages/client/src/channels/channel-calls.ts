/** Calls of a channel that a page can list, read and write without [client.md 2.2]. */
import { clientError } from '../chat-error.ts'
import type { ChatEvent } from '../events.ts'
import { merged } from '../live.ts'
import { localMessage, messagePath } from '../messages/local-message.ts'
import type { ReactionDraft } from '../messages/outbox.ts'
import { needsMessageID, outgoingChannelData } from '../messages/outgoing.ts'
import { soon } from '../on-demand.ts'
import {
  type Answer,
  type CallOptions,
  type ChannelData,
  type ChannelMute,
  type ChannelRequest,
  type ChannelStateAnswer,
  type Filter,
  type Member,
  type MemberRequest,
  type Message,
  type MessageRequest,
  type PartialUpdate,
  type Reaction,
  type Sort,
  wireSort,
} from '../shapes.ts'
import type { ChannelQuery } from './channel.ts'
import type { ChannelContext } from './channel-context.ts'

export interface ChannelUpdate {
  channel: ChannelData
  members: Member[]
  message?: Message
}

// The channel itself

/** Makes the channel, or reads it when it exists. */
export async function create(
  { channel, change }: ChannelContext,
  options: ChannelQuery = {},
  call: CallOptions = {},
): Promise<Answer<ChannelStateAnswer>> {
  const answer = await channel.query({ watch: false, state: false, presence: false, ...options }, call)
  change((state) => merged(state, { initialized: true }))
  return answer
}

/** Replaces the channel's own data; fields that are not given are removed [CHN-30…CHN-36]. */
export function update(
  context: ChannelContext,
  data: ChannelRequest | ChannelData = {},
  message?: MessageRequest,
  options: object = {},
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { data: outgoingChannelData(data), message, ...options }, call)
}

/** Sets and unsets single fields of the channel. */
export function updatePartial(
  context: ChannelContext,
  changes: PartialUpdate,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'PATCH', changes, call)
}

/** Seconds a member waits between two messages, 1–120. */
export function enableSlowMode(
  context: ChannelContext,
  seconds: number,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { cooldown: seconds }, call)
}

/** Turns slow mode off. */
export function disableSlowMode(context: ChannelContext, call: CallOptions = {}): Promise<Answer<ChannelUpdate>> {
  return enableSlowMode(context, 0, call)
}

/** Removes the history: all of it, or what is older than `truncated_at`. `message` is posted to the other members. */
export function truncate(
  context: ChannelContext,
  options: {
    hard_delete?: boolean
    skip_push?: boolean
    truncated_at?: string
    message?: MessageRequest
    user_id?: string
  } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel: ChannelData; message?: Message }>> {
  return context.call('POST', '/truncate', { body: options, ...call })
}

/**
 * Hides the channel from the user's lists until the next message; `clearHistory` also clears the history for this user.
 */
export async function hide(
  context: ChannelContext,
  userID?: string,
  clearHistory = false,
  call: CallOptions = {},
): Promise<void> {
  await context.call('POST', '/hide', { body: { user_id: userID, clear_history: clearHistory }, ...call })
}

/** Shows a hidden channel in the user's lists again. */
export async function show(context: ChannelContext, userID?: string, call: CallOptions = {}): Promise<void> {
  await context.call('POST', '/show', { body: { user_id: userID }, ...call })
}

/** Deletes the channel; `hard_delete` removes all its data. */
function deleteChannel(
  context: ChannelContext,
  options: { hard_delete?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel: ChannelData }>> {
  return context.call('DELETE', '', { query: options, ...call })
}

export { deleteChannel as delete }

/** Creates a video call in this channel; a server without calls refuses with code 4. */
export function createCall(
  context: ChannelContext,
  options: { id: string; type: string } & Record<string, unknown>,
  call: CallOptions = {},
): Promise<Answer<{ call: Record<string, unknown>; token?: string }>> {
  return context.call('POST', '/call', { body: options, ...call })
}

/** `expiration`: milliseconds from now; without it, the mute has no end. */
export function mute(
  { channel, host, path }: ChannelContext,
  options: { expiration?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel_mute: ChannelMute }>> {
  path()
  const body = { channel_cid: channel.cid, ...options }
  return host.request('POST', '/moderation/mute/channel', { body, ...call })
}

/** Unmutes the channel: new messages count as unread again. */
export function unmute(
  { channel, host, path }: ChannelContext,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer> {
  path()
  const body = { channel_cid: channel.cid, ...options }
  return host.request('POST', '/moderation/unmute/channel', { body, ...call })
}

// Members

/** Adds up to 100 members; `hide_history` hides all earlier messages from them. */
export function addMembers(
  context: ChannelContext,
  members: readonly MemberRequest[],
  message?: MessageRequest,
  options: { hide_history?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { add_members: members, message, ...options }, call)
}

/** Removes members. A user leaves the channel by removing their own id. */
export function removeMembers(
  context: ChannelContext,
  ids: readonly string[],
  message?: MessageRequest,
  options: { skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { remove_members: ids, message, ...options }, call)
}

/** Invites users; they become members when they accept. */
export function inviteMembers(
  context: ChannelContext,
  members: readonly MemberRequest[],
  message?: MessageRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { invites: members, message }, call)
}

/** Accepts the user's own invitation. */
export function acceptInvite(
  context: ChannelContext,
  options: { message?: MessageRequest; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { accept_invite: true, ...options }, call)
}

/** Declines the user's own invitation. */
export function rejectInvite(
  context: ChannelContext,
  options: { message?: MessageRequest; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { reject_invite: true, ...options }, call)
}

/** Makes members moderators of this channel. */
export function addModerators(
  context: ChannelContext,
  ids: readonly string[],
  message?: MessageRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { add_moderators: ids, message }, call)
}

/** Makes moderators plain members again. */
export function demoteModerators(
  context: ChannelContext,
  ids: readonly string[],
  message?: MessageRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { demote_moderators: ids, message }, call)
}

/** Gives members a role in this channel. */
export function assignRoles(
  context: ChannelContext,
  roles: readonly { user_id: string; channel_role: string }[],
  message?: MessageRequest,
  call: CallOptions = {},
): Promise<Answer<ChannelUpdate>> {
  return changed(context, 'POST', { assign_roles: roles, message }, call)
}

/** Members that match the filter, 100 at most. */
export async function queryMembers(
  { channel, host, given, checkUsable }: ChannelContext,
  filter: Filter,
  sort: Sort = [],
  options: { limit?: number; offset?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ members: Member[] }>> {
  checkUsable()
  const who = channel.id === undefined ? { members: given().members } : { id: channel.id }
  const payload = { type: channel.type, ...who, filter_conditions: filter, sort: wireSort(sort), ...options }
  return host.request('GET', '/members', { query: { payload }, ...call })
}

/** @throws ChatError CLIENT_MEMBER_ID_MISSING [MEM-12] */
export function partialUpdateMember(
  context: ChannelContext,
  userID: string,
  changes: PartialUpdate,
  call: CallOptions = {},
): Promise<Answer<{ channel_member: Member }>> {
  return updateMember(context, needsMemberID(userID, 'update a member'), changes, call)
}

/**
 * Archives the channel for this user; with the secret, for the named user. @throws ChatError CLIENT_MEMBER_ID_MISSING
 */
export function archive(
  context: ChannelContext,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel_member: Member }>> {
  return updateMember(context, ownID(context, options, 'archive'), { set: { archived: true } }, call)
}

/** Removes the channel from the user's archive. @throws ChatError CLIENT_MEMBER_ID_MISSING */
export function unarchive(
  context: ChannelContext,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel_member: Member }>> {
  return updateMember(context, ownID(context, options, 'unarchive'), { set: { archived: false } }, call)
}

/** Pins the channel in the user's own lists. @throws ChatError CLIENT_MEMBER_ID_MISSING */
export function pin(
  context: ChannelContext,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel_member: Member }>> {
  return updateMember(context, ownID(context, options, 'pin'), { set: { pinned: true } }, call)
}

/** Removes that pin. @throws ChatError CLIENT_MEMBER_ID_MISSING */
export function unpin(
  context: ChannelContext,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ channel_member: Member }>> {
  return updateMember(context, ownID(context, options, 'unpin'), { set: { pinned: false } }, call)
}

// Messages

/** The named messages of this channel, 100 at most; unknown ids are left out. */
export function getMessagesById(
  context: ChannelContext,
  ids: readonly string[],
  call: CallOptions = {},
): Promise<Answer<{ messages: Message[] }>> {
  return context.call('GET', '/messages', { query: { ids }, ...call })
}

/** Runs an action that a message offers. An answer without a message removes an ephemeral message. */
export async function sendAction(
  { host, change, checkUsable }: ChannelContext,
  messageID: string,
  formData: Record<string, string>,
  call: CallOptions = {},
): Promise<Answer<{ message?: Message }>> {
  needsMessageID(messageID, 'run an action of')
  checkUsable()
  const body = { message_id: messageID, form_data: formData }
  const path = `${messagePath(messageID)}/action`
  const answer = await host.request<Answer<{ message?: Message }>>('POST', path, { body, ...call })
  const { message } = answer
  await soon.use(({ withChanged, withoutMessage }) =>
    change((state) => (message ? withChanged(state, localMessage(message)) : withoutMessage(state, messageID))),
  )
  return answer
}

/** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-5, RXN-6] */
export async function sendReaction(
  { host, checkUsable }: ChannelContext,
  messageID: string,
  reaction: ReactionDraft,
  options: { enforce_unique?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message; reaction: Reaction }>> {
  if (!messageID) throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a message id')
  if (!reaction?.type) throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a non-empty reaction')
  checkUsable()
  const path = `${messagePath(messageID)}/reaction`
  return host.request('POST', path, { body: { reaction, ...options }, ...call })
}

/** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-7, RXN-8] */
export async function deleteReaction(
  { host, checkUsable }: ChannelContext,
  messageID: string,
  type: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ message: Message; reaction: Reaction }>> {
  if (!messageID || !type)
    throw clientError('CLIENT_REACTION_INCOMPLETE', 'Deleting a reaction needs a message id and a reaction type')
  checkUsable()
  const path = `${messagePath(messageID)}/reaction/${encodeURIComponent(type)}`
  return host.request('DELETE', path, { query: { user_id: userID }, ...call })
}

/** Reactions to a message, newest first. */
export async function getReactions(
  { host, checkUsable }: ChannelContext,
  messageID: string,
  options: { limit?: number; offset?: number } = {},
  call: CallOptions = {},
): Promise<Answer<{ reactions: Reaction[] }>> {
  checkUsable()
  return host.request('GET', `${messagePath(messageID)}/reactions`, { query: options, ...call })
}

// What stands behind

async function changed(context: ChannelContext, method: 'POST' | 'PATCH', body: object, options: CallOptions) {
  const { channel, host, change, call } = context
  const capabilities = channel.data.own_capabilities
  const answer = await call<ChannelUpdate>(method, '', { body, ...options })
  const event = { type: 'channel.updated', channel: answer.channel, cid: channel.cid } as unknown as ChatEvent
  await soon.use(({ channelState, emitCapabilities }) => {
    change((state) => channelState(state, event, host.eventContext(channel.cid)))
    emitCapabilities(context, capabilities)
  })
  return answer
}

function updateMember(
  context: ChannelContext,
  userID: string,
  changes: PartialUpdate,
  call: CallOptions,
): Promise<Answer<{ channel_member: Member }>> {
  const path = `/member/${encodeURIComponent(userID)}`
  return context.call('PATCH', path, { body: changes, ...call })
}

function ownID({ host }: ChannelContext, options: { user_id?: string }, action: string): string {
  return needsMemberID(options.user_id || (host.isServerSide ? undefined : host.me()?.id), action)
}

/** @throws ChatError CLIENT_MEMBER_ID_MISSING [MEM-12] */
function needsMemberID(id: string | undefined, action: string): string {
  if (!id) throw clientError('CLIENT_MEMBER_ID_MISSING', `A user id is needed to ${action}`)
  return id
}
