/**
 * Runs every test, or those whose path has one of the words after `--`, at difficult times and places, one after
 * another:
 *
 *     npm run test:anywhere
 *     npm run test:anywhere -- packages/client apps/server/src/platform/scheduled-jobs
 *     npm run test:anywhere -- packages/client --only 'leap day'
 *
 * Everything it starts, including PostgreSQL, has the time of libfaketime: the machine's, shifted by a fixed amount.
 * Time runs on from there, and monotonic clocks, as timers use, are unchanged.
 *
 * Chromium's processes crash under libfaketime, and nats-server makes its own system calls: they have the time zone,
 * but keep the machine's date. The kit's pages get the date of their test; end-to-end tests, whose pages do not, run at
 * places only, not at moments.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { findChromium, findShell } from './services/chromium.ts'
import { makeFakeClock } from './services/faketime.ts'
import { installIfPossible } from './services/install.ts'

interface Occasion {
  name: string
  zone: string
  /** Where it begins, in local time; the machine's time by default. */
  at?: string
  /** As in `LANG`. */
  language?: string
}

const occasions: Occasion[] = [
  { name: 'half an hour before midnight', zone: 'Europe/Berlin', at: '2026-12-15T23:30' },
  { name: 'first minute of a year', zone: 'Europe/Berlin', at: '2027-01-01T00:00:05' },
  { name: 'leap day', zone: 'Europe/Berlin', at: '2028-02-29T12:00' },
  { name: 'night that loses an hour', zone: 'Europe/Berlin', at: '2027-03-28T01:58' },
  { name: 'night that has an hour twice', zone: 'Europe/Berlin', at: '2027-10-31T02:58' },
  // Half-hour offsets, the first to start a day, three and a half hours behind, and the other side of midnight.
  { name: 'Kolkata', zone: 'Asia/Kolkata' },
  { name: 'Auckland', zone: 'Pacific/Auckland' },
  { name: 'St. John’s', zone: 'America/St_Johns' },
  { name: 'Los Angeles', zone: 'America/Los_Angeles' },
  // Where the lower case of I is ı.
  { name: 'Turkish', zone: 'Europe/Istanbul', language: 'tr_TR.UTF-8' },
]

/** Together these words name every test; without a word the check would run as well, which uses no clock. */
const ALL = ['packages', 'apps', 'e2e', 'bench', 'scripts']
const ALL_AT_MOMENTS = ALL.filter((word) => word !== 'e2e')

const root = join(import.meta.dirname, '..')
const logs = join(root, 'artifacts/anywhere')

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
const chosen = occasions.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) throw new Error(`--only takes one of: ${occasions.map(({ name }) => name).join(', ')}`)

installIfPossible('faketime')
mkdirSync(logs, { recursive: true })
const browsers = browsersOnMachineTime()
const results: Result[] = []
for (const occasion of chosen) {
  const result = await run(occasion)
  results.push(result)
  console.log(lineOf(result))
}
console.log(`\n${results.map(lineOf).join('\n')}\n\nWhat each said: ${logs}`)
process.exit(results.some(({ passes }) => !passes) ? 1 : 0)

interface Result {
  occasion: Occasion
  passes: boolean
  /** As `npm test` ends: `12 passed, 0 failed, 0 skipped`. */
  summary: string
  failed: string[]
}

async function run(occasion: Occasion): Promise<Result> {
  const { name, zone, at, language } = occasion
  const clock = at === undefined ? undefined : await makeFakeClock()
  try {
    // From now on the clock is shifted by this difference.
    if (clock) await clock.set(Math.round((instantOf(at!, zone) - Date.now()) / 1000))
    const locale = language === undefined ? {} : { LANG: language, LC_ALL: language }
    const env = { ...process.env, TZ: zone, NO_COLOR: '1', ...locale, ...(clock && { ...clock.env, ...browsers }) }
    const words = positionals.length > 0 ? positionals : clock ? ALL_AT_MOMENTS : ALL
    const child = spawn(process.execPath, [join(import.meta.dirname, 'test.ts'), ...words], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log = createWriteStream(join(logs, `${name.replaceAll(/\W+/g, '-')}.txt`))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        log.write(text)
      })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    log.end()
    const lines = stripVTControlCharacters(output).split('\n')
    const summary = lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line)) ?? 'did not come to its end'
    const failed = lines.flatMap((line) => /^ *FAIL +(.*)/.exec(line)?.[1] ?? [])
    return { occasion, passes: code === 0, summary, failed: [...new Set(failed)] }
  } finally {
    await clock?.remove()
  }
}

/** Wrappers that start the browsers without libfaketime, by the settings that choose browsers. */
function browsersOnMachineTime(): Record<string, string> {
  const found = { CHROMIUM_PATH: findChromium(), CHROMIUM_SHELL_PATH: findShell() }
  return Object.fromEntries(
    Object.entries(found).flatMap(([setting, browser]) => {
      if (browser === undefined) return []
      const file = join(logs, setting.toLowerCase())
      writeFileSync(file, `#!/bin/sh\nunset LD_PRELOAD\nexec '${browser}' "$@"\n`, { mode: 0o755 })
      return [[setting, file]]
    }),
  )
}

/** For an hour that occurs twice in a night, the first one. */
function instantOf(at: string, zone: string): number {
  return Temporal.PlainDateTime.from(at).toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds
}

function lineOf({ occasion: { name, zone, at, language }, passes, summary, failed }: Result): string {
  const when = [at?.replace('T', ' '), zone, language].filter(Boolean).join(', ')
  const told = failed.map((title) => `\n    ${title}`).join('')
  return `${passes ? 'passes' : 'FAILS '}  ${name.padEnd(29)} ${when.padEnd(34)} ${summary}${told}`
}
