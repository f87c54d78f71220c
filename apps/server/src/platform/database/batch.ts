import type { RequestInfo } from '@parley/protocol/hooks'
import { type Kysely, sql } from 'kysely'
import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { withFields } from '../json-fields.ts'
import type { Micros } from '../micros.ts'
import type { Publication } from '../realtime/publication.ts'
import type { Database } from './database.ts'
import type { ChannelRow, EventRow, MessageRow, ReadRow, Tables, UserRow } from './tables.ts'

/** Something that is done within a transaction. */
export interface Write<Result> {
  app: string
  cids: readonly string[]
  /** Set for a message that is only appended; it must not exist yet. */
  messageId: string | undefined
  run: (batch: Batch) => Result | Promise<Result>
  /** It goes along with others. */
  along: boolean
  /** Only this user receives it, and nothing is stored: see `GroupCommit.write`. */
  alone?: string | undefined
}

/** On whose behalf a batch writes. */
export interface Cause {
  /** The call that caused the event, for webhooks that include it. */
  cause: RequestInfo | undefined
  /** True if no webhook is called for it; push notifications may still be sent. */
  skipWebhooks: boolean
}

const channelColumns = [
  'seq',
  'counted',
  'event_at',
  'last_message_at',
  'activity_at',
  'member_count',
  'message_count',
  'hidden_by_some',
] as const satisfies (keyof ChannelRow)[]
const readColumns = ['last_read', 'last_read_message_id', 'ordinal', 'own_after'] as const satisfies (keyof ReadRow)[]

/** A user who can no longer connect. */
export interface EndedUser {
  app: string
  id: string
  /**
   * Event sent before the disconnect to the user's devices, their followers and the watchers of these channels, if any.
   */
  body?: string
  cids: readonly string[]
  /** Why their sockets end. */
  reason: string
}

/** An event for webhooks and queues. */
export interface Outgoing extends Cause {
  app: string
  body: string
}

/** Where events of an app go besides its connections. */
export interface OutboundQueue {
  /** Whether any webhook or queue subscribes. */
  hasSubscribers(app: string): boolean
  /** Keeps what goes out in the transaction in which it happened. */
  keep(batch: Batch): Promise<void>
}

/** An event that only one user receives; it has no sequence number and changes no unread count. */
function shownTo(user: string, publication: Publication): Publication[] {
  const { app, cid, at, watchers, only, except, personal = [] } = publication
  const own = personal.filter(({ users }) => users.includes(user)).map(({ body }) => ({ users: [user], body }))
  const isRecipient = watchers !== undefined && except !== user && (only === undefined || only.includes(user))
  return [
    ...(isRecipient ? [{ app, cid, seq: 0, at, watchers, only: [user] }] : []),
    ...(own.length > 0 ? [{ app, cid, seq: 0, at, personal: own }] : []),
  ]
}

/** Something that happened in a channel. */
export interface ChannelEvent extends Omit<Publication, 'app' | 'cid' | 'seq'> {
  /** Body for outbound subscribers only; false where another event covers them. */
  outbound?: object | false
}

/** Something a batch does once, however many of its writes want it. */
export type AtEnd<Item> = (batch: Batch, items: readonly Item[]) => Promise<void>

/** The transaction a write runs in: its channels, locked and fresh, and what it wants stored and published. */
export class Batch {
  readonly db: Kysely<Tables>
  readonly publications: Publication[] = []
  /** Apps whose rules changed. The writer reloads them on this node; other nodes are notified. */
  readonly changedApps = new Set<string>()
  /** Rows that caches must reload, as `<app>|<id>`. */
  readonly changedUsers = new Set<string>()
  /** When users were last active, by the same keys; other nodes reload them. */
  readonly seenUsers = new Map<string, Micros>()
  /** Updated users; users who know them receive `user.updated`. */
  readonly updatedUsers: UserRow[] = []
  /** Those of them whose visible presence changed: they became visible or invisible, or changed their status. */
  readonly veiledUsers = new Set<UserRow>()
  /** Those of them who may do more or less than before. */
  readonly rankedUsers = new Set<UserRow>()
  /** Users who are shut out: their sockets end, on every node. */
  readonly endedUsers: EndedUser[] = []
  readonly changedMembers = new Set<string>()
  readonly changedChannels = new Set<string>()
  /** Channels as they were before the change; their watchers receive their new capabilities, on every node. */
  readonly earlierChannels: ChannelRow[] = []
  /** Apps in which the banned addresses changed. */
  readonly changedAddresses = new Set<string>()
  /** Whether there is a new task to be taken up. */
  hasTasks = false
  /** Events of apps that have outbound subscribers. */
  readonly outgoing: Outgoing[] = []
  #outboundQueue: OutboundQueue | undefined
  #cause: RequestInfo | undefined
  #skipWebhooks = false
  #database: Database
  #clock: Clock
  #channels = new Map<string, ChannelRow>()
  #touched = new Set<ChannelRow>()
  #messages: MessageRow[] = []
  #reads = new Map<string, ReadRow>()
  #events: EventRow[] = []
  #later: (() => Promise<void>)[] = []
  #atEnd = new Map<AtEnd<never>, unknown[]>()
  constructor(db: Kysely<Tables>, database: Database, clock: Clock, outboundQueue: OutboundQueue | undefined) {
    this.#outboundQueue = outboundQueue
    this.db = db
    this.#database = database
    this.#clock = clock
  }

  get dialect() {
    return this.#database.dialect
  }

  /** The channel as it is now, this batch's earlier writes included; undefined when there is none. */
  channel(app: string, cid: string): ChannelRow | undefined {
    return this.#channels.get(`${app}|${cid}`)
  }

  /** A channel that this write just inserted. */
  created(channel: ChannelRow) {
    this.#channels.set(`${channel.app}|${channel.cid}`, channel)
  }

  /** The time of the next event in the channel: now, and later than every event before. */
  nextTime(channel: ChannelRow): Micros {
    this.#touched.add(channel)
    channel.event_at = Math.max(this.#clock.micros(), channel.event_at + 1)
    return channel.event_at
  }

  now(): Micros {
    return this.#clock.micros()
  }

  /** The channels in their state after the batch. */
  get channels(): Iterable<ChannelRow> {
    return this.#channels.values()
  }

  /** The channel's counters changed and are written with the batch. */
  touch(channel: ChannelRow) {
    this.#touched.add(channel)
  }

  addMessage(message: MessageRow) {
    this.#messages.push(message)
  }

  setRead(read: ReadRow) {
    this.#reads.set(`${read.app}|${read.cid}|${read.user_id}`, read)
  }

  /** Queries of a message that is only appended; they run when it is stored, after its event. */
  later(run: () => Promise<void>) {
    const origin = { cause: this.#cause, skipWebhooks: this.#skipWebhooks }
    this.#later.push(() => {
      this.#onBehalfOf(origin)
      return run()
    })
  }

  /**
   * Numbers a channel event, adds it to the log, and delivers it after the commit. Both sequence numbers and times
   * increase in the log, also where events are published in another order than they got their times. Events about a
   * message removed with the history are not published [CHN-38, CHN-56].
   */
  publish(channel: ChannelRow, type: string, { outbound, ...event }: ChannelEvent) {
    if (event.about !== undefined && event.about < (channel.truncated_at ?? 0)) return
    channel.seq += 1
    channel.event_at = Math.max(channel.event_at, event.at)
    this.#touched.add(channel)
    const { app, cid, seq } = channel
    this.publications.push({ app, cid, seq, ...event })
    const own = event.personal?.[0]
    const body = event.watchers ?? own?.body
    if (body === undefined) return
    if (outbound !== false) this.publishOutbound(app, () => withFields(body, outbound ?? {}))
    const only = event.watchers === undefined ? own?.users : event.only
    const user_id = only?.length === 1 ? only[0]! : null
    const users_json = only && only.length !== 1 ? JSON.stringify(only) : null
    const except_id = event.except ?? null
    this.#events.push({ app, cid, seq, at: channel.event_at, type, user_id, users_json, except_id, body })
  }

  /** Delivers what belongs to no channel. */
  publishToUsers(publication: Omit<Publication, 'cid' | 'seq' | 'at'>) {
    this.publications.push({ ...publication, cid: null, seq: 0, at: this.now() })
    for (const { body } of publication.personal ?? []) this.publishOutbound(publication.app, body)
  }

  /** Whether the app has outbound subscribers. */
  hasOutboundSubscribers(app: string): boolean {
    return this.#outboundQueue?.hasSubscribers(app) === true
  }

  /** Publishes an event that goes to no connection; the body is built only if there are outbound subscribers. */
  publishOutbound(app: string, body: string | (() => string)) {
    if (!this.hasOutboundSubscribers(app)) return
    const origin = { cause: this.#cause, skipWebhooks: this.#skipWebhooks }
    this.outgoing.push({ app, body: typeof body === 'string' ? body : body(), ...origin })
  }

  /** Leaves something to be done once for the whole batch, with what its writes asked for. */
  atEnd<Item>(work: AtEnd<Item>, item: Item) {
    const items = this.#atEnd.get(work) ?? []
    this.#atEnd.set(work, items)
    items.push(item)
  }

  /** Writes the counters now, for a query of this write that reads them. */
  async flushCounters() {
    const channels = [...this.#touched].filter((row) => this.channel(row.app, row.cid) === row)
    await this.dialect.updateRows(this.db, 'channels', ['app', 'cid'], channelColumns, channels)
  }

  /** Locks the channels of all writes in one order, so that two nodes never wait for each other in a ring. */
  async lock(jobs: readonly Write<unknown>[]) {
    const wanted = new Map<string, Set<string>>()
    for (const { app, cids } of jobs) {
      const known = wanted.get(app) ?? new Set()
      for (const cid of cids) known.add(cid)
      wanted.set(app, known)
    }
    for (const [app, cids] of wanted) {
      if (cids.size === 0) continue
      const { rows } = await sql<ChannelRow>`select * from channels where app = ${app}
        and cid ${this.dialect.among([...cids], 'text')} order by cid ${this.dialect.forUpdate}`.execute(this.db)
      for (const row of rows) this.#channels.set(`${app}|${row.cid}`, row)
    }
  }

  async takenMessageIds(jobs: readonly Write<unknown>[]): Promise<Set<string>> {
    const taken = new Set<string>()
    for (const app of new Set(jobs.map((job) => job.app))) {
      const ids = jobs.flatMap((job) => (job.app === app && job.messageId !== undefined ? [job.messageId] : []))
      if (ids.length === 0) continue
      const { rows } = await sql<{ id: string }>`select id from messages where app = ${app}
        and id ${this.dialect.among(ids, 'text')}`.execute(this.db)
      for (const { id } of rows) taken.add(`${app}|${id}`)
    }
    return taken
  }

  async run(write: Write<unknown> & Cause, taken: Set<string>): Promise<unknown> {
    this.#onBehalfOf(write)
    if (write.messageId !== undefined) {
      const key = `${write.app}|${write.messageId}`
      if (taken.has(key)) throw new ChatError('InputError', `a message with ID ${write.messageId} already exists`)
      const result = write.run(this)
      taken.add(key)
      return result
    }

    await this.flush()
    this.#onBehalfOf(write)
    const before = write.cids.flatMap((cid) => {
      const channel = this.channel(write.app, cid)
      return channel ? [{ channel, was: { ...channel } }] : []
    })
    const lists = this.#published.map((list) => ({ list, length: list.length }))
    const left = new Map([...this.#atEnd].map(([work, items]) => [work, items.length]))
    const published = this.publications.length
    const undo = async () => {
      await sql`rollback to savepoint one_write`.execute(this.db)
      for (const { list, length } of lists) list.length = length
      for (const [work, items] of this.#atEnd) items.length = left.get(work) ?? 0
      this.#messages = []
      this.#reads.clear()
      this.#later = []
      for (const { channel, was } of before) Object.assign(channel, was)
      for (const cid of write.cids)
        if (!before.some(({ channel }) => channel.cid === cid)) this.#channels.delete(`${write.app}|${cid}`)
    }
    await sql`savepoint one_write`.execute(this.db)
    try {
      const result = await write.run(this)
      await this.flush()
      const { alone } = write
      if (alone === undefined) await sql`release savepoint one_write`.execute(this.db)
      else {
        const shown = this.publications.slice(published).flatMap((publication) => shownTo(alone, publication))
        await undo()
        this.publications.push(...shown)
      }
      return result
    } catch (error) {
      await undo()
      throw error
    }
  }

  /** What the batch publishes after the commit, in order. */
  get #published(): unknown[][] {
    return [this.publications, this.#events, this.outgoing, this.updatedUsers, this.endedUsers, this.earlierChannels]
  }

  async finish() {
    await this.flush()
    this.#skipWebhooks = false
    for (const [work, items] of this.#atEnd) if (items.length > 0) await work(this, items as never)
    await this.dialect.insertRows(this.db, 'events', this.#events)
    await this.#outboundQueue?.keep(this)
    await this.flushCounters()
  }

  /** Writes what waits now, for a query of this write that reads it. */
  async flush() {
    await this.dialect.insertRows(this.db, 'messages', this.#messages)
    await this.dialect.indexWords(this.db, this.#messages)
    await this.dialect.updateRows(this.db, 'reads', ['app', 'cid', 'user_id'], readColumns, [...this.#reads.values()])
    this.#messages = []
    this.#reads.clear()
    for (const run of this.#later.splice(0)) await run()
  }

  /** Sets the cause of what follows, and whether outbound subscribers receive it. */
  #onBehalfOf({ cause, skipWebhooks }: Cause) {
    this.#cause = cause
    this.#skipWebhooks = skipWebhooks
  }
}
