import { touchLastActive } from './chat/users/last-active.ts'
import { type Feature, HOUR_MS, type Maintenance } from './feature.ts'
import { every } from './platform/clock.ts'
import type { CommitMarks } from './platform/database/commit-marks.ts'
import type { AfterCommit } from './platform/realtime/after-commit.ts'
import type { ScheduledJobs } from './platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from './server.ts'

/** Tasks of a node that died are taken up this soon after their claim ran out. */
const TASKS_MS = 5_000
/** What is due happens at most this much late. */
const SCHEDULED_JOBS_MS = 1_000
/** How long what the bus lost of a channel in which nothing else happens stays unheard. */
const NEWEST_MS = 5_000
/** `last_active` of a connected user is written this often [messaging.md 2.7]. */
const LAST_ACTIVE_MS = 15 * 60_000
/** Without writes, lost commits of the database are noticed after this time. */
const MARKS_MS = 5_000

/**
 * Starts the periodic maintenance jobs, as cron would: those of the features, scheduled jobs, checks of the cluster.
 *
 * @returns ends it, and resolves when what must not be left half done is done
 */
export function startMaintenance(
  server: Server,
  features: readonly Feature[],
  scheduledJobs: ScheduledJobs,
  afterCommit: AfterCommit,
  marks: CommitMarks,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const { clock, tasks } = server
  const jobs: Maintenance[] = [
    { everyMs: NEWEST_MS, run: () => afterCommit.publishNewestSeqs() },
    { everyMs: MARKS_MS, run: () => lookForLosses(server, afterCommit, marks) },
    { everyMs: TASKS_MS, run: () => tasks.look() },
    { everyMs: SCHEDULED_JOBS_MS, run: () => scheduledJobs.look() },
    { everyMs: LAST_ACTIVE_MS, run: () => touchConnected(server) },
    {
      everyMs: HOUR_MS,
      run: () => server.commit.writeAlong('', (batch) => marks.purgeExpired(batch.db, batch.dialect)),
    },
    { everyMs: HOUR_MS, run: () => tasks.sweep() },
    ...features.flatMap(({ maintenance = [] }) => maintenance),
  ]
  let underWay = Promise.resolve()
  const stops = jobs.map((job) =>
    every(clock, job.everyMs, () => {
      if (job.isAwaited) underWay = underWay.then(() => attempt(job))
      else void attempt(job)
    }),
  )
  async function attempt({ run }: Maintenance) {
    try {
      await run(server)
    } catch (error) {
      failed(error)
    }
  }
  return () => {
    for (const stop of stops) stop()
    return underWay
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
