import { randomUUID } from 'node:crypto'
import { connect, type Msg, type MsgCallback, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { SettingError } from '../../../../process/settings.ts'
import { ChatError } from '../chat-error.ts'
import { inTime, systemClock } from '../clock.ts'
import { type BusSettings, certificateWanted, connectionOptions, refusalOf } from './bus-settings.ts'
import { Joining, partsOf } from './parts.ts'

/** A bus that answers none of two pings counts as away. */
const PING_MS = 5_000
/** So long it is waited for. */
const PATIENCE_MS = 1_000
/** A server that does not greet us within this time is taken for away. */
const CONNECT_MS = 5_000
/** Between two tries to get a lost connection back, and to get the first one. */
const RETRY_MS = 250
const FIRST_RETRY_MS = 1_000

/**
 * Carries publications between the nodes of a cluster. It only speeds delivery: what is acknowledged is
 * in the database, and a node that missed something repairs itself from the event log.
 */
export interface Bus {
  /** @param text  JSON, of any length */
  publish(subject: string, text: string): void
  /** The returned function ends the subscription. */
  subscribe(subject: string, receive: (text: string) => void): () => void
  /**
   * Sends a request to a server of the subject.
   * @throws ChatError RequestTimeoutError (23) — the bus is away
   * @throws Error — no node serves it, or none answered in time
   */
  request(subject: string, text: string, timeoutMs: number): Promise<string>
  /** Answers what is asked on a subject. */
  serve(subject: string, answer: (text: string) => Promise<string>): void
  /** Resolves when the subscriptions made so far are in force, or when the bus is away: they are sent on its return. */
  settled(): Promise<void>
  /** Calls back when the bus is back after a break: messages sent meanwhile, here and elsewhere, are lost. */
  onReturn(returned: () => void): void
  close(): Promise<void>
}

/** What the bus reports to the log, once for each occurrence. */
export interface BusReports {
  /** What went wrong while a message was received. */
  failed(error: unknown): void
  /** The connection is gone, or never was there; it is tried again until it is back. */
  away(why: string): void
  back(): void
}

/**
 * Connects to NATS. A bus that is merely away is waited for in the background.
 *
 * @throws SettingError with one line that names the wrong setting: the bus refuses us, or cannot be trusted
 */
export async function connectNats(settings: BusSettings, reports: BusReports): Promise<Bus> {
  const bus = new NatsBus(settings, reports)
  await bus.open()
  return bus
}

interface Subscribed {
  subject: string
  callback: MsgCallback<Msg>
  subscription: Subscription | undefined
}

class NatsBus implements Bus {
  readonly #name = randomUUID()
  #settings: BusSettings
  #reports: BusReports
  /** Undefined until the bus was there for the first time. */
  #connection: NatsConnection | undefined
  #subscribed = new Set<Subscribed>()
  #isAway = false
  /** What was reported last. */
  #why = ''
  #isClosed = false
  #returned: (() => void)[] = []
  constructor(settings: BusSettings, reports: BusReports) {
    this.#settings = settings
    this.#reports = reports
  }

  async open() {
    try {
      this.#opened(await this.#connect())
    } catch (error) {
      const refusal = refusalOf(error, this.#settings) ?? (await certificateWanted(this.#settings))
      if (refusal !== undefined) throw new SettingError(refusal, { cause: error })
      this.#goesAway((error as Error).message)
      this.#openLater()
    }
  }

  publish(subject: string, text: string) {
    // Messages queued until the bus is back would fill the memory; nodes that miss them resync.
    if (this.#isAway || !this.#connection) return
    for (const part of partsOf(text, this.#name)) this.#connection.publish(subject, part)
  }

  subscribe(subject: string, receive: (text: string) => void) {
    const joining = new Joining()
    return this.#subscribe(subject, (error, message) => {
      if (error) return
      try {
        const text = joining.add(message.data)
        if (text !== undefined) receive(text)
      } catch (failure) {
        // Thrown on, it would end the reading of everything that comes after it.
        this.#reports.failed(failure)
      }
    })
  }

  async request(subject: string, text: string, timeoutMs: number) {
    if (this.#isAway || !this.#connection)
      throw new ChatError('RequestTimeoutError', 'the other nodes are out of reach just now')
    return (await this.#connection.request(subject, text, { timeout: timeoutMs })).string()
  }

  serve(subject: string, answer: (text: string) => Promise<string>) {
    this.#subscribe(subject, (error, message) => {
      if (error) return
      const respond = async () => message.respond(await answer(message.string()))
      // The requester stops waiting at its timeout.
      respond().catch(() => {})
    })
  }

  async settled() {
    await this.#answers()
  }

  onReturn(returned: () => void) {
    this.#returned.push(returned)
  }

  async close() {
    this.#isClosed = true
    // An unreachable bus takes no more messages.
    if (await this.#answers()) await this.#connection?.drain()
    else await this.#connection?.close()
  }

  #subscribe(subject: string, callback: MsgCallback<Msg>): () => void {
    const subscribed = { subject, callback, subscription: this.#connection?.subscribe(subject, { callback }) }
    this.#subscribed.add(subscribed)
    return () => {
      this.#subscribed.delete(subscribed)
      subscribed.subscription?.unsubscribe()
    }
  }

  /** Whether the bus has received all that was sent so far; false when it is away, or does not answer in time. */
  async #answers(): Promise<boolean> {
    if (this.#isAway || !this.#connection) return false
    const answered = this.#connection.flush().then(
      () => true,
      () => false,
    )
    const outcome = await inTime(systemClock, PATIENCE_MS, answered)
    return 'now' in outcome && outcome.now
  }

  #connect(): Promise<NatsConnection> {
    return connect({
      ...connectionOptions(this.#settings),
      maxReconnectAttempts: -1,
      reconnectTimeWait: RETRY_MS,
      waitOnFirstConnect: false,
      // A login that is refused may be in force a moment later, when all servers of the bus know it.
      ignoreAuthErrorAbort: true,
      // Those that refuse us name each other, and we would go round among them for ever without a word.
      ignoreClusterUpdates: true,
      noEcho: true,
      pingInterval: PING_MS,
      maxPingOut: 2,
      timeout: CONNECT_MS,
    })
  }

  #openLater() {
    systemClock.after(FIRST_RETRY_MS, async () => {
      if (this.#isClosed) return
      try {
        const connection = await this.#connect()
        if (this.#isClosed) return void connection.close()
        this.#opened(connection)
        this.#comesBack()
      } catch (error) {
        const refusal = refusalOf(error, this.#settings)
        if (refusal !== undefined) this.#goesAway(refusal)
        this.#openLater()
      }
    })
  }

  #opened(connection: NatsConnection) {
    this.#connection = connection
    for (const subscribed of this.#subscribed) {
      const { subject, callback } = subscribed
      subscribed.subscription = connection.subscribe(subject, { callback })
    }
    void this.#follow(connection)
  }

  async #follow(connection: NatsConnection) {
    for await (const status of connection.status()) {
      // Each try that fails is one, too.
      if (status.type === 'disconnect' && !this.#isAway) this.#goesAway('the connection is lost')
      if (status.type === 'error') {
        const refusal = refusalOf(status.error, this.#settings)
        if (refusal !== undefined) this.#goesAway(refusal)
      }
      if (status.type === 'reconnect') this.#comesBack()
    }
  }

  #goesAway(why: string) {
    if (this.#isClosed) return
    this.#isAway = true
    if (this.#why === why) return
    this.#why = why
    this.#reports.away(why)
  }

  #comesBack() {
    this.#isAway = false
    this.#why = ''
    this.#reports.back()
    for (const returned of this.#returned) returned()
  }
}

/** A name as one token of a subject: base64url, since ids may hold what subjects may not. */
export function subjectToken(text: string): string {
  return Buffer.from(text).toString('base64url')
}
