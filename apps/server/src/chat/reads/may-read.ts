/** With multi-tenancy, a member outside a channel's team may be kept out of the channel [administration.md 3.6]. */
import { type Kysely, sql } from 'kysely'
import type { ChannelRow, MemberRow, Tables, UserRow } from '../../platform/database/tables.ts'
import type { App } from '../apps/app.ts'

/** A member in a channel, with the columns that decide whether they may read there. */
export type Standpoint = Pick<MemberRow, 'user_id' | 'cid' | 'status' | 'channel_role'> &
  Pick<ChannelRow, 'type' | 'team' | 'created_by' | 'overrides_json'> &
  Pick<UserRow, 'role' | 'teams_json' | 'teams_role_json'>

/** Its columns from the channel `c`, the membership `m` and the user `w`. */
export const standpoint = sql`c.team, c.created_by, c.overrides_json, m.channel_role, w.role, w.teams_json,
  w.teams_role_json`

/** Whether a member may be kept out of a channel for its team. */
export function keepsTeamsApart({ settings }: App): boolean {
  return settings.multi_tenant_enabled && !settings.disable_permissions_checks
}

/** The rows whose user may read the channel; with multi-tenancy the rows must have the `standpoint` columns. */
export function readable<Row extends object>(app: App, rows: Row[]): Row[] {
  if (!keepsTeamsApart(app)) return rows
  return (rows as (Row & Standpoint)[]).filter((row) => mayRead(app, row))
}

/** The channels that a user is a member of but may not read, because of their team. */
export async function closedTo(db: Kysely<Tables>, app: App, userId: string): Promise<string[]> {
  if (!keepsTeamsApart(app)) return []
  const { rows } = await sql<Standpoint>`select m.user_id, c.cid, c.type, m.status, ${standpoint} from members m
    join channels c on c.app = m.app and c.cid = m.cid and c.deleted_at is null
    join users w on w.app = m.app and w.id = m.user_id
    where m.app = ${app.id} and m.user_id = ${userId}`.execute(db)
  return rows.filter((place) => !mayRead(app, place)).map(({ cid }) => cid)
}

function mayRead(app: App, place: Standpoint): boolean {
  const { user_id: id, cid, type, team, role, status, channel_role, created_by } = place
  if (app.sharesTeam(place, team)) return true
  const facts = () => ({ subject: { id, role }, resource: { cid, type, team, created_by_id: created_by } })
  return app
    .scopeOf(place)
    .allows([app.roleIn(place, team), status === 'rejected' ? undefined : channel_role], 'read-channel', {
      owns: created_by === id,
      sameTeam: false,
      facts,
    })
}
