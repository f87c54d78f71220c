/**
 * Users act at random, on one node and on two: the state built from events must equal a fresh fetch.
 * A seed that once failed stays in the list.
 */
import assert from 'node:assert/strict'
import type { ChannelState } from '@parley/protocol/channels'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { Chance } from './testing/chance.ts'
import { behindPooler, type Fixture, onEveryTransport } from './testing/fixture.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from './testing/test-user.ts'

const STEPS = 100
/** Replies once shown only in their thread: shown in the channel later, they do not count as unread there [READ-9]. */
const onceInThreadAlone = new Set<string>()
const seeds = [20_261, 125_589_197, 672_461_228, Math.floor(Math.random() * 1_000_000_000)]

const actAtRandom = (fixture: Fixture, from = seeds) => {
  for (const seed of from)
    it(`[READ-14] [READ-18] [READ-22] three people act at random (seed ${seed}), and every view equals a fetch`, async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dee')
      const people = [ada, bo, cy]
      const rooms = [await appServer.opens(people), await appServer.opens([ada, bo]), await appServer.opens([bo, cy])]
      const chance = new Chance(seed)
      // Every user has two devices, on different nodes where possible.
      const nodes = fixture.nodes.map((node) => node.url)
      const devices = people.flatMap((testUser) =>
        nodes
          .concat(nodes)
          .slice(0, 2)
          .map((url) => testUser.device(url)),
      )
      const screens: Screen[] = []
      for (const device of devices) screens.push(await Screen.open(device, rooms, chance))

      const said: Message[] = []
      for (let step = 0; step < STEPS; step++) {
        // Now and then several act at the same time.
        const together = chance.next() < 0.2 ? 4 : 1
        const acts = Array.from({ length: together }, () => act(chance, appServer, chance.oneOf(screens), rooms, said))
        await Promise.all(acts)
        if (step % 15 === 0) for (const testUser of people) await countsAreRight(testUser, chance.oneOf(rooms))
        if (step % 5 === 0) await nothingKeptIsOld(fixture, chance.oneOf(people))
      }

      await everythingArrives(appServer, rooms, screens)
      for (const screen of screens) await screen.equalsAFetch()
      for (const node of fixture.nodes)
        for (const { id } of people) {
          const totals = node.server.hub.user(appServer.app.id, id)?.totals
          if (totals) assert.deepEqual(totals, await totalsOf(appServer.user(id)), `${id} in memory`)
        }
    })
}

onEveryTransport((fixture) => actAtRandom(fixture))
behindPooler((fixture) => actAtRandom(fixture, seeds.slice(-1)))

/** One action of one user. A refusal is fine, an internal error is not. */
async function act(chance: Chance, appServer: AppServer, screen: Screen, rooms: readonly string[], said: Message[]) {
  const { device } = screen
  const room = chance.oneOf(rooms)
  const message = said.length > 0 ? chance.oneOf(said.slice(-30)) : undefined
  const dice = chance.below(100)
  const [a, b, c] = [chance.next(), chance.next(), chance.next()]
  const tries = async (caller: TestUser | AppServer, method: string, to: string, options: object = {}) => {
    const { body } = await caller.call(method, to, options)
    assert.notEqual(body.code, -1, `${method} ${to} → ${JSON.stringify(body)}`)
    return body
  }

  if (dice < 40 || !message) {
    const parent = a < 0.25 && message?.parent_id === undefined ? message : undefined
    const body = {
      message: {
        text: `${device.id} says ${b}`,
        silent: b < 0.1,
        ...(parent && { parent_id: parent.id, show_in_channel: c < 0.5 }),
      },
    }
    const answer = await tries(device, 'POST', `${path(parent?.cid ?? room)}/message`, { body })
    if (answer.message?.id) said.push(answer.message)
    if (answer.message?.show_in_channel === false) onceInThreadAlone.add(answer.message.id)
  } else if (dice < 52) await tries(device, 'POST', `${path(room)}/read`, { body: {} })
  else if (dice < 56) await tries(device, 'POST', `${path(message.cid)}/read`, { body: { message_id: message.id } })
  else if (dice < 62) await tries(device, 'POST', `${path(message.cid)}/unread`, { body: { message_id: message.id } })
  else if (dice < 64) await tries(device, 'POST', '/channels/read', { body: {} })
  else if (dice < 72)
    await tries(appServer, 'DELETE', `/messages/${message.id}`, a < 0.5 ? { query: { hard: 'true' } } : {})
  else if (dice < 77) await tries(device, 'PUT', `/messages/${message.id}`, { body: { set: { text: `edited ${a}` } } })
  else if (dice < 84)
    await tries(device, 'POST', `/messages/${message.id}/reaction`, {
      body: { reaction: { type: a < 0.5 ? 'love' : 'wow' }, enforce_unique: b < 0.3 },
    })
  else if (dice < 87) await tries(device, 'DELETE', `/messages/${message.id}/reaction/love`)
  else if (dice < 92) {
    const change = { [a < 0.4 ? 'remove_members' : 'add_members']: [device.id] }
    await tries(appServer, 'POST', path(room), { body: change })
  } else if (dice < 95) await screen.reopens(chance)
  else if (a < 0.3) await tries(appServer, 'POST', `/messages/${message.id}/undelete`, { body: {} })
  else if (a < 0.6) await tries(appServer, 'PUT', `/messages/${message.id}`, { body: { set: { pinned: b < 0.7 } } })
  else if (a < 0.8) {
    if (b >= 0.5) onceInThreadAlone.add(message.id)
    await tries(appServer, 'PUT', `/messages/${message.id}`, { body: { set: { show_in_channel: b < 0.5 } } })
  } else {
    const ban = { target_user_id: 'cy', channel_cid: room }
    if (b < 0.5) await tries(appServer, 'POST', '/moderation/ban', { body: { ...ban, shadow: true, user_id: 'dee' } })
    else await tries(appServer, 'DELETE', '/moderation/ban', { query: ban })
  }
}

/** A node's cached channels equal the stored ones, whatever happened there or on another node. */
async function nothingKeptIsOld({ nodes }: Fixture, testUser: TestUser) {
  for (const node of nodes) {
    const device = testUser.device(node.url)
    const list = async (): Promise<{ channels: ChannelState[] }> =>
      device.does('POST', '/channels', {
        body: { filter_conditions: { members: { $in: [testUser.id] } }, state: true },
      })
    const kept = await list()
    node.server.pages.clear()
    assert.deepEqual(kept.channels, (await list()).channels)
  }
}

/** A last message in every room, received by all, comes after everything before it. */
async function everythingArrives(appServer: AppServer, rooms: readonly string[], screens: readonly Screen[]) {
  for (const room of rooms) {
    await appServer.does('POST', path(room), { body: { add_members: screens.map(({ device }) => device.id) } })
    const body = { message: { text: 'The last word.', user_id: 'dee' } }
    const { message } = await appServer.does('POST', `${path(room)}/message`, { body })
    for (const { device } of screens)
      await device.sees((event) => event.message_id === message.id && /message_?(\.|_)new/.test(event.type))
  }
}

async function totalsOf(testUser: TestUser) {
  const { total_unread_count, channels } = await testUser.does('GET', '/unread')
  return { unread: total_unread_count, channels: channels.length }
}

/** The state of one device: the messages of the rooms it watches, and the last totals it received. */
class Screen {
  readonly device: TestUser
  #rooms: readonly string[]
  /** The initial state of a room, and the number of events received until then. */
  #opened = new Map<string, { messages: Message[]; from: number }>()
  #reopening = false
  private constructor(device: TestUser, rooms: readonly string[]) {
    this.device = device
    this.#rooms = rooms
  }

  static async open(device: TestUser, rooms: readonly string[], chance: Chance): Promise<Screen> {
    const screen = new Screen(device, rooms)
    await screen.#connects(chance)
    return screen
  }

  /** Disconnects, reconnects, and opens other rooms than before. */
  async reopens(chance: Chance) {
    if (this.#reopening) return
    this.#reopening = true
    await this.device.leaves()
    await this.#connects(chance)
    this.#reopening = false
  }

  async #connects(chance: Chance) {
    const wanted = this.#rooms.filter(() => chance.next() < 0.6)
    this.device.events.length = 0
    this.#opened.clear()
    await this.device.connects()
    for (const room of wanted) {
      const from = this.device.events.length
      const body = { state: true, watch: true, messages: { limit: 300 } }
      const answer = await this.device.call('POST', `${path(room)}/query`, { body })
      if (answer.status === 200) this.#opened.set(room, { messages: answer.body.messages, from })
    }
  }

  async equalsAFetch() {
    const { device } = this
    const totals = device.events.filter((event) => event.total_unread_count !== undefined).at(-1)!
    const shown = { unread: totals.total_unread_count, channels: totals.unread_channels }
    assert.deepEqual(shown, await totalsOf(device), `totals of ${device.id}, last told by ${totals.type}`)
    let sum = 0
    for (const room of this.#rooms) {
      const fetched = await device.opensChannel(room, { messages: { limit: 300 } })
      sum += await countsAreRight(device, room)
      const opened = this.#opened.get(room)
      const lastWord = device.events.findLast((event) => event.cid === room && event.message?.text === 'The last word.')
      if (opened && lastWord!.type === 'message.new')
        assert.deepEqual(
          shownAfter(opened, device.events, room),
          fetched.messages.map(essence),
          `${room} of ${device.id}`,
        )
    }
    assert.equal(sum, shown.unread, `read entries of ${device.id}`)
  }
}

/** The server's count equals a count by the rules, one message at a time [messaging.md 10.1]; returns it. */
async function countsAreRight(testUser: TestUser, room: string): Promise<number> {
  const { status, body } = await testUser.call('POST', `${path(room)}/query`, {
    body: { state: true, messages: { limit: 300 } },
  })
  if (status !== 200) return 0
  const { messages, membership, read: reads }: ChannelState = body
  const read = reads.find((entry) => entry.user.id === testUser.id)
  if (!read || !membership) return 0
  const from = [key(read.last_read), key(membership.created_at)].sort().at(-1)!
  const isNews = ({ id, parent_id }: Message) => parent_id === undefined || !onceInThreadAlone.has(id)
  const counts = (message: Message) =>
    message.user.id !== testUser.id && !message.silent && message.type !== 'deleted' && isNews(message)
  const expected = messages.filter((message) => counts(message) && key(message.created_at) > from).length
  assert.equal(read.unread_messages, expected, `${room} of ${testUser.id}`)
  return expected
}

/** The visible messages after an initial state and these events. */
function shownAfter({ messages, from }: { messages: Message[]; from: number }, told: ReceivedEvent[], room: string) {
  const shown = new Map(messages.map((message) => [message.id, message]))
  for (const { cid, type, message, hard_delete } of told.slice(from)) {
    if (cid !== room || !message || type.startsWith('notification')) continue
    const inChannel = message.parent_id === undefined || message.show_in_channel
    if (hard_delete || !inChannel) shown.delete(message.id)
    // A reply can be shown in the channel, and hidden again, long after it was sent.
    else if (type === 'message.new' || shown.has(message.id) || message.parent_id !== undefined)
      shown.set(message.id, message)
  }
  return [...shown.values()].sort((a, b) => (key(a.created_at) < key(b.created_at) ? -1 : 1)).map(essence)
}

/** A time with all its digits, so that it sorts as text. */
function key(time: string): string {
  return time.replace('Z', '').padEnd(20, '.').padEnd(27, '0')
}

function essence(message: Message) {
  const { id, type, text, updated_at, reply_count, deleted_reply_count, reaction_counts, pinned, user } = message
  return { id, type, text, updated_at, reply_count, deleted_reply_count, reaction_counts, pinned, author: user.id }
}
