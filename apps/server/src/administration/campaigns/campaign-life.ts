/** State transitions of a campaign: draft → scheduled → in_progress → completed or stopped [CAM-12]. */
import type { StartCampaignRequest } from '@parley/protocol/campaigns'
import type { Static } from 'typebox'
import { timeOrNull } from '../../chat/messages/check-message.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import { cancel, type ScheduledJobKind, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import { missingAmong } from '../segments/known-segments.ts'
import { holdCampaign } from './campaign-access.ts'
import { campaignById, heldCampaign, setCampaign } from './campaign-store.ts'
import { composeCampaigns } from './campaigns-shown.ts'
import { countReads, setCountReads } from './count-reads.ts'
import { beginErasing } from './erase-run.ts'

/** The name of the task in `send-campaign.ts`. */
export const SENDING = 'send-campaign'

/** Starts a campaign at its scheduled time. */
export const campaignStart: ScheduledJobKind = {
  name: 'campaign-start',
  async happen(server, batch, { app, id, at }) {
    const row = await heldCampaign(batch.db, batch.dialect, app, id)
    if (row?.status === 'scheduled' && row.scheduled_for === at) await begin(server, batch, row)
  },
}

/** Stops a campaign at its stop time. */
export const campaignStop: ScheduledJobKind = {
  name: 'campaign-stop',
  async happen(server, batch, { app, id, at }) {
    const row = await heldCampaign(batch.db, batch.dialect, app, id)
    if (row && isUnderWay(row) && row.stop_at === at) await end(server, batch, row, 'stopped')
  },
}

/**
 * Starts sending, at once or at `scheduled_for` [CAM-4]; a campaign stopped before anything was sent can start again,
 * otherwise it runs once [CAM-14].
 *
 * @throws ChatError InputError (4) — it has run; it has no receivers, or both users and segments
 */
export async function startCampaign(
  server: Server,
  { app, id }: CampaignRow,
  said: Static<typeof StartCampaignRequest>,
): Promise<CampaignRow> {
  const scheduled_for = timeOrNull('scheduled_for', said.scheduled_for)
  const stop_at = timeOrNull('stop_at', said.stop_at)
  return server.commit.write(app, [], async (batch) => {
    const row = await holdCampaign(batch, app, id)
    if (row.status !== 'draft' && !(row.status === 'stopped' && row.messages_sent === 0))
      throw new ChatError('InputError', `campaign ${id} is ${row.status}; a campaign is sent once`)
    await checkReceivers(batch, row)
    const now = batch.now()
    if (stop_at !== null && stop_at <= Math.max(now, scheduled_for ?? now))
      throw inputError('stop_at', 'stop_at must lie in the future and after scheduled_for')
    // Scheduled jobs of a run that was stopped before anything was sent.
    await cancelTimes(batch, row)
    if (row.run !== null) await beginErasing(server, batch, app, row.run)
    const set: CampaignRow = { ...row, run: null, channels_created: 0, scheduled_for, stop_at, updated_at: now }
    if (stop_at !== null) await scheduleJob(batch, campaignStop, nowhere(row), id, stop_at)
    if (scheduled_for === null || scheduled_for <= now) return begin(server, batch, set)
    const waiting: CampaignRow = { ...set, status: 'scheduled', started_at: null, completed_at: null }
    await setCampaign(batch.db, waiting)
    await scheduleJob(batch, campaignStart, nowhere(row), id, scheduled_for)
    return waiting
  })
}

/**
 * Continues a campaign that was stopped: whoever has its message gets it no second time [CAM-15].
 *
 * @throws ChatError InputError (4) — it is not stopped; as `startCampaign`
 */
export async function resumeCampaign(server: Server, { app, id }: CampaignRow): Promise<CampaignRow> {
  return server.commit.write(app, [], async (batch) => {
    const row = await holdCampaign(batch, app, id)
    if (row.status !== 'stopped')
      throw new ChatError('InputError', `campaign ${id} is ${row.status}; only a stopped one can be resumed`)
    await checkReceivers(batch, row)
    await cancelTimes(batch, row)
    // The targets are gathered again: their messages, whose ids follow from the targets, tell who had their turn.
    if (row.run !== null) await beginErasing(server, batch, app, row.run)
    return begin(server, batch, { ...row, run: null, scheduled_for: null, stop_at: null })
  })
}

/**
 * Stops a campaign before all receivers got their message; sent messages stay [CAM-5, CAM-14].
 *
 * @throws ChatError InputError (4) — it is neither scheduled nor being sent
 */
export async function stopCampaign(server: Server, { app, id }: CampaignRow): Promise<CampaignRow> {
  return server.commit.write(app, [], async (batch) => {
    const row = await holdCampaign(batch, app, id)
    if (!isUnderWay(row)) throw new ChatError('InputError', `campaign ${id} is ${row.status} and can't be stopped`)
    return end(server, batch, row, 'stopped')
  })
}

/** Completes it after the last receiver, or when the sender is gone, unless it was stopped meanwhile. */
export async function endRun(
  server: Server,
  batch: Batch,
  { app, id, run }: CampaignRow,
  status: 'stopped' | 'completed',
) {
  const row = await heldCampaign(batch.db, batch.dialect, app, id)
  if (row?.status === 'in_progress' && row.run === run) await end(server, batch, row, status)
}

/** The campaign a task sends; undefined when it is not to be sent any more. */
export async function campaignInRun(
  { database }: Server,
  app: string,
  id: string,
  run: string,
): Promise<CampaignRow | undefined> {
  const row = await campaignById(database.read, app, id)
  return row?.status === 'in_progress' && row.run === run ? row : undefined
}

/** Cancels the scheduled jobs of a campaign. */
export async function cancelTimes(batch: Batch, row: CampaignRow) {
  for (const kind of [campaignStart, campaignStop, countReads]) await cancel(batch, kind, row, row.id)
}

/** @throws ChatError InputError (4) — no receivers, both users and segments, or a segment that is gone */
export async function checkReceivers(batch: Batch, { app, user_ids_json, segment_ids_json }: CampaignRow) {
  const [users, segments]: string[][] = [JSON.parse(user_ids_json), JSON.parse(segment_ids_json)]
  if (users!.length > 0 === segments!.length > 0)
    throw inputError(
      users!.length > 0 ? 'segment_ids' : 'user_ids',
      'a campaign goes to the users of user_ids, or to those of segment_ids: one of the two must be set',
    )
  const [missing] = await missingAmong(batch, app, segments!)
  if (missing !== undefined) throw inputError('segment_ids', `could not find segment ${missing}`)
}

async function begin(server: Server, batch: Batch, before: CampaignRow): Promise<CampaignRow> {
  const { app, id } = before
  const now = batch.now()
  const row: CampaignRow = {
    ...before,
    status: 'in_progress',
    run: await server.tasks.begin(batch, app, SENDING, { id }),
    started_at: now,
    completed_at: null,
    updated_at: now,
    targets: 0,
    done: 0,
    users_sent: 0,
    users_read: 0,
    messages_sent: 0,
  }
  await setCampaign(batch.db, row)
  await setCountReads(batch, row, now)
  await publish(server, batch, row, 'campaign.started', now)
  return row
}

async function end(
  server: Server,
  batch: Batch,
  before: CampaignRow,
  status: 'stopped' | 'completed',
): Promise<CampaignRow> {
  const now = batch.now()
  const hasBegun = before.status === 'in_progress'
  const row: CampaignRow = { ...before, status, completed_at: now, updated_at: now }
  await setCampaign(batch.db, row)
  await cancelTimes(batch, row)
  if (!hasBegun) return row
  await setCountReads(batch, row, now)
  await publish(server, batch, row, 'campaign.completed', now)
  return row
}

function isUnderWay({ status }: CampaignRow): boolean {
  return status === 'scheduled' || status === 'in_progress'
}

/** Campaign events belong to no channel. */
function nowhere({ app }: CampaignRow) {
  return { app, cid: '' }
}

/** Publishes to the app's server only; no client knows of campaigns. */
async function publish(server: Server, batch: Batch, row: CampaignRow, type: string, at: Micros) {
  if (!batch.hasOutboundSubscribers(row.app)) return
  const [campaign] = await composeCampaigns(server, row.app, [row], () => [], batch.db)
  batch.publishOutbound(row.app, JSON.stringify({ type, created_at: isoOf(at), campaign }))
}
