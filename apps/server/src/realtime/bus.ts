import { randomUUID } from 'node:crypto'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { ChatError } from '../chat-error.ts'
import { inTime, systemClock } from '../clock.ts'
import { Joining, partsOf } from './parts.ts'

/** A bus that says nothing for two of these is taken for away. */
const PING_MS = 5_000
/** So long it is waited for. */
const PATIENCE_MS = 1_000

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
   * Asks whoever serves the subject.
   * @throws ChatError RequestTimeoutError (23) — the bus is away
   * @throws Error — nobody does, or nobody answered in time
   */
  request(subject: string, text: string, timeoutMs: number): Promise<string>
  /** Answers what is asked on a subject. */
  serve(subject: string, answer: (text: string) => Promise<string>): void
  /** Resolves when the subscriptions made so far are in force, or when the bus is away: it is told of on its return. */
  settled(): Promise<void>
  /** Told when the bus is back after a break: what was said meanwhile, here and elsewhere, is lost. */
  onReturn(returned: () => void): void
  close(): Promise<void>
}

/**
 * @param url `nats://host:port`, several divided by commas
 * @param failed told of what went wrong while something was taken in
 */
export async function connectNats(url: string, failed: (error: unknown) => void): Promise<Bus> {
  const connection = await connect({
    servers: url.split(','),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    noEcho: true,
    pingInterval: PING_MS,
    maxPingOut: 2,
  })
  return new NatsBus(connection, failed)
}

class NatsBus implements Bus {
  readonly #name = randomUUID()
  #connection: NatsConnection
  #failed: (error: unknown) => void
  #isAway = false
  #returned: (() => void)[] = []
  constructor(connection: NatsConnection, failed: (error: unknown) => void) {
    this.#connection = connection
    this.#failed = failed
    void this.#follow()
  }

  publish(subject: string, text: string) {
    // Kept until the bus is back it would fill the memory; whoever misses it catches up.
    if (this.#isAway) return
    for (const part of partsOf(text, this.#name)) this.#connection.publish(subject, part)
  }

  subscribe(subject: string, receive: (text: string) => void) {
    const joining = new Joining()
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return
        try {
          const text = joining.add(message.data)
          if (text !== undefined) receive(text)
        } catch (failure) {
          // Thrown on, it would end the reading of everything that comes after it.
          this.#failed(failure)
        }
      },
    })
    return () => subscription.unsubscribe()
  }

  async request(subject: string, text: string, timeoutMs: number) {
    if (this.#isAway) throw new ChatError('RequestTimeoutError', 'the other nodes are out of reach just now')
    return (await this.#connection.request(subject, text, { timeout: timeoutMs })).string()
  }

  serve(subject: string, answer: (text: string) => Promise<string>) {
    this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return
        const respond = async () => message.respond(await answer(message.string()))
        // Who asked will not wait for ever.
        respond().catch(() => {})
      },
    })
  }

  async settled() {
    await this.#answers()
  }

  onReturn(returned: () => void) {
    this.#returned.push(returned)
  }

  async close() {
    // Nobody hears what is still to be said to a bus that does not answer.
    if (await this.#answers()) await this.#connection.drain()
    else await this.#connection.close()
  }

  /** Whether the bus has taken in all that was said so far; false when it is away, or does not say in time. */
  async #answers(): Promise<boolean> {
    if (this.#isAway) return false
    const answered = this.#connection.flush().then(
      () => true,
      () => false,
    )
    const outcome = await inTime(systemClock, PATIENCE_MS, answered)
    return 'now' in outcome && outcome.now
  }

  async #follow() {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#isAway = true
      if (type !== 'reconnect') continue
      this.#isAway = false
      for (const returned of this.#returned) returned()
    }
  }
}

/** A name as one token of a subject: base64url, since ids may hold what subjects may not. */
export function subjectToken(text: string): string {
  return Buffer.from(text).toString('base64url')
}
