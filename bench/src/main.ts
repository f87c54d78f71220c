/**
 * Measures Parley on this machine, each figure beside the machine's own limit.
 *
 *     npm run bench
 *     npm run bench -- --quick --only fan-out,storing --database postgres
 *
 * @see bench/README.md
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgres } from '../../scripts/services/postgres.ts'
import type { Phase } from './load.ts'
import { pin, putAhead } from './machine.ts'
import { channelList } from './measures/channel-list.ts'
import { conversationMeasures, conversations } from './measures/conversations.ts'
import { idle } from './measures/idle.ts'
import { overload } from './measures/overload.ts'
import { page } from './measures/page.ts'
import { reconnect } from './measures/reconnect.ts'
import { search } from './measures/search.ts'
import { worstQuery } from './measures/worst-query.ts'
import { type Figure, short, table } from './report.ts'
import { type DatabaseKind, dataFolder, Targets } from './target.ts'

/** Above this CPU load the driver may be the bottleneck. */
const DRIVER_CPU_MAX_PERCENT = 85

const measures = [
  ...conversationMeasures,
  'idle',
  'channel-list',
  'search',
  'reconnect',
  'worst-query',
  'overload',
  'page',
] as const

const { values: options } = parseArgs({
  options: {
    /** Short phases and small counts: a first look. */
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: measures.join() },
    database: { type: 'string' },
    repeat: { type: 'string' },
    connections: { type: 'string' },
    messages: { type: 'string' },
    clients: { type: 'string' },
    /** Priority over other processes of a shared machine. Needs root. */
    priority: { type: 'boolean', default: false },
    /** Print where the server's time went. */
    profile: { type: 'boolean', default: false },
    'server-core': { type: 'string', default: '0' },
    'driver-core': { type: 'string', default: '1' },
  },
})

const asked = options.only.split(',').map((name) => oneOf(measures, name, '--only'))
const databases = databasesAsked()
const repeats = Number(options.repeat ?? (options.quick ? 1 : 3))
const connections = Number(options.connections ?? (options.quick ? 1_000 : 2_000))
const clients = Number(options.clients ?? (options.quick ? 1_000 : 10_000))
const messages = Number(options.messages ?? 100_000)
const searched = Number(options.messages ?? (options.quick ? 100_000 : 1_000_000))
const times = options.quick ? { warmSeconds: 1, seconds: 2 } : { warmSeconds: 3, seconds: 8 }
const resultsFile = join(dataFolder, `${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.jsonl`)

/** Missing or duplicate deliveries, and refused messages, in all phases. */
let wrong = 0
const targets = new Targets(Number(options['server-core']), {
  ahead: options.priority,
  profile: options.profile,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void targets.stop().finally(() => process.exit(1)))

try {
  mkdirSync(dataFolder, { recursive: true })
  pin(process.pid, Number(options['driver-core']))
  if (options.priority) putAhead(process.pid)
  const figures: Figure[] = []
  // Repetitions are the outer loop, so that drift of the machine affects all measures alike.
  for (let run = 1; run <= repeats; run++)
    for (const figure of await measureAll()) {
      figures.push(figure)
      keep({ kind: 'figure', run, ...figure })
    }
  console.log(`\n${table(figures)}\n`)
  if (wrong > 0)
    throw new Error(`${wrong} deliveries were missing or doubled, or messages refused; see the phases above.`)
  console.log(`Nothing was lost. All phases: ${resultsFile}`)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await targets.stop()
}

async function measureAll(): Promise<Figure[]> {
  const [database] = databases
  const figures: Figure[] = []
  const ofConversations = conversationMeasures.filter((measure) => asked.includes(measure))
  if (ofConversations.length > 0)
    figures.push(...(await conversations({ targets, measures: ofConversations, databases, times, onPhase: tell })))
  if (asked.includes('idle'))
    figures.push(
      ...(await idle({ targets, connections, database: database!, settleMs: options.quick ? 4_000 : 20_000 })),
    )
  if (asked.includes('channel-list'))
    for (const kind of databases)
      figures.push(...(await channelList({ targets, database: kind, messages, calls: options.quick ? 50 : 500 })))
  if (asked.includes('search'))
    for (const kind of databases)
      figures.push(...(await search({ targets, database: kind, messages: searched, calls: options.quick ? 100 : 500 })))
  if (asked.includes('reconnect'))
    figures.push(...(await reconnect({ targets, database: database!, clients, onDriver: checkDriver })))
  if (asked.includes('worst-query'))
    for (const kind of databases)
      figures.push(...(await worstQuery({ targets, database: kind, many: 100_000, seconds: options.quick ? 10 : 30 })))
  if (asked.includes('overload'))
    for (const kind of databases)
      figures.push(
        ...(await overload({ targets, database: kind, seconds: options.quick ? 10 : 60, onDriver: checkDriver })),
      )
  if (asked.includes('page')) {
    // A browser has many processes, and a throttled one busy-waits on its core: the others would wait with it.
    pin(process.pid, 'all')
    figures.push(...(await page({ targets, ...(options.quick ? { visits: 2, keys: 50 } : { visits: 5, keys: 200 }) })))
    pin(process.pid, Number(options['driver-core']))
  }
  return figures
}

function tell(phase: Phase) {
  const latency = phase.latencyMs
  console.log(
    [
      `${phase.target}, ${phase.scene}${phase.rate === undefined ? '' : ` at ${phase.rate}/s`}:`,
      `${short(phase.messagesPerSecond)} messages/s, ${short(phase.deliveriesPerSecond)} deliveries/s,`,
      `${short(phase.microsPerDelivery)} µs per delivery, ${short(phase.microsPerMessage)} µs per message,`,
      latency && `p50 ${short(latency.p50)} ms, p99 ${short(latency.p99)} ms,`,
      `server ${short(phase.serverCpuPercent)} % (idle ${short(phase.idlePercent)} %, others ${short(phase.othersPercent)} %), driver ${short(phase.driverCpuPercent)} %, lost ${phase.lost}`,
    ]
      .filter(Boolean)
      .join(' '),
  )
  checkDriver(phase.driverCpuPercent)
  wrong += phase.lost + phase.refused
  keep({ kind: 'phase', ...phase })
}

function checkDriver(cpuPercent: number) {
  if (cpuPercent > DRIVER_CPU_MAX_PERCENT)
    console.warn(`  The driver was busy (${short(cpuPercent)} %): it may be what was measured.`)
}

function keep(line: object) {
  appendFileSync(resultsFile, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`)
}

/** SQLite always; PostgreSQL as well in a long run, when it is installed. */
function databasesAsked(): DatabaseKind[] {
  if (options.database !== undefined) return [oneOf(['sqlite', 'postgres'] as const, options.database, '--database')]
  return options.quick || !findPostgres() ? ['sqlite'] : ['sqlite', 'postgres']
}

function oneOf<Name extends string>(names: readonly Name[], text: string, option: string): Name {
  const name = names.find((each) => each === text)
  if (name === undefined) {
    console.error(`${option} is one of ${names.join(', ')}`)
    process.exit(1)
  }
  return name
}
