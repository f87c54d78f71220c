/** Implements each moderator action [administration.md 7.4]. */

import { splitCid } from '@parley/protocol/cid'
import { MESSAGE_ENTITY, REACTION_ENTITY, type SubmitActionRequest, USER_ENTITY } from '@parley/protocol/review'
import type { Caller } from '../../chat/api/caller.ts'
import { banUser, type Scope, unbanUser } from '../../chat/bans/ban.ts'
import { allowFutureChannels } from '../../chat/bans/future-bans.ts'
import { type Access, accessAmong, accessChannel, notAllowed } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { deleteMessage } from '../../chat/messages/delete-message.ts'
import { editMessage } from '../../chat/messages/edit-message.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { beginDeleting } from '../../chat/messages/messages-of-user.ts'
import { messagesShown } from '../../chat/messages/messages-shown.ts'
import { releaseMessage } from '../../chat/messages/release-message.ts'
import { shadowMessage } from '../../chat/messages/shadow-message.ts'
import { undeleteMessage } from '../../chat/messages/undelete-message.ts'
import { isOfOwnTeams, teamsOf } from '../../chat/users/teams.ts'
import { existingUser } from '../../chat/users/user-access.ts'
import { deleteUsers, restoreUsers, settled } from '../../chat/users/user-lifecycle.ts'
import { deletingReactions } from '../../features/reactions/drop-reactions.ts'
import { removeReaction } from '../../features/reactions/react.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { ChannelRow, MessageRow, ReviewItemRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { entityTypeOf, subjectOf } from './entities.ts'

/** A moderator's decision: the moderator, the subject and the action. */
export interface Decision {
  server: Server
  /** Has the moderator as its user and all permissions: access to the queue is checked already. */
  trusted: Caller
  caller: Caller
  by: UserRow
  item: ReviewItemRow | undefined
  request: SubmitActionRequest
}

export interface ModeratorAction {
  /** Runs the action; a later write of its own records it. */
  does?: (decision: Decision) => Promise<void>
  /** Additional changes of the item. */
  changes?: (decision: Decision, at: Micros) => Partial<ReviewItemRow>
  /** The item stays unreviewed. */
  leavesOpen?: true
  /** The entity type of an action whose options name its subject; other actions need an item. */
  about?: string
}

export const moderatorActions: Readonly<Record<string, ModeratorAction>> = {
  mark_reviewed: {},
  delete_message: { does: deleteItsMessage, changes: () => ({ held_json: null }), about: MESSAGE_ENTITY },
  delete_reaction: { does: deleteNamedReaction, about: REACTION_ENTITY },
  delete_user: { does: deleteTarget, about: USER_ENTITY },
  delete_user_messages: { does: deleteMessagesOfTarget, about: USER_ENTITY },
  ban: { does: banTarget, about: USER_ENTITY },
  unban: { does: unbanTarget, about: USER_ENTITY },
  restore: { does: restoreDeleted },
  block: { does: blockMessage },
  unblock: { does: unblockMessage, changes: () => ({ held_json: null }) },
  shadow_block: { does: shadowBlock },
  unmask: { does: unmaskMessage },
  custom: { leavesOpen: true },
  escalate: {
    leavesOpen: true,
    changes: ({ by, request }, at) => ({
      escalated_at: at,
      escalated_by: by.id,
      escalation_json: JSON.stringify(request.escalate ?? {}),
    }),
  },
  de_escalate: {
    leavesOpen: true,
    changes: () => ({ escalated_at: null, escalated_by: null, escalation_json: null }),
  },
}

interface Options {
  entity_id?: string
  entity_type?: string
  target_user_id?: string
  reason?: string
  decision_reason?: string
}

/** The options under the action's name. */
export function optionsOf(request: SubmitActionRequest): Options {
  const said = ((request as Record<string, unknown>)[request.action_type] as Options | undefined) ?? {}
  return said.entity_type === undefined ? said : { ...said, entity_type: entityTypeOf(said.entity_type) }
}

/** The user an action targets. */
export function targetOf({ item, request }: Decision): string | undefined {
  const { target_user_id, entity_id } = optionsOf(request)
  const isOfUser = moderatorActions[request.action_type]?.about === USER_ENTITY
  return target_user_id ?? (isOfUser ? entity_id : undefined) ?? item?.creator_id ?? undefined
}

/** @throws ChatError InputError (4) — no user is named; DoesNotExistError (16) — the user is in other teams */
async function accessTarget(decision: Decision): Promise<UserRow> {
  const id = targetOf(decision)
  if (id === undefined) throw inputError('target_user_id', 'nobody is known to have made that')
  const user = await existingUser(decision.server, decision.caller.app.id, id)
  if (id !== decision.item?.creator_id && !isOfOwnTeams(decision.caller, teamsOf(user)))
    throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return user
}

/** Undefined for a custom entity: the app is notified and acts itself. */
function messageIdOf({ item, request }: Decision): string | undefined {
  const { entity_id, entity_type = MESSAGE_ENTITY } = optionsOf(request)
  if (entity_id !== undefined) return subjectOf(entity_type, entity_id).startsWith('message:') ? entity_id : undefined
  if (item?.entity_type === USER_ENTITY)
    throw inputError('action_type', `${request.action_type} is for content, and this is a user`)
  return item?.entity_type === MESSAGE_ENTITY ? item.entity_id : undefined
}

function heldOf(item: ReviewItemRow | undefined): MessageRow | undefined {
  return item?.held_json ? (JSON.parse(item.held_json) as MessageRow) : undefined
}

/** The message with full permissions on it; undefined after a hard delete. */
async function messageIn(decision: Decision, id: string) {
  const { server, trusted, caller, item } = decision
  const found = await accessMessage(server, trusted, id, 'read-channel').catch((error: unknown) => {
    if (error instanceof ChatError && error.kind === 'DoesNotExistError') return undefined
    throw error
  })
  if (found && item?.subject !== subjectOf(MESSAGE_ENTITY, id) && !isOfOwnTeams(caller, teamsIn(found.access.channel)))
    throw new ChatError('DoesNotExistError', `Can't find message with id ${id}`)
  return found
}

/** @throws ChatError DoesNotExistError (16) — there is no such channel, or it is in another team */
async function channelIn({ server, trusted, caller, item }: Decision, cid: string): Promise<Access> {
  const access = await accessChannel(server, trusted, splitCid(cid), 'read-channel')
  if (cid !== item?.cid && !isOfOwnTeams(caller, teamsIn(access.channel)))
    throw new ChatError('DoesNotExistError', `Can't find channel with id ${cid}`)
  return access
}

function teamsIn({ team }: ChannelRow): string[] {
  return team === null ? [] : [team]
}

async function deleteItsMessage(decision: Decision) {
  const id = messageIdOf(decision)
  const found = id === undefined ? undefined : await messageIn(decision, id)
  const hard = decision.request.delete_message?.hard_delete === true
  if (found) await deleteMessage(decision.server, found.access, found.message.id, { hard }, decision.by)
}

/** A reaction is named by its message, its user and its type. */
async function deleteNamedReaction(decision: Decision) {
  const id = decision.request.delete_reaction?.entity_id ?? decision.item?.entity_id ?? ''
  const [, messageId, userId, type] = /^(.+):([^:]+):([^:]+)$/.exec(id) ?? []
  if (messageId === undefined || userId === undefined || type === undefined)
    throw inputError('delete_reaction.entity_id', 'a reaction is named <message id>:<user id>:<type>')
  const found = await messageIn(decision, messageId)
  if (!found) throw new ChatError('DoesNotExistError', `Can't find message with id ${messageId}`)
  await removeReaction(
    decision.server,
    found.access,
    messageId,
    await existingUser(decision.server, decision.caller.app.id, userId),
    type,
  )
}

async function deleteTarget(decision: Decision) {
  const { server, by, request } = decision
  const target = await accessTarget(decision)
  if (target.id === by.id) throw inputError('target_user_id', 'you cannot delete yourself')
  const { hard_delete: hard, mark_messages_deleted: marked, delete_conversation_channels } = request.delete_user ?? {}
  const changed = await deleteUsers(server, target.app, [target.id], {
    user: hard ? 'hard' : 'soft',
    messages: hard ? 'hard' : marked ? 'soft' : undefined,
    conversations: delete_conversation_channels ? (hard ? 'hard' : 'soft') : undefined,
    new_channel_owner_id: undefined,
    files: false,
  })
  await settled(server, target.app, changed)
}

async function deleteMessagesOfTarget(decision: Decision) {
  const { server, request } = decision
  const { delete_messages: fate, channel_cid: cid, delete_reactions } = request.delete_user_messages ?? {}
  if (!fate) throw inputError('delete_user_messages.delete_messages', 'delete_messages is a required field')
  const author = await accessTarget(decision)
  const { app, id: userId } = author
  if (cid !== undefined) await channelIn(decision, cid)
  await server.commit.write(app, [], async (batch) => {
    await beginDeleting(server, batch, author, { app, fate, at: batch.now(), cid })
    if (delete_reactions) await server.tasks.begin(batch, app, deletingReactions.name, { userId, cid })
  })
}

async function banTarget(decision: Decision) {
  const { server, by, request, item } = decision
  const { ban = {} } = request
  const target = await accessTarget(decision)
  const cid = ban.channel_cid ?? (ban.channel_ban_only ? item?.cid : undefined)
  if (ban.channel_ban_only && cid == null) throw inputError('ban.channel_cid', 'this was said in no channel')
  const scope = await scopeIn(decision, cid ?? undefined)
  await banUser(server, scope, target.id, by, {
    minutes: ban.timeout,
    reason: ban.reason,
    shadow: ban.shadow === true,
    fromFutureChannels: ban.ban_from_future_channels === true,
    withAddresses: ban.ip_ban === true,
    deletes: ban.delete_messages || undefined,
  })
}

async function unbanTarget(decision: Decision) {
  const { server, by, request } = decision
  const { unban = {} } = request
  const target = await accessTarget(decision)
  const scope = await scopeIn(decision, unban.channel_cid)
  if (unban.remove_future_channels_ban) await allowFutureChannels(server, target.app, by, target.id)
  await unbanUser(server, scope, target.id, by)
}

async function scopeIn(decision: Decision, cid: string | undefined): Promise<Scope> {
  return { app: decision.caller.app.id, access: cid === undefined ? undefined : await channelIn(decision, cid) }
}

/** Restores a soft-deleted subject; a hard-deleted one stays deleted. */
async function restoreDeleted(decision: Decision) {
  const { server, item, by } = decision
  if (item?.entity_type === USER_ENTITY) return restoreUsers(server, item.app, [item.entity_id])
  const id = messageIdOf(decision)
  if (id === undefined) return
  const found = await messageIn(decision, id)
  if (!found) throw inputError('item_id', `message ${id} is gone for good`)
  await undeleteMessage(server, found.access, id, by)
}

/** Deletes a stored message; a rejected one stays rejected. It can be unblocked. */
async function blockMessage(decision: Decision) {
  const id = messageIdOf(decision)
  const found = id === undefined ? undefined : await messageIn(decision, id)
  if (found) await deleteMessage(decision.server, found.access, found.message.id, { hard: false }, decision.by)
}

async function unblockMessage(decision: Decision) {
  const { server, caller, trusted, item } = decision
  const id = messageIdOf(decision)
  if (id === undefined || !item?.cid) return
  const { cid } = item
  const own = (await accessAmong(server, caller, [cid])).get(cid)
  if (own && !own.can('unblock-message')) throw notAllowed(own, 'unblock-message')
  const released = await releaseMessage(server, trusted, id, heldOf(item))
  await server.commit.write(caller.app.id, [cid], async (batch) => {
    const channel = batch.channel(caller.app.id, cid)
    if (!channel || !batch.hasOutboundSubscribers(caller.app.id)) return
    const message = (await messagesShown(server, caller.app.id, [id])).get(id)
    const told = { message, message_id: id, user: released.user }
    batch.publishOutbound(caller.app.id, channelEvent(channel, 'message.unblocked', batch.nextTime(channel), told))
  })
}

async function shadowBlock(decision: Decision) {
  const id = messageIdOf(decision)
  const found = id === undefined ? undefined : await messageIn(decision, id)
  if (found) await shadowMessage(decision.server, found.access, found.message.id)
}

/** Restores the words that were masked with asterisks. */
async function unmaskMessage(decision: Decision) {
  const { server, item, by } = decision
  const id = messageIdOf(decision)
  if (id === undefined || !item) return
  const found = await messageIn(decision, id)
  const text: string | undefined = JSON.parse(item.payload_json).texts?.[0]
  if (!found || text === undefined) throw inputError('item_id', `message ${id} hides no words`)
  const edit = { patch: { set: { text } } }
  await editMessage(server, found.access, found.message, edit, by, { fromServer: true, skipPreview: true })
}
