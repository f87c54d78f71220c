/** Test helpers that import a file and check the result. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { ImportTask, ImportType } from '@parley/protocol/imports'
import type { AppServer } from '../../../testing/test-user.ts'

/** Time limit for a task on a busy machine, and the polling interval. */
const PATIENCE_MS = 60_000
const LOOK_MS = 10

/** Waits for a condition that takes as long as a task. */
export async function until(fact: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await fact())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await setTimeout(LOOK_MS)
  }
}

export type Line = [type: ImportType, data: object]

/** The text of an import file with these lines. */
export function fileOf(lines: readonly Line[]): string {
  return lines.map(([type, data]) => `${JSON.stringify({ type, data })}\n`).join('')
}

/** Uploads a file; returns its path. */
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

/** Waits until an import ends, with or without errors. */
export async function over(appServer: AppServer, id: string): Promise<ImportTask> {
  let task!: ImportTask
  await until(async () => {
    task = (await appServer.does('GET', `/imports/${id}`)).import_task
    return ['completed', 'analyze_failed', 'import_failed'].includes(task.state)
  }, 'the import is over')
  return task
}

/** Imports valid lines. */
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

/** Tries to import lines with errors; returns the errors. */
export async function refusals(appServer: AppServer, lines: readonly Line[] | string | Uint8Array<ArrayBuffer>) {
  const text = typeof lines === 'string' || lines instanceof Uint8Array ? lines : fileOf(lines)
  const task = await over(appServer, (await begins(appServer, text)).id)
  assert.equal(task.state, 'analyze_failed')
  return task.result!.errors
}
