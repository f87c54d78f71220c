import { readFileSync } from 'node:fs'
import type { Endpoint } from './endpoint.ts'

/** A real call and its answer; `npm run examples` collects them from the tests. */
interface Example {
  body?: unknown
  query?: Record<string, string>
  answer: object
  /** The endpoint never does what it is asked. */
  refused?: true
}

export const examples: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
)

export function exampleOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Example | undefined {
  return examples[`${method} ${path}`]
}
