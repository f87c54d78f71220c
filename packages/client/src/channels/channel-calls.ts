/**
 * The calls of a channel that a page which lists, reads and writes does without. The methods of `Channel` fetch this
 * module when the first of them is used [client.md 2.2].
 */
import { clientError } from '../chat-error.ts'
import type { ChatEvent } from '../events.ts'
import { localMessage } from '../messages/local-message.ts'
import type { ReactionDraft } from '../messages/outbox.ts'
import { outgoingChannelData } from '../messages/outgoing.ts'
import { soon } from '../on-demand.ts'
import {
  type Answer,
  type CallOptions,
  type ChannelData,
  type ChannelMute,
  type ChannelRequest,
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
import { needsMessageID } from './channel.ts'
import { tellCapabilities } from './channel-answer.ts'
import type { ChannelDoor } from './channel-door.ts'

export interface ChannelUpdate {
  channel: ChannelData
  members: Member[]
  message?: Message
}

// The channel itself

export function update(
  door: ChannelDoor,
  data: ChannelRequest | ChannelData = {},
  message?: MessageRequest,
  options: object = {},
  call: CallOptions = {},
) {
  return changed(door, 'POST', { data: outgoingChannelData(data), message, ...options }, call)
}

export function updatePartial(door: ChannelDoor, changes: PartialUpdate, call: CallOptions = {}) {
  return changed(door, 'PATCH', changes, call)
}

export function enableSlowMode(door: ChannelDoor, seconds: number, call: CallOptions = {}) {
  return changed(door, 'POST', { cooldown: seconds }, call)
}

export function truncate(
  door: ChannelDoor,
  options: {
    hard_delete?: boolean
    skip_push?: boolean
    truncated_at?: string
    message?: MessageRequest
    user_id?: string
  } = {},
  call: CallOptions = {},
) {
  return door.call<{ channel: ChannelData; message?: Message }>('POST', '/truncate', { body: options, ...call })
}

export async function hide(
  door: ChannelDoor,
  userID?: string,
  clearHistory = false,
  call: CallOptions = {},
): Promise<void> {
  await door.call('POST', '/hide', { body: { user_id: userID, clear_history: clearHistory }, ...call })
}

export async function show(door: ChannelDoor, userID?: string, call: CallOptions = {}): Promise<void> {
  await door.call('POST', '/show', { body: { user_id: userID }, ...call })
}

export function deleteChannel(door: ChannelDoor, options: { hard_delete?: boolean } = {}, call: CallOptions = {}) {
  return door.call<{ channel: ChannelData }>('DELETE', '', { query: options, ...call })
}

export function createCall(
  door: ChannelDoor,
  options: { id: string; type: string } & Record<string, unknown>,
  call: CallOptions = {},
) {
  return door.call<{ call: Record<string, unknown>; token?: string }>('POST', '/call', { body: options, ...call })
}

export function mute(
  { channel, host, path }: ChannelDoor,
  options: { expiration?: number; user_id?: string } = {},
  call: CallOptions = {},
) {
  path()
  const body = { channel_cid: channel.cid, ...options }
  return host.call<{ channel_mute: ChannelMute }>('POST', '/moderation/mute/channel', { body, ...call })
}

export function unmute(
  { channel, host, path }: ChannelDoor,
  options: { user_id?: string } = {},
  call: CallOptions = {},
) {
  path()
  const body = { channel_cid: channel.cid, ...options }
  return host.call('POST', '/moderation/unmute/channel', { body, ...call })
}

// Members

export function addMembers(
  door: ChannelDoor,
  members: readonly MemberRequest[],
  message?: MessageRequest,
  options: { hide_history?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
) {
  return changed(door, 'POST', { add_members: members, message, ...options }, call)
}

export function removeMembers(
  door: ChannelDoor,
  ids: readonly string[],
  message?: MessageRequest,
  options: { skip_push?: boolean } = {},
  call: CallOptions = {},
) {
  return changed(door, 'POST', { remove_members: ids, message, ...options }, call)
}

export function inviteMembers(
  door: ChannelDoor,
  members: readonly MemberRequest[],
  message?: MessageRequest,
  call: CallOptions = {},
) {
  return changed(door, 'POST', { invites: members, message }, call)
}

export function acceptInvite(
  door: ChannelDoor,
  options: { message?: MessageRequest; user_id?: string } = {},
  call: CallOptions = {},
) {
  return changed(door, 'POST', { accept_invite: true, ...options }, call)
}

export function rejectInvite(
  door: ChannelDoor,
  options: { message?: MessageRequest; user_id?: string } = {},
  call: CallOptions = {},
) {
  return changed(door, 'POST', { reject_invite: true, ...options }, call)
}

export function addModerators(
  door: ChannelDoor,
  ids: readonly string[],
  message?: MessageRequest,
  call: CallOptions = {},
) {
  return changed(door, 'POST', { add_moderators: ids, message }, call)
}

export function demoteModerators(
  door: ChannelDoor,
  ids: readonly string[],
  message?: MessageRequest,
  call: CallOptions = {},
) {
  return changed(door, 'POST', { demote_moderators: ids, message }, call)
}

export function assignRoles(
  door: ChannelDoor,
  roles: readonly { user_id: string; channel_role: string }[],
  message?: MessageRequest,
  call: CallOptions = {},
) {
  return changed(door, 'POST', { assign_roles: roles, message }, call)
}

export async function queryMembers(
  { channel, host, given, checkUsable }: ChannelDoor,
  filter: Filter,
  sort: Sort = [],
  options: { limit?: number; offset?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ members: Member[] }>> {
  checkUsable()
  const who = channel.id === undefined ? { members: given().members } : { id: channel.id }
  const payload = { type: channel.type, ...who, filter_conditions: filter, sort: wireSort(sort), ...options }
  return host.call('GET', '/members', { query: { payload }, ...call })
}

export function partialUpdateMember(door: ChannelDoor, userID: string, changes: PartialUpdate, call: CallOptions = {}) {
  return updateMember(door, needsMemberID(userID, 'update a member'), changes, call)
}

/** Archives, pins, or takes that back, for oneself; for the named user on the server. */
export function setOwnMember(
  door: ChannelDoor,
  action: 'archive' | 'unarchive' | 'pin' | 'unpin',
  options: { user_id?: string } = {},
  call: CallOptions = {},
) {
  const { host } = door
  const id = options.user_id || (host.isServerSide ? undefined : host.me()?.id)
  const set = action.endsWith('archive') ? { archived: action === 'archive' } : { pinned: action === 'pin' }
  return updateMember(door, needsMemberID(id, action), { set }, call)
}

// Messages

export function getMessagesById(door: ChannelDoor, ids: readonly string[], call: CallOptions = {}) {
  return door.call<{ messages: Message[] }>('GET', '/messages', { query: { ids }, ...call })
}

export async function sendAction(
  { host, change, checkUsable }: ChannelDoor,
  messageID: string,
  formData: Record<string, string>,
  call: CallOptions = {},
) {
  needsMessageID(messageID, 'run an action of')
  checkUsable()
  const body = { message_id: messageID, form_data: formData }
  const path = `/messages/${encodeURIComponent(messageID)}/action`
  const answer = await host.call<{ message?: Message }>('POST', path, { body, ...call })
  const { message } = answer
  await soon.use(({ withChanged, withoutMessage }) =>
    change((state) => (message ? withChanged(state, localMessage(message)) : withoutMessage(state, messageID))),
  )
  return answer
}

/** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-5, RXN-6] */
export async function sendReaction(
  { host, checkUsable }: ChannelDoor,
  messageID: string,
  reaction: ReactionDraft,
  options: { enforce_unique?: boolean; skip_push?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ message: Message; reaction: Reaction }>> {
  if (!messageID) throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a message id')
  if (!reaction?.type) throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a non-empty reaction')
  checkUsable()
  const path = `/messages/${encodeURIComponent(messageID)}/reaction`
  return host.call('POST', path, { body: { reaction, ...options }, ...call })
}

/** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-7, RXN-8] */
export async function deleteReaction(
  { host, checkUsable }: ChannelDoor,
  messageID: string,
  type: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ message: Message; reaction: Reaction }>> {
  if (!messageID || !type)
    throw clientError('CLIENT_REACTION_INCOMPLETE', 'Deleting a reaction needs a message id and a reaction type')
  checkUsable()
  const path = `/messages/${encodeURIComponent(messageID)}/reaction/${encodeURIComponent(type)}`
  return host.call('DELETE', path, { query: { user_id: userID ?? host.me()?.id }, ...call })
}

export async function getReactions(
  { host, checkUsable }: ChannelDoor,
  messageID: string,
  options: { limit?: number; offset?: number } = {},
  call: CallOptions = {},
): Promise<Answer<{ reactions: Reaction[] }>> {
  checkUsable()
  return host.call('GET', `/messages/${encodeURIComponent(messageID)}/reactions`, { query: options, ...call })
}

// What stands behind

async function changed(door: ChannelDoor, method: 'POST' | 'PATCH', body: object, options: CallOptions) {
  const { channel, host, change, call } = door
  const capabilities = channel.data.own_capabilities
  const answer = await call<ChannelUpdate>(method, '', { body, ...options })
  const event = { type: 'channel.updated', channel: answer.channel, cid: channel.cid } as unknown as ChatEvent
  await soon.use(({ channelState }) => change((state) => channelState(state, event, host.context(channel.cid))))
  tellCapabilities(door, capabilities)
  return answer
}

function updateMember(door: ChannelDoor, userID: string, changes: PartialUpdate, call: CallOptions) {
  const path = `/member/${encodeURIComponent(userID)}`
  return door.call<{ channel_member: Member }>('PATCH', path, { body: changes, ...call })
}

/** @throws ChatError CLIENT_MEMBER_ID_MISSING [MEM-12] */
function needsMemberID(id: string | undefined, action: string): string {
  if (!id) throw clientError('CLIENT_MEMBER_ID_MISSING', `A user id is needed to ${action}`)
  return id
}
