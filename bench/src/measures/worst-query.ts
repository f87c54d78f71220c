/** What the most expensive allowed queries, sent without pause, cost all other users. */
import { setTimeout as sleep } from 'node:timers/promises'
import { API_KEY, head } from '../app.ts'
import { gather, openConnections } from '../crowd.ts'
import { requestText } from '../http-connection.ts'
import { percentile } from '../percentiles.ts'
import { atMost, type Figure } from '../report.ts'
import type { DatabaseKind, Parley, Targets } from '../target.ts'

/** Concurrent connections of one querying user. */
const AT_ONCE = 4
const ASKED_EVERY_MS = 10
/** Messages per second meanwhile. */
const RATE = 50
const BEGIN = 1_700_000_000_000_000
const GOAL_MS = 50

export interface WorstQuery {
  targets: Targets
  database: DatabaseKind
  /** Users, and channels. */
  many: number
  seconds: number
}

/** @throws Error when a message is refused meanwhile */
export async function worstQuery({ targets, database, many, seconds }: WorstQuery): Promise<Figure[]> {
  const parley = await targets.parley(database)
  const crowd = await gather(parley, { name: 'worst query', channels: 10, members: 5, senders: 1, window: 0 })
  await seedMany(parley, many)
  const calm = await watched(parley, crowd.senders, seconds)
  const attack = await attacked(parley)
  const busy = await watched(parley, crowd.senders, seconds)
  const queries = await attack.end()
  crowd.leave()
  await parley.stop()
  if (queries.answered === 0) throw new Error('Not one of the queries was answered.')
  const name = `the worst queries with ${database}, ${many} users and channels`
  const floor = (value: number) => ({ what: 'without them', value })
  return [
    {
      name: `${name}: /alive, p50`,
      unit: 'ms',
      parley: percentile(busy.alive, 0.5),
      floor: floor(percentile(calm.alive, 0.5)),
    },
    {
      name: `${name}: /alive, p99`,
      unit: 'ms',
      parley: percentile(busy.alive, 0.99),
      floor: floor(percentile(calm.alive, 0.99)),
      goal: atMost(GOAL_MS),
    },
    {
      name: `${name}: messages sent, p99`,
      unit: 'ms',
      parley: percentile(busy.sent, 0.99),
      floor: floor(percentile(calm.sent, 0.99)),
    },
    { name: `${name}: queries stopped at the deadline`, unit: '%', parley: (100 * queries.stopped) / queries.answered },
  ]
}

async function seedMany(parley: Parley, many: number) {
  const numbers = `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${many - 1})`
  await parley.inDatabase(`insert into users (app, id, role, name, language, invisible, data, created_at, updated_at)
    ${numbers} select '${API_KEY}', 'seed-' || i, 'user', 'Member ' || i, '', 0, '{"town":"nowhere"}', ${BEGIN} + i, ${BEGIN} + i from n`)
  await parley.inDatabase(`insert into channels (app, cid, type, id, created_by, name, frozen, disabled, cooldown, data,
      created_at, updated_at, last_message_at, activity_at, member_count, seq, counted, event_at)
    ${numbers} select '${API_KEY}', 'messaging:seed-' || i, 'messaging', 'seed-' || i, 'seed-' || i, 'Channel ' || i, 0, 0, 0,
      '{"town":"nowhere"}', ${BEGIN} + i, ${BEGIN} + i, ${BEGIN} + i, ${BEGIN} + i, 1, 0, 0, ${BEGIN} + i from n`)
  await parley.inDatabase(`insert into members (app, cid, user_id, channel_role, status, data, created_at, updated_at,
      banned, shadow_banned, hidden)
    ${numbers} select '${API_KEY}', 'messaging:seed-' || i, 'seed-' || i, 'channel_member', 'member', '{}', ${BEGIN}, ${BEGIN},
      0, 0, 0 from n`)
}

/** The most conditions a filter may have, none of which matches, in the worst order. */
const dear = Array.from({ length: 80 }, (_, i) => ({ [`town${i % 7}.x`]: { $gt: `a${i}` } }))
const words = Array.from({ length: 9 }, (_, i) => ({ 'town.name': { $q: `no${i} body${i}` } }))
const sort = [{ field: 'town', direction: -1 }]
const me = { userId: 'u0', connectionId: '' }

function dearQueries(): string[] {
  const filter_conditions = { $or: [...dear, ...words] }
  const users = encodeURIComponent(JSON.stringify({ filter_conditions, sort, limit: 100 }))
  const channels = (filter: object) => JSON.stringify({ filter_conditions: filter, sort, limit: 30, state: false })
  return [
    requestText(head('GET', '/users', me).replace('/users?', `/users?payload=${users}&`), ''),
    requestText(head('POST', '/channels', me), channels(filter_conditions)),
    requestText(
      head('POST', '/channels', me),
      channels({ 'member.user.name': { $autocomplete: 'm' }, ...filter_conditions }),
    ),
  ]
}

/** One user queries without pause. */
async function attacked(parley: Parley) {
  const calls = await openConnections(parley, AT_ONCE)
  const queries = dearQueries()
  let isOn = true
  let answered = 0
  let stopped = 0
  const loops = calls.map(async (call, i) => {
    for (let turn = i; isOn; turn++) {
      const { body } = await call.call(queries[turn % queries.length]!)
      answered += 1
      if (body.includes('"code":23')) stopped += 1
      if (body.includes('"code":4,')) throw new Error(`A query was refused: ${body.slice(0, 300)}`)
      // A rate-limited query is sent again later, as far as a hostile program does so.
      if (body.includes('"code":9,')) await sleep(ASKED_EVERY_MS)
    }
  })
  return {
    async end() {
      isOn = false
      await Promise.all(loops)
      for (const call of calls) call.close()
      return { answered, stopped }
    },
  }
}

/** Latency of `/alive`, and of messages. */
async function watched(parley: Parley, senders: readonly { head: string }[], seconds: number) {
  const [alive, sent]: [number[], number[]] = [[], []]
  const end = performance.now() + seconds * 1_000
  const [asking, ...sending] = await openConnections(parley, 5)
  const request = ['GET /alive HTTP/1.1', 'Host: 127.0.0.1', '', ''].join('\r\n')
  const timed = async (times: number[], call: () => Promise<{ status: number; body: string }>) => {
    const start = performance.now()
    const { status, body } = await call()
    times.push(performance.now() - start)
    if (status !== 200 && status !== 201) throw new Error(`answered with ${status}: ${body.slice(0, 300)}`)
  }
  const askAlive = async () => {
    while (performance.now() < end) {
      await timed(alive, () => asking!.call(request))
      await sleep(ASKED_EVERY_MS)
    }
  }
  const send = async (worker: number) => {
    for (let i = worker; performance.now() < end; i += sending.length) {
      const body = JSON.stringify({ message: { text: `Message ${i}` } })
      await timed(sent, () => sending[worker]!.call(requestText(senders[i % senders.length]!.head, body)))
      await sleep((1_000 / RATE) * sending.length)
    }
  }
  await Promise.all([askAlive(), ...sending.map((_, worker) => send(worker))])
  for (const call of [asking!, ...sending]) call.close()
  return { alive, sent }
}
