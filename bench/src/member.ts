import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { API_KEY, tokenOf } from './app.ts'
import { CLOSE, clientFrame, isNewMessage, PING, PONG, stampIn, TEXT, takeFrames } from './frames.ts'

const CONNECT_WAIT_MS = 30_000
const HEALTH_CHECK_MS = 20_000
const healthCheck = clientFrame(TEXT, Buffer.from('[{"type":"health.check"}]'))

/** One buffer for all members: each read is consumed before the next one. */
const shared = Buffer.allocUnsafe(256 * 1024)

/** The counters of all members together; one object, so that counting costs nothing. */
export interface Tally {
  deliveries: number
  bytes: number
  /** From send to receive in milliseconds, one for each delivery, while they are recorded. */
  latenciesMs: number[] | undefined
  /** Called after each read with deliveries. */
  onDeliveries: (() => void) | undefined
  /** Why connections ended unexpectedly. */
  dropped: string[]
}

export function newTally(): Tally {
  return { deliveries: 0, bytes: 0, latenciesMs: undefined, onDeliveries: undefined, dropped: [] }
}

/** A user's client: a socket that counts the messages it receives. */
export class Member {
  readonly userId: string
  connectionId = ''
  /** `message.new` events so far. */
  received = 0
  #tally: Tally
  #socket: Socket
  /** A partial frame, or a part of the first response. */
  #rest: Buffer | undefined
  #at: 'upgrading' | 'greeting' | 'listening' | 'closed' = 'upgrading'
  #settle: { welcome(): void; refuse(error: Error): void }
  /** The bytes being parsed. */
  #bytes: Buffer = shared
  #health: NodeJS.Timeout | undefined
  #take = (opcode: number, start: number, end: number) => this.#frame(opcode, start, end)

  /** Resolves when the server has accepted the connection. */
  static open(port: number, userId: string, tally: Tally): Promise<Member> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error(`${userId} heard nothing for 30 s`)), CONNECT_WAIT_MS)
      const member = new Member(port, userId, tally, {
        welcome() {
          clearTimeout(timeout)
          resolve(member)
        },
        refuse(error) {
          clearTimeout(timeout)
          reject(error)
        },
      })
    })
  }

  private constructor(
    port: number,
    userId: string,
    tally: Tally,
    settle: { welcome(): void; refuse(error: Error): void },
  ) {
    this.userId = userId
    this.#tally = tally
    this.#settle = settle
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (count) => {
          this.#read(shared.subarray(0, count))
          return true
        },
      },
    })
    this.#socket.on('connect', () => this.#socket.write(upgradeRequest(userId)))
    this.#socket.on('error', (error) => this.#lost(error.message))
    this.#socket.on('close', () => this.#lost('closed'))
  }

  close() {
    this.#at = 'closed'
    clearInterval(this.#health)
    this.#socket.destroy()
  }

  #read(fresh: Buffer) {
    this.#tally.bytes += fresh.length
    const before = this.#tally.deliveries
    let bytes = this.#rest ? Buffer.concat([this.#rest, fresh]) : fresh
    if (this.#at === 'upgrading') {
      const end = bytes.indexOf('\r\n\r\n', 0, 'latin1')
      if (end >= 0 && bytes.toString('latin1', 9, 12) !== '101') return this.#lost(bytes.toString('latin1', 0, end))
      if (end >= 0) this.#at = 'greeting'
      bytes = end >= 0 ? bytes.subarray(end + 4) : bytes
    }
    this.#bytes = bytes
    const taken = this.#at === 'upgrading' ? 0 : takeFrames(bytes, this.#take)
    this.#rest = taken < bytes.length ? Buffer.from(bytes.subarray(taken)) : undefined
    if (this.#tally.deliveries > before) this.#tally.onDeliveries?.()
  }

  #frame(opcode: number, start: number, end: number) {
    const bytes = this.#bytes
    if (opcode === PING) this.#socket.write(clientFrame(PONG, bytes.subarray(start, end)))
    else if (opcode === CLOSE) this.#lost(`closed by the server: ${bytes.toString('utf8', start + 2, end)}`)
    else if (this.#at === 'greeting') this.#greeted(bytes.toString('utf8', start, end))
    else if (isNewMessage(bytes, start, end)) {
      this.received += 1
      this.#tally.deliveries += 1
      const latencies = this.#tally.latenciesMs
      const stamp = latencies && stampIn(bytes, start, end)
      if (stamp !== undefined) latencies!.push(performance.now() - stamp / 1000)
    }
  }

  #greeted(text: string) {
    const { connection_id, error } = JSON.parse(text) as { connection_id?: string; error?: { message: string } }
    if (connection_id === undefined) return this.#lost(error?.message ?? text)
    this.connectionId = connection_id
    this.#at = 'listening'
    this.#health = setInterval(() => this.#socket.write(healthCheck), HEALTH_CHECK_MS)
    this.#settle.welcome()
  }

  #lost(why: string) {
    if (this.#at === 'closed') return
    if (this.#at === 'listening') this.#tally.dropped.push(`${this.userId}: ${why}`)
    this.close()
    this.#settle.refuse(new Error(`${this.userId} could not connect: ${why}`))
  }
}

function upgradeRequest(userId: string) {
  const query = new URLSearchParams({
    json: JSON.stringify({ user_id: userId, user_details: { id: userId }, server_determines_connection_id: true }),
    api_key: API_KEY,
    authorization: tokenOf(userId),
    'stream-auth-type': 'jwt',
  })
  return [
    `GET /connect?${query} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')
}
