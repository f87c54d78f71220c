/** What moderators do about what was reported [administration.md 7.4]. */
import { randomUUID } from 'node:crypto'
import { splitCid } from '@parley/protocol/cid'
import {
  MESSAGE_ENTITY,
  REACTION_ENTITY,
  type ReviewQueueItem,
  type SubmitActionRequest,
  USER_ENTITY,
} from '@parley/protocol/review'
import { accessAmong, accessChannel, notAllowed } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { ChatError, inputError } from '../chat-error.ts'
import { customOf } from '../custom-data.ts'
import type { Batch } from '../database/group-commit.ts'
import type { MessageRow, ReviewActionRow, ReviewItemRow, UserRow } from '../database/tables.ts'
import { actingUser, type Caller } from '../http/caller.ts'
import { deleteMessage } from '../messages/delete-message.ts'
import { editMessage } from '../messages/edit-message.ts'
import { accessMessage } from '../messages/message-access.ts'
import { deletingMessages } from '../messages/messages-of-user.ts'
import { messagesShown } from '../messages/messages-shown.ts'
import { releaseMessage } from '../messages/release-message.ts'
import { shadowMessage } from '../messages/shadow-message.ts'
import { undeleteMessage } from '../messages/undelete-message.ts'
import { banUser, type Scope, unbanUser } from '../moderation/ban.ts'
import { reviewSubjects } from '../moderation/flag-report.ts'
import { allowFutureChannels } from '../moderation/future-bans.ts'
import { deletingReactions } from '../reactions/drop-reactions.ts'
import { removeReaction } from '../reactions/react.ts'
import type { Server } from '../server.ts'
import { deleteUsers, restoreUsers, settled } from '../users/change-of-life.ts'
import { existingUser } from '../users/user-access.ts'
import { subjectOf, teamsOf } from './entities.ts'
import { itemWires } from './item-wires.ts'
import { accessItem, isOfOwnTeams } from './review-access.ts'
import { insertAction, itemById, itemBySubject, markItems, openItemsOf, updateItem } from './review-store.ts'
import { tellOfDecision, tellOfItem } from './tell-of-items.ts'

/** Things of one user that are marked as reviewed together with the user, at most. */
const CONTENT_MARKED = 100

/** An action on its way: who does it, to what, and how. */
interface Deed {
  server: Server
  /** With the moderator as its user; may do everything, for the queue is what they may use. */
  trusted: Caller
  caller: Caller
  by: UserRow
  item: ReviewItemRow | undefined
  request: SubmitActionRequest
}

interface Act {
  /** Does it; what is written down of it follows in a write of its own. */
  does?: (deed: Deed) => Promise<void>
  /** What changes of the item besides. */
  changes?: (deed: Deed) => Partial<ReviewItemRow>
  /** Nobody has looked at it yet, for all that. */
  leavesOpen?: true
  /** What an action is about whose options name it; an item is needed otherwise. */
  about?: string
}

const acts: Readonly<Record<string, Act>> = {
  mark_reviewed: {},
  delete_message: { does: deletesMessage, changes: () => ({ held_json: null }), about: MESSAGE_ENTITY },
  delete_reaction: { does: deletesReaction, about: REACTION_ENTITY },
  delete_user: { does: deletesUser, about: USER_ENTITY },
  delete_user_messages: { does: deletesMessagesOfUser, about: USER_ENTITY },
  ban: { does: bans, about: USER_ENTITY },
  unban: { does: unbans, about: USER_ENTITY },
  restore: { does: restores },
  block: { does: blocks },
  unblock: { does: unblocks, changes: () => ({ held_json: null }) },
  shadow_block: { does: shadows },
  unmask: { does: unmasks },
  custom: { leavesOpen: true },
  escalate: {
    leavesOpen: true,
    changes: ({ by, server, request }) => ({
      escalated_at: server.clock.now() * 1000,
      escalated_by: by.id,
      escalation_json: JSON.stringify(request.escalate ?? {}),
    }),
  },
  de_escalate: {
    leavesOpen: true,
    changes: () => ({ escalated_at: null, escalated_by: null, escalation_json: null }),
  },
}

/**
 * Does what a moderator decided, by the same rules as if it were done elsewhere, and writes down who did it [MOD2-11].
 * An action on what somebody has looked at already is done and written down as well.
 *
 * @throws ChatError InputError (4) — no such action, or not for a thing like this
 * @throws ChatError DoesNotExistError (16) — no such item, or one of other teams; NotAllowedError (17)
 */
export async function submitAction(
  server: Server,
  caller: Caller,
  request: SubmitActionRequest,
): Promise<ReviewQueueItem | undefined> {
  const by = actingUser(caller)
  const type = request.action_type
  const act = Object.hasOwn(acts, type) ? acts[type]! : undefined
  if (!act) throw inputError('action_type', `there is no action ${type} here`)
  if (type === 'custom' && !request.custom) throw inputError('custom', 'custom is a required field')
  const item = await itemOf(server, caller, request, act)
  const deed: Deed = { server, caller, trusted: { ...caller, server: true, user: by }, by, item, request }
  await act.does?.(deed)
  return server.commit.write(caller.app.id, [], (batch) => note(batch, deed, act))
}

/** The item that is named, or that of the thing that the options name; undefined where there is none of that. */
async function itemOf(server: Server, caller: Caller, request: SubmitActionRequest, { about }: Act) {
  if (request.item_id !== undefined) return accessItem(server, caller, request.item_id)
  const { entity_id, target_user_id, entity_type } = optionsOf(request)
  const id = entity_id ?? target_user_id
  if (id === undefined || about === undefined) throw inputError('item_id', 'item_id is a required field')
  const item = await itemBySubject(server.database.read, caller.app.id, subjectOf(entity_type ?? about, id))
  return item && accessItem(server, caller, item.id)
}

interface Options {
  entity_id?: string
  entity_type?: string
  target_user_id?: string
  reason?: string
  decision_reason?: string
}

/** What stands under the name of the action. */
function optionsOf(request: SubmitActionRequest): Options {
  return ((request as Record<string, unknown>)[request.action_type] as Options | undefined) ?? {}
}

/** Writes down what was done, closes the item, and tells the app's own server. */
async function note(batch: Batch, deed: Deed, act: Act): Promise<ReviewQueueItem | undefined> {
  const { server, caller, by, item, request } = deed
  const { app } = caller
  const { reason, decision_reason } = optionsOf(request)
  const at = batch.now()
  const { id = '', options } = request.custom ?? {}
  const action: ReviewActionRow = {
    app: app.id,
    id: randomUUID(),
    item_id: item?.id ?? '',
    type: request.action_type,
    user_id: by.id,
    reason: reason ?? decision_reason ?? '',
    reporter_type: 'moderator',
    created_at: at,
    target_user_id: targetOf(deed) ?? '',
    data: JSON.stringify(
      request.action_type === 'custom' ? customOf({ id, ...(options && { options }) }, new Set()) : {},
    ),
  }
  await insertAction(batch.db, action)
  const reviewed = act.leavesOpen ? {} : { reviewed_at: at, reviewed_by: by.id }
  if (item) {
    const change = { latest_action: action.type, updated_at: at, ...reviewed, ...act.changes?.(deed) }
    await updateItem(batch.db, app.id, item.id, change)
  }
  if (item && !act.leavesOpen) await reviewSubjects(server, batch, app.id, [item.subject], by.id)
  if (item && action.type === 'mark_reviewed') await marksContent(batch, deed)

  const now = item && (await itemById(batch.db, app.id, item.id))
  if (now) await tellOfItem(server, batch, now, 'updated', { action })
  if (now && action.type === 'mark_reviewed')
    await tellOfDecision(server, batch, now, app.id, (item, message) => ({
      type: 'moderation.mark_reviewed',
      item,
      ...(message && { message }),
    }))
  if (action.type === 'custom')
    await tellOfDecision(server, batch, now, app.id, (item, message) => ({
      type: 'moderation.custom_action',
      action_id: id,
      ...(options && { action_options: options }),
      ...(item && { review_queue_item: item }),
      ...(message && { message }),
    }))
  return now && (await itemWires(server, app.id, [now], batch.db))[0]
}

/** Whoever finds nothing wrong with a user finds nothing wrong with what they wrote. */
async function marksContent(batch: Batch, { server, item, by, request }: Deed) {
  const { disable_marking_content_as_reviewed, content_to_mark_as_reviewed_limit: limit } = request.mark_reviewed ?? {}
  if (item?.entity_type !== USER_ENTITY || disable_marking_content_as_reviewed) return
  const most = Math.min(limit ?? CONTENT_MARKED, CONTENT_MARKED)
  const open = await openItemsOf(batch.db, item.app, item.entity_id, most)
  const marked = { at: batch.now(), by: by.id, action: 'mark_reviewed' }
  const ids = open.map(({ id }) => id)
  await markItems(batch.db, batch.dialect, item.app, ids, marked)
  await reviewSubjects(
    server,
    batch,
    item.app,
    open.map(({ subject }) => subject),
    by.id,
  )
  for (const row of open)
    await tellOfItem(
      server,
      batch,
      { ...row, reviewed_at: marked.at, reviewed_by: by.id, latest_action: marked.action, updated_at: marked.at },
      'updated',
      {},
    )
}

/** Whom an action is about. */
function targetOf({ item, request }: Deed): string | undefined {
  const { target_user_id, entity_id } = optionsOf(request)
  const isOfUser = acts[request.action_type]?.about === USER_ENTITY
  return target_user_id ?? (isOfUser ? entity_id : undefined) ?? item?.creator_id ?? undefined
}

/** @throws ChatError InputError (4) — nobody is named; DoesNotExistError (16) — or somebody of other teams */
async function accessTarget(deed: Deed): Promise<UserRow> {
  const id = targetOf(deed)
  if (id === undefined) throw inputError('target_user_id', 'nobody is known to have made that')
  const user = await existingUser(deed.server, deed.caller.app.id, id)
  if (!deed.item && !isOfOwnTeams(deed.caller, teamsOf(user)))
    throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return user
}

/** Undefined for a thing of the app's own: the app is told, and does it itself. */
function messageIdOf({ item, request }: Deed): string | undefined {
  const { entity_id, entity_type = MESSAGE_ENTITY } = optionsOf(request)
  if (entity_id !== undefined) return subjectOf(entity_type, entity_id).startsWith('message:') ? entity_id : undefined
  if (item?.entity_type === USER_ENTITY)
    throw inputError('action_type', `${request.action_type} is for content, and this is a user`)
  return item?.entity_type === MESSAGE_ENTITY ? item.entity_id : undefined
}

function heldOf(item: ReviewItemRow | undefined): MessageRow | undefined {
  return item?.held_json ? (JSON.parse(item.held_json) as MessageRow) : undefined
}

/** The message with everything that may be done to it; undefined once it is gone for good. */
async function messageIn(deed: Deed, id: string) {
  const { server, trusted, caller, item } = deed
  const found = await accessMessage(server, trusted, id, 'read-channel').catch((error: unknown) => {
    if (error instanceof ChatError && error.kind === 'DoesNotExistError') return undefined
    throw error
  })
  if (!item && found && !isOfOwnTeams(caller, found.access.channel.team === null ? [] : [found.access.channel.team]))
    throw new ChatError('DoesNotExistError', `Can't find message with id ${id}`)
  return found
}

async function deletesMessage(deed: Deed) {
  const id = messageIdOf(deed)
  const found = id === undefined ? undefined : await messageIn(deed, id)
  const hard = deed.request.delete_message?.hard_delete === true
  if (found) await deleteMessage(deed.server, found.access, found.message.id, { hard }, deed.by)
}

/** A reaction is named by its message, its user and its type. */
async function deletesReaction(deed: Deed) {
  const id = deed.request.delete_reaction?.entity_id ?? deed.item?.entity_id ?? ''
  const [, messageId, userId, type] = /^(.+):([^:]+):([^:]+)$/.exec(id) ?? []
  if (messageId === undefined || userId === undefined || type === undefined)
    throw inputError('delete_reaction.entity_id', 'a reaction is named <message id>:<user id>:<type>')
  const found = await messageIn(deed, messageId)
  if (!found) throw new ChatError('DoesNotExistError', `Can't find message with id ${messageId}`)
  await removeReaction(
    deed.server,
    found.access,
    messageId,
    await existingUser(deed.server, deed.caller.app.id, userId),
    type,
  )
}

async function deletesUser(deed: Deed) {
  const { server, by, request } = deed
  const target = await accessTarget(deed)
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

async function deletesMessagesOfUser(deed: Deed) {
  const { server, trusted, request } = deed
  const { delete_messages: fate, channel_cid: cid, delete_reactions } = request.delete_user_messages ?? {}
  if (!fate) throw inputError('delete_user_messages.delete_messages', 'delete_messages is a required field')
  const { app, id: userId } = await accessTarget(deed)
  if (cid !== undefined) await accessChannel(server, trusted, splitCid(cid), 'read-channel')
  await server.commit.write(app, [], async (batch) => {
    await server.tasks.begin(batch, app, deletingMessages.name, { app, userId, fate, at: batch.now(), cid })
    if (delete_reactions) await server.tasks.begin(batch, app, deletingReactions.name, { userId })
  })
}

async function bans(deed: Deed) {
  const { server, by, request, item } = deed
  const { ban = {} } = request
  const target = await accessTarget(deed)
  const cid = ban.channel_cid ?? (ban.channel_ban_only ? item?.cid : undefined)
  if (ban.channel_ban_only && cid == null) throw inputError('ban.channel_cid', 'this was said in no channel')
  const scope = await scopeIn(deed, cid ?? undefined)
  await banUser(server, scope, target.id, by, {
    minutes: ban.timeout,
    reason: ban.reason,
    shadow: ban.shadow === true,
    fromFutureChannels: ban.ban_from_future_channels === true,
    withAddresses: ban.ip_ban === true,
    deletes: ban.delete_messages || undefined,
  })
}

async function unbans(deed: Deed) {
  const { server, by, request } = deed
  const { unban = {} } = request
  const target = await accessTarget(deed)
  const scope = await scopeIn(deed, unban.channel_cid)
  if (unban.remove_future_channels_ban) await allowFutureChannels(server, target.app, by, target.id)
  await unbanUser(server, scope, target.id, by)
}

async function scopeIn({ server, trusted }: Deed, cid: string | undefined): Promise<Scope> {
  const app = trusted.app.id
  if (cid === undefined) return { app, access: undefined }
  return { app, access: await accessChannel(server, trusted, splitCid(cid), 'read-channel') }
}

/** Brings back what was deleted softly; what is gone for good stays so. */
async function restores(deed: Deed) {
  const { server, item, by } = deed
  if (item?.entity_type === USER_ENTITY) return restoreUsers(server, item.app, [item.entity_id])
  const id = messageIdOf(deed)
  if (id === undefined) return
  const found = await messageIn(deed, id)
  if (!found) throw inputError('item_id', `message ${id} is gone for good`)
  await undeleteMessage(server, found.access, id, by)
}

/** What is there goes; what was stopped stays so. It can be unblocked. */
async function blocks(deed: Deed) {
  const id = messageIdOf(deed)
  const found = id === undefined ? undefined : await messageIn(deed, id)
  if (found) await deleteMessage(deed.server, found.access, found.message.id, { hard: false }, deed.by)
}

async function unblocks(deed: Deed) {
  const { server, caller, trusted, item } = deed
  const id = messageIdOf(deed)
  if (id === undefined || !item?.cid) return
  const { cid } = item
  const own = (await accessAmong(server, caller, [cid])).get(cid)
  if (own && !own.can('unblock-message')) throw notAllowed(own, 'unblock-message')
  const released = await releaseMessage(server, trusted, id, heldOf(item))
  await server.commit.write(caller.app.id, [cid], async (batch) => {
    const channel = batch.channel(caller.app.id, cid)
    if (!channel || !batch.isHeardOutside(caller.app.id)) return
    const message = (await messagesShown(server, caller.app.id, [id])).get(id)
    const told = { message, message_id: id, user: released.user }
    batch.tellOutside(caller.app.id, channelEvent(channel, 'message.unblocked', batch.nextTime(channel), told))
  })
}

async function shadows(deed: Deed) {
  const id = messageIdOf(deed)
  const found = id === undefined ? undefined : await messageIn(deed, id)
  if (found) await shadowMessage(deed.server, found.access, found.message.id)
}

/** Shows the words again that stars stand for. */
async function unmasks(deed: Deed) {
  const { server, item, by } = deed
  const id = messageIdOf(deed)
  if (id === undefined || !item) return
  const found = await messageIn(deed, id)
  const text: string | undefined = JSON.parse(item.payload_json).texts?.[0]
  if (!found || text === undefined) throw inputError('item_id', `message ${id} hides no words`)
  const edit = { patch: { set: { text } } }
  await editMessage(server, found.access, found.message, edit, by, { fromServer: true, skipPreview: true })
}
