import type { Database } from '../database.server.ts'
import { nameKey } from '../people/name-key.ts'

export const roles = ['owner', 'admin', 'member'] as const
/** A user's role in an organization. It gives no permission inside chat [APP-29]. */
export type Role = (typeof roles)[number]

export interface Organization {
  id: string
  displayName: string
  memberCount: number
  /** Absent when the caller is not a member. */
  role?: Role
}

/** Every organization, the user's own first, then by name. */
export async function organizationsFor(database: Database, personId: string): Promise<Organization[]> {
  const rows = await asSeenBy(database, personId).orderBy('organization.id').execute()
  const organizations = rows.map(organizationOf).sort(byName)
  return [...organizations.filter(({ role }) => role), ...organizations.filter(({ role }) => !role)]
}

/** One organization as the caller sees it. */
export async function organizationWithId(
  database: Database,
  id: string,
  personId: string,
): Promise<Organization | undefined> {
  const row = await asSeenBy(database, personId).where('organization.id', '=', id).executeTakeFirst()
  return row && organizationOf(row)
}

function asSeenBy({ kysely }: Database, personId: string) {
  return kysely
    .selectFrom('organization')
    .leftJoin('member as own', (join) =>
      join.onRef('own.organizationId', '=', 'organization.id').on('own.userId', '=', personId),
    )
    .select(['organization.id', 'organization.name', 'own.role'])
    .select(({ selectFrom }) =>
      selectFrom('member')
        .whereRef('member.organizationId', '=', 'organization.id')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .as('memberCount'),
    )
}

type Row = Awaited<ReturnType<ReturnType<typeof asSeenBy>['executeTakeFirstOrThrow']>>

function organizationOf({ id, name, role, memberCount }: Row): Organization {
  return { id, displayName: name, memberCount: Number(memberCount), role: roleOf(role) }
}

/** The organizations of a user, by name. */
export async function membershipsOf({ kysely }: Database, personId: string) {
  const rows = await kysely
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select(['organization.id', 'organization.name as displayName', 'member.role'])
    .where('member.userId', '=', personId)
    .orderBy('organization.id')
    .execute()
  const organizations = rows.map(({ id, displayName, role }) => ({ id, displayName, role: roleOf(role) ?? 'member' }))
  return organizations.sort(byName)
}

/** Sorted like people; the databases alone would put accents and lower case last. */
function byName(a: { displayName: string }, b: { displayName: string }): number {
  const [one, other] = [nameKey(a.displayName), nameKey(b.displayName)]
  return one < other ? -1 : Number(one > other)
}

export function roleOf(role: string | null): Role | undefined {
  return roles.find((known) => known === role)
}
