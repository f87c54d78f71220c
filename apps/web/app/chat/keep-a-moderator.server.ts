import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { MODERATOR } from './chat-permissions.server.ts'

/** A member has left a channel: by leaving, by removal, or by deleting their account. */
export interface MemberGone {
  type: 'member.removed'
  cid: string
  member: { channel_role?: string }
}

/**
 * Keeps a moderator in every group: when the last one has left, the longest-standing member becomes moderator [NEW-55].
 * A repeated event does nothing.
 */
export async function keepAModerator({ database, chat }: Product, { cid, member }: MemberGone): Promise<void> {
  if (!chat || member.channel_role !== MODERATOR) return
  const left = await chat.longestIn(cid)
  if (left.length === 0) return
  const people = await chatPeopleOf(database, left)
  const heir = left.find((id) => people.some((person) => person.id === id && person.chatAccess))
  if (heir) await chat.makeModerator(cid, heir)
}
