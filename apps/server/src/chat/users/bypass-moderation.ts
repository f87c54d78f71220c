import type { Server } from '../../server.ts'
import { existingUser } from './user-access.ts'
import { lockedUsers, putUsers } from './user-store.ts'

/**
 * Exempts a user's messages from moderation, or ends the exemption [administration.md 7].
 *
 * @throws ChatError DoesNotExistError (16)
 */
export async function bypassModeration(server: Server, app: string, userId: string, enabled: boolean): Promise<void> {
  await existingUser(server, app, userId)
  await server.commit.write(app, [], async (batch) => {
    const [user] = await lockedUsers(batch.db, batch.dialect, app, [userId])
    if (!user) return
    await putUsers(batch.db, batch.dialect, [{ ...user, bypass_moderation: enabled ? 1 : 0 }])
    batch.changedUsers.add(`${app}|${userId}`)
  })
}
