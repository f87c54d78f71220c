/** All clients lose their connection and reconnect at once, as after a restart of the server or a broken router. */
import { setTimeout as sleep } from 'node:timers/promises'
import { head } from '../app.ts'
import { type Channel, type Crowd, gather, inTurns, openConnections, post, type Scene } from '../crowd.ts'
import type { HttpConnection } from '../http-connection.ts'
import { startEffort } from '../machine.ts'
import { Member, newTally, type Tally } from '../member.ts'
import { atMost, type Figure } from '../report.ts'
import type { DatabaseKind, Targets } from '../target.ts'

const MEMBERS = 10
/** Concurrently reconnecting clients; more would wait in the kernel's queue. */
const AT_ONCE = 256
/** By then the server has noticed the lost connections. */
const NOTICE_MS = 500
/** Longest pause while the last messages arrive. */
const ARRIVAL_MS = 5_000
/** The goal is for this many. */
const GOAL_CLIENTS = 10_000

export interface Reconnect {
  targets: Targets
  database: DatabaseKind
  clients: number
  /** Called with the driver's CPU load. */
  onDriver(cpuPercent: number): void
}

/** @throws Error when a client misses a message sent meanwhile, or gets none afterwards */
export async function reconnect({ targets, database, clients, onDriver }: Reconnect): Promise<Figure[]> {
  const scene: Scene = { name: 'reconnect', channels: clients / MEMBERS, members: MEMBERS, senders: 1, window: 0 }
  const parley = await targets.parley(database)
  const crowd = await gather(parley, scene)
  const lastSyncAt = new Date().toISOString()
  crowd.leave()
  await sleep(NOTICE_MS)
  const calls = await openConnections(parley, AT_ONCE)
  const missed = await sayInAll(crowd, calls, 'missed')

  const tally = newTally()
  const members: Member[] = []
  let caughtUp = 0
  const places = crowd.channels.flatMap((channel) => channel.members.map(({ userId }) => ({ channel, userId })))
  parley.steady?.()
  const effort = startEffort(parley)
  await inTurns(calls, places, async (call, { channel, userId }) => {
    const member = await Member.open(parley.port, userId, tally)
    members.push(member)
    const caller = { userId, connectionId: member.connectionId }
    const cid = `messaging:${channel.id}`
    const sync = { channel_cids: [cid], last_sync_at: lastSyncAt }
    if ((await post(call, head('POST', '/sync', caller), sync)).includes(missed.get(channel)!)) caughtUp += 1
    await post(call, head('POST', '/channels', caller), {
      filter_conditions: { cid: { $in: [cid] } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      limit: 30,
      state: true,
      watch: true,
    })
  })
  const { seconds, serverMicros, driverCpuPercent } = effort()
  onDriver(driverCpuPercent)

  await sayInAll(crowd, calls, 'after')
  await arrived(tally, clients)
  for (const member of members) member.close()
  for (const call of calls) call.close()
  await parley.stop()
  if (caughtUp < clients)
    throw new Error(`${clients - caughtUp} of ${clients} clients did not hear what they had missed.`)
  const deaf = members.filter(({ received }) => received !== 1).length
  if (deaf > 0) throw new Error(`${deaf} of ${clients} clients were back and did not hear the next message once.`)
  return [
    {
      name: `${clients} clients come back at once, all caught up`,
      unit: 's',
      parley: seconds,
      ...(clients === GOAL_CLIENTS && { goal: atMost(8) }),
    },
    { name: 'one client coming back, processor time', unit: 'ms', parley: serverMicros / clients / 1000 },
  ]
}

/** Sends one message to each channel; returns their ids. */
async function sayInAll(crowd: Crowd, calls: readonly HttpConnection[], word: string) {
  const ids = new Map<Channel, string>()
  await inTurns(calls, crowd.senders, async (call, { channel, head: headText }) => {
    const id = `${word}-in-${channel.id}-`
    ids.set(channel, id)
    await post(call, headText, { message: { id, text: word } })
  })
  return ids
}

async function arrived(tally: Tally, deliveries: number) {
  let last = tally.deliveries
  let since = performance.now()
  while (tally.deliveries < deliveries && performance.now() - since < ARRIVAL_MS) {
    if (tally.deliveries > last) since = performance.now()
    last = tally.deliveries
    await sleep(10)
  }
}
