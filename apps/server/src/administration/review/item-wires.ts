import { REVIEW_FLAGS_SHOWN } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import { type ActionLog, MESSAGE_ENTITY, type ReviewQueueItem } from '@parley/protocol/review'
import type { Kysely } from 'kysely'
import { bansHolding } from '../../chat/bans/query-banned.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { messagesShown } from '../../chat/messages/messages-shown.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { MessageRow, ReviewActionRow, ReviewItemRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { flagsAbout } from '../moderation/moderation-flags.ts'
import { actionsOfItems, recordsOf } from './review-store.ts'

/** The actions that removed content from its creator. */
const removing = ['delete_message', 'delete_reaction', 'delete_user_messages', 'block', 'shadow_block']

/** Review items with all their details; the number of queries does not grow with them. */
export async function itemWires(
  server: Server,
  app: string,
  rows: readonly ReviewItemRow[],
  db: Kysely<Tables> = server.database.read,
): Promise<ReviewQueueItem[]> {
  if (rows.length === 0) return []
  const { dialect } = server.database
  const creators = [...new Set(rows.flatMap(({ creator_id }) => creator_id ?? []))]
  const ids = rows.map(({ id }) => id)
  const itemIds = new Map(rows.map((row) => [row.subject, row.id]))
  const messages = await messagesOf(server, app, rows, db)
  const actions = await actionWires(server, app, await actionsOfItems(db, dialect, app, ids, REVIEW_FLAGS_SHOWN))
  const flags = await flagsAbout(server, app, itemIds, REVIEW_FLAGS_SHOWN, db)
  const bans = await bansHolding(server, app, creators, db)
  const records = await recordsOf(db, dialect, app, creators, removing)
  const userSummaries = await userSummariesOf(server, app, [
    ...creators,
    ...rows.flatMap(({ assigned_to }) => assigned_to ?? []),
  ])
  const people = await server.users.getAll(app, creators)
  const now = server.clock.micros()

  const creatorOf = (id: string) => ({
    ...userSummaries.of(id),
    ban_count: bans.filter((ban) => ban.user.id === id).length,
    deleted_content_count: records.deleted.get(id) ?? 0,
    flagged_count: records.flagged.get(id) ?? 0,
    custom: JSON.parse(people.get(id)?.data ?? '{}') as Record<string, unknown>,
  })
  return rows.map((row) => {
    const message = messages.get(row.subject)
    const custom = JSON.parse(row.data)
    const teams: string[] = JSON.parse(row.teams_json)
    return {
      id: row.id,
      entity_type: row.entity_type,
      entity_id: row.entity_id,
      ...(row.creator_id !== null && {
        entity_creator_id: row.creator_id,
        entity_creator: creatorOf(row.creator_id),
      }),
      ...(message && { message }),
      moderation_payload: { ...JSON.parse(row.payload_json), ...(Object.keys(custom).length > 0 && { custom }) },
      // Longer checks would need an external engine.
      status: 'complete',
      recommended_action: row.recommended_action,
      severity: row.severity,
      ai_text_severity: '',
      flags: flags.get(row.subject) ?? [],
      flags_count: row.flags_count,
      actions: actions.filter(({ review_queue_item_id }) => review_queue_item_id === row.id),
      latest_moderator_action: row.latest_action,
      bans: bans.filter((ban) => ban.user.id === row.creator_id),
      languages: [],
      reviewed_by: row.reviewed_by ?? '',
      ...(row.reviewed_at !== null && { reviewed_at: isoOf(row.reviewed_at) }),
      completed_at: isoOf(row.created_at),
      ...(row.assigned_to !== null &&
        row.assigned_until !== null &&
        row.assigned_until > now && { assigned_to: userSummaries.of(row.assigned_to) }),
      ...(row.config_key !== null && { config_key: row.config_key }),
      ...(teams.length > 0 && { teams }),
      escalated: row.escalated_at !== null,
      ...(row.escalated_at !== null && {
        escalated_at: isoOf(row.escalated_at),
        escalated_by: row.escalated_by ?? '',
        escalation_metadata: JSON.parse(row.escalation_json ?? '{}'),
      }),
      created_at: isoOf(row.created_at),
      updated_at: isoOf(row.updated_at),
    }
  })
}

export async function actionWires(server: Server, app: string, rows: readonly ReviewActionRow[]): Promise<ActionLog[]> {
  const userSummaries = await userSummariesOf(
    server,
    app,
    rows.flatMap(({ user_id, target_user_id }) => [user_id, target_user_id]).filter((id) => id !== ''),
  )
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    reason: row.reason,
    user_id: row.user_id,
    ...(row.user_id !== '' && { user: userSummaries.of(row.user_id) }),
    target_user_id: row.target_user_id,
    ...(row.target_user_id !== '' && { target_user: userSummaries.of(row.target_user_id) }),
    reporter_type: row.reporter_type,
    ai_providers: [],
    custom: JSON.parse(row.data),
    ...(row.item_id !== '' && { review_queue_item_id: row.item_id }),
    created_at: isoOf(row.created_at),
  }))
}

/** The existing messages and the rejected ones, by subject. */
async function messagesOf(
  server: Server,
  app: string,
  rows: readonly ReviewItemRow[],
  db: Kysely<Tables>,
): Promise<Map<string, Message>> {
  const about = rows.filter(({ entity_type }) => entity_type === MESSAGE_ENTITY)
  if (about.length === 0) return new Map()
  const stored = await messagesShown(
    server,
    app,
    about.map(({ entity_id }) => entity_id),
    db,
  )
  const held = about.flatMap((row) =>
    row.held_json === null || stored.has(row.entity_id) ? [] : (JSON.parse(row.held_json) as MessageRow),
  )
  const stopped = held.length === 0 ? [] : await composeMessages(server, app, held, undefined, db)
  return new Map([...stored.values(), ...stopped].map((message) => [`message:${message.id}`, message]))
}
