import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A profile as V8 writes it. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  /** On the machine's monotonic clock, in microseconds. */
  startTime: number
  /** The node at each sample, and the microseconds since the sample before. */
  samples: number[]
  timeDeltas: number[]
}

/**
 * The functions with the most self time, as a share of all time that was not idle.
 *
 * @param since  ignores earlier samples; microseconds of `monotonicMicros`
 */
export function hottest(profile: Profile, count: number, since = 0): { where: string; share: number }[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, whereOf(callFrame)]))
  const micros = new Map<string, number>()
  let busy = 0
  let at = profile.startTime
  for (const [i, id] of profile.samples.entries()) {
    at += profile.timeDeltas[i]!
    const where = names.get(id)!
    if (at < since || where === '(idle)' || where === '(root)') continue
    const took = Math.max(0, profile.timeDeltas[i]!)
    busy += took
    micros.set(where, (micros.get(where) ?? 0) + took)
  }
  return [...micros]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([where, took]) => ({ where, share: took / busy }))
}

/** The clock of V8's profiles. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

export function readProfile(file: string): Profile {
  return JSON.parse(readFileSync(file, 'utf8')) as Profile
}

function whereOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName
  const path = url.startsWith('file:') ? relative(process.cwd(), fileURLToPath(url)) : url
  return `${functionName || '(anonymous)'} ${path}:${lineNumber + 1}`
}
