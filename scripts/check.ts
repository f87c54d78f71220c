/**
 * Everything that can be said about the repository without running it. Goes on after a "no", so one run names them all.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Step {
  name: string
  /** A program of node_modules/.bin with its arguments, or one of our own scripts. */
  command: [program: string, ...args: string[]]
  folder?: string
}

const root = join(import.meta.dirname, '..')

const steps: Step[] = [
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  // Asked by itself: it reads every type, and an answer that waits for nothing looks right to every test that does not fail.
  { name: 'promises', command: ['biome', 'lint', '--only=nursery/noFloatingPromises', '.'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  ...globSync('{apps,packages}/*/tsconfig.json', { cwd: root }).sort().flatMap(typesOf),
  { name: 'import directions', command: ['import-directions.ts'] },
  { name: 'rules in titles', command: ['rules-in-titles.ts'] },
  { name: 'links', command: ['links.ts'] },
  { name: 'equivalent mutants', command: ['mutants/equivalents.ts'] },
  { name: 'time and place', command: ['time-and-place.ts'] },
]

const failed = steps.filter((step) => !passes(step))
console.log(failed.length > 0 ? `\nCheck failed: ${failed.map(({ name }) => name).join(', ')}` : '\nCheck passed')
process.exit(failed.length > 0 ? 1 : 0)

/** Folders whose types need settings of their own; those of React Router need its route types written first. */
function typesOf(tsconfig: string): Step[] {
  const folder = dirname(tsconfig)
  const types: Step = { name: `types of ${folder}`, command: ['tsc', '-p', '.'], folder }
  if (!existsSync(join(root, folder, 'react-router.config.ts'))) return [types]
  return [{ name: `route types of ${folder}`, command: ['react-router', 'typegen'], folder }, types]
}

function passes({ name, command: [program, ...args], folder = '.' }: Step): boolean {
  console.log(`\n— ${name}`)
  const ours = program.endsWith('.ts')
  const file = ours ? join(import.meta.dirname, program) : join(root, 'node_modules/.bin', program)
  const [command, ...before] = ours ? [process.execPath, file] : [file]
  const { status, error } = spawnSync(command!, [...before, ...args], { cwd: join(root, folder), stdio: 'inherit' })
  if (error) console.error(error.message)
  return status === 0
}
