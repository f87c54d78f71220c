import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../database.server.ts'
import { fullName, type Person } from '../people/person.ts'
import { type RateLimit, spend } from '../rate-limit.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import type { ChatPerson, ChatService } from './chat-service.server.ts'
import type { FirstMessage } from './first-message.server.ts'
import type { Checked, DirectChat, FirstMessageError, GroupChat, SelectedUser } from './start-chat.ts'

/** More than a user starts by hand, and too few for a script to fill the chat server; counted per user. */
export const NEW_CHATS: RateLimit = { name: 'new-chats', atOnce: 60, pauseMs: 60_000 }

export interface StartedChat {
  /** The name that the starter sees for the new chat [NEW-43]. */
  channelWithName: string
  /** The cid of the channel. */
  channelId: string
  /** Why the first message was not sent, although the chat was started [NEW-63]. */
  unsent?: FirstMessageError
}

/**
 * Starts a direct chat or a group, with an optional first message. The message is checked before anything is made
 * [NEW-62]; if it is refused later, the chat stays, and the result says so [NEW-63].
 *
 * A call repeated with the same key gives the same chat and sends the first message once: both ids are derived from the
 * key. Another first message under the same key goes to the same chat [NEW-64].
 */
export async function startNewChat(
  { database, chat }: { database: Database; chat: ChatService },
  starter: Person,
  request: DirectChat | GroupChat,
  idempotencyKey: string = randomUUID(),
): Promise<Checked<StartedChat>> {
  const people = await accessPeople(database, starter, request.type === 'direct' ? [request] : request.selectedUsers)
  if (!people.ok) return people
  const { others } = people.value
  const there = request.type === 'direct' ? await chat.existingChat(starter.id, others[0]!.id) : undefined
  const first = firstMessageOf(request, starter.id, idempotencyKey)
  const refused = first && (await chat.checkFirst(first, starter.id, there?.rules))
  if (refused) return { ok: false, error: refused }
  if (!there && !(await spend(database, NEW_CHATS, starter.id)))
    return { ok: false, error: { reason: 'startChat.tooOften' } }

  // The others may never have signed in; then the chat server does not know them yet.
  await chat.savePeople([people.value.starter, ...others])

  const channelWithName = request.type === 'direct' ? fullName(others[0]!) : request.groupName
  const channelId =
    request.type === 'direct'
      ? await chat.directChat(starter.id, others[0]!.id)
      : await chat.group({
          id: idFrom('group', starter.id, idempotencyKey),
          name: request.groupName,
          creatorId: starter.id,
          memberIds: [starter.id, ...others.map(({ id }) => id)],
        })
  const unsent = first && (await chat.say(channelId, starter.id, first))
  if (unsent && there) return { ok: false, error: unsent }
  return { ok: true, value: { channelWithName, channelId, ...(unsent && { unsent }) } }
}

/** The requested people, with each of whom the caller may chat [NEW-53]. */
export async function accessPeople(
  database: Database,
  starter: Person,
  selected: SelectedUser[],
): Promise<Checked<{ starter: ChatPerson; others: ChatPerson[] }>> {
  const known = await chatPeopleOf(database, [starter.id, ...selected.map(({ userId }) => userId)])
  const people = new Map(known.map((person) => [person.id, person]))
  const own = people.get(starter.id)
  if (!own) throw new Error('Somebody who is signed in is not there.')
  const others: ChatPerson[] = []
  for (const { userId, orgId } of selected) {
    if (userId === starter.id) return { ok: false, error: { reason: 'startChat.self' } }
    const other = people.get(userId)
    const isOf = other?.organizationIds.includes(orgId) && !own.belongsTo.includes(orgId)
    if (!other?.chatAccess || !isOf) return { ok: false, error: { reason: 'startChat.person' } }
    others.push(other)
  }
  return { ok: true, value: { starter: own, others } }
}

function firstMessageOf(request: DirectChat | GroupChat, starterId: string, key: string): FirstMessage | undefined {
  const { firstMessage: text, firstMessageImageUrl: imageUrl } = request
  if (!text && !imageUrl) return undefined
  return { id: idFrom('message', starterId, JSON.stringify([key, text, imageUrl])), text, imageUrl }
}

/** A valid chat server id, always the same for the same user and key. */
function idFrom(kind: 'group' | 'message', starterId: string, key: string): string {
  const hash = createHash('sha256').update(`${kind}:${starterId}:${key}`).digest('base64url')
  return `${kind}-${hash.slice(0, 40)}`
}
