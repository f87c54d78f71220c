import { USERS_PAGE } from '@parley/protocol/limits'
import type { QueryUsersPayload } from '@parley/protocol/users'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { ChatError } from '../../platform/chat-error.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  filterCost,
  flagColumn,
  listOf,
  operators,
  type SpecialField,
  tieBreak,
  timeOrNoneColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { named } from '../../platform/database/name-words.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { readerOf } from '../api/reader.ts'
import { demandInApp } from '../permissions/demand-in-app.ts'

/** The fields users can be filtered and sorted by [messaging.md 3.3]. The user's row is `u`. */
export const userEntity = (dialect: Dialect, app: string, caller: Pick<Caller, 'server'>): Entity => ({
  filterName: 'filter_conditions',
  custom: 'u.data',
  tieBreak: [tieBreak('u.id', { direction: -1 })],
  fields: {
    id: {
      kind: 'text',
      sql: sql.ref('u.id'),
      operators: ['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$autocomplete'],
    },
    role: { kind: 'text', sql: sql.ref('u.role'), operators: operators.comparisons },
    name: {
      kind: 'text',
      sql: sql.ref('u.name'),
      operators: operators.text,
      hasWord: (word, isBeginning) => sql<boolean>`u.id in (${named('user_words', app, word, isBeginning)})`,
    },
    created_at: timeOrNoneColumn('u.created_at'),
    updated_at: timeOrNoneColumn('u.updated_at'),
    last_active: timeOrNoneColumn('u.last_active'),
    banned: flagColumn('u.banned'),
    // Only the app's server may see this.
    shadow_banned: flagColumn(caller.server ? 'u.shadow_banned' : sql`0`),
    teams: teamsField(dialect),
  },
})

/** `$contains` and `$in`: the user is in that team, or in one of those; `$eq`: exactly those teams. */
function teamsField(dialect: Dialect): SpecialField {
  return {
    kind: 'special',
    operators: ['$eq', '$contains', '$in'],
    compile(operator, value) {
      const teams = operator === '$contains' ? [value] : value === null ? [] : listOf('teams', operator, value)
      if (!teams.every((team) => typeof team === 'string')) throw wrongType('teams', 'a list of team names')
      if (operator === '$eq') return sql<boolean>`coalesce(u.teams_json, '[]') = ${JSON.stringify(teams)}`
      return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('u.teams_json')} t
        where t.value ${dialect.among(teams as string[], 'text')})`
    },
  }
}

/** Tenants see themselves, and users who share a team with them [administration.md 3.6]. */
function inSameTeam(dialect: Dialect, { id, teams_json }: UserRow): RawBuilder<boolean> {
  const teams = teams_json === null ? [] : (JSON.parse(teams_json) as string[])
  const shares =
    teams.length === 0 ? sql<boolean>`coalesce(u.teams_json, '[]') = '[]'` : teamsField(dialect).compile('$in', teams)
  return sql<boolean>`(u.id = ${id} or ${shares})`
}

/**
 * Users a filter matches; never deleted ones, deactivated ones on request.
 *
 * @throws ChatError NotAllowedError (17) — the caller's role may not search users
 */
export async function queryUsers(
  server: Server,
  caller: Caller,
  payload: Static<typeof QueryUsersPayload>,
): Promise<UserRow[]> {
  demandInApp(caller, 'search-user')
  if (!caller.server && caller.app.settings.user_search_disallowed_roles.includes(caller.user!.role))
    throw new ChatError('NotAllowedError', `users with role '${caller.user!.role}' may not search users`)
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const entity = userEntity(dialect, caller.app.id, caller)
  const where: RawBuilder<boolean>[] = [compileFilter(entity, dialect, payload.filter_conditions)]
  if (!caller.server && caller.app.settings.multi_tenant_enabled) where.push(inSameTeam(dialect, caller.user!))
  if (!payload.include_deactivated_users) where.push(sql<boolean>`u.deactivated_at is null`)
  const ids: [string | undefined, string][] = [
    [payload.id_gt, '>'],
    [payload.id_gte, '>='],
    [payload.id_lt, '<'],
    [payload.id_lte, '<='],
  ]
  for (const [id, operator] of ids)
    if (id !== undefined) where.push(sql<boolean>`${dialect.textOrder(sql.ref('u.id'))} ${sql.raw(operator)} ${id}`)
  const sort = payload.sort?.length ? payload.sort : [{ field: 'created_at', direction: -1 as const }]
  const { rows } = await sql<UserRow>`select u.* from users u where u.app = ${caller.app.id} and u.deleted_at is null
    and ${sql.join(where, sql` and `)} order by ${compileSort(entity, dialect, sort)}
    limit ${payload.limit ?? USERS_PAGE} offset ${payload.offset ?? 0}`.execute(reader.for(isBounded(payload)))
  return rows
}

/** Maximum conditions checked on each of the named users. */
const CONDITIONS_OF_NAMED = 8

/** The named users, or the newest of all. */
function isBounded({ filter_conditions: filter = {}, sort }: Static<typeof QueryUsersPayload>): boolean {
  const { conditions, words } = filterCost(filter)
  if (conditions === 0) return !sort?.length
  return words === 0 && conditions <= CONDITIONS_OF_NAMED && namesSome((filter as { id?: unknown }).id)
}

/** Whether a condition matches only the users it names. */
function namesSome(condition: unknown): boolean {
  return typeof condition === 'string' || Object.keys(condition ?? {}).some((key) => key === '$in' || key === '$eq')
}
