/** Pending messages, which wait until the app's server commits them [messaging.md 5.2, administration.md 13.8]. */

import { splitCid } from '@parley/protocol/cid'
import type { PendingMethod } from '@parley/protocol/hooks'
import { PENDING_IN_STATE } from '@parley/protocol/limits'
import type { Message, PendingMessage } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { pollsShown } from '../../features/polls/polls-shown.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, PendingMessageRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { cancel, type ScheduledJobKind, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { pendingTimeout } from '../apps/webhook-settings.ts'
import { type Access, accessChannel, stillThere } from '../channels/channel-access.ts'
import { channelEvent, channelWire } from '../channels/channel-wire.ts'
import { cachedUserSummaries, userSummariesOf } from '../users/user-summaries.ts'
import { composeMessages } from './compose-messages.ts'
import { withExtras } from './extras.ts'
import { missing } from './message-access.ts'
import { messageById } from './message-store.ts'
import { messageWire, pollsIn, usersIn } from './message-wire.ts'
import { insertPending, pendingById, pendingOf, rowOf, takePending } from './pending-store.ts'
import { checkNew, type PostOptions, postMessage } from './post-message.ts'
import { parentOf } from './post-reply.ts'
import type { Verdict } from './text-moderation.ts'

export { dropPendingIn, lastPendingOf } from './pending-store.ts'

/** Deletes a pending message that was not committed in time. */
export const pendingEnd: ScheduledJobKind = {
  name: 'pending message',
  async happen(server, batch, { app, id }) {
    const pending = await takePending(batch.db, app, id)
    if (pending) await publishGone(server, batch, pending)
  },
}

/**
 * Stores a checked message as pending: only its author and the app's server get it, and no unread count or read
 * position changes.
 *
 * @throws ChatError InputError (4) — the id exists already
 * @throws ChatError DoesNotExistError (16) — its channel was deleted meanwhile
 * @throws ChatError DoesNotExistError (16), MultipleNestingLevelError (21) — its parent cannot have replies
 */
export async function keepPending(
  server: Server,
  access: Access,
  row: MessageRow,
  quoted: MessageRow | undefined,
  { metadata, verdict, skipPush, first }: PendingOptions,
): Promise<Message> {
  const { app, cid } = access.channel
  return server.commit.write(app, [cid], async (batch) => {
    stillThere(batch, access.channel)
    await first?.(batch)
    if (row.parent_id !== null) await parentOf(batch.db, access, row.parent_id)
    await checkUnknown(batch.db, app, row.id)
    const now = batch.now()
    const held = { ...row, created_at: now, updated_at: now }
    await insertPending(batch.db, {
      app,
      id: row.id,
      cid,
      user_id: row.user_id,
      row_json: JSON.stringify(held),
      created_at: now,
      metadata_json: metadata ? JSON.stringify(metadata) : null,
      skip_push: skipPush ? 1 : 0,
      verdict_json: verdict ? JSON.stringify(verdict) : null,
    })
    const { settings } = server.apps.of(app)
    await scheduleJob(batch, pendingEnd, access.channel, row.id, now + pendingTimeout(settings) * 1_000)
    for (const { sent } of server.extensions.messages) sent?.(server, batch, row)
    const userSummaries = await userSummariesOf(server, app, [...usersIn(held), ...(quoted ? usersIn(quoted) : [])])
    const polls = await pollsShown(server, app, pollsIn(quoted ? [held, quoted] : [held]), row.user_id, batch.db)
    const message = messageWire(held, {
      userSummaries,
      now,
      viewerId: row.user_id,
      quoted,
      polls,
      member: access.member,
    })
    enqueuePendingCallback(server, batch, access.channel, 'PassOnPendingMessage', {
      message,
      ...(metadata && { metadata }),
    })
    return message
  })
}

interface PendingOptions extends Pick<PostOptions, 'first'> {
  metadata: Record<string, string> | undefined
  /** The verdict of a moderation rule on it. */
  verdict: Verdict | undefined
  skipPush: boolean
}

/** @throws ChatError InputError (4) — a message has the id, possibly a pending one */
export async function checkUnknown(db: Kysely<Tables>, app: string, id: string) {
  await checkNew(db, app, id)
  if (await pendingById(db, app, id)) throw new ChatError('InputError', `a message with ID ${id} already exists`)
}

/** A pending message, if the caller may see it: the author and the app's server may. */
export async function accessPending(
  server: Server,
  caller: Caller,
  id: string,
): Promise<{ pending: PendingMessageRow; access: Access } | undefined> {
  const pending = await pendingById(server.database.read, caller.app.id, id)
  if (!pending || !(caller.server || caller.user?.id === pending.user_id)) return undefined
  return { pending, access: await accessChannel(server, caller, splitCid(pending.cid), 'read-channel') }
}

/** The user's pending messages in these channels, oldest first, by cid. */
export async function pendingInChannels(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<Map<string, PendingMessage[]>> {
  const { read, dialect } = server.database
  const rows = await pendingOf(read, dialect, app, userId, cids, PENDING_IN_STATE)
  const messages = await composePending(server, app, rows)
  return Map.groupBy(messages, ({ message }) => message.cid)
}

/** Pending messages as their authors see them. */
export async function composePending(
  server: Server,
  app: string,
  rows: readonly PendingMessageRow[],
): Promise<PendingMessage[]> {
  const messages = await composeMessages(server, app, rows.map(rowOf), rows[0]?.user_id)
  return rows.map(({ metadata_json }, i) => ({
    message: messages[i]!,
    ...(metadata_json !== null && { metadata: JSON.parse(metadata_json) }),
  }))
}

/**
 * Posts a pending message as if it were sent now. Only now does its author's read position move, and only now is it
 * flagged for the moderators by its verdict: before, they could not have acted on it.
 *
 * @throws ChatError InputError (4) — it is no longer pending; DoesNotExistError (16) — no such message
 */
export async function commitMessage(server: Server, caller: Caller, id: string): Promise<Message> {
  const app = caller.app.id
  const { read } = server.database
  const found = await accessPending(server, caller, id)
  if (!found) {
    if (await messageById(read, app, id)) throw notWaiting(id)
    throw missing(id)
  }
  const row = rowOf(found.pending)
  const author = await server.users.get(app, row.user_id)
  if (!author) throw missing(id)
  const member = await server.channels.member(app, row.cid, author.id)
  const quoted = row.quoted_message_id === null ? undefined : await messageById(read, app, row.quoted_message_id)
  return postMessage(server, { ...found.access, user: author, member }, author, row, {
    quoted,
    skipPush: found.pending.skip_push === 1,
    keepDraft: true,
    first: async (batch) => {
      const taken = await takePending(batch.db, app, id)
      if (!taken) throw notWaiting(id)
      // A preview or a translation may have been added since it was read.
      const held = rowOf(taken)
      // Slow mode counts from when it was sent, not from when it is committed [CHN-51].
      const extras_json = withExtras(held, { sent_at: taken.created_at })
      Object.assign(row, { attachments_json: held.attachments_json, extras_json })
      await cancel(batch, pendingEnd, row, id)
      const { verdict_json } = taken
      if (verdict_json !== null)
        batch.later(() => server.extensions.textModeration.raiseFlag(server, batch, row, JSON.parse(verdict_json)))
    },
  })
}

/** @throws ChatError InputError (4) — it is no longer pending */
export async function dropPending(
  server: Server,
  pending: PendingMessageRow,
  deleter: UserRow | undefined,
): Promise<Message> {
  const { app, id, cid } = pending
  return server.commit.write(app, [cid], async (batch) => {
    if (!(await takePending(batch.db, app, id))) throw notWaiting(id)
    await cancel(batch, pendingEnd, pending, id)
    return publishGone(server, batch, pending, deleter)
  })
}

/** Publishes the deletion of a pending message to its author, the only user who saw it. */
async function publishGone(
  server: Server,
  batch: Batch,
  pending: PendingMessageRow,
  deleter?: UserRow | undefined,
): Promise<Message> {
  const { app, cid, user_id } = pending
  const channel = batch.channel(app, cid)
  const at = batch.now()
  const gone = { ...rowOf(pending), deleted_at: at, updated_at: at }
  const [message] = await composeMessages(server, app, [gone], user_id, batch.db)
  const user = deleter && (await userSummariesOf(server, app, [deleter.id])).of(deleter.id)
  const metadata = pending.metadata_json === null ? undefined : JSON.parse(pending.metadata_json)
  if (channel) {
    enqueuePendingCallback(server, batch, channel, 'DeletedPendingMessage', {
      message: message!,
      ...(metadata && { metadata }),
    })
    batch.publishToUsers({
      app,
      personal: [
        {
          users: [user_id],
          body: channelEvent(channel, 'message.deleted', at, {
            message,
            message_id: gone.id,
            hard_delete: true,
            ...(user && { user }),
          }),
        },
      ],
    })
  }
  return message!
}

/** Enqueues the webhook for the app's server, which commits or deletes a pending message [administration.md 13.8]. */
function enqueuePendingCallback(
  server: Server,
  batch: Batch,
  row: ChannelRow,
  method: PendingMethod,
  pending: PendingMessage,
) {
  const { app } = row
  batch.publishOutbound(app, () => {
    const channel = channelWire(server, row, cachedUserSummaries(server, app))
    return channelEvent(row, 'message.pending', batch.now(), {
      ...pending,
      channel,
      user: pending.message.user,
      method,
    })
  })
}

function notWaiting(id: string): ChatError {
  return new ChatError('InputError', `message ${id} is not pending`)
}
