import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { PageQuery } from '../../platform/database/keyset.ts'
import type { Tables, UsageDayRow, UsageUserRow } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** From the first to the last day, both inclusive. */
export interface Days {
  from: string
  to: string
}

/** Upserts the counts of one node; each row holds the node's whole count of that day. */
export async function putDays(db: Db, dialect: Dialect, rows: readonly UsageDayRow[]) {
  const columns = ['messages', 'translations', 'users_peak', 'connections_peak'] as const
  await dialect.putRows(db, 'usage_days', ['app', 'team', 'day', 'node'], columns, rows)
}

/** Upserts users; a user who wrote stays marked so. */
export async function putUsers(db: Db, dialect: Dialect, rows: readonly UsageUserRow[]) {
  const keys = ['app', 'team', 'day', 'user_id'] as const
  await dialect.putRows(
    db,
    'usage_users',
    keys,
    ['user_id'],
    rows.filter(({ wrote }) => wrote === 0),
  )
  await dialect.putRows(
    db,
    'usage_users',
    keys,
    ['wrote'],
    rows.filter(({ wrote }) => wrote === 1),
  )
}

/** The teams `t` with any usage in this time. */
export async function teamsWithin(
  db: Db,
  app: string,
  { from, to }: Days,
  { where, keys, page }: PageQuery,
): Promise<{ team: string }[]> {
  const within = sql`app = ${app} and day >= ${from} and day <= ${to}`
  const { rows } = await sql<{ team: string }>`select t.team ${keys} from (select team from usage_days where ${within}
    union select team from usage_users where ${within}) t where ${where} ${page}`.execute(db)
  return rows
}

/** The usage of a team on one day. */
export interface DayOfTeam {
  team: string
  day: string
  messages: number
  translations: number
  users_peak: number
  connections_peak: number
}

export async function daysOfTeams(
  db: Db,
  dialect: Dialect,
  app: string,
  teams: readonly string[],
  { from, to }: Days,
): Promise<DayOfTeam[]> {
  const { rows } = await sql<DayOfTeam>`select team, day, sum(messages) as messages, sum(translations) as translations,
    max(users_peak) as users_peak, max(connections_peak) as connections_peak from usage_days
    where app = ${app} and team ${dialect.among(teams, 'text')} and day >= ${from} and day <= ${to}
    group by team, day`.execute(db)
  return rows.map((row) => ({ ...row, messages: Number(row.messages), translations: Number(row.translations) }))
}

/** How many messages each team wrote in each of these periods, which are named by their last day. */
export async function messagesWithin(
  db: Db,
  dialect: Dialect,
  app: string,
  teams: readonly string[],
  times: readonly Days[],
): Promise<{ team: string; to: string; count: number }[]> {
  const { rows } = await sql<{ team: string; last: string; count: number }>`select d.team, k.b as last,
    sum(d.messages) as count from (select a, b from ${pairsOf(dialect, times)}) k
    cross join usage_days d where d.app = ${app} and d.team ${dialect.among(teams, 'text')} and d.day >= k.a
    and d.day <= k.b group by d.team, k.b`.execute(db)
  return rows.map(({ team, last, count }) => ({ team, to: last, count: Number(count) }))
}

/** How many users of each team were active in each of these periods, and how many of them wrote. */
export async function usersWithin(
  db: Db,
  dialect: Dialect,
  app: string,
  teams: readonly string[],
  times: readonly Days[],
): Promise<{ team: string; to: string; users: number; engaged: number }[]> {
  const { rows } = await sql<{ team: string; last: string; users: number; engaged: number }>`select u.team,
    k.b as last, count(distinct u.user_id) as users,
    count(distinct case when u.wrote = 1 then u.user_id end) as engaged from (select a, b from ${pairsOf(dialect, times)}) k
    cross join usage_users u where u.app = ${app} and u.team ${dialect.among(teams, 'text')} and u.day >= k.a
    and u.day <= k.b group by u.team, k.b`.execute(db)
  return rows.map(({ team, last, users, engaged }) => ({
    team,
    to: last,
    users: Number(users),
    engaged: Number(engaged),
  }))
}

function pairsOf(dialect: Dialect, times: readonly Days[]) {
  return dialect.pairs(
    times.map(({ from }) => from),
    times.map(({ to }) => to),
  )
}
