import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { BlockRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { pairsOf, settleBlocks } from '../members/blocked.ts'
import { blockOf, deleteBlock, putBlock } from './block-store.ts'
import { lockUser } from './lock-user.ts'
import { ownUpdatedEvent } from './own-user.ts'
import { acquaintances } from './user-access.ts'

/**
 * Blocks a user: direct channels of just these two are hidden from the blocker, who receives nothing from the blocked
 * user any more [USR-14, USR-19]. An existing block does not change.
 *
 * @throws ChatError InputError (4) — oneself; DoesNotExistError (16) — no such user; NotAllowedError (17)
 */
export async function blockUser(server: Server, caller: Caller, user: UserRow, blockedId: string): Promise<BlockRow> {
  checkNamed(user)
  if (blockedId === user.id) throw inputError('blocked_user_id', 'you cannot block yourself')
  const blocked = (await acquaintances(server, caller, [blockedId])).get(blockedId)
  if (blocked?.deleted_at !== null) throw new ChatError('DoesNotExistError', `Can't find user with id ${blockedId}`)
  const block = await server.commit.write(user.app, [], async (batch) => {
    await putBlock(batch.db, { app: user.app, user_id: user.id, blocked_id: blockedId, created_at: batch.now() })
    return (await blockOf(batch.db, user.app, user.id, blockedId))!
  })
  await settle(server, user, blockedId)
  return block
}

/** Lifts a block, and shows the channels it hid [USR-15]; does nothing without a block. */
export async function unblockUser(server: Server, user: UserRow, blockedId: string): Promise<void> {
  checkNamed(user)
  await server.commit.write(user.app, [], (batch) => deleteBlock(batch.db, user.app, user.id, blockedId))
  await settle(server, user, blockedId)
}

/** Runs after the block is stored, so a channel created at this moment is found here or finds the block. */
async function settle(server: Server, user: UserRow, blockedId: string) {
  const { app, id } = user
  const cids = await pairsOf(server, app, id, blockedId)
  await server.commit.write(app, cids, async (batch) => {
    for (const cid of cids) await settleBlocks(server, batch, batch.channel(app, cid)!)
    const blocker = await lockUser(batch, user)
    const body = await ownUpdatedEvent(server, blocker, batch.now(), { db: batch.db })
    batch.publishToUsers({ app, personal: [{ users: [id], body }] })
  })
}

function checkNamed({ role }: UserRow) {
  if (role === 'anonymous') throw new ChatError('NotAllowedError', 'somebody without a name cannot block anybody')
}
