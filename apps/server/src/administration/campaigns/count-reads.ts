/** Periodically counts the reads of a campaign's messages, so that readers are not slowed down. */

import { isCid } from '@parley/protocol/cid'
import type { Batch } from '../../platform/database/batch.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { type ScheduledJobKind, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { campaignById, countReaders, countReadersIn, runTargets, setUsersRead } from './campaign-store.ts'
import { beginErasing } from './erase-run.ts'

/** Targets per query. */
const PAGE = 500
/** The time until the first count; each later interval doubles the time passed. */
const FIRST_MICROS = 10_000_000
/** Counting stops after that. */
const LAST_MICROS = 7 * 86_400_000_000

interface Progress {
  readers: number
  after: string
}

export const countingReads: TaskKind<{ id: string; run: string }, Progress> = {
  name: 'count-campaign-reads',
  async run(server, task) {
    const { app, input, progress } = task
    const { read, dialect } = server.database
    let { readers, after } = progress ?? { readers: 0, after: '' }
    for (;;) {
      const campaign = await campaignById(read, app, input.id)
      if (campaign?.run !== input.run) return {}
      const targets = await runTargets(read, app, input.run, after, PAGE)
      const sent = targets.flatMap(({ target_id, message_id }) =>
        message_id === null ? [] : { target_id, message_id },
      )
      readers += await countReaders(
        read,
        dialect,
        app,
        sent.filter(({ target_id }) => !isCid(target_id)),
      )
      readers += await countReadersIn(
        read,
        dialect,
        app,
        campaign.sender_id,
        sent.filter(({ target_id }) => isCid(target_id)),
      )
      after = targets.at(-1)?.target_id ?? after
      await server.commit.write(app, [], async (batch) => {
        await task.save(batch, { readers, after })
        if (targets.length < PAGE) await counted(server, batch, campaign, readers)
      })
      if (targets.length < PAGE) return {}
    }
  },
}

export const countReads: ScheduledJobKind = {
  name: 'campaign-reads',
  async happen(server, batch, { app, id }) {
    const campaign = await campaignById(batch.db, app, id)
    if (campaign && campaign.run !== null)
      await server.tasks.begin(batch, app, countingReads.name, { id, run: campaign.run })
  },
}

/** Schedules the next count: soon after the run began or ended. */
export async function setCountReads(batch: Batch, { app, id }: CampaignRow, now: Micros, waitMicros = FIRST_MICROS) {
  await scheduleJob(batch, countReads, { app, cid: '' }, id, now + waitMicros)
}

/** Stores the count; after the last count, the run's targets are deleted. */
async function counted(server: Server, batch: Batch, before: CampaignRow, readers: number) {
  const { app, id } = before
  const run = before.run!
  await setUsersRead(batch.db, app, run, id, readers)
  const campaign = await campaignById(batch.db, app, id)
  if (campaign?.run !== run) return
  const age = batch.now() - (campaign.completed_at ?? campaign.started_at ?? 0)
  const isOver = campaign.completed_at !== null && age >= LAST_MICROS
  if (isOver) await beginErasing(server, batch, app, run)
  else await setCountReads(batch, campaign, batch.now(), Math.max(FIRST_MICROS, age))
}
