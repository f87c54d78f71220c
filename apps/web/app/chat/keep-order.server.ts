import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { MODERATOR } from './house-rules.server.ts'

/** Somebody has gone from a channel: by leaving, by being removed, or with their account. */
export interface MemberGone {
  type: 'member.removed'
  cid: string
  member: { channel_role?: string }
}

/**
 * Leaves no group without anybody who keeps order in it: when the last who did has gone, whoever has been in it longest
 * does from then on [NEW-55]. Told twice, it does its work once.
 */
export async function keepOrder({ database, chat }: Product, { cid, member }: MemberGone): Promise<void> {
  if (!chat || member.channel_role !== MODERATOR) return
  const left = await chat.longestIn(cid)
  if (left.length === 0) return
  const people = await chatPeopleOf(database, left)
  const heir = left.find((id) => people.some((person) => person.id === id && person.chatAccess))
  if (heir) await chat.makeModerator(cid, heir)
}
