import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Bytes that may wait for one slow reader; past it the socket is dropped and the client catches up by `/sync`. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024

/** The prefix of anonymous user ids, and of no others: each of their connections has its own id. */
export const NAMELESS = '!anon'

export function hasName(userId: string): boolean {
  return !userId.startsWith(NAMELESS)
}

/** How frames leave: over a socket, or in the answers to polls. */
export interface Wire {
  /** Whether its client comes by itself for what there is, each time with a token. */
  readonly isPolled: boolean
  /** Bytes that wait for a slow reader. */
  readonly waitingBytes: number
  readonly isOver: boolean
  write(frames: readonly Buffer[]): void
  close(code: number, reason?: string): void
  /** Ends it without a word. */
  terminate(): void
}

export class SocketWire implements Wire {
  readonly isPolled = false
  #socket: Duplex
  #webSocket: WebSocket
  constructor(socket: Duplex, webSocket: WebSocket) {
    this.#socket = socket
    this.#webSocket = webSocket
  }

  get waitingBytes() {
    return this.#socket.writableLength
  }

  /**
   * Also true once its close was requested: nothing may follow the close frame, and a client that does not answer it
   * receives nothing more.
   */
  get isOver() {
    return this.#socket.destroyed || this.#webSocket.readyState !== this.#webSocket.OPEN
  }

  write(frames: readonly Buffer[]) {
    this.#socket.write(frames.length === 1 ? frames[0] : Buffer.concat(frames))
  }

  close(code: number, reason?: string) {
    this.#webSocket.close(code, reason)
  }

  terminate() {
    this.#webSocket.terminate()
  }
}

/** One live connection of one user, with what it watches. */
export class Connection {
  readonly id: string
  readonly app: string
  readonly userId: string
  /** Anonymous connections are no members, no watchers to others, and raise no presence. */
  readonly anonymous: boolean
  readonly watching = new Set<string>()
  /** Users whose presence this connection asked for. */
  readonly following = new Set<string>()
  /** When the client last sent something, as `Clock.elapsed` counts. */
  lastReceivedAt: number
  /** When something was last sent, as `Clock.elapsed` counts. */
  lastSentAt: number
  /** When the token runs out, in milliseconds; undefined for one that does not. */
  tokenExpiresAt: number | undefined
  readonly wire: Wire
  #waiting: Buffer[] = []
  #welcomed = false
  #outbox: Outbox

  constructor(
    options: { id: string; app: string; userId: string; anonymous: boolean; now: number; tokenExpiresAt?: number },
    wire: Wire,
    outbox: Outbox,
  ) {
    this.id = options.id
    this.app = options.app
    this.userId = options.userId
    this.anonymous = options.anonymous
    this.lastReceivedAt = options.now
    this.lastSentAt = options.now
    this.tokenExpiresAt = options.tokenExpiresAt
    this.wire = wire
    this.#outbox = outbox
  }

  /** Queues a ready frame; all frames of one turn of the event loop leave in one write. */
  send(frame: Buffer) {
    if (this.#waiting.push(frame) === 1 && this.#welcomed) this.#outbox.add(this)
  }

  /** Begins to speak, with this; what happened while it was being made comes after it. */
  begin(frame?: Buffer) {
    if (frame) this.#waiting.unshift(frame)
    this.#welcomed = true
    if (this.#waiting.length > 0) this.#outbox.add(this)
  }

  flush() {
    const frames = this.#waiting
    this.#waiting = []
    if (this.wire.isOver) return
    if (this.wire.waitingBytes > WAITING_BYTES_MAX) {
      this.#outbox.dropped += 1
      this.wire.terminate()
      return
    }
    this.wire.write(frames)
  }

  /** Closes after the queued events. Any code but 1000 makes the client reconnect [CON-21]. */
  close(code: number, reason?: string) {
    if (this.#waiting.length > 0) this.flush()
    this.wire.close(code, reason)
  }

  terminate() {
    this.wire.terminate()
  }
}

/** The connections with something to send; they are flushed together once per turn of the event loop. */
export class Outbox {
  /** Slow readers that were dropped so far. */
  dropped = 0
  #waiting: Connection[] = []

  add(connection: Connection) {
    if (this.#waiting.push(connection) === 1) setImmediate(() => this.#flush())
  }

  #flush() {
    const connections = this.#waiting
    this.#waiting = []
    for (const connection of connections) connection.flush()
  }
}
