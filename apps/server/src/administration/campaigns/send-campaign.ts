import type { CampaignRow, UserRow } from '../../platform/database/tables.ts'
import { skipWebhooks } from '../../platform/http/request-info.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { segmentsKnown } from '../segments/known-segments.ts'
import { targetsAfter } from '../segments/targets-of-segment.ts'
import { planOf } from './campaign-content.ts'
import { campaignInRun, endRun, SENDING } from './campaign-life.ts'
import { addCame, addRunTargets, runTargets, setSent, setTargetCount } from './campaign-store.ts'
import { sendPage } from './send-page.ts'

/** Targets gathered per write. */
const GATHERED = 1_000
/** Targets per page of sending: a campaign that is stopped finishes at most this page. */
const SENT = 50

/** First all targets are gathered, without duplicates; then they get their message, page by page. */
type Progress = { stage: 'gather'; segment: number; after: string } | { stage: 'send'; after: string }
type Sending = Task<{ id: string }, Progress>

/**
 * Sends a campaign [CAM-14]. The receivers are fixed when it begins: users who join a segment later get nothing.
 * A run interrupted between two pages continues there, and no target gets its message twice.
 */
export const sendingCampaign: TaskKind<{ id: string }, Progress> = {
  name: SENDING,
  async run(server, task) {
    let at: Progress | undefined = task.progress ?? { stage: 'gather', segment: 0, after: '' }
    while (at) {
      // It was stopped or deleted meanwhile, perhaps on another node.
      const campaign = await campaignInRun(server, task.app, task.input.id, task.id)
      if (!campaign) return {}
      at = at.stage === 'gather' ? await gather(server, task, campaign, at) : await send(server, task, campaign, at)
    }
    return {}
  },
  async failed(server, batch, { app, id: run, input }) {
    const campaign = await campaignInRun(server, app, input.id, run)
    if (campaign) await endRun(server, batch, campaign, 'stopped')
  },
}

async function gather(
  server: Server,
  task: Sending,
  campaign: CampaignRow,
  { segment: place, after }: Progress & { stage: 'gather' },
): Promise<Progress> {
  const { app, id: run } = task
  const segmentIds = JSON.parse(campaign.segment_ids_json) as string[]
  const id = segmentIds[place]
  const segment = id === undefined ? undefined : (await segmentsKnown(server, app, [id])).get(id)
  const targets =
    segmentIds.length === 0
      ? (JSON.parse(campaign.user_ids_json) as string[])
      : segment
        ? await targetsAfter(server, segment, { senderId: campaign.sender_id, after, limit: GATHERED })
        : []
  const hasMore = segment !== undefined && targets.length === GATHERED
  const isLast = !hasMore && place + 1 >= segmentIds.length
  const next: Progress = isLast
    ? { stage: 'send', after: '' }
    : { stage: 'gather', segment: hasMore ? place : place + 1, after: hasMore ? targets.at(-1)! : '' }
  await server.commit.write(app, [], async (batch) => {
    await task.save(batch, next)
    await addRunTargets(batch.db, batch.dialect, app, run, targets)
    if (isLast) await setTargetCount(batch.db, app, run, campaign.id)
  })
  return next
}

async function send(
  server: Server,
  task: Sending,
  campaign: CampaignRow,
  { after }: Progress & { stage: 'send' },
): Promise<Progress | undefined> {
  const { app, id: run } = task
  const rows = await runTargets(server.database.read, app, run, after, SENT)
  const last = rows.at(-1)
  const sender = await server.users.get(app, campaign.sender_id)
  const isThere = sender !== undefined && sender.deleted_at === null
  if (!last || !isThere) {
    await server.commit.write(app, [], async (batch) => {
      await task.save(batch, { stage: 'send', after })
      await endRun(server, batch, campaign, last ? 'stopped' : 'completed')
    })
    return undefined
  }
  const delivered = await sendTo(server, campaign, sender, rows)
  const next: Progress = { stage: 'send', after: last.target_id }
  await server.commit.write(app, [], async (batch) => {
    await task.save(batch, next)
    await setSent(
      batch.db,
      batch.dialect,
      delivered.map(({ row }) => row),
    )
    await addCame(batch.db, app, run, campaign.id, {
      done: rows.length,
      users_sent: delivered.reduce((sum, { users }) => sum + users, 0),
      channels_created: delivered.filter(({ row }) => row.made).length,
      messages_sent: delivered.filter(({ row }) => row.message_id !== null).length,
    })
  })
  return next
}

/** Sends a page of targets, with webhooks or without, as the campaign says. */
export function sendTo(server: Server, campaign: CampaignRow, sender: UserRow, rows: Parameters<typeof sendPage>[3]) {
  const page = () => sendPage(server, campaign, sender, rows)
  return planOf(campaign).skip_webhook ? skipWebhooks(page) : page()
}
