import type { People, PeoplePage, Person } from '@parley/widgets'
import { call, newIdempotencyKey } from '../http-client.ts'
import type { Membership } from '../members/member-store.server.ts'
import { modalParameters } from '../members/paging.ts'
import type { MemberSearch } from '../members/search-members.ts'
import { fullName } from '../people/person.ts'
import { startChat } from './start-chat-call.ts'

/** The people that the search of a new chat finds [NEW-38]. */
export async function find(text: string, page: number, signal: AbortSignal): Promise<PeoplePage> {
  const query = new URLSearchParams({ search: text, [modalParameters.page]: String(page + 1) })
  const found = await call<MemberSearch>(`/chat/modals/searchMembers?${query}`, { signal })
  const people = new Map<string, Person>()
  // A person of two organizations is two rows there [NEW-35], and one candidate here.
  for (const row of found.memberships) if (!people.has(row.user.id)) people.set(row.user.id, personOf(row))
  return { people: [...people.values()], hasMore: found.membershipsPage < found.membershipsPageCount }
}

export const add: NonNullable<People['add']> = ({ cid }, people) => bring(cid, people)

/** They join once they accept. */
export const invite: NonNullable<People['invite']> = ({ cid }, people) => bring(cid, people, { ask: true })

/** The product changes its groups through its own server: the chat server refuses users. */
export const manage: NonNullable<People['manage']> = async ({ cid }, { do: what, ...details }) => {
  const body = new FormData()
  body.set('channelId', cid)
  body.set('do', what)
  for (const [name, value] of Object.entries(details)) body.set(name, value ?? '')
  await call('/chat/api/changeGroup', { method: 'POST', body })
}

async function bring(cid: string, people: readonly Person[], { ask = false } = {}) {
  const body = new FormData()
  body.set('channelId', cid)
  if (ask) body.set('ask', 'true')
  body.set(
    'selectedUsers',
    JSON.stringify(people.map(({ id, organization_ids }) => ({ userId: id, orgId: idsIn(organization_ids)[0] }))),
  )
  await call('/chat/api/addMembers', { method: 'POST', body })
}

/** @param orgId  one of their organizations that is not the caller's */
export async function startWith(userId: string, orgId: string): Promise<string> {
  const { channelId } = await startChat({ type: 'direct', userId, orgId }, newIdempotencyKey())
  return channelId
}

function personOf({ user, organization }: Membership): Person {
  const { imageUrl } = user.identity
  return {
    id: user.id,
    name: fullName(user.identity),
    ...(imageUrl && { image: imageUrl }),
    organization: organization.displayName,
    organization_ids: [organization.id],
  }
}

function idsIn(ids: unknown): string[] {
  return Array.isArray(ids) ? ids : []
}
