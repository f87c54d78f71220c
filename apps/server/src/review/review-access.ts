/** Who may look after what is before the moderators [MOD2-15]. */
import { type RawBuilder, sql } from 'kysely'
import { ChatError } from '../chat-error.ts'
import type { Dialect } from '../database/dialect.ts'
import type { ReviewItemRow } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import { checkNotBanned } from '../moderation/banned.ts'
import { demandInApp } from '../permissions/demand-in-app.ts'
import type { Server } from '../server.ts'
import { teamsOf } from './entities.ts'
import { itemById } from './review-store.ts'

/** @throws ChatError NotAllowedError (17) */
export function checkMayReview(caller: Caller) {
  demandInApp(caller, 'read-flag-reports')
}

/** @throws ChatError NotAllowedError (17) */
export function checkMayModerate(caller: Caller) {
  demandInApp(caller, 'update-flag-report')
  if (!caller.server) checkNotBanned(caller.user)
}

/**
 * The only way from an item's id that came from outside to the item. One that is missing and one of other teams answer
 * alike.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessItem(server: Server, caller: Caller, id: string): Promise<ReviewItemRow> {
  const item = await itemById(server.database.read, caller.app.id, id)
  if (!item || !isOfOwnTeams(caller, JSON.parse(item.teams_json)))
    throw new ChatError('DoesNotExistError', `Can't find review queue item with id ${id}`)
  return item
}

/** Whether the caller looks after a thing of these teams; where there are no teams, everybody looks after all. */
export function isOfOwnTeams(caller: Pick<Caller, 'app' | 'server' | 'user'>, teams: readonly string[]): boolean {
  const own = ownTeams(caller)
  if (own === undefined) return true
  return teams.length === 0 ? own.length === 0 : teams.some((team) => own.includes(team))
}

/** The same for the row `q` of a query. */
export function ofOwnTeams(caller: Caller, dialect: Dialect): RawBuilder<boolean> {
  const own = ownTeams(caller)
  if (own === undefined) return sql<boolean>`1 = 1`
  return own.length === 0 ? sql<boolean>`q.teams_json = '[]'` : hasTeam(dialect, own)
}

/** The same for what is in one team, or in none. */
export function inOwnTeams(caller: Caller, dialect: Dialect, team: RawBuilder<unknown>): RawBuilder<boolean> {
  const own = ownTeams(caller)
  if (own === undefined) return sql<boolean>`1 = 1`
  return own.length === 0 ? sql<boolean>`${team} is null` : sql<boolean>`${team} ${dialect.among(own, 'text')}`
}

/** Whether the row `q` is of one of these teams. */
export function hasTeam(dialect: Dialect, teams: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('q.teams_json')} t
    where t.value ${dialect.among(teams, 'text')})`
}

/** Who has these roles is a moderator, or an administrator, in every team [administration.md 3.2]. */
const inEveryTeam: ReadonlySet<string> = new Set(['global_moderator', 'global_admin'])

/** Undefined for whoever looks after all. */
function ownTeams({ app, server, user }: Pick<Caller, 'app' | 'server' | 'user'>): string[] | undefined {
  if (server || !user || !app.settings.multi_tenant_enabled || inEveryTeam.has(user.role)) return undefined
  return teamsOf(user)
}
