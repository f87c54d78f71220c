/** Access to the review queue [MOD2-15]. */
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../chat/api/caller.ts'
import { checkNotBanned } from '../../chat/bans/banned.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { isOfOwnTeams, ownTeams } from '../../chat/users/teams.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ReviewItemRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
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
 * The only way from an item id sent by a client to the item. A missing item and one of other teams answer alike.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessItem(server: Server, caller: Caller, id: string): Promise<ReviewItemRow> {
  const item = await itemById(server.database.read, caller.app.id, id)
  if (!item || !isOfOwnTeams(caller, JSON.parse(item.teams_json)))
    throw new ChatError('DoesNotExistError', `Can't find review queue item with id ${id}`)
  return item
}

/** `isOfOwnTeams` for the row `q` of a query. */
export function ofOwnTeams(caller: Caller, dialect: Dialect): RawBuilder<boolean> {
  const own = ownTeams(caller)
  if (own === undefined) return sql<boolean>`1 = 1`
  return own.length === 0 ? sql<boolean>`q.teams_json = '[]'` : hasTeam(dialect, own)
}

/** The same for a subject in one team or none. */
export function inOwnTeams(caller: Caller, dialect: Dialect, team: RawBuilder<unknown>): RawBuilder<boolean> {
  const own = ownTeams(caller)
  if (own === undefined) return sql<boolean>`1 = 1`
  return own.length === 0 ? sql<boolean>`${team} is null` : sql<boolean>`${team} ${dialect.among(own, 'text')}`
}

/** Whether the row `q` is in one of these teams. */
export function hasTeam(dialect: Dialect, teams: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('q.teams_json')} t
    where t.value ${dialect.among(teams, 'text')})`
}
