import { ChatError } from '../chat-error.ts'
import type { UserRow } from '../database/tables.ts'
import type { Server } from '../server.ts'

/**
 * The only way from a user's id that came from outside to the user; a deactivated one is there.
 *
 * @throws ChatError DoesNotExistError (16) — there is none, or it was deleted
 */
export async function existingUser(server: Server, app: string, id: string): Promise<UserRow> {
  const user = await server.users.get(app, id)
  if (!user || user.deleted_at !== null) throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return user
}
