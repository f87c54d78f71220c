import { createHash, randomBytes } from 'node:crypto'
import { type ExpressionBuilder, sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { type Role, roleOf } from '../organizations/organization-store.server.ts'

const DAY_MS = 24 * 3_600_000

/** Days for which an invitation may be made to hold. */
export const daysToChoose = [1, 7, 30] as const
export type Days = (typeof daysToChoose)[number]

/** An invitation as those who manage the organization see it. */
export interface Invitation {
  id: string
  email: string
  role: Role
  /** ISO 8601 in UTC. */
  expiresAt: string
  expired: boolean
}

/** An invitation as the person sees it who holds its link. */
export interface OpenInvitation {
  id: string
  email: string
  role: Role
  organization: { id: string; displayName: string }
  invitedBy: string
}

export interface NewInvitation {
  organizationId: string
  email: string
  role: Role
  days: Days
  inviterId: string
}

/**
 * Makes an invitation in place of an earlier one to the same address. Gives the secret of its link, which is kept
 * nowhere: the id under which the invitation is found is made from it.
 */
export async function makeInvitation(
  { kysely, type }: Database,
  invitation: NewInvitation,
  now: Date,
): Promise<string> {
  const { organizationId, email, role, days, inviterId } = invitation
  const secret = randomBytes(24).toString('base64url')
  await kysely.transaction().execute(async (transaction) => {
    // Of two made at once one would not see the other; SQLite has one writer anyway.
    if (type === 'postgres')
      await sql`select id from organization where id = ${organizationId} for no key update`.execute(transaction)
    await transaction
      .deleteFrom('invitation')
      .where('organizationId', '=', organizationId)
      .where('email', '=', email)
      .execute()
    await transaction
      .insertInto('invitation')
      .values({
        id: idOf(secret),
        organizationId,
        email,
        role,
        status: 'pending',
        expiresAt: new Date(now.getTime() + days * DAY_MS),
        inviterId,
        createdAt: now,
      })
      .execute()
  })
  return secret
}

/** The invitations of an organization that nobody has taken yet, newest first. */
export async function invitationsOf({ kysely }: Database, organizationId: string, now: Date): Promise<Invitation[]> {
  const rows = await kysely
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'expiresAt'])
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'pending')
    .where(isBacked)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, email, role, expiresAt }) => ({
    id,
    email,
    role: roleOf(role) ?? 'member',
    expiresAt: new Date(expiresAt).toISOString(),
    expired: new Date(expiresAt) <= now,
  }))
}

/** Takes an invitation back. Gives whether there was one. */
export async function revokeInvitation({ kysely }: Database, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await kysely
    .deleteFrom('invitation')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The invitation behind a link, while it holds. */
export async function openInvitation(
  { kysely }: Database,
  secret: string,
  now: Date,
): Promise<OpenInvitation | undefined> {
  const row = await kysely
    .selectFrom('invitation')
    .innerJoin('organization', 'organization.id', 'invitation.organizationId')
    .innerJoin('user', 'user.id', 'invitation.inviterId')
    .select(['invitation.id', 'invitation.email', 'invitation.role', 'user.name as invitedBy'])
    .select(['organization.id as organizationId', 'organization.name as organizationName'])
    .where('invitation.id', '=', idOf(secret))
    .where('invitation.status', '=', 'pending')
    .where('invitation.expiresAt', '>', now)
    .where(isBacked)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, email, role, invitedBy, organizationId, organizationName } = row
  const organization = { id: organizationId, displayName: organizationName }
  return { id, email, role: roleOf(role) ?? 'member', organization, invitedBy }
}

/** Uses an invitation up. Of several who try at the same moment one succeeds. */
export async function takeInvitation(
  transaction: Transaction<Tables>,
  type: Database['type'],
  { id, organization }: OpenInvitation,
  now: Date,
): Promise<boolean> {
  // Whoever deletes the organization holds it first, and its invitations then; SQLite has one writer anyway.
  if (type === 'postgres')
    await sql`select id from organization where id = ${organization.id} for key share`.execute(transaction)
  const { numUpdatedRows } = await transaction
    .updateTable('invitation')
    .set({ status: 'accepted' })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .where(isBacked)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * How many open invitations an organization has besides the one to this address, which a new one takes the place of.
 */
export async function openInvitationCount(
  { kysely }: Database,
  { organizationId, email }: Pick<NewInvitation, 'organizationId' | 'email'>,
): Promise<number> {
  const { count } = await kysely
    .selectFrom('invitation')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('email', '!=', email)
    .where('status', '=', 'pending')
    .where(isBacked)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * An invitation holds while whoever made it could make it still: nobody who was let go, or is no owner any more, comes
 * back, or has others come, by a link from before.
 */
function isBacked({ exists, selectFrom }: ExpressionBuilder<Tables, 'invitation'>) {
  return exists(
    selectFrom('member as inviter')
      .select('inviter.id')
      .whereRef('inviter.userId', '=', 'invitation.inviterId')
      .whereRef('inviter.organizationId', '=', 'invitation.organizationId')
      .where(({ eb, and, or }) =>
        or([
          eb('inviter.role', '=', 'owner'),
          and([eb('inviter.role', '=', 'admin'), eb('invitation.role', '!=', 'owner')]),
        ]),
      ),
  )
}

function idOf(secret: string): string {
  return createHash('sha256').update(`invitation:${secret}`).digest('base64url')
}
