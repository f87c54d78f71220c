/** Fan-out, storing and latency: users in channels send and receive messages. */
import { gather, type Scene } from '../crowd.ts'
import { Load, type Phase } from '../load.ts'
import { atLeast, atMost, type Figure, type Goal } from '../report.ts'
import type { DatabaseKind, Parley, Target, Targets } from '../target.ts'

export const conversationMeasures = ['fan-out', 'storing', 'latency'] as const
export type ConversationMeasure = (typeof conversationMeasures)[number]

export interface Times {
  warmSeconds: number
  seconds: number
}

interface Plan {
  scene: Scene
  /** The measure that needs the maximum throughput, if any. */
  fastest: 'fan-out' | 'storing'
  goal: Goal
  /** Rates in messages per second whose latency is measured. */
  rates: { rate: number; p50?: Goal; p99?: Goal }[]
}

const plans: Plan[] = [
  {
    scene: { name: '1 × 100', channels: 1, members: 100, senders: 10, window: 32 },
    fastest: 'fan-out',
    goal: atLeast(250_000),
    rates: [{ rate: 100, p50: atMost(1), p99: atMost(3) }],
  },
  {
    scene: { name: '1 × 1,000', channels: 1, members: 1000, senders: 10, window: 16 },
    fastest: 'fan-out',
    goal: atLeast(250_000),
    rates: [],
  },
  {
    scene: { name: '200 × 10', channels: 200, members: 10, senders: 1, window: 200 },
    fastest: 'storing',
    goal: atLeast(3_500),
    rates: [{ rate: 200, p50: atMost(0.7), p99: atMost(2) }, { rate: 1000 }],
  },
  {
    scene: { name: '500 pairs', channels: 500, members: 2, senders: 2, window: 200 },
    fastest: 'storing',
    goal: atLeast(4_000),
    rates: [],
  },
]

/** The options of one scene, and its results. */
export interface Conversations {
  targets: Targets
  measures: readonly ConversationMeasure[]
  /** Databases for storing; the other measures use the first. */
  databases: readonly DatabaseKind[]
  times: Times
  onPhase(phase: Phase): void
}

export async function conversations(asked: Conversations): Promise<Figure[]> {
  const { targets, measures, databases, times } = asked
  const figures: Figure[] = []
  const appends = new Map<DatabaseKind, number>()
  for (const kind of measures.some((measure) => measure !== 'fan-out') ? databases : []) {
    const { perSecond, commitMs } = await targets.appends(kind, times.seconds)
    appends.set(kind, perSecond)
    figures.push({ name: `one synced commit of ${kind}`, unit: 'ms', floor: { what: 'alone', value: commitMs } })
  }
  for (const plan of plans) {
    const goesFast = measures.includes(plan.fastest)
    const rates = measures.includes('latency') ? plan.rates.map(({ rate }) => rate) : []
    if (!goesFast && rates.length === 0) continue
    for (const kind of plan.fastest === 'storing' && goesFast ? databases : databases.slice(0, 1)) {
      const ratesHere = kind === databases[0] ? rates : []
      const parley = await targets.parley(kind)
      const phases = await phasesOf(asked, parley, plan.scene, goesFast, ratesHere)
      await checkStored(parley, phases)
      await parley.stop()
      if (plan.fastest === 'storing' && goesFast) {
        const name = `stored with ${kind}, ${plan.scene.name}`
        const floor = { what: 'appends in batches of 50', value: appends.get(kind)! }
        figures.push({ name, unit: 'messages/s', parley: phases[0]!.messagesPerSecond, floor, goal: plan.goal })
        figures.push({ name, unit: 'messages/s per core', parley: 1_000_000 / phases[0]!.microsPerMessage })
      }
      if (kind === databases[0]) figures.push(...(await besideTheFloor(asked, plan, phases, goesFast, rates)))
    }
  }
  return figures
}

const floors = { each: '`ws`, a send each', turn: 'one write per turn', synced: '`ws` after a synced page' } as const

/** Runs the same against bare servers, and adds the figures of both. */
async function besideTheFloor(asked: Conversations, plan: Plan, phases: Phase[], goesFast: boolean, rates: number[]) {
  const { scene } = plan
  const fanOut: Figure[] = []
  const latency: Figure[] = []
  const fansOut = goesFast && plan.fastest === 'fan-out'
  for (const [mode, what] of Object.entries(floors) as [keyof typeof floors, string][]) {
    const goesFastHere = fansOut && mode !== 'synced'
    const floorRates = mode === 'turn' ? [] : rates
    if (!goesFastHere && floorRates.length === 0) continue
    const bare = await asked.targets.broadcast(mode, Math.round(phases[0]!.bytesPerDelivery))
    const floor = await phasesOf(asked, bare, scene, goesFastHere, floorRates)
    await bare.stop()
    if (goesFastHere) {
      fanOut.push({
        name: `fan-out ${scene.name}`,
        unit: 'deliveries/s per core',
        parley: 1_000_000 / phases[0]!.microsPerDelivery,
        floor: { what, value: 1_000_000 / floor[0]!.microsPerDelivery },
        goal: plan.goal,
      })
    }
    for (const rate of floorRates) {
      const at = (list: Phase[]) => list.find((phase) => phase.rate === rate)!.latencyMs!
      const goals = plan.rates.find((each) => each.rate === rate)!
      for (const share of ['p50', 'p99'] as const)
        latency.push({
          name: `send → receive ${scene.name} at ${rate} messages/s, ${share}`,
          unit: 'ms',
          parley: at(phases)[share],
          floor: { what, value: at(floor)[share] },
          ...(goals[share] && { goal: goals[share] }),
        })
    }
  }
  return [...fanOut, ...latency]
}

/** The maximum throughput first, if requested, then the rates: by then the server has warmed up. */
async function phasesOf(asked: Conversations, target: Target, scene: Scene, goesFast: boolean, rates: number[]) {
  const { times, onPhase } = asked
  const crowd = await gather(target, scene)
  const load = await Load.on(target, crowd)
  const phases: Phase[] = []
  if (goesFast) phases.push(await load.asManyAsPossible(times))
  for (const rate of rates) phases.push(await load.atRate(rate, times))
  load.close()
  crowd.leave()
  for (const phase of phases) onPhase(phase)
  return phases
}

/** @throws Error when acknowledged messages are not in the database */
async function checkStored(parley: Parley, phases: readonly Phase[]) {
  const sent = phases.reduce((sum, phase) => sum + phase.sent, 0)
  const [row] = await parley.inDatabase('select count(*) as count from messages')
  if (Number(row?.count) !== sent) throw new Error(`${sent} messages were taken, and ${row?.count} are stored.`)
}
