import type { OwnUser, User } from '@parley/protocol/users'
import type { Kysely } from 'kysely'
import type { Tables, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { blockedIdsOf } from './blocked.ts'
import { fullUserWire, userWire } from './user-wire.ts'

/** The user as the user's own devices receive it: with the private fields [messaging.md 13.1]. */
export async function ownUserFor(
  server: Server,
  user: UserRow,
  online: boolean,
  db: Kysely<Tables> = server.database.read,
): Promise<User> {
  const blocked = await blockedIdsOf(server, user.app, [user.id], db)
  return { ...fullUserWire(user, online), blocked_user_ids: blocked(user.id) }
}

/**
 * The `user.updated` event for the user's own devices.
 *
 * @param also  fields of the own user that changed and that no other event carries
 */
export async function ownUpdatedEvent(
  server: Server,
  user: UserRow,
  at: number,
  { db, also }: { db?: Kysely<Tables>; also?: Pick<OwnUser, 'push_preferences'> } = {},
): Promise<string> {
  const online = server.presence.isOnline(user.app, user.id)
  const userSummary = { ...(await ownUserFor(server, user, online, db)), ...also }
  return JSON.stringify({ type: 'user.updated', created_at: isoOf(at), user: userSummary })
}

/** Publishes to this node's followers of a user and to the user's own devices, each with their own body. */
export async function sendUserEvent(
  server: Server,
  user: UserRow,
  event: { type: 'user.updated' | 'user.presence.changed'; at: number; online: boolean },
): Promise<void> {
  const { hub } = server
  const { app, id } = user
  const body = (userSummary: User) =>
    JSON.stringify({ type: event.type, created_at: isoOf(event.at), user: userSummary })
  hub.sendToFollowers(app, id, body(userWire(user, event.online)))
  if (hub.connectionsOf(app, id) > 0) hub.sendToUser(app, id, body(await ownUserFor(server, user, event.online)))
}

/** Publishes presence to this node's followers of a user; an invisible user publishes none. */
export async function sendPresence(server: Server, app: string, userId: string, online: boolean): Promise<void> {
  const user = await server.users.get(app, userId)
  if (!user || user.invisible) return
  const at = server.clock.micros()
  // The online state is written a moment later.
  const seen = online ? { ...user, last_active: at } : user
  await sendUserEvent(server, seen, { type: 'user.presence.changed', at, online })
}
