/** The messages of a channel at which a read position can lie. */
import type { Kysely } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ChannelRow, MessageRow, Tables, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Access } from '../channels/channel-access.ts'
import { deletedAfter } from './deleted-for-me-store.ts'
import { horizonOf, shownSince } from './message-access.ts'
import { restrictedFor } from './message-recipients.ts'
import { channelPage, messagesByIds, newerThan, newestMessages, newestUpTo, ownCountedAfter } from './message-store.ts'

type Db = Kysely<Tables>

/** The newest channel message up to a time. */
export function messageAt(db: Db, { app, cid }: ChannelRow, at: Micros): Promise<MessageRow | undefined> {
  return newestUpTo(db, app, cid, at)
}

/** The newest channel message up to a time that the reader with this access can see. */
export async function seenAt(db: Db, access: Access, at: Micros): Promise<MessageRow | undefined> {
  const { app, cid } = access.channel
  const page = { limit: 1, before: { at, inclusive: true } }
  const [newest] = await channelPage(db, app, cid, page, horizonOf(access))
  return newest
}

/** The newest message of each channel that the reader with this access can see; one query for all. */
export async function newestSeen(
  { db, dialect }: Batch,
  accesses: readonly Access[],
  reader: UserRow,
): Promise<ReadonlyMap<string, MessageRow>> {
  const since = new Map(accesses.map(({ channel, member }) => [channel.cid, shownSince(channel, member)]))
  const all = accesses.filter((access) => restrictedFor(access) === null).map(({ channel }) => channel.cid)
  const newest = await newestMessages(db, dialect, reader.app, since, 1, reader.id, all)
  return new Map(newest.map((message) => [message.cid, message]))
}

/** The messages with these ids, in any channel. */
export async function messagesNamed(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageRow>> {
  return new Map((await messagesByIds(db, dialect, app, ids)).map((message) => [message.id, message]))
}

/** The number of countable messages after an ordinal that a user deleted for themselves. */
export function asideAfter(db: Db, app: string, cid: string, userId: string, ordinal: number): Promise<number> {
  return deletedAfter(db, app, cid, userId, ordinal)
}

/** The number of newer channel messages, counting no further than `limit`. */
export function newerMessages(db: Db, { app, cid }: ChannelRow, at: Micros, limit: number): Promise<number> {
  return newerThan(db, app, cid, at, limit)
}

/** The number of a user's own countable messages after an ordinal, without deleted ones. */
export function ownAfter(db: Db, app: string, cid: string, userId: string, ordinal: number): Promise<number> {
  return ownCountedAfter(db, app, cid, userId, ordinal)
}
