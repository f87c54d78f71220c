import assert from 'node:assert/strict'
import { it } from 'vitest'
import { StoryClock } from '../testing/story-clock.ts'
import type { Bus } from './bus.ts'
import type { Connection } from './connection.ts'
import { Hub, type HubSources } from './hub.ts'
import type { Standing } from './online-user.ts'
import type { Publication } from './publication.ts'

const app = 'app'
const room = 'messaging:tea'

it('what the bus brings in the wrong order is told in the right one', async () => {
  const { hub, mail, bo, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  mail.deliver(posted(3))
  assert.deepEqual(bo.told(), ['message 1'])

  mail.deliver(posted(2))
  clock.advance(100)

  assert.deepEqual(bo.told(), ['message 1', 'message 2', 'message 3'])
})

it('an event without a number does not overtake those that wait', async () => {
  const { hub, mail, bo, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  mail.deliver(posted(3))
  mail.deliver(posted(0))
  assert.deepEqual(bo.told(), ['message 1'])

  mail.deliver(posted(2))
  clock.advance(100)

  assert.deepEqual(bo.told(), ['message 1', 'message 2', 'message 3', 'message 0'])
})

it('an event that the bus lost is read from the log, and nothing is told twice', async () => {
  const { hub, mail, bo, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  log.push(posted(1), posted(2), posted(3))
  mail.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), ['message 1', 'message 2', 'message 3'])
  mail.deliver(posted(2))
  mail.deliver(posted(4))
  assert.deepEqual(bo.told(), ['message 1', 'message 2', 'message 3', 'message 4'])
})

it('what arrives while the log is being read comes after it', async () => {
  const { hub, mail, bo, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  mail.deliver(posted(3))
  log.push(posted(2), posted(3))
  log.isSlow()
  clock.advance(100)

  mail.deliver(posted(4))
  mail.deliver(posted(5))
  log.answers()
  await log.wasRead()

  assert.deepEqual(bo.told(), ['message 1', 'message 2', 'message 3', 'message 4', 'message 5'])
})

it('the loss of the very first event after somebody began to watch is noticed', async () => {
  const { hub, mail, bo, log, clock } = await aNode()
  log.push(posted(1))
  await hub.watch(bo.connection, [room])
  log.push(posted(2), posted(3))
  mail.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), ['message 2', 'message 3'])
})

it('whoever begins to watch is not told what happened before, however late it comes', async () => {
  const { hub, mail, bo, log, standings, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  log.push(posted(2), posted(3))
  await hub.watch(bo.connection, [room])
  log.push(posted(4))
  standings.set(room, { seq: 4, ordinal: 1, unread: 3, counts: true })
  mail.deliver(posted(2))
  mail.deliver(posted(4))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(
    bo.told().map((words) => words.split(',')[0]),
    ['message 4'],
  )
})

it('a member who does not watch hears of a lost message too, with the totals of now', async () => {
  const { mail, bo, log, standings, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  log.push(posted(2), posted(3))
  standings.set(room, { seq: 3, ordinal: 1, unread: 2, counts: true })
  mail.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), ['notice of 2, 2 unread', 'notice of 3, 2 unread'])
  assert.deepEqual(bo.totals(), { unread: 2, channels: 1 })
})

it('what a reader is told alone waits for the events before it, so that its totals are right', async () => {
  const { mail, bo } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
  const read: Publication = {
    ...event(3),
    effects: [{ do: 'read', user: 'bo', ordinal: 2, unread: 0 }],
    personal: [{ users: ['bo'], body: words('all read'), totals: true }],
  }

  mail.deliverTo('bo', read)
  mail.deliver(read)
  assert.deepEqual(bo.told(), [])
  mail.deliver(posted(2))

  assert.deepEqual(bo.told(), ['notice of 2, 2 unread', 'all read, 0 unread'])
})

it('a standing that an event has overtaken while it was read is read again', async () => {
  const { mail, bo, standings } = await aNode()
  standings.set(room, { seq: 1, ordinal: 1, unread: 0, counts: true })
  // The second reading makes up for what the first one missed; this event overtakes it.
  standings.duringReading(2, () => {
    standings.set(room, { seq: 2, ordinal: 1, unread: 1, counts: true })
    mail.deliver(posted(2))
  })

  await bo.comes()

  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('two devices that connect at the same moment are given the same totals', async () => {
  const { hub, standings } = await aNode()
  standings.set(room, { seq: 1, ordinal: 0, unread: 1, counts: true })

  const [first, second] = await Promise.all([hub.attach(device('bo').connection), hub.attach(device('bo').connection)])

  assert.deepEqual(first!.totals, { unread: 1, channels: 1 })
  assert.deepEqual(second!.totals, { unread: 1, channels: 1 })
})

it('what was said in a channel while its new member’s subscription was on its way is not lost', async () => {
  const { mail, bo, standings } = await aNode()
  await bo.comes()
  const joined: Publication = {
    ...event(7),
    effects: [{ do: 'join', user: 'bo', ordinal: 4, counts: true }],
    personal: [{ users: ['bo'], body: words('welcome'), totals: true }],
  }
  standings.set(room, { seq: 8, ordinal: 4, unread: 1, counts: true })

  mail.deliverTo('bo', joined)
  await mail.settles()

  assert.deepEqual(bo.told(), ['welcome, 0 unread'])
  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('somebody who was removed hears no more, also when only the log says so', async () => {
  const { hub, mail, bo, log, standings, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 0, unread: 1, counts: true })
  await hub.watch(bo.connection, [room])
  log.push(event(2), posted(3))
  standings.delete(room)
  mail.deliver(posted(3))

  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), [])
  assert.deepEqual(bo.totals(), { unread: 0, channels: 0 })
})

it('after the bus was away everybody catches up', async () => {
  const { hub, bo, log, standings, clock } = await aNode()
  await bo.belongs({ seq: 1, ordinal: 1, unread: 0, counts: true })
  await hub.watch(bo.connection, [room])
  log.push(posted(2))
  standings.set(room, { seq: 2, ordinal: 1, unread: 1, counts: true })

  await hub.catchUp()
  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), ['message 2, 1 unread'])
  assert.deepEqual(bo.totals(), { unread: 1, channels: 1 })
})

it('the last event, after which nothing comes, is read from the log once its number is known', async () => {
  const { hub, bo, mail, log, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  log.push(posted(1), posted(2))
  hub.expect([app, room, 1])
  clock.advance(100)
  assert.deepEqual(bo.told(), ['message 1'])

  hub.expect([app, room, 2])
  clock.advance(100)
  await log.wasRead()

  assert.deepEqual(bo.told(), ['message 1', 'message 2'])
  // It comes after all.
  mail.deliver(posted(2))
  assert.deepEqual(bo.told(), ['message 1', 'message 2'])
})

it('an event whose number comes first is awaited', async () => {
  const { hub, bo, mail, clock } = await aNode()
  await hub.watch(bo.connection, [room])
  mail.deliver(posted(1))
  hub.expect([app, room, 2])
  mail.deliver(posted(2))
  clock.advance(100)
  assert.deepEqual(bo.told(), ['message 1', 'message 2'])
})

it('of each channel the newest number is told once', async () => {
  const { hub } = await aNode()
  hub.publish([posted(1), posted(2), posted(0)])
  assert.deepEqual(hub.takeNewest(), [[app, room, 2]])
  assert.deepEqual(hub.takeNewest(), [])
})

it('a node that catches up does not look after one user after the other', async () => {
  const { hub, mail, sources } = await aNode()
  const people = ['ada', 'bo', 'cy'].map((id) => device(id).connection)
  for (const connection of people) await hub.attach(connection)
  const { standings } = sources
  let underWay = 0
  const most: number[] = []
  sources.standings = async (...asked) => {
    most.push(++underWay)
    await mail.settles()
    underWay -= 1
    return standings(...asked)
  }
  await hub.catchUp()
  assert.equal(Math.max(...most), people.length)
})

/** The node `here` of a cluster; everything on the bus is delivered by hand, as if `there` had sent it. */
async function aNode() {
  const clock = new StoryClock()
  const mail = new Mail()
  const log = new Log()
  const standings = new Standings()
  const sources: HubSources = {
    standings: async () => standings.read(),
    quiet: async () => ({ users: [], channels: [] }),
    newestSeqs: async () => new Map([[room, log.events.at(-1)?.seq ?? 0]]),
    eventsAfter: (_, __, seq) => log.read(seq),
    watchingChanged() {},
    arrived() {},
    left() {},
    counted() {},
    withoutHidden: (text) => text,
    inWords: (_, text) => text,
    failed: assert.ifError,
    commits: () => 0,
    heardCommits() {},
  }
  // Waiting for the other nodes' watchers would be waiting for nobody.
  const impatient = {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    micros: () => clock.micros(),
    after: (ms: number, task: () => void) => clock.after(ms === 50 ? 0 : ms, task),
  }
  const hub = new Hub('here', impatient, mail, sources)
  const screen = device('bo')
  const bo = {
    ...screen,
    comes: () => hub.attach(screen.connection),
    /** Comes as a member who stands there in the room. */
    async belongs(standing: Standing) {
      standings.set(room, standing)
      await hub.attach(screen.connection)
    },
    totals: () => ({ ...hub.user(app, 'bo')!.totals }),
  }
  return { clock, mail, log, standings, sources, hub, bo }
}

function event(seq: number): Publication {
  return { app, cid: room, seq, at: seq }
}

function posted(seq: number): Publication {
  return {
    ...event(seq),
    watchers: words(`message ${seq}`),
    others: { except: 'ada', body: words(`notice of ${seq}`) },
    totals: 'members',
    effects: [{ do: 'count', ordinal: seq, author: 'ada', postedAt: seq }],
  }
}

function words(text: string): string {
  return JSON.stringify({ text })
}

/** A bus whose mail the story delivers by hand. */
class Mail implements Bus {
  #subscriptions = new Map<string, (text: string) => void>()

  publish() {}

  subscribe(subject: string, receive: (text: string) => void) {
    this.#subscriptions.set(subject, receive)
    return () => void this.#subscriptions.delete(subject)
  }

  async request(): Promise<string> {
    throw new Error('nobody is there')
  }

  serve() {}
  async settled() {}
  onReturn() {}
  async close() {}

  /** An event arrives on the channel's subject. */
  deliver(publication: Publication) {
    this.#bring(`app.${app}.channel.${Buffer.from(room).toString('base64url')}`, { publication })
  }

  /** What concerns one user arrives on that user's subject. */
  deliverTo(userId: string, publication: Publication) {
    this.#bring(`app.${app}.user.${Buffer.from(userId).toString('base64url')}`, { publication, userId })
  }

  async settles() {
    await new Promise((resolve) => setImmediate(resolve))
  }

  #bring(subject: string, mail: object) {
    this.#subscriptions.get(subject)?.(JSON.stringify({ from: 'there', ...mail }))
  }
}

/** The event log, which answers at once unless it is slow. */
class Log {
  readonly events: Publication[] = []
  #wait: Promise<void> | undefined
  #answer = () => {}

  push(...events: Publication[]) {
    this.events.push(...events.map(({ effects: _, ...event }) => event))
  }

  isSlow() {
    this.#wait = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  answers() {
    this.#answer()
  }

  async read(seq: number): Promise<Publication[]> {
    const found = this.events.filter((event) => event.seq > seq)
    await this.#wait
    return found
  }

  async wasRead() {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Where everybody stands, as the database says. */
class Standings extends Map<string, Standing> {
  #readings = 0
  #during = new Map<number, () => void>()

  duringReading(count: number, happens: () => void) {
    this.#during.set(count, happens)
  }

  read(): Map<string, Standing> {
    const read = new Map([...this].map(([cid, standing]) => [cid, { ...standing }]))
    this.#readings += 1
    this.#during.get(this.#readings)?.()
    return read
  }
}

/** A connection that keeps what it is told, as `<text>` or `<text>, <n> unread`. */
function device(userId: string) {
  const frames: string[] = []
  const connection = {
    id: Math.random().toString(36),
    app,
    userId,
    anonymous: false,
    watching: new Set<string>(),
    following: new Set<string>(),
    send(frame: Buffer) {
      const { text, total_unread_count } = JSON.parse(frame.subarray(frame.indexOf('{')).toString())
      frames.push(total_unread_count === undefined ? text : `${text}, ${total_unread_count} unread`)
    },
  }
  return { connection: connection as unknown as Connection, told: () => [...frames] }
}
