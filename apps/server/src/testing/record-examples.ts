/**
 * Collects the examples of the API's page from what the chat server's stories really exchange:
 *
 *     npm run examples
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '../app.ts'
import { Validator } from '../http/validate.ts'
import type { Exchange } from './exchanges.ts'

/** More than this does not help a reader. */
const CHARS_READ = 3_000
/** Anything that was answered is worth more. */
const REFUSED = -1e9

const root = join(import.meta.dirname, '../../../..')
const file = join(root, 'apps/server/src/http/examples.json')
const folder = mkdtempSync(join(tmpdir(), 'parley-exchanges-'))

try {
  process.env.EXCHANGES_DIR = folder
  const stories = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), 'apps/server'], {
    stdio: 'inherit',
  })
  if (stories.status !== 0) throw new Error('The stories failed; the examples stay as they are.')
  writeFileSync(file, `${text(collected())}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Of each endpoint the exchange that shows most and is not too long; else the shortest there is. Of what is always
 * refused, a refusal.
 */
function collected(): Record<string, object> {
  const patterns = endpoints.map(({ method, path, body }) => ({
    key: `${method} ${path}`,
    method,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
    said: body && new Validator(body),
  }))
  const best = new Map<string, { worth: number; exchange: Exchange }>()
  for (const name of readdirSync(folder).sort())
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      // What stories try out that mean harm is no example.
      if (line === '' || /__proto__|constructor|\\u0000/.test(line)) continue
      const exchange = JSON.parse(line.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://chat.example.com')) as Exchange
      const found = patterns.find(({ method, pattern }) => method === exchange.method && pattern.test(exchange.path))
      // Fields that are said to be nothing show nothing.
      if (found?.said && !exchange.refused && !fits(found.said, exchange.body ?? {})) continue
      const worth = exchange.refused
        ? REFUSED - line.length
        : line.length <= CHARS_READ
          ? fields(exchange)
          : -line.length
      if (found && worth > (best.get(found.key)?.worth ?? Number.NEGATIVE_INFINITY))
        best.set(found.key, { worth, exchange })
    }
  return Object.fromEntries(
    patterns.flatMap(({ key }) => {
      const found = best.get(key)
      if (!found) return []
      const { query, body, answer, refused } = shortened(found.exchange)
      return [
        [
          key,
          {
            ...(query && Object.keys(query).length > 0 && { query }),
            ...(body !== undefined && { body }),
            answer,
            ...(refused && { refused }),
          },
        ],
      ]
    }),
  )
}

function fits(said: Validator, body: unknown): boolean {
  try {
    said.check(body)
    return true
  } catch {
    return false
  }
}

/** Of lists too long to read the first two, which show what the others are like. */
function shortened(exchange: Exchange): Exchange {
  if (JSON.stringify(exchange).length <= CHARS_READ) return exchange
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 2).map(short)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, short(item)]))
  }
  return short(exchange) as Exchange
}

/** How many different fields something has, however deep. */
function fields(value: unknown, path = '', seen = new Set<string>()): number {
  if (Array.isArray(value)) for (const item of value) fields(item, `${path}[]`, seen)
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      seen.add(`${path}.${key}`)
      fields(item, `${path}.${key}`, seen)
    }
  return seen.size
}

/** One endpoint a line, so that a change shows which one it was. */
function text(examples: Record<string, object>): string {
  const lines = Object.entries(examples).map(([key, example]) => `  ${JSON.stringify(key)}: ${JSON.stringify(example)}`)
  return `{\n${lines.join(',\n')}\n}`
}
