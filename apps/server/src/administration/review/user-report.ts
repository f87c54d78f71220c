import type { UserReportAnswer } from '@parley/protocol/review'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import type { Answered } from '../../chat/api/endpoint.ts'
import { mutesAgainst } from '../../chat/mutes/own-user.ts'
import { blocksAgainst } from '../../chat/users/blocked.ts'
import { isOfOwnTeams, teamsOf } from '../../chat/users/teams.ts'
import { existingUser } from '../../chat/users/user-access.ts'
import { userWire } from '../../chat/users/user-wire.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'

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
