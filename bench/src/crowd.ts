import { head } from './app.ts'
import { HttpConnection, requestText } from './http-connection.ts'
import { Member, newTally, type Tally } from './member.ts'
import type { Target } from './target.ts'

/** Users, and members, that one call takes [messaging.md 3.2, 4.7]. */
const PER_CALL = 100
/** Concurrent calls while users connect. */
const CONNECTIONS = 32

/** Users and channels: every member of every channel is connected and watches it. */
export interface Scene {
  name: string
  channels: number
  members: number
  /** Sending members of each channel. */
  senders: number
  /** The most messages in flight without a rate: sent, and not yet answered and delivered to all. */
  window: number
}

export interface Channel {
  id: string
  members: Member[]
  /** Messages the server accepted. */
  sent: number
}

export interface Sender {
  channel: Channel
  /** Head of the call that sends a message. */
  head: string
}

export interface Crowd {
  scene: Scene
  channels: Channel[]
  senders: Sender[]
  tally: Tally
  leave(): void
}

/** Creates the users and channels through the API, connects every user, and watches the channels. */
export async function gather(target: Target, scene: Scene): Promise<Crowd> {
  const userIds = Array.from({ length: scene.channels * scene.members }, (_, i) => `u${i}`)
  const calls = await openConnections(target, CONNECTIONS)
  await makeUsers(calls, userIds)

  const tally = newTally()
  const channels: Channel[] = Array.from({ length: scene.channels }, (_, i) => ({ id: `c${i}`, members: [], sent: 0 }))
  const idsOf = (i: number) => userIds.slice(i * scene.members, (i + 1) * scene.members)
  await inTurns(calls, channels.keys(), (call, i) => makeChannel(call, channels[i]!.id, idsOf(i)))
  const members = await connectAll(target, userIds, tally)
  for (const [i, member] of members.entries()) channels[Math.floor(i / scene.members)]!.members.push(member)
  const watching = channels.flatMap((channel) => channel.members.map((member) => ({ channel, member })))
  await inTurns(calls, watching, async (call, { channel, member }) => {
    const { userId, connectionId } = member
    await post(call, head('POST', `/channels/messaging/${channel.id}/query`, { userId, connectionId }), { watch: true })
  })
  for (const call of calls) call.close()

  // Round robin over the channels, so that consecutive messages are in different ones.
  const senders = Array.from({ length: scene.senders }, (_, s) =>
    channels.map((channel) => {
      const { userId, connectionId } = channel.members[s]!
      return { channel, head: head('POST', `/channels/messaging/${channel.id}/message`, { userId, connectionId }) }
    }),
  ).flat()
  return {
    scene,
    channels,
    senders,
    tally,
    leave() {
      for (const member of members) member.close()
    },
  }
}

export async function makeUsers(calls: readonly HttpConnection[], userIds: readonly string[]) {
  await inTurns(calls, batches(userIds), async (call, ids) => {
    const users = Object.fromEntries(ids.map((id) => [id, { id, name: `Member ${id}` }]))
    await post(call, head('POST', '/users'), { users })
  })
}

async function makeChannel(call: HttpConnection, id: string, userIds: readonly string[]) {
  const [first = [], ...more] = batches(userIds)
  const data = { created_by_id: userIds[0], members: first }
  await post(call, head('POST', `/channels/messaging/${id}/query`), { data })
  for (const add_members of more) await post(call, head('POST', `/channels/messaging/${id}`), { add_members })
}

/** Connects users, some at a time, in the given order. */
export async function connectAll(target: Target, userIds: readonly string[], tally: Tally): Promise<Member[]> {
  const members: Member[] = []
  await inTurns(Array.from({ length: CONNECTIONS }), userIds.entries(), async (_, [i, userId]) => {
    members[i] = await Member.open(target.port, userId, tally)
  })
  return members
}

export function openConnections({ port }: Target, count: number): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: count }, () => HttpConnection.open(port)))
}

/** @throws Error with the server's message when it refuses */
export async function post(call: HttpConnection, headText: string, body: object): Promise<string> {
  const answer = await call.call(requestText(headText, JSON.stringify(body)))
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`${headText.split('?')[0]} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`)
  return answer.body
}

/** Each worker takes the next item when it has finished its last one. */
export async function inTurns<Worker, Item>(
  workers: readonly Worker[],
  items: Iterable<Item>,
  work: (worker: Worker, item: Item) => Promise<void>,
) {
  const queue = Iterator.from(items)
  const workOn = async (worker: Worker) => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(worker, next.value)
  }
  await Promise.all(workers.map(workOn))
}

function batches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PER_CALL) }, (_, i) => ids.slice(i * PER_CALL, (i + 1) * PER_CALL))
}
