import { redirect } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import type { AnyMessageKey } from '../i18n/catalogues.ts'
import { serverText } from '../i18n/server-text.server.ts'
import {
  daysToChoose,
  makeInvitation,
  openInvitationCount,
  revokeInvitation,
} from '../invitations/invitation-store.server.ts'
import { deleteOrganization } from '../organizations/delete-organization.server.ts'
import { type Role, roles } from '../organizations/organization-store.server.ts'
import { fullName, type Person } from '../people/person.ts'
import { emailError, textOf } from '../people/person-fields.ts'
import { personWithEmail } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { type RateLimit, spend } from '../rate-limit.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { changeMembership } from './change-membership.server.ts'
import { saveChatAccess } from './chat-access.server.ts'
import { memberIn } from './member-store.server.ts'

/** The result of a change. `link` is shown once: it lets the person with this address join. */
export type MemberChangeAnswer =
  | { type: 'success'; notice?: string; link?: string; email?: string }
  | { type: 'error'; error: string }

/** Enough for a large organization, and not enough to fill a disk. */
const MOST_INVITATIONS = 500

/** Enough to invite a team in one go; counted per inviter. */
export const INVITATIONS: RateLimit = { name: 'invitations', atOnce: 120, pauseMs: 30_000 }

/** A refusal that is shown to the user. */
class Refusal extends Error {
  readonly key: AnyMessageKey
  constructor(key: AnyMessageKey) {
    super(key)
    this.key = key
  }
}

/**
 * An owner's or admin's changes to the members of their organization [APP-29]: invite, remove, change the role, switch
 * chat access. Any member may leave; owners may delete the organization, and are then redirected.
 */
export async function changeMembers(
  product: Product,
  request: Request,
  person: Person,
  organizationId: string,
): Promise<MemberChangeAnswer | Response> {
  const say = (key: AnyMessageKey, values?: object) => serverText(request, person, key, values)
  const form = await readForm(request)
  const what = String(form.get('do'))
  try {
    const manager = await memberIn(product.database, { userId: person.id, organizationId })
    if (manager && what === 'leave') {
      await change(product, manager)
      await syncChatUser(product, person.id)
      return { type: 'success', notice: await say('members.left', { organization: manager.organizationName }) }
    }
    if (manager?.role !== 'owner' && manager?.role !== 'admin') throw new Refusal('members.forbidden')

    if (what === 'delete') {
      if (manager.role !== 'owner') throw new Refusal('members.ownersOnly')
      if (!(await deleteOrganization(product, organizationId))) throw new Refusal('organization.last')
      return redirect('/organizations')
    }
    if (what === 'invite') return await invite(product, { ...manager, organizationId }, form)
    if (what === 'revoke') {
      await revokeInvitation(product.database, organizationId, String(form.get('invitationId')))
      return { type: 'success', notice: await say('invite.revoked') }
    }
    const member = await memberIn(product.database, { userId: String(form.get('userId')), organizationId })
    if (!member) throw new Refusal('startChat.payload')

    const role = what === 'role' ? readRole(form.get('role')) : undefined
    if (manager.role !== 'owner' && (member.role === 'owner' || role === 'owner'))
      throw new Refusal('members.ownersOnly')

    switch (what) {
      case 'role':
        await change(product, member, role)
        return { type: 'success' }
      case 'chatAccess':
        if (member.id === person.id) throw new Refusal('members.ownAccess')
        await saveChatAccess(product.database, member, form.get('chatAccess') === 'true')
        await syncChatUser(product, member.id)
        return { type: 'success' }
      case 'remove':
        await change(product, member)
        await syncChatUser(product, member.id)
        return { type: 'success', notice: await say('members.removed', { name: fullName(member) }) }
      default:
        throw new Refusal('startChat.payload')
    }
  } catch (error) {
    if (error instanceof Refusal) return { type: 'error', error: await say(error.key) }
    throw error
  }
}

/** Creates a link with which the person with this address can join. A new link replaces the old one. */
async function invite(
  { database, publicUrl }: Product,
  inviter: { id: string; role: Role; organizationId: string },
  form: FormData,
): Promise<MemberChangeAnswer> {
  const email = textOf(form, 'email').toLowerCase()
  const invalid = emailError(email)
  if (invalid) throw new Refusal(invalid)
  const role = readRole(form.get('role'))
  if (role === 'owner' && inviter.role !== 'owner') throw new Refusal('members.ownersOnly')
  const days = daysToChoose.find((choice) => String(choice) === form.get('days'))
  if (!days) throw new Refusal('startChat.payload')

  const { organizationId } = inviter
  const known = await personWithEmail(database, email)
  if (known && (await memberIn(database, { userId: known.id, organizationId }))) throw new Refusal('invite.exists')
  const invitation = { organizationId, email, role, days, inviterId: inviter.id }
  if ((await openInvitationCount(database, invitation)) >= MOST_INVITATIONS) throw new Refusal('invite.tooMany')

  if (!(await spend(database, INVITATIONS, inviter.id))) throw new Refusal('invite.tooOften')
  const secret = await makeInvitation(database, invitation, new Date())
  return { type: 'success', link: `${publicUrl}/invitations/${secret}`, email }
}

async function change({ database }: Product, member: { memberId: string; organizationId: string }, role?: Role) {
  if (!(await changeMembership(database, member, role))) throw new Refusal('members.lastOwner')
}

function readRole(value: unknown): Role {
  const role = roles.find((known) => known === value)
  if (!role) throw new Refusal('startChat.payload')
  return role
}
