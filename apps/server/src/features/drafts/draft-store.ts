import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { DraftRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** Drafts of a deleted channel do not belong to the one recreated under its id. */
const ofTheChannelThereIs = sql<boolean>`not exists (select 1 from channels c where c.app = drafts.app
  and c.cid = drafts.cid and c.created_at > drafts.created_at)`

/** A user's drafts in these channels and their threads. Users have few drafts. */
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
 * A user's drafts in these channels and threads. Users have few drafts, so the query scans those.
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

/** A user's drafts matching a filter, in order. */
export async function findDrafts(
  db: Db,
  app: string,
  userId: string,
  { where, keys, page }: PageQuery,
): Promise<DraftRow[]> {
  const { rows } = await sql<DraftRow>`select drafts.* ${keys} from drafts where app = ${app} and user_id = ${userId}
    and ${where} and ${ofTheChannelThereIs} ${page}`.execute(db)
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

/** Deletes users' drafts in channels or threads; returns those that existed. One statement for all. */
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

/** Called when a channel is erased: a channel recreated under its id is a different channel. */
export async function deleteDraftsIn(db: Db, app: string, cid: string) {
  await db.deleteFrom('drafts').where('app', '=', app).where('cid', '=', cid).execute()
}
