import { MEMBERS_PAGE_MAX } from '@parley/protocol/limits'
import type { Member, QueryMembersPayload } from '@parley/protocol/members'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  filterCost,
  flagColumn,
  textColumn,
  tieBreak,
  timeColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { readerFor } from '../../platform/database/reader.ts'
import type { MemberRow } from '../../platform/database/tables.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { memberWire } from './member-wire.ts'

/** Maximum members checked against a few conditions on the event loop. */
const MEMBERS_AT_ONCE = 500
const CONDITIONS_AT_ONCE = 8

/**
 * The fields members can be filtered and sorted by [messaging.md 4.10]. The member's row is `m`, the user's `u`.
 *
 * @param seesShadows whether the caller may see shadow bans; other callers see none
 */
function memberEntity(dialect: Dialect, seesShadows: boolean): Entity {
  const userId = textColumn('m.user_id')
  return {
    filterName: 'filter_conditions',
    custom: 'm.data',
    tieBreak: [tieBreak('m.user_id')],
    fields: {
      id: userId,
      user_id: userId,
      cid: textColumn('m.cid'),
      name: { ...textColumn('u.name'), operators: ['$eq', '$in', '$autocomplete', '$q'] },
      'user.email': {
        kind: 'text',
        sql: dialect.jsonValue('u.data', ['email'], 'text'),
        operators: ['$eq', '$in', '$autocomplete'],
      },
      channel_role: textColumn('m.channel_role'),
      is_moderator: flagColumn(sql`(case when m.channel_role = 'channel_moderator' then 1 else 0 end)`),
      banned: flagColumn('m.banned'),
      shadow_banned: flagColumn(seesShadows ? 'm.shadow_banned' : sql`0`),
      joined: flagColumn(sql`(case when m.status in ('member', 'accepted') then 1 else 0 end)`),
      invite: {
        kind: 'special',
        operators: ['$eq'],
        compile(_, value) {
          if (value !== 'pending' && value !== 'accepted' && value !== 'rejected')
            throw wrongType('invite', 'pending, accepted or rejected')
          return sql<boolean>`m.status = ${value}`
        },
      },
      created_at: timeColumn('m.created_at'),
      updated_at: timeColumn('m.updated_at'),
      last_active: { ...timeColumn('u.last_active'), isNeverNull: false },
    },
  }
}

/** The members of a channel that match a filter, oldest first by default [MEM-10]. */
export async function queryMembers(
  server: Server,
  access: Access,
  payload: Static<typeof QueryMembersPayload>,
): Promise<Member[]> {
  const { app, cid, created_by } = access.channel
  const reader = readerFor(server.database, app, access.isServer ? undefined : access.user?.id)
  const { dialect } = reader
  const seesShadows = access.can('ban-channel-member')
  const entity = memberEntity(dialect, seesShadows)
  const where = [compileFilter(entity, dialect, payload.filter_conditions)]
  for (const [name, operator] of [
    ['user_id_gt', '>'],
    ['user_id_gte', '>='],
    ['user_id_lt', '<'],
    ['user_id_lte', '<='],
  ] as const)
    if (payload[name] !== undefined)
      where.push(sql<boolean>`${dialect.textOrder(sql.ref('m.user_id'))} ${sql.raw(operator)} ${payload[name]}`)
  for (const [name, operator] of [
    ['created_at_after', '>'],
    ['created_at_after_or_equal', '>='],
    ['created_at_before', '<'],
    ['created_at_before_or_equal', '<='],
  ] as const) {
    if (payload[name] === undefined) continue
    const at = microsOf(payload[name])
    if (at === undefined) throw inputError(name, `${name} is not a time`)
    where.push(sql<boolean>`m.created_at ${sql.raw(operator)} ${at}`)
  }
  const { conditions, words } = filterCost(payload.filter_conditions)
  const isBounded = access.channel.member_count <= MEMBERS_AT_ONCE && conditions <= CONDITIONS_AT_ONCE && words <= 1
  const sort = payload.sort?.length ? payload.sort : [{ field: 'created_at', direction: 1 as const }]
  const { rows } = await sql<MemberRow>`select m.* from members m join users u on u.app = m.app and u.id = m.user_id
    where m.app = ${app} and m.cid = ${cid} and ${sql.join(where, sql` and `)}
    order by ${compileSort(entity, dialect, sort)}
    limit ${payload.limit ?? MEMBERS_PAGE_MAX} offset ${payload.offset ?? 0}`.execute(reader.for(isBounded))
  const userSummaries = await userSummariesOf(
    server,
    app,
    rows.map((row) => row.user_id),
  )
  return rows.map((row) => memberWire(row, userSummaries.of(row.user_id), created_by, seesShadows))
}
