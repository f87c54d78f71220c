import type { ImportData } from '@parley/protocol/imports'
import type { Batch } from '../../platform/database/batch.ts'
import type { ReactionRow } from '../../platform/database/tables.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import { customData } from './check-line.ts'
import type { Importing } from './import-lines.ts'
import { putItems } from './import-store.ts'
import { putReactions, reactionSumsOf, setReactionGroups, storedMessages, storedReactions } from './imported-store.ts'

/** Imports reactions, and updates their messages. */
export async function importReactions({ app, row }: Importing, batch: Batch, lines: readonly ImportData<'reaction'>[]) {
  const { db, dialect } = batch
  const keyOf = (reaction: { message_id: string; user_id: string; type: string }) =>
    JSON.stringify([reaction.message_id, reaction.user_id, reaction.type])
  const ids = [...new Set(lines.map(({ message_id }) => message_id))]
  const known =
    row.mode === 'insert' ? new Set((await storedReactions(db, dialect, app.id, ids)).map(keyOf)) : undefined
  const wanted = known ? lines.filter((line) => !known.has(keyOf(line))) : lines
  if (wanted.length === 0) return
  await putReactions(
    db,
    dialect,
    wanted.map((line): ReactionRow => {
      const at = microsOf(line.created_at)!
      const { message_id, user_id, type, score = 1 } = line
      const data = JSON.stringify(customData({ type: 'reaction', data: line }))
      return { app: app.id, message_id, user_id, type, score, data, created_at: at, updated_at: at }
    }),
  )
  const sums = Map.groupBy(await reactionSumsOf(db, dialect, app.id, ids), ({ message_id }) => message_id)
  const messages = await storedMessages(db, dialect, app.id, ids)
  await setReactionGroups(
    db,
    dialect,
    messages.map(({ id, updated_at }) => {
      const own = sums.get(id) ?? []
      const groups = own.map(({ type, count, sum_scores, first_at, last_at }) => [
        type,
        { count, sum_scores, first_reaction_at: isoOf(first_at), last_reaction_at: isoOf(last_at) },
      ])
      return {
        app: app.id,
        id,
        reaction_groups_json: own.length > 0 ? JSON.stringify(Object.fromEntries(groups)) : null,
        updated_at: Math.max(updated_at, ...own.map(({ last_at }) => last_at)),
      }
    }),
  )
  const cids = new Map(messages.map(({ cid }) => [cid, null]))
  await putItems(db, dialect, { app: app.id, id: row.id, list: 'channels' }, cids)
}
