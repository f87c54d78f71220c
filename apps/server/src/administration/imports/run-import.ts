import type { ImportError, ImportState } from '@parley/protocol/imports'
import type { App } from '../../chat/apps/app.ts'
import { appFile } from '../../features/attachments/app-files.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ImportRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import { erasing } from '../../platform/tasks/erasing.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { type Checked, checkOrder, noteNames, type Problem, strayReferences } from './analyze.ts'
import { checkLine, type ImportLine, importTypes, LineError } from './check-line.ts'
import { type Importing, importLines, prepare } from './import-lines.ts'
import { dropItems, importById, itemsAfter, updateImport } from './import-store.ts'
import { type Place, readLines, type TextLine } from './read-lines.ts'
import { type Settling, settleChannelPage } from './settle-channels.ts'
import { channelsOfThreads, settleThreads } from './settle-threads.ts'

/** Lines, or characters of them, per write: few enough not to block other writers noticeably. */
const PAGE_LINES = 200
const PAGE_CHARS = 512 * 1024
/** Threads settled in one write. */
const THREADS = 50
/** Maximum errors reported; reading stops after that many. */
const ERRORS_MAX = 100
/** Maximum characters of a line's JSON shown with its error, and of the error message. */
const SHOWN_CHARS = 1_000
const ERROR_CHARS = 400
/** Temporary names deleted in one write. */
const NOTES = 1_000

/**
 * The progress of an import. The file is read three times: to check each line, to check that all references
 * exist, and to write. What depends on several lines (threads, counts, order) is settled at
 * the end.
 */
interface Progress {
  phase: 'names' | 'references' | 'writing' | 'threads' | 'channels' | 'over'
  at: Place
  /** How many types are passed in the order of types. */
  type: number
  total: Record<string, number>
  errors: ImportError[]
  /** The last settled thread or channel. */
  after: string
  settling?: Settling
}

const beginning: Place = { offset: 0, lines: 0 }

type ImportRun = Task<object, Progress>

/** Imports a file [IMP-5]. */
export const importing: TaskKind<object, Progress> = {
  name: 'import',
  keptDays: 60,
  async run(server, task) {
    const row = await importById(server.database.read, task.app, task.id)
    if (!row) return {}
    const app = server.apps.of(task.app)
    const start = { phase: 'names', at: beginning, type: 0, total: {}, errors: [], after: '' } as const
    let progress: Progress = task.progress ?? { ...start, errors: [], total: {} }
    if (row.state === 'uploaded')
      await server.commit.write(app.id, [], async (batch) => {
        await enter(batch, row, 'analyzing')
        await task.save(batch, progress)
      })
    if (progress.phase === 'names') progress = await readNames(server, app, task, row, progress)
    if (progress.phase === 'references') progress = await readReferences(server, app, task, row, progress)
    if (progress.phase === 'writing') progress = await writeLines(server, app, task, row, progress)
    if (progress.phase === 'threads') progress = await orderThreads(server, task, progress)
    if (progress.phase === 'channels') progress = await orderChannels(server, app, task, row, progress)
    return {}
  },
  async failed(server, batch, { app, id, progress }, { description }) {
    const row = await importById(batch.db, app, id)
    if (!row) return
    const error: ImportError = { error: description, line: progress?.at.lines ?? 0 }
    const state = row.state === 'importing' ? 'import_failed' : 'analyze_failed'
    await finish(server, batch, row, state, { total: progress?.total ?? {}, errors: [error] })
  },
}

/** Deletes the temporary lists of an import. */
export const forgettingImport = erasing<{ id: string }>('forget-import', async ({ db }, app, { id }) => {
  return (await dropItems(db, app, id, NOTES)) > 0
})

/** Records the names in the file, and checks each line by itself. */
async function readNames(server: Server, app: App, task: ImportRun, row: ImportRow, from: Progress): Promise<Progress> {
  let progress = from
  for await (const page of pagesOf(server, row, progress.at)) {
    const { checked, problems, type } = checkPage(app, page.lines, progress.type, server.clock.micros())
    const total = { ...progress.total }
    for (const { line } of checked) total[line.type] = (total[line.type] ?? 0) + 1
    const before = progress
    progress = await server.commit.write(app.id, [], async (batch) => {
      const twice = await noteNames(batch, app.id, row.id, checked)
      const errors = withProblems(before.errors, [...problems, ...twice])
      const next = { ...before, at: page.next, type, total, errors }
      await task.save(batch, next)
      return next
    })
    if (progress.errors.length >= ERRORS_MAX) break
  }
  const isEmpty = Object.keys(progress.total).length === 0 && progress.errors.length === 0
  if (isEmpty) progress = { ...progress, errors: [{ error: 'Parse error: there is nothing in the file', line: 0 }] }
  return analyzed(server, task, row, progress, 'references')
}

/** Checks that all references of the lines exist. */
async function readReferences(server: Server, app: App, task: ImportRun, row: ImportRow, from: Progress) {
  let progress = from
  for await (const page of pagesOf(server, row, progress.at)) {
    const { checked, problems } = checkPage(app, page.lines, 0, server.clock.micros())
    const stray = await strayReferences(server, app, row.id, checked)
    progress = { ...progress, at: page.next, errors: withProblems(progress.errors, [...problems, ...stray]) }
    await server.commit.write(app.id, [], (batch) => task.save(batch, progress))
    if (progress.errors.length >= ERRORS_MAX) break
  }
  return analyzed(server, task, row, progress, 'writing')
}

/** Starts the next pass, or ends the import: with any error, nothing is imported. */
function analyzed(
  server: Server,
  task: ImportRun,
  row: ImportRow,
  progress: Progress,
  phase: 'references' | 'writing',
): Promise<Progress> {
  return server.commit.write(row.app, [], async (batch) => {
    const isWrong = progress.errors.length > 0
    const next: Progress = { ...progress, phase: isWrong ? 'over' : phase, at: beginning, type: 0 }
    if (isWrong) await finish(server, batch, row, 'analyze_failed', progress)
    else if (phase === 'writing') await enter(batch, row, 'importing')
    await task.save(batch, next)
    return next
  })
}

async function writeLines(server: Server, app: App, task: ImportRun, row: ImportRow, from: Progress) {
  let progress = from
  const importing: Importing = { server, app, row }
  const heartbeat = () => server.commit.write(app.id, [], (batch) => task.save(batch, progress))
  for await (const page of pagesOf(server, row, progress.at)) {
    const { checked, problems } = checkPage(app, page.lines, 0, server.clock.micros())
    // A channel type or role was deleted after the check.
    if (problems[0]) throw new ChatError('InputError', `line ${problems[0].number}: ${problems[0].error.message}`)
    for (const { lines, end } of byType(checked)) {
      const { cids, ready } = await prepare(importing, lines, heartbeat)
      const next = { ...progress, at: end }
      await server.commit.write(app.id, cids, async (batch) => {
        await importLines(importing, batch, lines, ready)
        await task.save(batch, next)
      })
      progress = next
    }
  }
  return turnTo(server, task, { ...progress, phase: 'threads', after: '' })
}

async function orderThreads(server: Server, task: ImportRun, from: Progress) {
  let progress = from
  for (;;) {
    const list = { app: task.app, id: task.id, list: 'threads' } as const
    const ids = await itemsAfter(server.database.read, list, progress.after, THREADS)
    if (ids.length === 0) return turnTo(server, task, { ...progress, phase: 'channels', after: '' })
    const before = progress
    // New replies wait meanwhile, so that none is left out.
    const cids = await channelsOfThreads(server, task.app, ids)
    progress = await server.commit.write(task.app, cids, async (batch) => {
      await settleThreads(batch, task.app, ids)
      const next = { ...before, after: ids.at(-1)! }
      await task.save(batch, next)
      return next
    })
  }
}

async function orderChannels(server: Server, app: App, task: ImportRun, row: ImportRow, from: Progress) {
  let progress = from
  for (;;) {
    const list = { app: app.id, id: row.id, list: 'channels' } as const
    const [cid] = progress.settling
      ? [progress.settling.cid]
      : await itemsAfter(server.database.read, list, progress.after, 1)
    if (cid === undefined) break
    const { settling = { cid, at: -1, ordinal: 0 }, ...before } = progress
    progress = await server.commit.write(app.id, [cid], async (batch) => {
      const left = await settleChannelPage(server, batch, app, settling)
      const next: Progress = left ? { ...before, settling: left } : { ...before, after: cid }
      await task.save(batch, next)
      return next
    })
  }
  return server.commit.write(app.id, [], async (batch) => {
    const next: Progress = { ...progress, phase: 'over' }
    await finish(server, batch, row, 'completed', progress)
    await task.save(batch, next)
    return next
  })
}

function turnTo(server: Server, task: ImportRun, progress: Progress): Promise<Progress> {
  return server.commit.write(task.app, [], async (batch) => {
    await task.save(batch, progress)
    return progress
  })
}

/** The lines of the file from a position on, in pages. */
async function* pagesOf(server: Server, row: ImportRow, from: Place) {
  const file = await appFile(server, 'import', row.path.split('/')[0]!)
  if (!file) throw new ChatError('DoesNotExistError', `nothing is there at ${row.path} any more`)
  if (from.offset >= file.size) return
  const stream = await server.files.storage.read(file.id, { start: from.offset, end: file.size - 1 })
  let lines: TextLine[] = []
  let chars = 0
  let next = from
  try {
    for await (const line of readLines(stream, from)) {
      next = line.next
      if (line.text === '') continue
      lines.push(line)
      chars += line.text?.length ?? 0
      if (lines.length < PAGE_LINES && chars < PAGE_CHARS) continue
      yield { lines, next }
      lines = []
      chars = 0
    }
  } finally {
    stream.destroy()
  }
  if (lines.length > 0) yield { lines, next }
}

function checkPage(
  app: App,
  lines: readonly TextLine[],
  reached: number,
  now: number,
): { checked: Checked[]; problems: Problem[]; type: number } {
  const checked: Checked[] = []
  const problems: Problem[] = []
  let type = reached
  for (const { number, text, next } of lines)
    try {
      const line = checkLine(app, text, now)
      type = checkOrder(line, type)
      checked.push({ number, line, next })
    } catch (error) {
      if (!(error instanceof LineError)) throw error
      problems.push({ number, error })
    }
  return { checked, problems, type }
}

/** The lines of a page, grouped by type. */
function byType(checked: readonly Checked[]): { lines: ImportLine[]; end: Place }[] {
  const groups = Map.groupBy(checked, ({ line }) => line.type)
  return importTypes.flatMap((type) => {
    const own = groups.get(type)
    return own ? [{ lines: own.map(({ line }) => line), end: own.at(-1)!.next }] : []
  })
}

function withProblems(errors: ImportError[], problems: readonly Problem[]): ImportError[] {
  const told = problems
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, error }): ImportError => {
      const isShort = (JSON.stringify(error.item) ?? '').length <= SHOWN_CHARS
      return {
        error: error.message.slice(0, ERROR_CHARS).toWellFormed(),
        line: number,
        ...(error.field !== undefined && { field: error.field }),
        ...(error.type !== undefined && { item_type: error.type }),
        ...(error.item !== undefined && isShort && { item: error.item }),
      }
    })
  return [...errors, ...told].slice(0, ERRORS_MAX)
}

async function enter(batch: Batch, { app, id }: ImportRow, state: ImportState, result?: object) {
  const row = (await importById(batch.db, app, id))!
  const history = JSON.parse(row.history_json)
  history.push({ prev_state: row.state, next_state: state, created_at: isoOf(batch.now()) })
  await updateImport(batch.db, app, id, {
    state,
    history_json: JSON.stringify(history),
    updated_at: batch.now(),
    ...(result && { result_json: JSON.stringify(result) }),
  })
}

async function finish(
  server: Server,
  batch: Batch,
  row: ImportRow,
  state: ImportState,
  { total, errors }: Pick<Progress, 'total' | 'errors'>,
) {
  const count = (type: string) => total[type] ?? 0
  const stats = {
    total: {
      users: count('user'),
      channels: count('channel'),
      members: count('member'),
      messages: count('message'),
      reactions: count('reaction'),
      devices: count('device'),
    },
  }
  await enter(batch, row, state, { errors, stats })
  await server.tasks.begin(batch, row.app, forgettingImport.name, { id: row.id })
}
