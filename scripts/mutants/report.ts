import type { Mutant } from './mutants.ts'
import { nameOf } from './run-tests.ts'
import { type Outcome, partOf, type Stage } from './try-mutants.ts'

export interface Report {
  seed: string
  seconds: number
  /** Of the mutants that are not equivalent. */
  percent: number
  parts: PartReport[]
  mutants: (Pick<Mutant, 'path' | 'line' | 'before' | 'after'> & {
    state: Outcome['state']
    by?: Stage
    test?: string
  })[]
}

export interface PartReport {
  part: string
  mutants: number
  /** How many each stage killed that survived the earlier ones. */
  killed: Record<Stage, number>
  survived: number
  equivalent: number
  percent: number
}

const stages: Stage[] = ['nearest tests', 'suite', 'end to end']

export function reportOf(outcomes: Outcome[], seed: string, seconds: number): Report {
  return {
    seed,
    seconds,
    percent: percentOf(outcomes),
    parts: [...Map.groupBy(outcomes, ({ mutant }) => partOf(mutant.path))].map(([part, mine]) => ({
      part,
      mutants: mine.length,
      killed: Object.fromEntries(
        stages.map((stage) => [stage, mine.filter((each) => each.state === 'killed' && each.by === stage).length]),
      ) as Record<Stage, number>,
      survived: mine.filter(({ state }) => state === 'survived').length,
      equivalent: mine.filter(({ state }) => state === 'equivalent').length,
      percent: percentOf(mine),
    })),
    mutants: outcomes.map(({ mutant: { path, line, before, after }, state, ...rest }) => ({
      path,
      line,
      before,
      after,
      state,
      ...('by' in rest && { by: rest.by, test: nameOf(rest.failure) }),
    })),
  }
}

/** The survivors, and a line for each part. */
export function tableOf({ seed, seconds, percent, parts, mutants }: Report): string {
  const survivors = mutants.filter(({ state }) => state === 'survived')
  const rows = parts.map(({ part, mutants, killed, survived, equivalent, percent }) =>
    [part, mutants, ...stages.map((stage) => killed[stage]), survived, equivalent, `${percent} %`].map(String),
  )
  const head = ['part', 'mutants', ...stages, 'survived', 'equivalent', 'noticed']
  const widths = head.map((name, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length), name.length))
  const lines = [head, ...rows].map((row) => row.map((cell, column) => align(cell, widths[column]!, column)).join('  '))
  return [
    ...survivors.map(({ path, line, before, after }) => `survived: ${path}:${line}: ${before} → ${after || 'nothing'}`),
    ...(survivors.length > 0 ? [''] : []),
    ...lines,
    '',
    `${percent} % noticed; seed ${seed}, ${seconds} s`,
  ].join('\n')
}

function align(cell: string, width: number, column: number) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}

/** Rounded down to one tenth, so that 90 % are at least 90 %; 100 when all are equivalent. */
function percentOf(outcomes: Outcome[]): number {
  const real = outcomes.filter(({ state }) => state !== 'equivalent')
  const killed = real.filter(({ state }) => state === 'killed')
  return real.length === 0 ? 100 : Math.floor((1000 * killed.length) / real.length) / 10
}
