import { createHash, randomBytes } from 'node:crypto'
import { type ExpressionBuilder, sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { type Role, roleOf } from '../organizations/organization-store.server.ts'

const DAY_MS = 24 * 3_600_000

/** The possible validity of an invitation, in days. */
export const daysToChoose = [1, 7, 30] as const
export type Days = (typeof daysToChoose)[number]

/** An invitation as the organization's managers see it. */
export interface Invitation {
  id: string
  email: string
  role: Role
  /** ISO 8601 in UTC. */
  expiresAt: string
  expired: boolean
}

/** An invitation as the holder of its link sees it. */
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
 * Creates an invitation, which replaces an earlier one to the same address. Returns the secret of its link, which is
 * stored nowhere: the invitation's id is derived from it.
 */
export async function makeInvitation(
  { kysely, type }: Database,
  invitation: NewInvitation,
  now: Date,
): Promise<string> {
  const { organizationId, email, role, days, inviterId } = invitation
  const secret = randomBytes(24).toString('base64url')
  await kysely.transaction().execute(async (transaction) => {
    // Two concurrent calls would not see each other; SQLite has a single writer.
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

/** The open invitations of an organization, newest first. */
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

/** Revokes an invitation. Returns whether there was one. */
export async function revokeInvitation({ kysely }: Database, organizationId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await kysely
    .deleteFrom('invitation')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The invitation of a link, while it is valid. */
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

/** Uses an invitation. Of several concurrent calls one succeeds. */
export async function takeInvitation(
  transaction: Transaction<Tables>,
  type: Database['type'],
  { id, organization }: OpenInvitation,
  now: Date,
): Promise<boolean> {
  // Deleting the organization locks it first and its invitations then, so this does the same; SQLite has a single
  // writer.
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

/** The number of an organization's open invitations, except the one to this address, which a new one replaces. */
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
 * An invitation is valid while its inviter could still send it: a removed member, or a former owner, cannot return or
 * let others join with an old link.
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
