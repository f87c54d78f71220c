import { forgetBounces } from './administration/review/forget-items.ts'
import { forgetPlaces } from './chat/bans/addresses.ts'
import { lapseBans } from './chat/bans/ban.ts'
import { purgeExpiredMessages } from './chat/channels/message-retention.ts'
import { touchLastActive } from './chat/users/last-active.ts'
import { purgeExpiredAppFiles } from './features/attachments/app-files.ts'
import { beginFileRetention } from './features/attachments/file-retention.ts'
import { forgetEphemerals } from './features/commands/ephemeral.ts'
import { purgeExpiredEvents } from './features/sync/forget-events.ts'
import { every } from './platform/clock.ts'
import type { CommitMarks } from './platform/database/commit-marks.ts'
import type { AfterCommit } from './platform/realtime/after-commit.ts'
import type { ScheduledJobs } from './platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from './server.ts'

/** How often expired bans are lifted: no ban lasts longer by more than this. */
const LAPSE_MS = 1_000
/** Tasks of a node that died are taken up this soon after their claim ran out. */
const TASKS_MS = 5_000
/** What is due happens at most this much late. */
const SCHEDULED_JOBS_MS = 1_000
/** What teams use is written down this often. */
const USAGE_MS = 60_000
/** How long what the bus lost of a channel in which nothing else happens stays unheard. */
const NEWEST_MS = 5_000
/** `last_active` of a connected user is written this often [messaging.md 2.7]. */
const LAST_ACTIVE_MS = 15 * 60_000
const HOUR_MS = 3_600_000
/** Without writes, lost commits of the database are noticed after this time. */
const MARKS_MS = 5_000

/**
 * Starts the periodic maintenance jobs, as cron would: retention, scheduled jobs, checks of the cluster.
 *
 * @returns ends it, and resolves when what must not be left half done is done
 */
export function startMaintenance(
  server: Server,
  scheduledJobs: ScheduledJobs,
  afterCommit: AfterCommit,
  marks: CommitMarks,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const { clock, tasks, usage } = server
  let dropping = Promise.resolve()
  const jobs: [ms: number, job: () => unknown][] = [
    [NEWEST_MS, () => afterCommit.publishNewestSeqs()],
    [MARKS_MS, () => lookForLosses(server, afterCommit, marks)],
    [TASKS_MS, () => tasks.look()],
    [SCHEDULED_JOBS_MS, () => scheduledJobs.look()],
    [LAPSE_MS, () => lapseBans(server)],
    [USAGE_MS, () => usage.write()],
    [LAST_ACTIVE_MS, () => touchConnected(server)],
    [HOUR_MS, () => purgeExpiredEvents(server)],
    [HOUR_MS, () => server.commit.writeAlong('', (batch) => marks.purgeExpired(batch.db, batch.dialect))],
    [HOUR_MS, () => forgetEphemerals(server)],
    [HOUR_MS, () => tasks.sweep()],
    [HOUR_MS, () => purgeExpiredMessages(server)],
    [HOUR_MS, () => forgetPlaces(server)],
    [HOUR_MS, () => forgetBounces(server)],
    [HOUR_MS, () => beginFileRetention(server)],
    [HOUR_MS, () => (dropping = dropping.then(() => purgeExpiredAppFiles(server)).catch(failed))],
  ]
  const stops = jobs.map(([ms, job]) => every(clock, ms, () => void attempt(job)))
  async function attempt(job: () => unknown) {
    try {
      await job()
    } catch (error) {
      failed(error)
    }
  }
  return () => {
    for (const stop of stops) stop()
    return dropping
  }
}

async function lookForLosses({ database: { read, dialect } }: Server, afterCommit: AfterCommit, marks: CommitMarks) {
  if (await marks.isBehind(read, dialect)) afterCommit.rewound()
}

async function touchConnected(server: Server) {
  const byApp = Map.groupBy(server.hub.connections.values(), ({ app }) => app)
  await Promise.all(
    [...byApp].map(([app, connections]) =>
      touchLastActive(
        server,
        app,
        connections.map(({ userId }) => userId),
      ),
    ),
  )
}
