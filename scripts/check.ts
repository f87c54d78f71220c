/**
 * All static checks of the repository. Continues after a failure, so that one run lists them all. The steps run in
 * parallel, one per core; TypeScript keeps its incremental state in `node_modules/.cache`.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

interface Step {
  name: string
  /** Programs of node_modules/.bin or scripts of the repository, each with its arguments, run one after another. */
  commands: [program: string, ...args: string[]][]
  folder?: string
}

const root = join(import.meta.dirname, '..')

// The longest first, so that no core idles while one of them finishes.
const steps: Step[] = [
  // A step of its own, as it reads every type: a missing `await` looks right to every test that does not fail.
  { name: 'promises', commands: [['biome', 'lint', '--only=nursery/noFloatingPromises', '.']] },
  typesOf('tsconfig.json'),
  ...globSync('{apps,packages}/*/tsconfig.json', { cwd: root }).sort().map(typesOf),
  ours('format and lint', 'format-and-lint.ts'),
  ours('public surface', 'api-report.ts'),
  ours('text beside elements', 'text-beside-elements.ts'),
  ours('licences', 'licences.ts'),
  ours('import directions, rules in titles, links, time and place, browser memory', 'sources.ts'),
  ours('equivalent mutants', 'mutants/equivalents.ts'),
]

const failed: string[] = []
const waiting = [...steps]
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
console.log(failed.length > 0 ? `\nCheck failed: ${failed.join(', ')}` : '\nCheck passed')
process.exit(failed.length > 0 ? 1 : 0)

async function runWaiting() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { passes, output } = await run(step)
    console.log(`\n— ${step.name}\n${output.trimEnd()}`)
    if (!passes) failed.push(step.name)
  }
}

function ours(name: string, script: string): Step {
  return { name, commands: [[script]] }
}

/** Types of a folder with its own tsconfig; those of React Router need its route types generated first. */
function typesOf(tsconfig: string): Step {
  const folder = dirname(tsconfig)
  const name = folder === '.' ? 'types' : `types of ${folder}`
  const known = join(root, 'node_modules/.cache/types', `${name.replaceAll(/\W+/g, '-')}.tsbuildinfo`)
  const types: Step['commands'][number] = ['tsc', '-p', '.', '--incremental', '--tsBuildInfoFile', known]
  const needsRoutes = existsSync(join(root, folder, 'react-router.config.ts'))
  return {
    name,
    commands: needsRoutes ? [['react-router', 'typegen'], types] : [types],
    folder,
  }
}

async function run({ commands, folder = '.' }: Step): Promise<{ passes: boolean; output: string }> {
  let passes = true
  let output = ''
  for (const [program, ...args] of commands) {
    const isOurs = program.endsWith('.ts')
    const file = isOurs ? join(import.meta.dirname, program) : join(root, 'node_modules/.bin', program)
    const command = isOurs ? [process.execPath, file, ...args] : [file, ...args]
    const result = await outputOf(command as [string, ...string[]], join(root, folder))
    passes &&= result.passes
    output += result.output
  }
  return { passes, output }
}

function outputOf([program, ...args]: [string, ...string[]], cwd: string) {
  return new Promise<{ passes: boolean; output: string }>((resolve) => {
    let output = ''
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', (error) => resolve({ passes: false, output: `${error.message}\n` }))
    child.once('close', (code) => resolve({ passes: code === 0, output }))
  })
}
