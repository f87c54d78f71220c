import { ChatError } from '../../platform/chat-error.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import type { Access } from '../channels/channel-access.ts'
import { accessMessage } from '../messages/message-access.ts'
import { type ThreadView, threadById } from './thread-store.ts'

/**
 * The only way to get a thread by an id that a client sent.
 *
 * @throws ChatError DoesNotExistError (16) — the message has no replies, or the caller cannot see it
 */
export async function accessThread(
  server: Server,
  caller: Caller,
  id: string,
): Promise<{ thread: ThreadView; parent: MessageRow; access: Access }> {
  const { message: parent, access } = await accessMessage(server, caller, id, 'read-channel')
  const thread = await threadById(server.database.read, caller.app.id, id)
  if (!thread) throw new ChatError('DoesNotExistError', `Can't find thread with id ${id}`)
  return { thread, parent, access }
}

/** The same for a thread of this channel; a thread of another channel counts as missing. */
export async function accessThreadIn(server: Server, caller: Caller, { channel }: Access, id: string) {
  const found = await accessThread(server, caller, id)
  if (found.thread.cid !== channel.cid) throw new ChatError('DoesNotExistError', `Can't find thread with id ${id}`)
  return found
}
