import type { Reaction } from '@parley/protocol/reactions'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { recipientsNow } from '../../chat/messages/message-recipients.ts'
import { eventViewerOf } from '../../chat/messages/message-wire.ts'
import { storedMessage } from '../../chat/messages/reaction-groups.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { countReactions } from './react.ts'
import { deleteReaction, reactionsAfter } from './reaction-store.ts'
import { reactionWire } from './reactions-of-messages.ts'

/** Reactions that one write removes. */
const PAGE = 50

/** Reactions that are read together. */
const EXPORT_PAGE = 500

/** A place in the reactions of a user. */
export interface ReactionPlace {
  messageId: string
  type: string
}

/**
 * Removes a page of a user's reactions, and publishes `reaction.deleted` to the watchers.
 *
 * @param whose the user, and the channel when only the reactions in it are meant
 * @returns where the next page begins; undefined after the last
 */
export async function dropReactionsPage(
  server: Server,
  app: string,
  { userId, cid }: { userId: string; cid?: string | undefined },
  after: ReactionPlace | undefined,
  save: (batch: Batch, next: ReactionPlace | undefined) => Promise<void>,
): Promise<ReactionPlace | undefined> {
  const rows = await reactionsAfter(server.database.read, app, userId, cid, after, PAGE)
  const last = rows.at(-1)
  const next = last && rows.length === PAGE ? { messageId: last.message_id, type: last.type } : undefined
  const cids = [...new Set(rows.map((row) => row.cid))]
  await server.commit.write(app, cids, async (batch) => {
    await save(batch, next)
    const recipients = recipientsNow(server, batch.db)
    for (const { message_id, type, cid } of rows) {
      const channel = batch.channel(app, cid)
      const reaction = await deleteReaction(batch.db, app, message_id, userId, type)
      const message = await storedMessage(batch.db, app, message_id)
      if (!channel || !reaction || !message) continue
      const at = batch.nextTime(channel)
      const changed = await countReactions(batch, message, at)
      const userSummaries = await userSummariesOf(server, app, [userId])
      const [heard] = await composeMessages(server, app, [changed], eventViewerOf(message), batch.db)
      batch.publish(channel, 'reaction.deleted', {
        at,
        watchers: channelEvent(channel, 'reaction.deleted', at, {
          message: heard,
          message_id,
          user: userSummaries.of(userId),
          reaction: reactionWire(reaction, userSummaries),
        }),
        ...(await recipients(message)),
      })
    }
  })
  return next
}

/** Removes all of a user's reactions, or those in one channel, after the call was answered. */
export const deletingReactions: TaskKind<
  { userId: string; cid?: string | undefined },
  { next: ReactionPlace | undefined }
> = {
  name: 'delete-reactions',
  async run(server, task) {
    for (let place = task.progress?.next; ; ) {
      place = await dropReactionsPage(server, task.app, task.input, place, (batch, next) => task.save(batch, { next }))
      if (!place) return {}
    }
  },
}

/** All of a user's reactions, page by page. */
export async function* reactionsOf(server: Server, app: string, userId: string): AsyncGenerator<Reaction[]> {
  const userSummaries = await userSummariesOf(server, app, [userId])
  for (let after: ReactionPlace | undefined; ; ) {
    const rows = await reactionsAfter(server.database.read, app, userId, undefined, after, EXPORT_PAGE)
    yield rows.map((row) => reactionWire(row, userSummaries))
    const last = rows.at(-1)
    if (!last || rows.length < EXPORT_PAGE) return
    after = { messageId: last.message_id, type: last.type }
  }
}
