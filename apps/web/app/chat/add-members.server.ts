import type { Database } from '../database.server.ts'
import type { Person } from '../people/person.ts'
import { type RateLimit, spend } from '../rate-limit.server.ts'
import type { ChatService } from './chat-service.server.ts'
import type { AddMembersRequest, Checked } from './start-chat.ts'
import { accessPeople } from './start-new-chat.server.ts'

/** Enough for a few large groups at once; then one more every few seconds. The limit counts per caller. */
export const ADDED_MEMBERS: RateLimit = { name: 'added-members', atOnce: 400, pauseMs: 10_000 }

/** Adds people to a group, or invites them: people with whom its moderator may chat, all of them or none. */
export async function addMembers(
  { database, chat }: { database: Database; chat: ChatService },
  adder: Person,
  { channelId, selectedUsers, ask }: AddMembersRequest,
): Promise<Checked<undefined>> {
  if (!(await chat.isModeratorOf(channelId, adder.id))) return { ok: false, error: { reason: 'addMembers.forbidden' } }
  const people = await accessPeople(database, adder, selectedUsers)
  if (!people.ok) return people
  if (!(await spend(database, ADDED_MEMBERS, adder.id, selectedUsers.length)))
    return { ok: false, error: { reason: 'addMembers.tooOften' } }

  // They may never have signed in; then the chat server does not know them yet.
  await chat.savePeople(people.value.others)
  const ids = people.value.others.map(({ id }) => id)
  await (ask ? chat.inviteToGroup(channelId, ids, adder.id) : chat.addToGroup(channelId, ids))
  return { ok: true, value: undefined }
}
