import { type RawBuilder, sql } from 'kysely'
import { inputError } from '../../platform/chat-error.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  type Entity,
  flagColumn,
  listOf,
  numberColumn,
  operators,
  type Sortable,
  type SpecialField,
  textColumn,
  tieBreak,
  timeColumn,
  timeOrNoneColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { named } from '../../platform/database/name-words.ts'
import type { Micros } from '../../platform/micros.ts'
import type { App } from '../apps/app.ts'
import { unreadIn } from '../reads/counting.ts'

/**
 * The fields channels can be filtered and sorted by [messaging.md 4.4, 4.5]. The channel's row is `c`.
 *
 * @param userId the user whose memberships, hidden channels and unread counts the per-user fields refer to
 * @param now mutes that end by then count as expired
 * @param options `probing` where each of few channels is checked: members are then looked up per channel
 */
export function channelEntity(
  dialect: Dialect,
  app: App,
  userId: string | undefined,
  now: Micros,
  { probing = false } = {},
): Entity {
  const own = (name: string, condition: (value: unknown, userId: string) => RawBuilder<boolean>): SpecialField => ({
    kind: 'special',
    operators: ['$eq'],
    compile(_, value) {
      if (userId === undefined) throw inputError(name, `field "${name}" needs a user; give user_id`)
      return condition(value, userId)
    },
  })
  // A value instead of `exists`: negated, `exists` makes PostgreSQL scan all memberships.
  const isMember = (user: string, condition: RawBuilder<boolean>) =>
    sql<boolean>`((select 1 from members m where m.app = c.app and m.cid = c.cid and m.user_id = ${user}
      and ${condition}) is not null)`
  /**
   * A user has few channels, however many the app has, so unless few channels are checked the user's own are looked up.
   */
  const membership = (user: string, condition: RawBuilder<boolean>) =>
    probing
      ? isMember(user, condition)
      : sql<boolean>`c.cid in (select m.cid from members m where m.app = ${app.id} and m.user_id = ${user} and ${condition})`
  const ownFlag = (name: string, condition: RawBuilder<boolean>) =>
    own(name, (value, user) => {
      if (typeof value !== 'boolean') throw wrongType(name, 'a boolean')
      return value === true ? membership(user, condition) : sql<boolean>`not (${membership(user, condition)})`
    })

  const counting = [...app.types.keys()].filter((type) => app.countsReads(type))
  const unread = (user: string) =>
    sql<number>`(case when c.type in (${sql.join(['', ...counting])}) then ${unreadIn(user)} else 0 end)`
  const ownTime = (column: string, user: string): Sortable => ({
    kind: 'time',
    sql: sql`(select ${sql.ref(`m.${column}`)} from members m where m.app = c.app and m.cid = c.cid
      and m.user_id = ${user})`,
  })

  return {
    filterName: 'filter_conditions',
    custom: 'c.data',
    tieBreak: [tieBreak('c.cid')],
    fields: {
      cid: textColumn('c.cid'),
      id: { ...textColumn('c.id'), operators: operators.comparisons },
      type: textColumn('c.type'),
      team: textColumn('c.team'),
      created_by_id: textColumn('c.created_by'),
      name: {
        ...textColumn('c.name'),
        operators: operators.text,
        hasWord: (word, isBeginning) => sql<boolean>`c.cid in (${named('channel_words', app.id, word, isBeginning)})`,
      },
      frozen: flagColumn('c.frozen'),
      disabled: flagColumn('c.disabled'),
      member_count: numberColumn('c.member_count'),
      last_message_at: timeOrNoneColumn('c.last_message_at'),
      last_updated: timeColumn('c.activity_at'),
      created_at: timeOrNoneColumn('c.created_at'),
      updated_at: timeOrNoneColumn('c.updated_at'),
      members: membersField(dialect, app.id, userId, probing),
      'member.user.name': {
        kind: 'special',
        operators: ['$eq', '$autocomplete'],
        compile: (operator, value) => sql<boolean>`exists (select 1 from members m join users mu on mu.app = m.app
          and mu.id = m.user_id where m.app = c.app and m.cid = c.cid and ${compileFilter(memberName(app.id), dialect, {
            name: { [operator]: value },
          })})`,
      },
      joined: ownFlag('joined', sql<boolean>`m.status in ('member', 'accepted')`),
      hidden: ownFlag('hidden', sql<boolean>`m.hidden = 1`),
      pinned: ownFlag('pinned', sql<boolean>`m.pinned_at is not null`),
      archived: ownFlag('archived', sql<boolean>`m.archived_at is not null`),
      muted: ownFlag(
        'muted',
        sql<boolean>`exists (select 1 from channel_mutes q where q.app = m.app and q.user_id = m.user_id and q.cid = m.cid
          and (q.until is null or q.until > ${now}))`,
      ),
      blocked: ownFlag('blocked', sql<boolean>`m.blocked = 1`),
      app_banned: own('app_banned', (value, user) => {
        if (value !== 'only' && value !== 'excluded') throw wrongType('app_banned', 'only or excluded')
        const isBanned = sql<boolean>`(c.member_count = 2 and exists (select 1 from members m join users mu
          on mu.app = m.app and mu.id = m.user_id where m.app = c.app and m.cid = c.cid and m.user_id <> ${user}
          and mu.banned = 1))`
        return value === 'only' ? isBanned : sql<boolean>`not ${isBanned}`
      }),
      invite: own('invite', (value, user) => {
        if (value !== 'pending' && value !== 'accepted' && value !== 'rejected')
          throw wrongType('invite', 'pending, accepted or rejected')
        return membership(user, sql<boolean>`m.status = ${value}`)
      }),
      has_unread: own('has_unread', (value, user) => {
        if (value !== true) throw wrongType('has_unread', 'true')
        return sql<boolean>`(${membership(user, sql<boolean>`1 = 1`)} and ${unread(user)} > 0)`
      }),
    },
    sorts: {
      ...(userId !== undefined && {
        unread_count: { kind: 'number' as const, sql: unread(userId) },
        has_unread: { kind: 'flag' as const, sql: sql`case when ${unread(userId)} > 0 then 1 else 0 end` },
        pinned_at: ownTime('pinned_at', userId),
        archived_at: ownTime('archived_at', userId),
      }),
    },
  }
}

const memberName = (app: string): Entity => ({
  filterName: 'filter_conditions',
  custom: 'mu.data',
  tieBreak: [tieBreak('mu.id')],
  fields: {
    name: {
      kind: 'text',
      sql: sql.ref('mu.name'),
      operators: ['$eq', '$autocomplete'],
      hasWord: (word, isBeginning) => sql<boolean>`mu.id in (${named('user_words', app, word, isBeginning)})`,
    },
  },
})

/**
 * `$in`: any of the users is a member; `$eq`, `$ne`: the members are exactly these, or not; `$nin`: none is a member.
 */
function membersField(dialect: Dialect, app: string, caller: string | undefined, probing: boolean): SpecialField {
  return {
    kind: 'special',
    operators: ['$in', '$eq', '$ne', '$nin'],
    compile(operator, value) {
      const isWhole = operator === '$eq' || operator === '$ne'
      const wanted = isWhole && typeof value === 'string' ? [value] : value
      const ids = [...new Set(listOf('members', operator, wanted))]
      if (!ids.every((id) => typeof id === 'string')) throw wrongType('members', 'a list of user ids')
      const among = dialect.among(ids as string[], 'text')
      const cids = sql`(select m.cid from members m where m.app = ${app} and m.user_id ${among})`
      if (operator === '$in' && probing)
        return sql<boolean>`((select 1 from members m where m.app = c.app and m.cid = c.cid
          and m.user_id in (${sql.join(ids.length > 0 ? ids : [''])}) limit 1) is not null)`
      if (operator === '$in') return sql<boolean>`c.cid in ${cids}`
      if (operator === '$nin') return sql<boolean>`c.cid not in ${cids}`
      const not = operator === '$ne' ? sql`not ` : sql``
      if (ids.length === 0) return sql<boolean>`${not}(c.member_count = 0)`
      // The caller's own memberships narrow first: the other users may be in very many channels.
      const one = caller !== undefined && ids.includes(caller) ? caller : ids[0]
      const first = sql`(select m.cid from members m where m.app = ${app} and m.user_id = ${one})`
      return sql<boolean>`${not}(c.cid in ${first} and c.member_count = ${ids.length} and (select count(*)
        from members m where m.app = c.app and m.cid = c.cid and m.user_id ${among}) = ${ids.length})`
    },
  }
}
