import type { UserReportAnswer } from '@parley/protocol/review'
import type { Static } from 'typebox'
import { ChatError } from '../chat-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Answered } from '../http/endpoint.ts'
import { isoOf } from '../micros.ts'
import { mutesAgainst } from '../moderation/own-user.ts'
import type { Server } from '../server.ts'
import { blocksAgainst } from '../users/blocked.ts'
import { existingUser } from '../users/user-access.ts'
import { userWire } from '../users/user-wire.ts'
import { teamsOf } from './entities.ts'
import { isOfOwnTeams } from './review-access.ts'

/** How many of the newest mutes and blocks are shown. */
const SHOWN = 100

/**
 * The users who mute and who blocked a user [MOD2-5].
 *
 * @throws ChatError DoesNotExistError (16) — no such user, or in other teams
 */
export async function userReport(
  server: Server,
  caller: Caller,
  userId: string,
): Promise<Answered<Static<typeof UserReportAnswer>>> {
  const user = await existingUser(server, caller.app.id, userId)
  if (!isOfOwnTeams(caller, teamsOf(user)))
    throw new ChatError('DoesNotExistError', `Can't find user with id ${userId}`)
  const blocks = await blocksAgainst(server, user.app, user.id, SHOWN)
  return {
    user: userWire(user, server.presence.isOnline(user.app, user.id)),
    user_mutes: await mutesAgainst(server, user, SHOWN),
    user_blocks: blocks.map(({ user_id, blocked_id, created_at }) => ({
      blocked_by_user_id: user_id,
      blocked_user_id: blocked_id,
      blocked_at: isoOf(created_at),
    })),
  }
}
