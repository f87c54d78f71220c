import { answeredError, ChatError, clientError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { parsed } from '../http.ts'
import { CLOSE_WAIT_MS, NORMAL_CLOSE, SILENT_CLOSE } from '../limits.ts'
import { Cell } from '../live.ts'
import { OnDemand } from '../on-demand.ts'
import { spread } from './backoff.ts'
import { type Alarm, type Connection, type Effect, givenUp, type Signal, step } from './connection.ts'
import type { LongPollContext, LongPollSocket } from './long-poll-socket.ts'

const longPolling = new OnDemand(() => import('./long-poll-socket.ts'))

/** The part of `WebSocket` that is used, so that a test can replace it. */
export interface Socket {
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: unknown) => void) | null
  send(frame: string): void
  close(code?: number): void
}
export type SocketConstructor = new (url: string) => Socket

/** What the runner needs from the client. */
export interface RunnerContext {
  readonly clock: Clock
  random(): number
  /** Read when the first socket is opened, so that a program without one can still call the API. */
  readonly Socket: SocketConstructor
  /** The URL of a new socket, with the token in it [CON-1]. */
  url(token: string): string
  /** Whether long polling may replace a socket that fails [LPL-9]. */
  readonly fallback: boolean
  readonly longPoll: Pick<LongPollContext, 'call' | 'payload'>
  /** Sent with every ping [CON-2]. */
  clientID(): string
  /** Loads a token; a different one than `refused`, if that is given. */
  token(refused?: string): Promise<string>
  isRenewable(): boolean
  /** Called with every frame that is an event. */
  heard(event: { type: string } & Record<string, unknown>): void
  tell(online: boolean): void
  recover(): void
  log(level: 'info' | 'warn' | 'error', message: string, details?: unknown): void
}

/** Runs the connection: owns the socket, the alarms and the browser's listeners, and calls `step`. */
export class ConnectionRunner {
  /** The state of the connection; the same value until that changes. */
  readonly state: Cell<Connection>
  #context: RunnerContext
  #alarms = new Map<Alarm, () => void>()
  #socket: Socket | undefined
  /** The socket while long polling replaces it. */
  #poll: LongPollSocket | undefined
  #leaveRival: (() => void) | undefined
  #isConfirmed = false
  #token = ''
  #load = 0
  #lastReceived = 0
  #opening: { resolve: () => void; reject: (error: unknown) => void } | undefined
  #closing: Promise<void> = Promise.resolve()
  #unlisten: (() => void) | undefined
  constructor(context: RunnerContext) {
    this.#context = context
    this.state = new Cell<Connection>({ at: 'idle' }, (error) => context.log('error', 'A listener failed.', error))
  }

  /**
   * Resolves once the server has confirmed the connection.
   * @throws ChatError CLIENT_CONNECT_TWICE · the error of the server · CLIENT_CONNECTION_FAILED after 15 s
   */
  async connect(): Promise<void> {
    const { at } = this.state.snapshot()
    if (at !== 'idle' && at !== 'closed') {
      const message = "You've called connect twice, can only attempt 1 connection at the time"
      throw clientError('CLIENT_CONNECT_TWICE', message)
    }
    const opening = new Promise<void>((resolve, reject) => {
      this.#opening = { resolve, reject }
    })
    this.#listen()
    // The network may be bad when it is needed.
    if (this.#context.fallback) longPolling.fetch().catch((error) => this.#longPollMissing(error))
    this.signal({ type: 'connect' })
    return opening
  }

  /** The normal end. Resolves when the socket is closed, at the latest after a second. */
  disconnect(): Promise<void> {
    this.signal({ type: 'disconnect' })
    return this.#closing
  }

  /**
   * Resolves with the next healthy connection; at once when there is one. @throws ChatError with which the connection
   * ended
   */
  async connected(): Promise<void> {
    const now = this.state.snapshot()
    if (now.at === 'connected') return
    if (now.at === 'idle' || now.at === 'closed') throw ('error' in now && now.error) || wasClosed()
    await new Promise<void>((resolve, reject) => {
      const unsubscribe = this.state.subscribe(() => {
        const now = this.state.snapshot()
        if (now.at !== 'connected' && now.at !== 'closed') return
        unsubscribe()
        if (now.at === 'connected') resolve()
        else reject(now.error ?? wasClosed())
      })
    })
  }

  signal(signal: Signal) {
    const before = this.state.snapshot()
    const [next, ...effects] = step(before, signal, this.#context)
    // First the effects, then the listeners, so that a listener sees a working connection.
    for (const effect of effects) if (!isNews(effect)) this.#do(effect)
    this.state.set(next)
    for (const effect of effects) if (isNews(effect)) this.#do(effect)
    if (next.at === 'closed' && before.at !== 'closed') this.#ended(next.error)
  }

  #do(effect: Effect) {
    switch (effect.do) {
      case 'load':
        return this.#loadToken(effect.fresh)
      case 'open':
        return effect.over ? this.#openLongPoll() : this.#open()
      case 'try socket':
        return this.#trySocket()
      case 'pause':
        return this.#poll?.pause()
      case 'resume':
        return this.#poll?.resume()
      case 'ping':
        return this.#socket?.send(JSON.stringify([{ type: 'health.check', client_id: this.#context.clientID() }]))
      case 'drop':
        return this.#drop(SILENT_CLOSE)
      case 'close':
        this.#closing = this.#close()
        return
      case 'alarm': {
        const { alarm, ms, upToMs = ms } = effect
        this.#alarms.get(alarm)?.()
        const ring = () => this.signal({ type: 'rung', alarm })
        this.#alarms.set(alarm, this.#context.clock.after(spread({ ms, upToMs }, this.#context.random), ring))
        return
      }
      case 'calm':
        this.#alarms.get(effect.alarm)?.()
        this.#alarms.delete(effect.alarm)
        return
      case 'tell':
        return this.#context.tell(effect.online)
      case 'recover':
        return this.#context.recover()
    }
  }

  #loadToken(fresh: boolean) {
    const load = ++this.#load
    // A token that arrives late may be of a user who signed out.
    const isCurrent = () => load === this.#load && this.state.snapshot().at === 'authorizing'
    this.#context.token(fresh ? this.#token : undefined).then(
      (token) => {
        if (!isCurrent()) return
        this.#token = token
        this.signal({ type: 'authorized' })
      },
      (cause) => {
        if (!isCurrent()) return
        const error = cause instanceof ChatError ? cause : new ChatError(String(cause), { cause })
        this.#context.log('warn', 'The token could not be loaded.', error)
        this.signal({ type: 'unauthorized', error })
      },
    )
  }

  #open() {
    this.#drop(SILENT_CLOSE)
    let socket: Socket
    try {
      socket = new this.#context.Socket(this.#context.url(this.#token))
    } catch (cause) {
      const error = givenUp(cause)
      this.#context.log('error', error.message, error)
      // Without `WebSocket`, or with an invalid URL, retries would fail, too.
      const isHopeless = this.#opening && !this.#context.fallback
      // After the state is set: a signal inside an effect would be overwritten by it.
      queueMicrotask(() => this.signal(isHopeless ? { type: 'refused', error, renewable: false } : { type: 'lost' }))
      return
    }
    this.#listenTo(socket)
  }

  #listenTo(socket: Socket) {
    this.#socket = socket
    this.#isConfirmed = false
    // Frames of an older socket are ignored.
    const isCurrent = () => this.#socket === socket
    socket.onmessage = ({ data }) => isCurrent() && this.#frame(data)
    socket.onclose = ({ code, reason }) => {
      if (!isCurrent()) return
      this.#context.log('info', 'The socket was closed.', { code, reason })
      this.#socket = undefined
      this.signal({ type: 'lost', closing: { code, reason } })
    }
    socket.onerror = () => {
      if (!isCurrent()) return
      this.#context.log('info', 'The socket failed.')
      this.#drop(SILENT_CLOSE)
      this.signal({ type: 'lost' })
    }
  }

  #openLongPoll() {
    this.#drop(SILENT_CLOSE)
    const load = this.#load
    const open = ({ LongPollSocket }: typeof import('./long-poll-socket.ts')) => {
      if (load !== this.#load) return
      const { clock, random, longPoll } = this.#context
      const recover = () => this.#context.recover()
      const forgotten = () => {
        this.#isConfirmed = false
        this.signal({ type: 'forgotten' })
      }
      this.#poll = new LongPollSocket({ clock, random, recover, forgotten, ...longPoll })
      this.#listenTo(this.#poll)
    }
    longPolling.use(open).catch((error) => {
      this.#longPollMissing(error)
      if (load === this.#load) this.signal({ type: 'lost' })
    })
  }

  #longPollMissing(error: unknown) {
    this.#context.log('warn', 'Long polling could not be fetched.', error)
  }

  /** Opens a socket beside the long poll; its first frame makes it the connection. */
  #trySocket() {
    const giveUp = new AbortController()
    this.#leaveRival = () => giveUp.abort()
    const taken = (socket: Socket, token: string, frame: unknown) => {
      this.#leaveRival = undefined
      this.#drop(SILENT_CLOSE)
      this.#token = token
      this.#listenTo(socket)
      this.#frame(frame)
    }
    void longPolling.use(({ tryAgain }) => tryAgain(this.#context, giveUp.signal, taken))
  }

  #frame(data: unknown) {
    const frame = typeof data === 'string' ? parsed(data) : data
    if (!isRecord(frame)) return this.#context.log('warn', 'A frame could not be read.', data)
    this.#lastReceived = this.#context.clock.now()
    if (isRecord(frame.error)) {
      const error = answeredError(frame.error, 0)
      this.#context.log('warn', 'The server refused the connection.', error)
      return this.signal({ type: 'refused', error, renewable: !this.#poll && this.#context.isRenewable() })
    }
    if (typeof frame.type !== 'string') return
    const event = frame as { type: string } & Record<string, unknown>
    if (this.#isConfirmed) {
      this.signal({ type: 'heard' })
      return this.#tell(event)
    }
    if (event.type !== 'health.check' || typeof event.connection_id !== 'string') return
    this.#isConfirmed = true
    // The own user first, so that callers that await the connection find it.
    this.#tell(event)
    this.signal({ type: 'opened', connectionId: event.connection_id })
    this.#opening?.resolve()
    this.#opening = undefined
  }

  /** An event with a wrong shape must not harm the ones after it. */
  #tell(event: { type: string } & Record<string, unknown>) {
    try {
      this.#context.heard(event)
    } catch (error) {
      this.#context.log('error', `${event.type} could not be taken.`, error)
    }
  }

  /** Discards the socket without waiting for its close. */
  #drop(code: number) {
    const socket = this.#leave()
    if (!socket) return
    silence(socket)
    end(socket, code)
  }

  #leave(): Socket | undefined {
    const socket = this.#socket
    this.#socket = undefined
    this.#poll = undefined
    this.#load++
    this.#leaveRival?.()
    this.#leaveRival = undefined
    return socket
  }

  async #close(): Promise<void> {
    const socket = this.#leave()
    if (!socket) return
    silence(socket)
    await new Promise<void>((resolve) => {
      const cancel = this.#context.clock.after(CLOSE_WAIT_MS, resolve)
      socket.onclose = () => {
        cancel()
        resolve()
      }
      end(socket, NORMAL_CLOSE)
    })
  }

  #ended(error: ChatError | undefined) {
    this.#unlisten?.()
    this.#unlisten = undefined
    this.#opening?.reject(error ?? wasClosed())
    this.#opening = undefined
  }

  /** The browser reports when the network is lost and restored, and when a sleeping page wakes up. */
  #listen() {
    if (this.#unlisten || typeof globalThis.addEventListener !== 'function') return
    const ears = new AbortController()
    const on = (place: EventTarget | undefined, type: string, heard: () => void) =>
      place?.addEventListener(type, heard, { signal: ears.signal })
    const woke = () => {
      if (globalThis.document?.visibilityState === 'hidden') return
      this.signal({ type: 'woke', silentMs: this.#context.clock.now() - this.#lastReceived })
    }
    on(globalThis, 'online', () => this.signal({ type: 'online' }))
    on(globalThis, 'offline', () => this.signal({ type: 'offline' }))
    on(globalThis, 'pageshow', woke)
    on(globalThis.document, 'visibilitychange', woke)
    this.#unlisten = () => ears.abort()
  }
}

/** The error for callers who wait for a connection that was closed, or never begun. */
export function wasClosed(): ChatError {
  return clientError('CLIENT_CONNECTION_CLOSED', 'Call connectUser or openConnection first')
}

function isNews(effect: Effect): boolean {
  return effect.do === 'tell' || effect.do === 'recover'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function silence(socket: Socket) {
  socket.onopen = null
  socket.onmessage = null
  socket.onclose = null
  // Some sockets throw an error at the program if it has no listener.
  socket.onerror = () => {}
}

function end(socket: Socket, code: number) {
  try {
    socket.close(code)
  } catch {
    // A socket that never opened may refuse a code.
  }
}
