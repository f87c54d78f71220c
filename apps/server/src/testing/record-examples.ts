/**
 * Collects the examples of the API's page from what the chat server's stories really exchange:
 *
 *     npm run examples
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '../chat/api/endpoint.ts'
import { endpoints } from '../operations.ts'
import { Validator } from '../platform/http/validate.ts'
import type { Exchange } from './exchanges.ts'

/** Tests of odd input, whose calls are no good examples. */
const ODD = /hostile|access-matrix|naive|blanks|error-codes|query-flag|random|own-view|query-cost|large-channels|faults/
/** Calls written as examples. */
const EXEMPLARY = /api-tour/
/** More than this does not help a reader. */
const CHARS_READ = 3_000
/** How much more a field of what is asked is worth than one of the answer. */
const ASKED = 100
/** More than the fields of anything else. */
const BEST = 1e6
/** Anything that was answered is worth more. */
const REFUSED = -1e9

const root = join(import.meta.dirname, '../../../..')
const file = join(root, 'apps/server/src/chat/api/examples.json')
const folder = mkdtempSync(join(tmpdir(), 'parley-exchanges-'))

try {
  process.env.EXCHANGES_DIR = folder
  const stories = spawnSync(process.execPath, [join(root, 'scripts/test.ts'), 'apps/server'], {
    stdio: 'inherit',
  })
  if (stories.status !== 0) throw new Error('The tests failed; the examples stay as they are.')
  writeFileSync(file, `${text(collected())}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Of each endpoint the exchange that shows most of what its schemas name and is not too long; else the shortest there
 * is. Of what is always refused, a refusal.
 */
function collected(): Record<string, object> {
  const patterns = endpoints.map((endpoint) => ({
    key: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`),
    said: endpoint.body && new Validator(endpoint.body),
  }))
  const best = new Map<string, { worth: number; exchange: Exchange }>()
  for (const line of linesRecorded()) {
    const exchange = JSON.parse(line.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://chat.example.com')) as Exchange
    const found = patterns.find(
      ({ endpoint, pattern }) => endpoint.method === exchange.method && pattern.test(exchange.path),
    )
    if (!found) continue
    // Absent fields make no example.
    if (found.said && !exchange.refused && !fits(found.said, exchange.body ?? {})) continue
    const worth = worthOf(exchange, found.endpoint, line.length)
    if (worth > (best.get(found.key)?.worth ?? Number.NEGATIVE_INFINITY)) best.set(found.key, { worth, exchange })
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

function linesRecorded(): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '' && !ODD.test((JSON.parse(line) as Exchange).story))
}

function worthOf({ story, body, query, answer, refused }: Exchange, endpoint: Endpoint, chars: number): number {
  if (refused) return REFUSED - chars
  const isExemplary = EXEMPLARY.test(story)
  if (chars > CHARS_READ && !isExemplary) return -chars
  // What is asked is harder to guess than what is answered.
  const named =
    ASKED * (namedIn(endpoint.body, body) + namedIn(endpoint.query, query)) + namedIn(endpoint.answer, answer)
  return isExemplary ? BEST + named : named
}

interface Schema {
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** The fields of something that its schema names, each once, however deep. */
function namedIn(schema: Schema | undefined, value: unknown, path = '', seen = new Set<string>()): number {
  if (Array.isArray(value)) for (const item of value) namedIn(schema?.items, item, `${path}[]`, seen)
  else if (typeof value === 'object' && value !== null) {
    const { properties = {}, patternProperties = {} } = schema?.anyOf?.find((one) => one.properties) ?? schema ?? {}
    const [entry] = Object.values(patternProperties)
    for (const [key, item] of Object.entries(value))
      if (entry) namedIn(entry, item, `${path}{}`, seen)
      else if (Object.hasOwn(properties, key)) {
        seen.add(`${path}.${key}`)
        namedIn(properties[key], item, `${path}.${key}`, seen)
      }
  }
  return seen.size
}

function fits(said: Validator, body: unknown): boolean {
  try {
    said.check(body)
    return true
  } catch {
    return false
  }
}

/** Of lists in an answer that is too long to read the first two, which show what the others are like. */
function shortened(exchange: Exchange): Exchange {
  if (JSON.stringify(exchange).length <= CHARS_READ) return exchange
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 2).map(short)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, short(item)]))
  }
  return { ...exchange, answer: short(exchange.answer) as object }
}

/** One endpoint a line, so that a change shows which one it was. */
function text(examples: Record<string, object>): string {
  const lines = Object.entries(examples).map(([key, example]) => `  ${JSON.stringify(key)}: ${JSON.stringify(example)}`)
  return `{\n${lines.join(',\n')}\n}`
}
