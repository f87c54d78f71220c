import { ChatError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { metBy } from '../members/members-of-channels.ts'
import { isOfOwnTeams, teamsOf } from './teams.ts'

/**
 * The only way from a client-supplied user id to the user; a deactivated user is returned.
 *
 * @throws ChatError DoesNotExistError (16) — there is no such user, or it was deleted
 */
export async function existingUser(server: Server, app: string, id: string): Promise<UserRow> {
  const user = await server.users.get(app, id)
  if (!user || user.deleted_at !== null) throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return user
}

/**
 * The users, by id, the caller may know of: with multi-tenancy those of the caller's teams, and those who share a
 * channel with the caller [administration.md 3.6].
 */
export async function acquaintances(
  server: Server,
  caller: Pick<Caller, 'app' | 'server' | 'user'>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, UserRow>> {
  const { app, user } = caller
  const found = await server.users.getAll(app.id, ids)
  const strangers = [...found.values()].filter((one) => one.id !== user?.id && !isOfOwnTeams(caller, teamsOf(one)))
  if (!user || strangers.length === 0) return found
  const known = new Map(found)
  const met = await metBy(
    server,
    app.id,
    user.id,
    strangers.map(({ id }) => id),
  )
  for (const { id } of strangers) if (!met.has(id)) known.delete(id)
  return known
}
