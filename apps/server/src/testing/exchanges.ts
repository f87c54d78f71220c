import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { expect } from 'vitest'

/** A call of a test, and its answer. */
export interface Exchange {
  /** The test file. */
  story: string
  method: string
  path: string
  query?: Record<string, string>
  body?: unknown
  answer: object
  refused?: true
}

/** The longest that is looked at; lists of everything are long. */
const CHARS_MAX = 200_000

/** Records the calls of tests as examples for the API page, when `npm run examples` collects them. */
export function noteExchange(
  { method, path, query, body }: { method: string; path: string; query?: object | undefined; body?: unknown },
  answer: object,
  { refused }: { refused: boolean },
) {
  const folder = process.env.EXCHANGES_DIR
  if (!folder || typeof body === 'string') return
  const story = expect.getState().testPath ?? ''
  const line = JSON.stringify({ story, method, path, query, body, answer, ...(refused && { refused }) })
  if (line.length <= CHARS_MAX) appendFileSync(join(folder, `${process.pid}-${threadId}.ndjson`), `${line}\n`)
}
