import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { roleOf } from '../organizations/organization-store.server.ts'
import { nameKey } from '../people/name-key.ts'
import { type Page, pageOf } from './paging.ts'

/** A user as a member of one organization; a user in two organizations is two rows [NEW-35]. */
export interface Membership {
  user: { id: string; identity: { givenName: string; familyName: string; imageUrl: string | null } }
  organization: { id: string; displayName: string }
}

/**
 * The people with whom the searcher could start a chat: members of other organizations with chat access, never the
 * searcher, by family and given name [NEW-38].
 */
export async function membershipsToChatWith(
  { kysely, type }: Database,
  { searcherId, search, page }: { searcherId: string; search: string; page: number },
): Promise<Page<Membership>> {
  const own = kysely.selectFrom('member as own').select('own.organizationId').where('own.userId', '=', searcherId)
  const found = matching(
    kysely
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .where('user.id', '!=', searcherId)
      .where('member.chatAccess', '=', sql<boolean>`true`)
      .where('member.organizationId', 'not in', own),
    search,
  )
  return pageOf(page, await countOf(found), async ({ limit, offset }) => {
    const rows = await found
      .select(['user.id', 'user.givenName', 'user.familyName', 'user.image'])
      .select(['organization.id as organizationId', 'organization.name as organizationName'])
      .orderBy(nameOrder(type))
      .orderBy('user.id')
      .orderBy('organization.id')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(membershipOf)
  })
}

export const memberSorts = ['name', 'role', 'joined'] as const
export type MemberSort = (typeof memberSorts)[number]

export interface Member extends Membership {
  memberId: string
  /** Only shown to members of the organization. */
  email?: string
  role: 'owner' | 'admin' | 'member'
  /** Whether this organization gives them chat access; another one may. */
  chatAccess: boolean
  /** ISO 8601 in UTC. */
  joinedAt: string
}

/** The directory of one organization. */
export async function membersOf(
  { kysely, type }: Database,
  query: {
    organizationId: string
    search: string
    sort: MemberSort
    descending: boolean
    page: number
    isOwn: boolean
  },
): Promise<Page<Member>> {
  const found = matching(
    kysely
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .where('member.organizationId', '=', query.organizationId),
    query.search,
  )
  const direction = query.descending ? 'desc' : 'asc'
  const column = {
    name: nameOrder(type),
    role: sql`case ${sql.ref('member.role')} when 'owner' then 0 when 'admin' then 1 else 2 end`,
    joined: sql.ref('member.createdAt'),
  }
  return pageOf(query.page, await countOf(found), async ({ limit, offset }) => {
    const rows = await found
      .select(['user.id', 'user.givenName', 'user.familyName', 'user.image', 'user.email'])
      .select(['organization.id as organizationId', 'organization.name as organizationName'])
      .select(['member.id as memberId', 'member.role', 'member.chatAccess', 'member.createdAt'])
      .orderBy(column[query.sort], direction)
      .orderBy(nameOrder(type))
      .orderBy('user.id')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => ({
      ...membershipOf(row),
      memberId: row.memberId,
      ...(query.isOwn && { email: row.email }),
      role: roleOf(row.role) ?? 'member',
      chatAccess: Boolean(row.chatAccess),
      joinedAt: new Date(row.createdAt).toISOString(),
    }))
  })
}

/** One user in one organization, if they are a member of it. */
export async function memberIn(
  { kysely }: Database,
  { userId, organizationId }: { userId: string; organizationId: string },
) {
  const row = await kysely
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['user.id', 'user.givenName', 'user.familyName', 'user.image', 'user.language'])
    .select(['organization.id as organizationId', 'organization.name as organizationName'])
    .select(['member.id as memberId', 'member.role', 'member.chatAccess'])
    .where('member.userId', '=', userId)
    .where('member.organizationId', '=', organizationId)
    .executeTakeFirst()
  return row && { ...row, role: roleOf(row.role) ?? ('member' as const), chatAccess: Boolean(row.chatAccess) }
}

/** Name keys contain no accents, so a byte order is correct, and the same in both databases. */
function nameOrder(type: Database['type']) {
  const key = sql.ref<string>('user.nameKey')
  return type === 'postgres' ? sql<string>`${key} collate "C"` : key
}

type Joined = Pick<Tables, 'member' | 'user' | 'organization'>

/** A name in such letters may be typed without the space between family name and given name. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}]/u

/** Every query term must be part of the name; without terms every member matches. */
function matching<Row>(query: SelectQueryBuilder<Joined, keyof Joined, Row>, search: string) {
  const words = nameKey(search).split(' ').filter(Boolean)
  const key = sql.ref<string>('user.nameKey')
  return words.reduce((narrowed, word) => {
    const name = UNSPACED.test(word) ? sql<string>`replace(${key}, ' ', '')` : key
    return narrowed.where(sql<boolean>`${name} like ${containing(word)} escape '\\'`)
  }, query)
}

function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

async function countOf<Row>(query: SelectQueryBuilder<Joined, keyof Joined, Row>): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

interface MembershipRow {
  id: string
  givenName: string
  familyName: string
  image: string | null
  organizationId: string
  organizationName: string
}

function membershipOf(row: MembershipRow): Membership {
  return {
    user: {
      id: row.id,
      identity: { givenName: row.givenName, familyName: row.familyName, imageUrl: row.image },
    },
    organization: { id: row.organizationId, displayName: row.organizationName },
  }
}
