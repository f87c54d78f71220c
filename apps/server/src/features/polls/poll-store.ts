import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { PollRow, PollVoteRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

export function pollById(db: Db, app: string, id: string): Promise<PollRow | undefined> {
  return db.selectFrom('polls').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** The poll as it is now, locked until the transaction ends. */
export async function lockedPoll(db: Db, dialect: Dialect, app: string, id: string): Promise<PollRow | undefined> {
  const { rows } =
    await sql<PollRow>`select * from polls where app = ${app} and id = ${id} ${dialect.forUpdate}`.execute(db)
  return rows[0]
}

/** Locks these polls until the transaction ends. */
export async function lockPolls(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  if (ids.length === 0) return
  await sql`select id from polls where app = ${app} and id ${dialect.among(ids, 'text')}
    order by id ${dialect.forUpdate}`.execute(db)
}

export async function pollsByIds(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<PollRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PollRow>`select * from polls where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** The polls that a filter on the row `p` matches, in order. */
export async function findPolls(db: Db, app: string, { where, keys, page }: PageQuery): Promise<PollRow[]> {
  const { rows } = await sql<PollRow>`select p.* ${keys} from polls p where p.app = ${app} and ${where}
    ${page}`.execute(db)
  return rows
}

/** Some of the polls that a user created. */
export function pollsOfUser(db: Db, app: string, userId: string, limit: number): Promise<PollRow[]> {
  return db
    .selectFrom('polls')
    .selectAll()
    .where('app', '=', app)
    .where('created_by', '=', userId)
    .limit(limit)
    .execute()
}

export async function insertPoll(db: Db, poll: PollRow) {
  await db.insertInto('polls').values(poll).execute()
}

export async function updatePollRow(db: Db, { app, id, ...change }: PollRow) {
  await db.updateTable('polls').set(change).where('app', '=', app).where('id', '=', id).execute()
}

/** Removes a poll and its votes. */
export async function deletePollRow(db: Db, app: string, id: string) {
  await db.deleteFrom('poll_votes').where('app', '=', app).where('poll_id', '=', id).execute()
  await db.deleteFrom('polls').where('app', '=', app).where('id', '=', id).execute()
}

/** The newest votes of each option, newest first; one statement for all. */
export async function latestVotes(
  db: Db,
  dialect: Dialect,
  app: string,
  optionIds: readonly string[],
  limit: number,
): Promise<PollVoteRow[]> {
  if (optionIds.length === 0) return []
  const newest = sql`where app = ${app} and option_id = k.value order by created_at desc limit ${limit}`
  const { rows } = await sql<PollVoteRow>`${dialect.perKey('poll_votes', optionIds, newest)}`.execute(db)
  return rows.sort((a, b) => b.created_at - a.created_at)
}

/** The newest answers of each poll, newest first; one statement for all. */
export async function latestAnswers(
  db: Db,
  dialect: Dialect,
  app: string,
  pollIds: readonly string[],
  limit: number,
): Promise<PollVoteRow[]> {
  if (pollIds.length === 0) return []
  const newest = sql`where app = ${app} and poll_id = k.value and option_id = '' and shadowed = 0
    order by created_at desc limit ${limit}`
  const { rows } = await sql<PollVoteRow>`${dialect.perKey('poll_votes', pollIds, newest)}`.execute(db)
  return rows.sort((a, b) => b.created_at - a.created_at)
}

/** One user's votes and answers in these polls, oldest first. */
export async function votesOfUser(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  pollIds: readonly string[],
): Promise<PollVoteRow[]> {
  if (pollIds.length === 0) return []
  const { rows } = await sql<PollVoteRow>`select * from poll_votes where app = ${app} and user_id = ${userId}
    and poll_id ${dialect.among(pollIds, 'text')} order by created_at`.execute(db)
  return rows
}

/** A user's text answers after an id, in the order of ids. */
export function answersOfUser(
  db: Db,
  app: string,
  userId: string,
  after: string,
  limit: number,
): Promise<PollVoteRow[]> {
  return db
    .selectFrom('poll_votes')
    .selectAll()
    .where('app', '=', app)
    .where('user_id', '=', userId)
    .where('answer_text', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The ids of a user's answers in polls that messages of a channel show. */
export async function answerIdsIn(db: Db, app: string, cid: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select v.id from poll_votes v where v.app = ${app}
    and v.user_id = ${userId} and v.answer_text is not null and exists (select 1 from messages m
    where m.app = v.app and m.poll_id = v.poll_id and m.cid = ${cid})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The votes of a poll that a filter on the row `v` matches, in order. */
export async function findVotes(
  db: Db,
  { app, id }: PollRow,
  { where, keys, page }: PageQuery,
): Promise<PollVoteRow[]> {
  const { rows } = await sql<PollVoteRow>`select v.* ${keys} from poll_votes v where v.app = ${app}
    and v.poll_id = ${id} and ${where} ${page}`.execute(db)
  return rows
}

export function voteById(db: Db, app: string, pollId: string, id: string): Promise<PollVoteRow | undefined> {
  return db
    .selectFrom('poll_votes')
    .selectAll()
    .where('app', '=', app)
    .where('id', '=', id)
    .where('poll_id', '=', pollId)
    .executeTakeFirst()
}

/** Adds a vote, or overwrites the one with its id. */
export async function putVote(db: Db, vote: PollVoteRow) {
  const { option_id, answer_text, shadowed, created_at, updated_at } = vote
  await db
    .insertInto('poll_votes')
    .values(vote)
    .onConflict((conflict) =>
      conflict.columns(['app', 'id']).doUpdateSet({ option_id, answer_text, shadowed, created_at, updated_at }),
    )
    .execute()
}

export async function deleteVotes(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  await sql`delete from poll_votes where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
}

/** Deletes all votes for some options. */
export async function deleteVotesFor(db: Db, dialect: Dialect, app: string, optionIds: readonly string[]) {
  await sql`delete from poll_votes where app = ${app}
    and option_id ${dialect.among(optionIds, 'text')}`.execute(db)
}
