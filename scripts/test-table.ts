import type { TestModule } from 'vitest/node'

export interface ProjectTally {
  project: string
  passed: number
  failed: number
  skipped: number
  /** Worker time, loading included; parallel projects add up to more than the elapsed time. */
  seconds: number
}

export function tally(modules: TestModule[]): ProjectTally[] {
  const rows = new Map<string, ProjectTally>()
  for (const module of modules) {
    const project = module.project.name
    const row = rows.get(project) ?? { project, passed: 0, failed: 0, skipped: 0, seconds: 0 }
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state !== 'pending') row[state]++
    }
    const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
    row.seconds += (duration + collectDuration + setupDuration + prepareDuration) / 1000
    rows.set(project, row)
  }
  return [...rows.values()]
}

export function table(rows: ProjectTally[]): string {
  const cells = rows.map((row) =>
    [row.project, row.passed, row.failed, row.skipped, row.seconds.toFixed(1)].map(String),
  )
  const lines = [['project', 'passed', 'failed', 'skipped', 'seconds'], ...cells]
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n')
}
