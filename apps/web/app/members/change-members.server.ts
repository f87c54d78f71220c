import { randomBytes } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { chatPersonOf } from '../chat/start-new-chat.server.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { type Role, roles } from '../organizations/organization-store.server.ts'
import { nameKey } from '../people/name-key.ts'
import { fullName, type Person } from '../people/person.ts'
import { personWithEmail, personWithId, saveChatAccess, saveNameKey } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { memberIn } from './member-store.server.ts'

export type MemberChangeAnswer =
  | { type: 'success'; notice?: string; password?: string; name?: string }
  | { type: 'error'; error: string }

/** A refusal that the person reads. */
class Refusal extends Error {
  readonly key: MessageKey
  constructor(key: MessageKey) {
    super(key)
    this.key = key
  }
}

/**
 * What owners and admins do with the members of their organization [APP-29]: add, remove, change the role, switch
 * chat access.
 */
export async function changeMembers(
  product: Product,
  request: Request,
  person: Person,
  organizationId: string,
): Promise<MemberChangeAnswer> {
  const say = (key: MessageKey, values?: object) => serverText(request, person, key, values)
  const form = await readForm(request)
  try {
    const manager = await memberIn(product.database, { userId: person.id, organizationId })
    if (manager?.role !== 'owner' && manager?.role !== 'admin') throw new Refusal('members.forbidden')

    if (form.get('do') === 'add') {
      const { name, password } = await addMember(product, organizationId, form)
      return { type: 'success', notice: await say('members.added', { name }), password, name }
    }
    const member = await memberIn(product.database, { userId: String(form.get('userId')), organizationId })
    if (!member) throw new Refusal('startChat.payload')

    switch (form.get('do')) {
      case 'role':
        await changeRole(product, request, member.memberId, organizationId, readRole(form.get('role')))
        return { type: 'success' }
      case 'chatAccess':
        await switchChatAccess(product, member.id, form.get('chatAccess') === 'true')
        return { type: 'success' }
      case 'remove':
        await product.auth.api.removeMember({
          headers: request.headers,
          body: { memberIdOrEmail: member.memberId, organizationId },
        })
        return { type: 'success', notice: await say('members.removed', { name: fullName(member) }) }
      default:
        throw new Refusal('startChat.payload')
    }
  } catch (error) {
    if (error instanceof Refusal) return { type: 'error', error: await say(error.key) }
    if (error instanceof APIError) return { type: 'error', error: await say(refusalOf(error)) }
    throw error
  }
}

/** Adds a person by e-mail address. Somebody new gets an account and a first password to be passed on. */
async function addMember(product: Product, organizationId: string, form: FormData) {
  const email = String(form.get('email') ?? '')
    .trim()
    .toLowerCase()
  const givenName = String(form.get('givenName') ?? '').trim()
  const familyName = String(form.get('familyName') ?? '').trim()
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Refusal('members.add.emailInvalid')

  const known = await personWithEmail(product.database, email)
  if (known && (await memberIn(product.database, { userId: known.id, organizationId })))
    throw new Refusal('members.add.exists')
  if (!known && (!givenName || !familyName)) throw new Refusal('members.add.namesRequired')

  const password = known ? undefined : randomBytes(9).toString('base64url')
  const userId = known?.id ?? (await newPerson(product, { email, givenName, familyName, password: password! }))
  await product.auth.api.addMember({ body: { userId, organizationId, role: readRole(form.get('role')) } })
  return { name: known ? fullName(known) : fullName({ givenName, familyName }), password }
}

async function newPerson(product: Product, account: NewAccount): Promise<string> {
  const { email, givenName, familyName, password } = account
  const name = fullName(account)
  const { user } = await product.auth.api.signUpEmail({
    body: { email, password, name, givenName, familyName, theme: 'system' },
  })
  await saveNameKey(product.database, user.id, nameKey(familyName, givenName))
  return user.id
}

interface NewAccount {
  email: string
  givenName: string
  familyName: string
  password: string
}

async function changeRole(product: Product, request: Request, memberId: string, organizationId: string, role: Role) {
  await product.auth.api.updateMemberRole({ headers: request.headers, body: { memberId, organizationId, role } })
}

/** Whoever loses chat access loses the open connections and tokens too, not only the button. */
async function switchChatAccess({ database, chat }: Product, userId: string, chatAccess: boolean) {
  await saveChatAccess(database, userId, chatAccess)
  if (!chat) return
  const person = await personWithId(database, userId)
  if (!person) return
  try {
    await chat.savePeople([await chatPersonOf(database, person)])
    if (!chatAccess) await chat.shutOut(userId)
  } catch (error) {
    console.error('The chat server could not be told about chat access.', error)
  }
}

function readRole(value: unknown): Role {
  const role = roles.find((known) => known === value)
  if (!role) throw new Refusal('startChat.payload')
  return role
}

function refusalOf(error: APIError): MessageKey {
  const code = String(error.body?.code ?? '')
  return /ONLY_OWNER|WITHOUT_AN_OWNER/.test(code) ? 'members.lastOwner' : 'members.forbidden'
}
