import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import type { DraftRow, Tables } from '../database/tables.ts'

type Db = Kysely<Tables>

/** What was written in a channel that was deleted is not what somebody writes in the one made again under its id. */
const ofTheChannelThereIs = sql<boolean>`not exists (select 1 from channels c where c.app = drafts.app
  and c.cid = drafts.cid and c.created_at > drafts.created_at)`

/** What one user has written in these channels and their threads, and not sent. Nobody has many of them. */
export async function draftsIn(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<DraftRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<DraftRow>`select * from drafts where app = ${app} and user_id = ${userId}
    and cid ${dialect.among(cids, 'text')} and ${ofTheChannelThereIs}`.execute(db)
  return rows
}

/**
 * What one user has written in these places, and not sent. Nobody has many of them, so they are what is gone through.
 */
export async function draftsAt(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  places: readonly string[],
): Promise<DraftRow[]> {
  if (places.length === 0) return []
  const { rows } = await sql<DraftRow>`select * from drafts where app = ${app} and user_id = ${userId}
    and ${dialect.unindexed(sql.ref('place'))} ${dialect.among(places, 'text')} and ${ofTheChannelThereIs}`.execute(db)
  return rows
}

/** A user's drafts that a filter matches, in order. */
export async function findDrafts(
  db: Db,
  app: string,
  userId: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<DraftRow[]> {
  const { rows } = await sql<DraftRow>`select * from drafts where app = ${app} and user_id = ${userId} and ${where}
    and ${ofTheChannelThereIs} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

export async function putDraft(db: Db, draft: DraftRow) {
  const { message_json, created_at } = draft
  await db
    .insertInto('drafts')
    .values(draft)
    .onConflict((conflict) => conflict.columns(['app', 'user_id', 'place']).doUpdateSet({ message_json, created_at }))
    .execute()
}

/** Deletes the drafts of users in places; gives those there were. One statement for all. */
export async function deleteDrafts(
  db: Db,
  dialect: Dialect,
  app: string,
  named: readonly { user_id: string; place: string }[],
): Promise<DraftRow[]> {
  const among = dialect.pairs(
    named.map((draft) => draft.user_id),
    named.map((draft) => draft.place),
  )
  const { rows } = await sql<DraftRow>`delete from drafts where app = ${app}
    and (user_id, place) in (select a, b from ${among}) returning *`.execute(db)
  return rows
}

/** A channel is erased, and the one made again under its id another one. */
export async function deleteDraftsIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('drafts').where('app', '=', app).where('cid', '=', cid).execute()
}
