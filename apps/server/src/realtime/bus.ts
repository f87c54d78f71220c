import { connect, type NatsConnection } from '@nats-io/transport-node'

/**
 * Carries publications between the nodes of a cluster. It only speeds delivery: what is acknowledged is
 * in the database, and a node that missed something repairs itself from the event log.
 */
export interface Bus {
  publish(subject: string, text: string): void
  /** The returned function ends the subscription. */
  subscribe(subject: string, receive: (text: string) => void): () => void
  /**
   * Asks whoever serves the subject.
   * @throws Error — nobody does, or nobody answered in time
   */
  request(subject: string, text: string, timeoutMs: number): Promise<string>
  /** Answers what is asked on a subject. */
  serve(subject: string, answer: (text: string) => Promise<string>): void
  /** Resolves when the subscriptions made so far are in force. */
  settled(): Promise<void>
  /** Told when the bus is back after a break: what was said meanwhile is lost. */
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
  })
  return new NatsBus(connection, failed)
}

class NatsBus implements Bus {
  #connection: NatsConnection
  #failed: (error: unknown) => void
  constructor(connection: NatsConnection, failed: (error: unknown) => void) {
    this.#connection = connection
    this.#failed = failed
  }

  publish(subject: string, text: string) {
    this.#connection.publish(subject, text)
  }

  subscribe(subject: string, receive: (text: string) => void) {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return
        try {
          receive(message.string())
        } catch (failure) {
          // Thrown on, it would end the reading of everything that comes after it.
          this.#failed(failure)
        }
      },
    })
    return () => subscription.unsubscribe()
  }

  async request(subject: string, text: string, timeoutMs: number) {
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
    await this.#connection.flush()
  }

  onReturn(returned: () => void) {
    const follow = async () => {
      for await (const status of this.#connection.status()) if (status.type === 'reconnect') returned()
    }
    void follow()
  }

  close() {
    return this.#connection.drain()
  }
}

/** A name as one token of a subject: base64url, since ids may hold what subjects may not. */
export function subjectToken(text: string): string {
  return Buffer.from(text).toString('base64url')
}
