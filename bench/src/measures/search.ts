/** Latency of a message search for a user in thousands of channels. */

import { setTimeout } from 'node:timers/promises'
import { head } from '../app.ts'
import { connectAll, openConnections } from '../crowd.ts'
import { openDirectly } from '../floors/direct.ts'
import { type HttpConnection, requestText } from '../http-connection.ts'
import { newTally } from '../member.ts'
import { percentile } from '../percentiles.ts'
import { atMost, type Figure } from '../report.ts'
import { reader, seed } from '../seed.ts'
import type { DatabaseKind, Parley, Targets } from '../target.ts'

const CHANNELS = 4_000
const PAGE = 25
/** Words of a message, out of this many. */
const WORDS = 12
const VOCABULARY = 50_000
/** Microseconds between two messages: a million of them are nearly a year. */
const STEP = 30_000_000
const WARM_UP = 20
const POLL_MS = 500

/** Distributed as in a language: the first word is the most common one, and the hundredth is a hundredth as common. */
const wordNumber = (random: number) => Math.floor(VOCABULARY ** random)
const wordIn = (place: number) => {
  const random = `cast((i * ${2_654_435_761 + place * 40_503_017}) % 999983 as double precision) / 999983`
  return `'w' || cast(floor(exp(${random} * ${Math.log(VOCABULARY)})) as integer)`
}
const text = Array.from({ length: WORDS }, (_, place) => wordIn(place)).join(" || ' ' || ")

export interface Search {
  targets: Targets
  database: DatabaseKind
  /** Messages stored, over all channels. */
  messages: number
  calls: number
}

export async function search({ targets, database, messages, calls }: Search): Promise<Figure[]> {
  const empty = await targets.parley(database)
  await seed(empty, CHANNELS, messages, { step: STEP, text })
  await empty.inDatabase(`insert into unindexed_after (app, id) values ('', '') returning id`)
  const parley = await empty.restarted()
  const indexed = await untilIndexed(parley)
  // As the database does by itself before long.
  if (database === 'postgres') await parley.inDatabase('vacuum analyze message_words')

  const asked = questions(WARM_UP + calls)
  const everywhere = await took(parley, asked, { members: { $in: [reader] } })
  const inOne = await took(parley, asked, { cid: 'messaging:seed-7' })
  const floor = await floorOf(parley, asked)
  await parley.stop()
  const name = `search with ${database}, ${messages} messages stored`
  const what = 'the index alone'
  const share = (times: number[], at: number) => percentile(times.slice(WARM_UP), at)
  return [
    {
      name: `${name}, 500 channels, p50`,
      unit: 'ms',
      parley: share(everywhere, 0.5),
      floor: { what, value: share(floor, 0.5) },
    },
    {
      name: `${name}, 500 channels, p99`,
      unit: 'ms',
      parley: share(everywhere, 0.99),
      floor: { what, value: share(floor, 0.99) },
      goal: atMost(30),
    },
    { name: `${name}, 1 channel, p50`, unit: 'ms', parley: share(inOne, 0.5) },
    { name: `${name}, 1 channel, p99`, unit: 'ms', parley: share(inOne, 0.99), goal: atMost(30) },
    { name: `${name}, indexed beside all else`, unit: 'messages/s', parley: messages / indexed },
  ]
}

/** Seconds until every message can be found. */
async function untilIndexed(parley: Parley): Promise<number> {
  const start = performance.now()
  while ((await parley.inDatabase('select app from unindexed_after')).length > 0) await setTimeout(POLL_MS)
  return (performance.now() - start) / 1000
}

/** One or two words, by their frequency; the same in every run. */
function questions(count: number): string[][] {
  let seed = 1
  const random = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  const word = () => `w${wordNumber(random())}`
  return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? [word()] : [word(), word()]))
}

async function took(parley: Parley, asked: readonly string[][], filter_conditions: object): Promise<number[]> {
  const [member] = await connectAll(parley, [reader], newTally())
  const [call] = await openConnections(parley, 1)
  const times: number[] = []
  let found = 0
  for (const [i, words] of asked.entries()) {
    if (i === WARM_UP) parley.steady?.()
    const payload = JSON.stringify({ filter_conditions, query: words.join(' '), limit: PAGE })
    const headText = head('GET', '/search', { userId: reader, connectionId: member!.connectionId })
    const request = requestText(headText.replace('/search?', `/search?payload=${encodeURIComponent(payload)}&`), '')
    const start = performance.now()
    found += await resultsOf(call!, request)
    times.push(performance.now() - start)
  }
  call!.close()
  member!.close()
  if (found === 0) throw new Error('Nothing was found.')
  return times
}

async function resultsOf(call: HttpConnection, request: Parameters<HttpConnection['send']>[0]): Promise<number> {
  const answer = await call.call(request)
  if (answer.status !== 200)
    throw new Error(`A search was answered with ${answer.status}: ${answer.body.slice(0, 500)}`)
  return answer.body.includes('"results":[]') ? 0 : 1
}

/** The newest messages with the words, without permissions, straight from the database. */
async function floorOf({ databaseUrl }: Parley, asked: readonly string[][]): Promise<number[]> {
  const text = {
    sqlite: `select g.* from message_words w cross join messages g on g.rowid = w.rowid
      where message_words match ? order by w.rowid desc limit ${PAGE}`,
    postgres: `select g.* from message_words w join messages g on g.app = w.app and g.id = w.id
      where w.words @@ $1::tsquery order by w.created_at desc limit ${PAGE}`,
  }
  const direct = await openDirectly(databaseUrl)
  const times: number[] = []
  for (const words of asked) {
    const start = performance.now()
    await direct.all(text, words.join(databaseUrl.startsWith('sqlite:') ? ' AND ' : ' & '))
    times.push(performance.now() - start)
  }
  await direct.close()
  return times
}
