/** Latency of the first page of the channel list for a user with thousands of channels. */
import { head } from '../app.ts'
import { connectAll, openConnections, post } from '../crowd.ts'
import { openDirectly } from '../floors/direct.ts'
import { requestText } from '../http-connection.ts'
import { startEffort } from '../machine.ts'
import { newTally } from '../member.ts'
import { percentile } from '../percentiles.ts'
import { atMost, type Figure } from '../report.ts'
import { reader, seed } from '../seed.ts'
import type { DatabaseKind, Parley, Targets } from '../target.ts'

const CHANNELS = 4_000
const PAGE = 30
const MESSAGES = 25
/** Warm-up calls. */
const WARM_UP = 5

export interface ChannelList {
  targets: Targets
  database: DatabaseKind
  /** Messages stored, over all channels. */
  messages: number
  calls: number
}

export async function channelList({ targets, database, messages, calls }: ChannelList): Promise<Figure[]> {
  const parley = await targets.parley(database)
  await seed(parley, CHANNELS, messages)
  const [member] = await connectAll(parley, [reader], newTally())
  const [call] = await openConnections(parley, 1)
  const headText = head('POST', '/channels', { userId: reader, connectionId: member!.connectionId })
  const body = {
    filter_conditions: { members: { $in: [reader] } },
    sort: [{ field: 'last_message_at', direction: -1 }],
    limit: PAGE,
    message_limit: MESSAGES,
    state: true,
    watch: true,
  }
  checkPage(await post(call!, headText, body))

  const request = requestText(headText, JSON.stringify(body))
  const took: number[] = []
  let effort = startEffort(parley)
  for (let i = 0; i < WARM_UP + calls; i++) {
    if (i === WARM_UP) {
      parley.steady?.()
      effort = startEffort(parley)
    }
    const start = performance.now()
    await new Promise<void>((resolve) => call!.send(request, () => resolve()))
    if (i >= WARM_UP) took.push(performance.now() - start)
  }
  const cpuMs = effort().serverMicros / 1000 / calls
  call!.close()
  member!.close()
  const floor = await floorOf(parley, calls)
  await parley.stop()
  const floorAt = (share: number) => ({
    what: 'its messages read and written as JSON',
    value: percentile(floor, share),
  })
  const name = `channel list with ${database}, ${PAGE} of ${CHANNELS} channels, ${messages} messages stored`
  return [
    { name: `${name}, p50`, unit: 'ms', parley: percentile(took, 0.5), floor: floorAt(0.5), goal: atMost(8) },
    { name: `${name}, p99`, unit: 'ms', parley: percentile(took, 0.99), floor: floorAt(0.99), goal: atMost(25) },
    { name: `${name}, processor time a call`, unit: 'ms', parley: cpuMs },
  ]
}

/** The same messages read in one statement and written as JSON, without permissions. */
async function floorOf({ databaseUrl }: Parley, calls: number): Promise<number[]> {
  const channels = `select app, cid from channels where app = (select id from apps)
    order by last_message_at desc nulls last, cid limit ${PAGE}`
  const newest = `where app = c.app and cid = c.cid and (parent_id is null or show_in_channel = 1)
    order by created_at desc limit ${MESSAGES}`
  const text = {
    sqlite: `select m.* from (${channels}) c join messages m on m.rowid in (select rowid from messages ${newest})
      where m.id <> ?`,
    postgres: `select m.* from (${channels}) c cross join lateral (select * from messages ${newest}) m where m.id <> $1`,
  }
  const direct = await openDirectly(databaseUrl)
  const times: number[] = []
  for (let i = 0; i < WARM_UP + calls; i++) {
    const start = performance.now()
    const rows = await direct.all(text, '')
    JSON.stringify(rows)
    if (i >= WARM_UP) times.push(performance.now() - start)
    if (rows.length !== PAGE * MESSAGES) throw new Error(`The floor read ${rows.length} messages.`)
  }
  await direct.close()
  return times
}

/** A fast wrong response is no figure. */
function checkPage(text: string) {
  const { channels } = JSON.parse(text) as { channels: { channel: { last_message_at: string }; messages: unknown[] }[] }
  const times = channels.map(({ channel }) => channel.last_message_at)
  const isWhole = channels.length === PAGE && channels.every(({ messages }) => messages.length === MESSAGES)
  const isSorted = times.every((time, i) => i === 0 || Date.parse(times[i - 1]!) >= Date.parse(time))
  if (!isWhole || !isSorted) throw new Error('The channel list is not the one that was asked for.')
}
