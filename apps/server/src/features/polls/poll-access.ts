import type { Caller } from '../../chat/api/caller.ts'
import { checkNotBanned } from '../../chat/bans/banned.ts'
import { type Access, readableAmong } from '../../chat/channels/channel-access.ts'
import { isWithin, sightOf } from '../../chat/messages/message-access.ts'
import { messagesByPoll } from '../../chat/messages/messages-with-poll.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { PollRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { pollById } from './poll-store.ts'

/** A poll together with the channels in which the caller sees it. */
export interface PollAccess {
  poll: PollRow
  places: Access[]
}

/** Permissions on a whole poll; each has a variant for the poll's creator. */
type Managing = 'update-poll' | 'close-poll' | 'delete-poll'

/**
 * The only way to get a poll by an id that a client sent: its creator sees it, and users who can read a message that
 * shows it. A missing poll and a hidden one get the same answer.
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessPoll(server: Server, caller: Caller, id: string): Promise<PollAccess> {
  const { app, user } = caller
  const poll = await pollById(server.database.read, app.id, id)
  if (!poll) throw missingPoll(id)
  const messages = await messagesByPoll(server.database.read, app.id, id, undefined)
  const byChannel = Map.groupBy(messages, (message) => message.cid)
  const readable = await readableAmong(server, caller, [...byChannel.keys()])
  const places = [...readable].flatMap(([cid, access]) => {
    const sight = sightOf(access)
    return byChannel.get(cid)!.some((message) => isWithin(message, sight)) ? [access] : []
  })
  if (!caller.server && poll.created_by !== user?.id && places.length === 0) throw missingPoll(id)
  return { poll, places }
}

/**
 * Ending, changing and deleting are for the poll's creator, and for users with the permission [POL-35]. A user who is
 * banned in a channel cannot change a poll shown there [MOD-17].
 *
 * @throws ChatError NotAllowedError (17)
 */
export function demandManaging(caller: Caller, { poll, places }: PollAccess, permission: Managing) {
  checkNotBanned(caller.user)
  if (permission === 'update-poll') for (const place of places) checkNotBanned(caller.user, place)
  demandInApp(caller, permission, poll.created_by === caller.user?.id)
}

export function missingPoll(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find poll with id ${id}`)
}
