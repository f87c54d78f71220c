/** Deletes or restores all messages of one user. */
import type { Message } from '@parley/protocol/messages'
import { holdPollsOf } from '../../features/polls/send-poll.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Effect, ThreadTotals } from '../../platform/realtime/publication.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { dropThreads } from '../threads/keep-thread.ts'
import { totalsAround, totalsOf, unreadUnder } from '../threads/thread-totals.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { userWire } from '../users/user-wire.ts'
import { composeMessages } from './compose-messages.ts'
import { uncount } from './delete-for-me.ts'
import { announceDeletion } from './delete-message.ts'
import { dropDeletedForMe } from './deleted-for-me-store.ts'
import {
  type AuthorPlace,
  eraseMessages,
  markDeleted,
  messagesByIds,
  messagesOfAuthor,
  stripMessages,
  unmarkDeleted,
} from './message-store.ts'
import { changeParent } from './post-reply.ts'
import { announceReturns } from './undelete-message.ts'

export type { AuthorPlace } from './message-store.ts'

/** Messages changed in one write: few enough not to delay other writes. */
const PAGE = 100
/** Messages read in one query. */
const EXPORT_PAGE = 500

/**
 * How messages are deleted: `soft` leaves tombstones, `pruning` leaves tombstones whose content is erased, `hard`
 * leaves nothing.
 */
export type Fate = 'soft' | 'pruning' | 'hard'

export interface Deletion {
  app: string
  userId: string
  fate: Fate
  /** Stored as the time of deletion, so that exactly these messages can be restored. */
  at: number
  /** Deletes only in this channel. */
  cid?: string | undefined
}

type Save = (batch: Batch, next: AuthorPlace | undefined) => Promise<void>

/**
 * Deletes a page of a user's messages from before the deletion. Publishes `user.messages.deleted` to each channel and
 * removes the messages from all unread counts [USR-16].
 *
 * @param save stores the position of the next page in the same write
 * @returns the position of the next page; undefined after the last one
 */
export async function deletePageOf(
  server: Server,
  deletion: Deletion,
  after: AuthorPlace | undefined,
  save: Save,
): Promise<AuthorPlace | undefined> {
  const { app, userId, cid, fate, at } = deletion
  if (fate !== 'soft' && after === undefined)
    for (const { eraseOfUser } of server.extensions.messages) await eraseOfUser?.(server, app, userId, cid)
  return eachPage(server, deletion, after, save, async (batch, channel, rows) => {
    const ids = rows.map((row) => row.id)
    const gone = await markDeleted(batch.db, batch.dialect, app, ids, at)
    for (const row of gone) countMessage(channel, row, -1)
    const effects = [...(await uncount(batch, gone, true)).values()]
    await changeParents(server, batch, channel, fate === 'hard' ? rows : gone, fate === 'hard' ? 'erased' : 'deleted')
    if (fate !== 'soft') {
      await stripMessages(batch.db, batch.dialect, app, ids)
      await batch.dialect.indexWords(
        batch.db,
        rows.map((row) => ({ ...row, text: '' })),
      )
      for (const { erase } of server.extensions.messages) await erase?.(batch, app, ids)
    }
    const unread = fate === 'hard' ? await unreadUnder(server, batch.db, rows) : []
    if (fate === 'hard') await erase(server, batch, channel, rows)
    if (gone.length === 0 && fate === 'soft') return
    const totalsFor = await totalsAround(server, batch.db, gone)
    const threads = Object.assign({}, await totalsOf(server, batch.db, app, unread), ...gone.map(totalsFor))
    await publish(server, batch, channel, deletion, { effects, threads })
  })
}

/**
 * Begins the task that deletes the messages, after the answer. A deletion in all channels is published to the author
 * at once: the events of the channels reach only watchers and members whose unread count changes.
 */
export async function beginDeleting(server: Server, batch: Batch, author: UserRow, deletion: Omit<Deletion, 'userId'>) {
  const { app, fate, at, cid } = deletion
  await server.tasks.begin(batch, app, deletingMessages.name, { ...deletion, userId: author.id })
  if (cid !== undefined) return
  const body = JSON.stringify({
    type: 'user.messages.deleted',
    created_at: isoOf(at),
    user: userWire(author, server.presence.isOnline(app, author.id)),
    soft_delete: fate !== 'hard',
    hard_delete: fate === 'hard',
  })
  batch.publishToUsers({ app, personal: [{ users: [author.id], body }] })
}

/** Deletes the messages page by page. */
export const deletingMessages: TaskKind<Deletion, { next: AuthorPlace | undefined }> = {
  name: 'delete-messages',
  async run(server, task) {
    for (let place = task.progress?.next; ; ) {
      place = await deletePageOf(server, task.input, place, (batch, next) => task.save(batch, { next }))
      if (!place) return {}
    }
  },
}

/** Erases messages of a user and all their replies; publishes the deletion of replies shown in the channel. */
async function erase(server: Server, batch: Batch, channel: ChannelRow, rows: readonly MessageRow[]) {
  const ids = rows.map((row) => row.id)
  const shownReplies = await eraseMessages(batch.db, batch.dialect, channel.app, ids)
  await dropThreads(batch, rows)
  for (const reply of shownReplies) {
    const end = { ...reply, deleted_at: reply.deleted_at ?? channel.event_at }
    // `user.messages.deleted` covers the author's own replies on this page.
    if (reply.user_id !== rows[0]?.user_id || reply.deleted_at === null)
      await announceDeletion(server, batch, channel, reply, end, { hard: true }, undefined)
  }
  await dropDeletedForMe(batch.db, batch.dialect, channel.app, [...ids, ...shownReplies.map((reply) => reply.id)])
}

/** Restores a page of the messages deleted at one time, unless the channel was truncated since. */
export function restorePageOf(
  server: Server,
  { app, userId, at }: Pick<Deletion, 'app' | 'userId' | 'at'>,
  after: AuthorPlace | undefined,
  save: Save,
): Promise<AuthorPlace | undefined> {
  return eachPage(server, { app, userId, at }, after, save, async (batch, channel, rows) => {
    const now = batch.nextTime(channel)
    const ids = rows.map((row) => row.id)
    await holdPollsOf(batch, app, rows)
    const back = await unmarkDeleted(batch.db, batch.dialect, app, ids, at, now)
    await changeParents(server, batch, channel, back, 'back')
    await announceReturns(server, batch, channel, back, undefined)
  })
}

/** All messages of a user, page by page, as the app's server reads them. */
export async function* messagesOfUser(server: Server, app: string, userId: string): AsyncGenerator<Message[]> {
  const until = server.clock.micros()
  for (let after: AuthorPlace | undefined; ; ) {
    const rows = await messagesOfAuthor(server.database.read, app, userId, { after, until }, EXPORT_PAGE)
    if (rows.length > 0) yield await composeMessages(server, app, rows, undefined)
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE) return
    after = { cid: last.cid, at: last.created_at }
  }
}

async function eachPage(
  server: Server,
  { app, userId, at, cid }: Pick<Deletion, 'app' | 'userId' | 'at' | 'cid'>,
  after: AuthorPlace | undefined,
  save: Save,
  change: (batch: Batch, channel: ChannelRow, rows: readonly MessageRow[]) => Promise<void>,
): Promise<AuthorPlace | undefined> {
  const rows = await messagesOfAuthor(server.database.read, app, userId, { cid, after, until: at }, PAGE)
  const last = rows.at(-1)
  const next = last && rows.length === PAGE ? { cid: last.cid, at: last.created_at } : undefined
  const cids = [...new Set(rows.map((row) => row.cid))]
  await server.commit.write(app, cids, async (batch) => {
    await save(batch, next)
    // Reads the rows again: other writes may have changed or deleted some of them.
    const ids = rows.map((row) => row.id)
    const channels = Map.groupBy(await messagesByIds(batch.db, batch.dialect, app, ids), (row) => row.cid)
    for (const [inside, said] of channels) {
      const channel = batch.channel(app, inside)
      if (channel) await change(batch, channel, said)
    }
  })
  return next
}

/** Updates the reply counts of the parents of these messages. */
async function changeParents(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  rows: readonly MessageRow[],
  what: 'deleted' | 'erased' | 'back',
) {
  const replies = Map.groupBy(
    rows.filter((row) => row.parent_id !== null && !row.shadowed),
    (row) => row.parent_id!,
  )
  for (const parent of await messagesByIds(batch.db, batch.dialect, channel.app, [...replies.keys()])) {
    const own = replies.get(parent.id)!
    const were = own.filter((row) => row.deleted_at === null || what !== 'erased').length
    const counts = {
      deleted: { reply_count: -were, deleted_reply_count: were },
      erased: { reply_count: -were, deleted_reply_count: were - own.length },
      back: { reply_count: were, deleted_reply_count: -were },
    }[what]
    await changeParent(server, batch, channel, parent, {
      reply_count: parent.reply_count + counts.reply_count,
      deleted_reply_count: parent.deleted_reply_count + counts.deleted_reply_count,
    })
  }
}

async function publish(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  { userId, fate, at: deletedAt }: Deletion,
  { effects, threads }: { effects: readonly Effect[]; threads: Record<string, ThreadTotals> },
) {
  const at = batch.nextTime(channel)
  const userSummaries = await userSummariesOf(server, channel.app, [userId])
  // Clients use the time of the event as the time of the deletion.
  const body = channelEvent(channel, 'user.messages.deleted', deletedAt, {
    user: userSummaries.of(userId),
    soft_delete: fate !== 'hard',
    hard_delete: fate === 'hard',
    ...(channel.last_message_at !== null && { channel_last_message_at: isoOf(channel.last_message_at) }),
    ...messageCount(server, channel),
  })
  batch.publish(channel, 'user.messages.deleted', {
    at,
    watchers: body,
    // The badges of members who do not watch must stop counting deleted messages [READ-18].
    others: { body, onlyChanged: true },
    totals: 'members',
    ...(Object.keys(threads).length > 0 && { threads }),
    effects,
  })
}
