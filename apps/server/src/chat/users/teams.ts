import type { UserRow } from '../../platform/database/tables.ts'
import type { Caller } from '../api/caller.ts'

export function teamsOf({ teams_json }: UserRow): string[] {
  return teams_json === null ? [] : JSON.parse(teams_json)
}

/** Whether the caller may moderate a subject of these teams; without teams, every moderator may. */
export function isOfOwnTeams(caller: Pick<Caller, 'app' | 'server' | 'user'>, teams: readonly string[]): boolean {
  const own = ownTeams(caller)
  if (own === undefined) return true
  return teams.length === 0 ? own.length === 0 : teams.some((team) => own.includes(team))
}

/** Users with these roles are moderators or administrators in every team [administration.md 3.2]. */
const inEveryTeam: ReadonlySet<string> = new Set(['global_moderator', 'global_admin'])

/** Undefined for a caller who may moderate all teams. */
export function ownTeams({ app, server, user }: Pick<Caller, 'app' | 'server' | 'user'>): string[] | undefined {
  if (server || !user || !app.settings.multi_tenant_enabled || inEveryTeam.has(user.role)) return undefined
  return teamsOf(user)
}
