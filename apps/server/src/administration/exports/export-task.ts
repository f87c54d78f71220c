/** The common part of exports: a task writes a file, stores it, and publishes its address to the app's server. */
import type { App } from '../../chat/apps/app.ts'
import { addAppFile, appFile, linkToExport, newAppFileId, resizeAppFile } from '../../features/attachments/app-files.ts'
import { deleteFile } from '../../features/attachments/delete-file.ts'
import { every } from '../../platform/clock.ts'
import type { Batch } from '../../platform/database/batch.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { ExportFile } from './export-file.ts'

/** As long as the file, whose address the task's result holds [administration.md 10.4]. */
const KEPT_DAYS = 60
/** Storing a large file may take longer than a task's heartbeat interval. */
const BREATH_MS = 20_000

interface Progress {
  file: string
  startedAt: Micros
  isDone?: true
}

/** The file in the task's result. */
interface Exported {
  id: string
  name: string
}

export interface Writing<Part extends string> {
  server: Server
  app: App
  file: ExportFile<Part>
  /** Call it after each page: a task without heartbeats is taken for dead. */
  heartbeat(): Promise<void>
}

interface Export<Input, Part extends string> {
  kind: string
  /** The event types' prefix, before `.success` or `.error`. */
  event: string
  parts: readonly Part[]
  fileOf(input: Input): { name: string; type: string }
  write(writing: Writing<Part>, input: Input): Promise<void>
}

/**
 * A task that writes a file. A partly written file is on one machine only, so a node that takes over starts again; the
 * partial file was never published.
 */
export function exporting<Input, Part extends string>(what: Export<Input, Part>): TaskKind<Input, Progress> {
  return {
    name: what.kind,
    keptDays: KEPT_DAYS,
    async run(server, task) {
      const { name, type } = what.fileOf(task.input)
      if (task.progress?.isDone) return { id: task.progress.file, name }
      const progress = await begin(server, task, name, type)
      const exported: Exported = { id: progress.file, name }
      const app = server.apps.of(task.app)
      const heartbeat = () => server.commit.write(task.app, [], (batch) => task.save(batch, progress))
      const file = await ExportFile.open(server.files.passing, what.parts)
      try {
        await what.write({ server, app, file, heartbeat }, task.input)
        const { path, size } = await file.close()
        const stop = every(server.clock, BREATH_MS, () => void heartbeat().catch(() => {}))
        await server.files.storage.keep(exported.id, path, type).finally(stop)
        const done = server.commit.write(task.app, [], async (batch) => {
          await resizeAppFile(batch, exported.id, { from: 0, to: size })
          publish(batch, `${what.event}.success`, task, progress.startedAt, {
            url: linkToExport(server, { app: task.app, ...exported }),
          })
          await task.save(batch, { ...progress, isDone: true })
        })
        await done.catch(async (error: unknown) => {
          // Another node has taken over the task, with a file of its own.
          await server.files.storage.remove([exported.id])
          throw error
        })
      } finally {
        await file.drop()
      }
      return exported
    },
    shown: (server, app, result) => ({ url: linkToExport(server, { app, ...(result as Exported) }) }),
    async failed(_server, batch, task, { description }) {
      publish(batch, `${what.event}.error`, task, task.progress?.startedAt ?? batch.now(), { error: description })
    },
  }
}

/** The file of an export, from the task's result. */
export function fileOf({ result, progress }: { result: unknown; progress: unknown }): string | undefined {
  return (result as Exported | undefined)?.id ?? (progress as Progress | undefined)?.file
}

/** Each attempt has its own file: two nodes that write at the same time never share one. */
async function begin(server: Server, task: Task<unknown, Progress>, name: string, type: string): Promise<Progress> {
  const left = task.progress && (await appFile(server, 'export', task.progress.file))
  if (left) await deleteFile(server, left)
  return server.commit.write(task.app, [], async (batch) => {
    const progress = { file: newAppFileId(), startedAt: task.progress?.startedAt ?? batch.now() }
    await addAppFile(batch, task.app, { id: progress.file, kind: 'export', name, type })
    await task.save(batch, progress)
    return progress
  })
}

function publish(batch: Batch, type: string, task: { app: string; id: string }, startedAt: Micros, how: object) {
  const now = isoOf(batch.now())
  const times = { started_at: isoOf(startedAt), finished_at: now, created_at: now }
  batch.publishOutbound(task.app, () => JSON.stringify({ type, task_id: task.id, ...times, ...how }))
}
