import type { Database } from '../database.server.ts'
import type { Person } from '../people/person.ts'
import { type RateLimit, spend } from '../rate-limit.server.ts'
import type { ChatService } from './chat-service.server.ts'
import type { ChangeGroupRequest, Checked } from './start-chat.ts'

/** More than a user changes by hand; every member gets an event for each change. */
export const GROUP_CHANGES: RateLimit = { name: 'group-changes', atOnce: 120, pauseMs: 10_000 }

/**
 * Changes the members, moderators, name or picture of a group. Moderators may; only the creator may delete it. A direct
 * chat is not a group, and cannot be changed.
 */
export async function changeGroup(
  { database, chat }: { database: Database; chat: ChatService },
  person: Person,
  change: ChangeGroupRequest,
): Promise<Checked<undefined>> {
  const { channelId: cid } = change
  if (!(await chat.isModeratorOf(cid, person.id))) return { ok: false, error: { reason: 'changeGroup.forbidden' } }
  if ('userId' in change && !(await chat.isIn(cid, change.userId)))
    return { ok: false, error: { reason: 'startChat.payload' } }
  if (change.do === 'delete' && !(await chat.isFounderOf(cid, person.id)))
    return { ok: false, error: { reason: 'changeGroup.founder' } }
  if (!(await spend(database, GROUP_CHANGES, person.id)))
    return { ok: false, error: { reason: 'changeGroup.tooOften' } }
  await carryOut(chat, change)
  return { ok: true, value: undefined }
}

function carryOut(chat: ChatService, change: ChangeGroupRequest): Promise<void> {
  const { channelId: cid } = change
  switch (change.do) {
    case 'rename':
      return chat.describeGroup(cid, { name: change.name })
    case 'picture':
      return chat.describeGroup(cid, { image: change.image })
    case 'promote':
      return chat.makeModerator(cid, change.userId)
    case 'demote':
      return chat.makeMember(cid, change.userId)
    case 'remove':
      return chat.removeFromGroup(cid, change.userId)
    case 'delete':
      return chat.deleteGroup(cid)
    default:
      return change satisfies never
  }
}
