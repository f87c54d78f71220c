import { REVIEW_COUNTED, REVIEW_LOCK_SECONDS, REVIEW_LOCKS, REVIEW_PAGE } from '@parley/protocol/limits'
import {
  type ActionConfig,
  type ActionLog,
  MESSAGE_ENTITY,
  type ModerationFlag,
  type QueryReviewQueueRequest,
  type QueryReviewRequest,
  type ReviewQueueAnswer,
  USER_ENTITY,
} from '@parley/protocol/review'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import type { Answered } from '../../chat/api/endpoint.ts'
import { readerOf } from '../../chat/api/reader.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import {
  compileFilter,
  compileSort,
  type Entity,
  flagColumn,
  listOf,
  numberColumn,
  operators,
  type SpecialField,
  textColumn,
  tieBreak,
  timeColumn,
  wrongType,
} from '../../platform/database/filter-compiler.ts'
import { pages, queryPage } from '../../platform/database/keyset.ts'
import type { ReviewItemRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { findModerationFlags } from '../moderation/moderation-flags.ts'
import { entityTypeOf } from './entities.ts'
import { actionWires, itemWires } from './item-wires.ts'
import { moderationOf } from './known-configs.ts'
import { hasTeam, ofOwnTeams } from './review-access.ts'
import { assignItems, countItems, findActions, findItems, unassignItems } from './review-store.ts'

const newestFirst = [{ field: 'created_at', direction: -1 as const }]

/** The filter and sort fields of review items; any other name is a custom field of the content. */
function itemEntity(dialect: Dialect): Entity {
  return {
    filterName: 'filter',
    custom: 'q.data',
    tieBreak: [tieBreak('q.id')],
    sorts: {
      entity_type: { kind: 'text', sql: sql.ref('q.entity_type') },
      reviewed_by: { kind: 'text', sql: sql.ref('q.reviewed_by') },
    },
    fields: {
      id: textColumn('q.id'),
      created_at: timeColumn('q.created_at'),
      updated_at: timeColumn('q.updated_at'),
      completed_at: timeColumn('q.created_at'),
      status: { ...textColumn(''), sql: sql`cast('complete' as text)` },
      entity_type: among('entity_type', (types) => {
        return sql<boolean>`q.entity_type ${dialect.among(types.map(entityTypeOf), 'text')}`
      }),
      entity_id: textColumn('q.entity_id'),
      entity_creator_id: textColumn('q.creator_id'),
      reviewed: flagColumn(sql`(case when q.reviewed_at is null then 0 else 1 end)`),
      escalated: flagColumn(sql`(case when q.escalated_at is null then 0 else 1 end)`),
      has_text: flagColumn('q.has_text'),
      has_image: flagColumn('q.has_image'),
      has_video: flagColumn('q.has_video'),
      has_media: flagColumn('q.has_media'),
      channel_cid: textColumn('q.cid'),
      teams: among('teams', (teams) => hasTeam(dialect, teams)),
      severity: numberColumn('q.severity'),
      flags_count: numberColumn('q.flags_count'),
      recommended_action: textColumn('q.recommended_action'),
      latest_moderator_action: textColumn('q.latest_action'),
      category: among('category', (labels) => hasLabel(dialect, labels)),
      label: among('label', (labels) => hasLabel(dialect, labels)),
      // The server does not detect languages.
      language: { ...textColumn(''), sql: sql`cast(null as text)` },
      config_key: textColumn('q.config_key'),
      // The wire shows an unreviewed item with the reviewer "".
      reviewed_by: among('reviewed_by', (ids) => {
        return sql<boolean>`coalesce(q.reviewed_by, '') ${dialect.among(ids, 'text')}`
      }),
      assigned_to: textColumn('q.assigned_to'),
    },
  }
}

/** A field that takes one value or a list of values; null means none. */
function among(name: string, compile: (values: string[]) => RawBuilder<boolean>): SpecialField {
  return {
    kind: 'special',
    operators: operators.equality,
    compile(operator, value) {
      const values = (operator === '$in' ? listOf(name, operator, value) : [value]).map((one) => one ?? '')
      if (!values.every((one) => typeof one === 'string')) throw wrongType(name, 'a string')
      return compile(values)
    },
  }
}

function hasLabel(dialect: Dialect, labels: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${dialect.jsonTexts('q.labels_json')} t
    where t.value ${dialect.among(labels, 'text')})`
}

/**
 * The review items matching a filter, newest first unless sorted otherwise [MOD2-6]. A moderator who locks items has
 * them for a while, and gets none that another moderator has locked.
 *
 * @throws ChatError InputError (4) — a filter or sort field this query does not have
 */
export async function queryReviewQueue(
  server: Server,
  caller: Caller,
  request: QueryReviewQueueRequest,
): Promise<Answered<Static<typeof ReviewQueueAnswer>>> {
  const { app } = caller
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const read = reader.for(false)
  const entity = itemEntity(dialect)
  const where = sql<boolean>`${compileFilter(entity, dialect, request.filter)} and ${ofOwnTeams(caller, dialect)}`
  const listing = { name: ['review queue', app.id], entity, limit: REVIEW_PAGE, sort: newestFirst }
  const { query, paged } = pages(dialect, listing, request)
  const order = compileSort(entity, dialect, request.sort?.length ? request.sort : newestFirst)
  const { total, reviewed } = await countItems(read, app.id, where, REVIEW_COUNTED)
  if (request.lock_items === false) await giveBack(server, caller)
  const { shown, around } = request.stats_only
    ? { shown: [], around: {} }
    : request.lock_items
      ? { shown: await take(server, caller, where, order, request), around: {} }
      : paged(await findItems(read, app.id, query(where)))
  return {
    items: await itemWires(server, app.id, shown),
    stats: { total, reviewed, unreviewed: total - reviewed },
    action_config: { [MESSAGE_ENTITY]: buttons(MESSAGE_ENTITY), [USER_ENTITY]: buttons(USER_ENTITY) },
    ...(!request.exclude_default_action_config && { default_action_config: buttons('') }),
    filter_config: { llm_labels: [], config_keys: [...moderationOf(app).all()].map(({ config }) => config.key) },
    ...around,
  }
}

/** Locks the first items that are free for the caller. */
function take(
  server: Server,
  caller: Caller,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  { lock_count = REVIEW_LOCKS, lock_duration = REVIEW_LOCK_SECONDS }: QueryReviewQueueRequest,
): Promise<ReviewItemRow[]> {
  const { id } = actingUser(caller)
  return server.commit.write(caller.app.id, [], async (batch) => {
    const now = batch.now()
    const free = sql<boolean>`${where} and (q.assigned_to is null or q.assigned_to = ${id} or q.assigned_until <= ${now})`
    const page = sql`order by ${order} limit ${lock_count} ${batch.dialect.forUpdate}`
    const rows = await findItems(batch.db, caller.app.id, { where: free, keys: sql``, page })
    const until = now + lock_duration * 1_000_000
    const ids = rows.map((row) => row.id)
    await assignItems(batch.db, batch.dialect, caller.app.id, ids, id, until)
    return rows.map((row) => ({ ...row, assigned_to: id, assigned_until: until }))
  })
}

function giveBack(server: Server, caller: Caller): Promise<void> {
  const { id } = actingUser(caller)
  return server.commit.write(caller.app.id, [], (batch) => unassignItems(batch.db, caller.app.id, id))
}

const labels: Readonly<Record<string, readonly [description: string, icon: string]>> = {
  mark_reviewed: ['Mark as reviewed', 'check'],
  delete_message: ['Delete the message', 'trash'],
  delete_user: ['Delete the user', 'user-minus'],
  ban: ['Ban the user', 'ban'],
  shadow_block: ['Show it to its author alone', 'eye-off'],
}

/** The action buttons a dashboard offers for an entity type. */
function buttons(entityType: string): ActionConfig[] {
  const about: readonly string[] =
    entityType === MESSAGE_ENTITY
      ? ['delete_message', 'shadow_block']
      : entityType === USER_ENTITY
        ? ['delete_user']
        : []
  return ['mark_reviewed', ...about, 'ban'].map((action, i) => {
    const [description, icon] = labels[action]!
    return { action, description, icon, entity_type: entityType, order: i + 1 }
  })
}

/** All flags matching a filter, whatever their subject. */
export async function queryFlags(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryReviewRequest>,
): Promise<{ flags: ModerationFlag[]; next?: string; prev?: string }> {
  return findModerationFlags(server, caller, request, visibleFlag(server, caller))
}

/** Whether the caller may see the flag of the row `f`. */
export function visibleFlag({ database: { dialect } }: Server, caller: Caller): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from review_items q where q.app = f.app and q.subject = f.subject
    and ${ofOwnTeams(caller, dialect)})`
}

/** The filter and sort fields of actions. */
const actionEntity: Entity = {
  filterName: 'filter',
  custom: undefined,
  tieBreak: [tieBreak('a.id')],
  fields: {
    id: textColumn('a.id'),
    type: textColumn('a.type'),
    user_id: textColumn('a.user_id'),
    target_user_id: textColumn('a.target_user_id'),
    reporter_type: textColumn('a.reporter_type'),
    review_queue_item_id: textColumn('a.item_id'),
    item_id: textColumn('a.item_id'),
    created_at: timeColumn('a.created_at'),
  },
}

/** Moderator actions, newest first unless sorted otherwise. */
export async function queryActions(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryReviewRequest>,
): Promise<{ logs: ActionLog[]; next?: string; prev?: string }> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const app = caller.app.id
  const own = ofOwnTeams(caller, dialect)
  const listing = { name: ['moderation logs', app], entity: actionEntity, limit: REVIEW_PAGE, sort: newestFirst }
  const { shown, around } = await queryPage(reader, listing, request, (db, query) => {
    const where = sql<boolean>`${query.where} and (${caller.server ? 1 : 0} = 1 or exists (select 1 from review_items q
      where q.app = a.app and q.id = a.item_id and ${own}))`
    return findActions(db, app, { ...query, where })
  })
  return { logs: await actionWires(server, app, shown), ...around }
}
