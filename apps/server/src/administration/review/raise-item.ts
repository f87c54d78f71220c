import { randomUUID } from 'node:crypto'
import { MESSAGE_ENTITY, type ModerationPayload } from '@parley/protocol/review'
import type { Kysely } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { FlagRow, MessageRow, ReviewItemRow, Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messageEntity, type Reportable, subjectOf } from './entities.ts'
import { publishItem } from './publish-review-events.ts'
import { deleteItems, heldItem, insertItem, itemBySubject, itemsBySubjects, updateItem } from './review-store.ts'

/** How severe a report is. */
export interface Finding {
  /** `flag`, `shadow`, `remove` … */
  recommended: string
  severity: number
  labels?: readonly string[]
  configKey?: string | undefined
  /** A rejected message, which is not stored elsewhere. */
  held?: MessageRow
}

/** A user's report only asks for a review [administration.md 7.3]. */
export const userReport: Finding = { recommended: 'flag', severity: 25 }

/** How many versions of a text are kept, newest first. */
const TEXTS_KEPT = 10

const byStrength = ['keep', 'flag', 'mask_flag', 'bounce', 'bounce_flag', 'bounce_remove', 'shadow', 'remove', 'ban']

/**
 * The review item of a subject; undefined if there is none. Call it before counting flags: the lock keeps others from
 * adding or removing flags until the write is done.
 */
export function holdItem({ db, dialect }: Batch, app: string, subject: string): Promise<ReviewItemRow | undefined> {
  return heldItem(db, dialect, app, subject)
}

/**
 * Puts a subject into the review queue, with the flags just stored; a subject in the queue already stays one item, and
 * is reopened if it was reviewed [administration.md 7.5].
 *
 * @param known its existing item, locked
 * @param total how many flags it has now
 */
export async function raiseItem(
  server: Server,
  batch: Batch,
  entity: Reportable,
  known: ReviewItemRow | undefined,
  { flags, total }: { flags: readonly FlagRow[]; total: number },
  finding: Finding,
): Promise<ReviewItemRow> {
  const { app, subject } = entity
  const at = batch.now()
  const labels = [
    ...new Set([...(known ? (JSON.parse(known.labels_json) as string[]) : []), ...(finding.labels ?? [])]),
  ]
  const found = {
    flags_count: total,
    labels_json: JSON.stringify(labels),
    recommended_action: stronger(known?.recommended_action, finding.recommended),
    severity: Math.max(known?.severity ?? 0, finding.severity),
    config_key: finding.configKey ?? known?.config_key ?? null,
    held_json: finding.held ? JSON.stringify(finding.held) : (known?.held_json ?? null),
    ...(!known || Object.keys(entity.payload).length > 0 ? contentOf(entity, known) : {}),
    reviewed_at: null,
    reviewed_by: null,
    updated_at: at,
  }
  if (known) {
    const item = { ...known, ...found }
    await updateItem(batch.db, app, known.id, found)
    await publishItem(server, batch, item, 'updated', { flags })
    return item
  }
  const { type, id, creatorId, cid, teams } = entity
  const item: ReviewItemRow = {
    app,
    subject,
    id: randomUUID(),
    entity_type: type,
    entity_id: id,
    creator_id: creatorId,
    cid,
    teams_json: JSON.stringify(teams),
    latest_action: '',
    created_at: at,
    ...contentOf(entity, undefined),
    ...found,
    escalation_json: null,
    escalated_at: null,
    escalated_by: null,
    assigned_to: null,
    assigned_until: null,
  }
  await insertItem(batch.db, item)
  await publishItem(server, batch, item, 'new', { flags })
  return item
}

/** A message was edited; its review item shows that [administration.md 7.5]. */
export async function noteEdit(server: Server, batch: Batch, message: MessageRow) {
  const known = await holdItem(batch, message.app, subjectOf(MESSAGE_ENTITY, message.id))
  if (!known) return
  const change = { ...contentOf(await messageEntity(server, message), known), updated_at: batch.now() }
  await updateItem(batch.db, known.app, known.id, change)
  await publishItem(server, batch, { ...known, ...change }, 'updated', {})
}

/** The same rule found the same again: no new report, but the item is reopened. */
export async function raiseAgain(
  server: Server,
  batch: Batch,
  entity: Reportable,
  finding: Finding,
): Promise<ReviewItemRow> {
  const known = await holdItem(batch, entity.app, entity.subject)
  return raiseItem(server, batch, entity, known, { flags: [], total: known?.flags_count ?? 1 }, finding)
}

/** Undefined for a subject without a review item. */
export async function itemIdOf(db: Kysely<Tables>, app: string, subject: string): Promise<string | undefined> {
  return (await itemBySubject(db, app, subject))?.id
}

/** The same for several subjects, by subject. */
export async function itemIdsOf(
  server: Server,
  app: string,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const { read, dialect } = server.database
  return new Map((await itemsBySubjects(read, dialect, app, subjects)).map((row) => [row.subject, row.id]))
}

/** A flag was removed. An item without flags and without actions is removed. */
export async function lowerItem(batch: Batch, { app, id, latest_action }: ReviewItemRow, total: number) {
  if (total === 0 && latest_action === '') await deleteItems(batch.db, batch.dialect, app, [id])
  else await updateItem(batch.db, app, id, { flags_count: total, updated_at: batch.now() })
}

function stronger(before: string | undefined, now: string): string {
  return before !== undefined && byStrength.indexOf(before) > byStrength.indexOf(now) ? before : now
}

/**
 * The current text of a subject, then its earlier versions: an edit cannot hide content from moderators.
 */
function contentOf({ payload: { custom = {}, ...payload } }: Reportable, known: ReviewItemRow | undefined) {
  const some = (list: readonly string[] | undefined) => (list && list.length > 0 ? 1 : 0)
  const before: ModerationPayload = known ? JSON.parse(known.payload_json) : {}
  const texts = [...new Set([...(payload.texts ?? []), ...(before.texts ?? [])])].slice(0, TEXTS_KEPT)
  const { images, videos, audios, other_media } = payload
  return {
    payload_json: JSON.stringify({ ...payload, ...(texts.length > 0 && { texts }) }),
    data: JSON.stringify(custom),
    has_text: some(texts),
    has_image: some(images),
    has_video: some(videos),
    has_media: some([images, videos, audios, other_media].flatMap((list) => list ?? [])),
  }
}
