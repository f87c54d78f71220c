/** How stories import a file, and look at what came of it. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { ImportTask, ImportType } from '@parley/protocol/imports'
import type { AppServer } from '../../testing/test-user.ts'

/** How long a task may take on a machine that is busy with other things, and how often it is looked at. */
const PATIENCE_MS = 60_000
const LOOK_MS = 10

/** Waits for a fact that takes as long as a task. */
export async function until(fact: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await setTimeout(LOOK_MS)
  }
}

export type Line = [type: ImportType, data: object]

/** The text of a file with these lines. */
export function fileOf(lines: readonly Line[]): string {
  return lines.map(([type, data]) => `${JSON.stringify({ type, data })}\n`).join('')
}

/** Uploads a file; gives its path. */
export async function uploads(appServer: AppServer, text: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { path, upload_url } = await appServer.does('POST', '/import_urls', { body: { filename: 'history.jsonl' } })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(upload_url, { method: 'PUT', headers, body: text })
  assert.equal(answer.status, 200, await answer.text())
  return path
}

export async function begins(
  appServer: AppServer,
  text: string | Uint8Array<ArrayBuffer>,
  options: object = {},
): Promise<ImportTask> {
  const path = await uploads(appServer, text)
  return (await appServer.does('POST', '/imports', { body: { path, mode: 'upsert', ...options } })).import_task
}

/** Waits until an import is over, however it went. */
export async function over(appServer: AppServer, id: string): Promise<ImportTask> {
  let task!: ImportTask
  await until(async () => {
    task = (await appServer.does('GET', `/imports/${id}`)).import_task
    return ['completed', 'analyze_failed', 'import_failed'].includes(task.state)
  }, 'the import is over')
  return task
}

/** Imports lines, all of which are right. */
export async function imports(
  appServer: AppServer,
  lines: readonly Line[] | string,
  options: object = {},
): Promise<ImportTask> {
  const { id } = await begins(appServer, typeof lines === 'string' ? lines : fileOf(lines), options)
  const task = await over(appServer, id)
  assert.deepEqual([task.state, task.result?.errors], ['completed', []])
  return task
}

/** Tries to import lines some of which are wrong; gives what is wrong with them. */
export async function refusals(appServer: AppServer, lines: readonly Line[] | string | Uint8Array<ArrayBuffer>) {
  const text = typeof lines === 'string' || lines instanceof Uint8Array ? lines : fileOf(lines)
  const task = await over(appServer, (await begins(appServer, text)).id)
  assert.equal(task.state, 'analyze_failed')
  return task.result!.errors
}
