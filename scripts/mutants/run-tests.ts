import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { TestResult } from './reporter.ts'

/** Longer than any hook may take: a run without a result for this long hangs. */
const SILENCE_MS = 200_000
/** Stacks are built and started before the first end-to-end test ends. */
const SILENCE_OF_E2E_MS = 400_000
/** How long a run may clean up after its first failure. */
const FAREWELL_MS = 10_000
const LOOK_EVERY_MS = 250
const OUTPUT_KEPT = 4_000

const running = new Set<number>()

export interface Failure {
  /** Relative to the root; undefined without a culprit, as for an uncaught error. */
  file?: string
  /** As `describe > it`; undefined where the whole file failed. */
  title?: string
  why: string
}

export interface Run {
  failures: Failure[]
  /** `file title` of the passed tests. */
  passed: string[]
  /** The time was up before every test had ended. */
  isCutShort: boolean
}

export interface RunOptions {
  /** Ends the run at the first failure, or at this many. */
  bail: number
  /** Only tests whose full name matches; all by default. */
  names?: string
  /** Ends the run after this time without a failure. */
  withinMs?: number
}

/**
 * Runs test files in a process of their own, without retries.
 *
 * @param root   of the repository, or of a copy
 * @param files  tests, or folders of them, from the root
 */
export async function runTests(root: string, files: string[], { bail, names, withinMs }: RunOptions): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mutants-run-'))
  const results = join(folder, 'results')
  const args = ['run', ...files, '--retry', '0', '--bail', `${bail}`, '--passWithNoTests']
  const reporter = ['--reporter', join(import.meta.dirname, 'reporter.ts')]
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), ...args, ...reporter, ...(names ? ['-t', names] : [])],
    {
      cwd: root,
      // Temporary files of a killed test are deleted with the folder.
      env: { ...process.env, TEST_WORDS: files.join(' '), MUTANTS_RESULTS: results, TMPDIR: folder },
      // A process group of its own, so that all its children can be killed with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  running.add(child.pid!)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-OUTPUT_KEPT)
    })
  const silence = files.some((file) => file.startsWith('e2e')) ? SILENCE_OF_E2E_MS : SILENCE_MS
  const begun = Date.now()
  let [told, lastSentAt, failedAt] = [0, begun, 0]
  let ending: 'hangs' | 'cut short' | 'failed' | undefined
  const end = (why: NonNullable<typeof ending>) => {
    ending ??= why
    endGroup(child.pid!)
  }
  const looking = setInterval(() => {
    const now = Date.now()
    const known = read(results)
    if (known.length > told) [told, lastSentAt] = [known.length, now]
    if (bail === 1 && !failedAt && known.some(({ state }) => state !== 'passed')) failedAt = now
    if (failedAt) {
      if (now > failedAt + FAREWELL_MS) end('failed')
    } else if (now > lastSentAt + silence) end('hangs')
    else if (withinMs && now > begun + withinMs) end('cut short')
  }, LOOK_EVERY_MS)

  const code = await new Promise<number | null>((ended) => child.once('exit', ended))
  clearInterval(looking)
  // A browser or a server that did not end with it.
  endGroup(child.pid!)
  running.delete(child.pid!)
  const all = read(results)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

  const failures: Failure[] = all
    .filter(({ state }) => state !== 'passed')
    .map((each) => ({
      ...(each.file && { file: relative(root, each.file) }),
      ...('title' in each && { title: each.title }),
      why: each.why?.split('\n')[0] ?? '',
    }))
  if (ending === 'hangs') failures.push({ why: `nothing was heard for ${silence / 1000} s` })
  else if (!ending && code !== 0 && failures.length === 0) failures.push({ why: output.trim() })
  const passed = all.flatMap((each) =>
    each.state === 'passed' ? [nameOf({ file: relative(root, each.file), title: each.title })] : [],
  )
  return { failures, passed, isCutShort: ending === 'cut short' && failures.length === 0 }
}

/** Ends all current runs, with their child processes. */
export function endRuns() {
  for (const pid of running) endGroup(pid)
}

export function nameOf({ file = 'nowhere', title }: Pick<Failure, 'file' | 'title'>) {
  return title ? `${file} › ${title}` : file
}

/** A pattern for `-t` that matches one title, with any separator between a group and its tests. */
export function patternOf(title: string): string {
  return `^${title.split(' > ').map(RegExp.escape).join('.{1,3}')}$`
}

function read(file: string): TestResult[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

function endGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}
