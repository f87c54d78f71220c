import { randomUUID } from 'node:crypto'
import { type ReviewQueueItem, type SubmitActionRequest, USER_ENTITY } from '@parley/protocol/review'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import { inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ReviewActionRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { reviewSubjects } from '../moderation/flag-report.ts'
import { subjectOf } from './entities.ts'
import { itemWires } from './item-wires.ts'
import { type Decision, type ModeratorAction, moderatorActions, optionsOf, targetOf } from './moderator-actions.ts'
import { publishDecision, publishItem } from './publish-review-events.ts'
import { accessItem } from './review-access.ts'
import { insertAction, itemById, itemBySubject, markItems, openItemsOf, updateItem } from './review-store.ts'

/** At most so many items of one user are marked as reviewed together with the user. */
const CONTENT_MARKED = 100

/**
 * Runs a moderator's decision by the usual rules, and records the moderator [MOD2-11]. An action on a reviewed item is
 * run and recorded as well.
 *
 * @throws ChatError InputError (4) — no such action, or not for this entity type
 * @throws ChatError DoesNotExistError (16) — no such item, or in other teams; NotAllowedError (17)
 */
export async function submitAction(
  server: Server,
  caller: Caller,
  request: SubmitActionRequest,
): Promise<ReviewQueueItem | undefined> {
  const by = actingUser(caller)
  const type = request.action_type
  const action = Object.hasOwn(moderatorActions, type) ? moderatorActions[type]! : undefined
  if (!action) throw inputError('action_type', `there is no action ${type} here`)
  if (type === 'custom' && !request.custom) throw inputError('custom', 'custom is a required field')
  const item = await itemOf(server, caller, request, action)
  const decision: Decision = { server, caller, trusted: { ...caller, server: true, user: by }, by, item, request }
  await action.does?.(decision)
  return server.commit.write(caller.app.id, [], (batch) => note(batch, decision, action))
}

/** The named item, or the item of the subject the options name; undefined if there is none. */
async function itemOf(server: Server, caller: Caller, request: SubmitActionRequest, { about }: ModeratorAction) {
  if (request.item_id !== undefined) return accessItem(server, caller, request.item_id)
  const { entity_id, target_user_id, entity_type } = optionsOf(request)
  const id = entity_id ?? target_user_id
  if (id === undefined || about === undefined) throw inputError('item_id', 'item_id is a required field')
  const item = await itemBySubject(server.database.read, caller.app.id, subjectOf(entity_type ?? about, id))
  return item && accessItem(server, caller, item.id)
}

/** Records the action, closes the item, and publishes it to the app's own server. */
async function note(batch: Batch, decision: Decision, kind: ModeratorAction): Promise<ReviewQueueItem | undefined> {
  const { server, caller, by, item, request } = decision
  const { app } = caller
  const { reason, decision_reason } = optionsOf(request)
  const at = batch.now()
  const { id = '', options } = request.custom ?? {}
  const action: ReviewActionRow = {
    app: app.id,
    id: randomUUID(),
    item_id: item?.id ?? '',
    type: request.action_type,
    user_id: by.id,
    reason: reason ?? decision_reason ?? '',
    reporter_type: 'moderator',
    created_at: at,
    target_user_id: targetOf(decision) ?? '',
    data: JSON.stringify(
      request.action_type === 'custom' ? customOf({ id, ...(options && { options }) }, new Set()) : {},
    ),
  }
  await insertAction(batch.db, action)
  const reviewed = kind.leavesOpen ? {} : { reviewed_at: at, reviewed_by: by.id }
  if (item) {
    const change = { latest_action: action.type, updated_at: at, ...reviewed, ...kind.changes?.(decision, at) }
    await updateItem(batch.db, app.id, item.id, change)
  }
  if (item && !kind.leavesOpen) await reviewSubjects(server, batch, app.id, [item.subject], by.id)
  if (item && action.type === 'mark_reviewed') await markContent(batch, decision)

  const now = item && (await itemById(batch.db, app.id, item.id))
  if (now) await publishItem(server, batch, now, 'updated', { action })
  const shown = now && (await itemWires(server, app.id, [now], batch.db))[0]
  const message = shown?.message && { message: shown.message }
  if (shown && action.type === 'mark_reviewed')
    publishDecision(batch, app.id, 'moderation.mark_reviewed', { item: shown, ...message })
  if (action.type === 'custom')
    publishDecision(batch, app.id, 'moderation.custom_action', {
      action_id: id,
      ...(options && { action_options: options }),
      ...(shown && { review_queue_item: shown }),
      ...message,
    })
  return shown
}

/** Approving a user also approves the user's content. */
async function markContent(batch: Batch, { server, item, by, request }: Decision) {
  const { disable_marking_content_as_reviewed, content_to_mark_as_reviewed_limit: limit } = request.mark_reviewed ?? {}
  if (item?.entity_type !== USER_ENTITY || disable_marking_content_as_reviewed) return
  const most = Math.min(limit ?? CONTENT_MARKED, CONTENT_MARKED)
  const open = await openItemsOf(batch.db, item.app, item.entity_id, most)
  const marked = { at: batch.now(), by: by.id, action: 'mark_reviewed' }
  const ids = open.map(({ id }) => id)
  await markItems(batch.db, batch.dialect, item.app, ids, marked)
  await reviewSubjects(
    server,
    batch,
    item.app,
    open.map(({ subject }) => subject),
    by.id,
  )
  for (const row of open)
    await publishItem(
      server,
      batch,
      { ...row, reviewed_at: marked.at, reviewed_by: by.id, latest_action: marked.action, updated_at: marked.at },
      'updated',
      {},
    )
}
