import { LATEST_REACTIONS } from '@parley/protocol/limits'
import type { Reaction } from '@parley/protocol/reactions'
import type { Kysely } from 'kysely'
import type { MessageFields } from '../../chat/extensions.ts'
import type { UserSummaries } from '../../chat/users/user-summaries.ts'
import type { MessageRow, ReactionRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { latestReactions, reactionsOfUser } from './reaction-store.ts'

/** The newest reactions of messages, and the viewer's own; two queries however many messages there are. */
export async function reactionsOfMessages(
  { database: { dialect } }: Server,
  app: string,
  messages: readonly MessageRow[],
  viewerId: string | undefined,
  db: Kysely<Tables>,
): Promise<MessageFields> {
  const reacted = messages.filter((message) => message.reaction_groups_json !== null)
  // A pinned message can be in the same answer twice.
  const ids = [...new Set(reacted.map((message) => message.id))]
  const latest = await latestReactions(db, dialect, app, ids, LATEST_REACTIONS)
  const own = viewerId === undefined ? [] : await reactionsOfUser(db, dialect, app, viewerId, ids)
  const latestOf = Map.groupBy(latest, (reaction) => reaction.message_id)
  const ownOf = Map.groupBy(own, (reaction) => reaction.message_id)
  return {
    userIds: [...latest, ...own].map((reaction) => reaction.user_id),
    of({ id }, userSummaries) {
      const wires = (rows: readonly ReactionRow[] = []) => rows.map((row) => reactionWire(row, userSummaries))
      return ids.length === 0 ? {} : { latest_reactions: wires(latestOf.get(id)), own_reactions: wires(ownOf.get(id)) }
    },
  }
}

export function reactionWire(row: ReactionRow, userSummaries: UserSummaries): Reaction {
  return {
    ...JSON.parse(row.data),
    message_id: row.message_id,
    user_id: row.user_id,
    user: userSummaries.of(row.user_id),
    type: row.type,
    score: row.score,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}
