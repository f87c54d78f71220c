import { CONNECT_WAIT_WITH_FALLBACK_MS } from '@parley/protocol/limits'
import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import {
  LONG_POLL_CONNECT_WAIT_MS,
  LONG_POLL_END_WAIT_MS,
  LONG_POLL_WAIT_MS,
  NORMAL_CLOSE,
  SILENT_CLOSE,
} from '../limits.ts'
import { spread } from './backoff.ts'
import { type LongPoll, type LongPollEffect, type LongPollSignal, longPollStep } from './long-poll.ts'
import type { RunnerContext, Socket } from './runner.ts'

/** The client functions that long polling uses. */
export interface LongPollContext {
  readonly clock: Clock
  random(): number
  /** `GET /longpoll`, with a fresh token when the previous one has expired [LPL-8]. */
  call(query: Record<string, unknown>, timeoutMs: number, signal?: AbortSignal): Promise<LongPollAnswer>
  /** The `json` payload with which a socket would be opened. */
  payload(): object
  /** Called when events may have been missed on a live connection. */
  recover(): void
  /** Called when the server has dropped the connection; another one is being made. */
  forgotten(): void
}

export interface LongPollAnswer {
  event?: { connection_id: string } & Record<string, unknown>
  events?: readonly Record<string, unknown>[]
}

/** Long polling with the interface of a socket: the same frames in the same order [LPL-12]. */
export class LongPollSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  onerror: Socket['onerror'] = null
  #context: LongPollContext
  #poll: LongPoll = { at: 'INIT' }
  #giveUp = new AbortController()
  #cancelWait = () => {}
  constructor(context: LongPollContext) {
    this.#context = context
    this.#signal({ type: 'connect' })
  }

  /** One of INIT, CONNECTING, CONNECTED, DISCONNECTED and CLOSED [LPL-1]. */
  get state(): LongPoll['at'] {
    return this.#poll.at
  }

  /** Sends nothing: the polls themselves keep the connection alive. */
  send() {}

  close() {
    const ends = this.#poll.at === 'CONNECTED'
    this.#signal({ type: 'disconnect' })
    if (!ends) queueMicrotask(() => this.onclose?.({ code: NORMAL_CLOSE, reason: '' }))
  }

  pause() {
    this.#signal({ type: 'pause' })
  }

  resume() {
    this.#signal({ type: 'resume' })
  }

  #signal(signal: LongPollSignal) {
    const [next, ...effects] = longPollStep(this.#poll, signal)
    this.#poll = next
    for (const effect of effects) this.#do(effect)
  }

  #do(effect: LongPollEffect) {
    switch (effect.do) {
      case 'connect':
        return void this.#call({ json: this.#context.payload() }, LONG_POLL_CONNECT_WAIT_MS, ({ event }) => {
          if (typeof event?.connection_id !== 'string')
            throw new ChatError('The long poll gave no connection', { code: 'ERR_BAD_RESPONSE' })
          this.#signal({ type: 'opened', connectionId: event.connection_id })
          this.onmessage?.({ data: event })
        })
      case 'poll':
        return void this.#call({ connection_id: effect.connectionId }, LONG_POLL_WAIT_MS, ({ events = [] }) => {
          for (const event of events) this.onmessage?.({ data: event })
          this.#signal({ type: 'answered' })
        })
      case 'wait': {
        const { clock, random } = this.#context
        this.#cancelWait = clock.after(spread(effect, random), () => this.#signal({ type: 'waited' }))
        return
      }
      case 'cancel':
        this.#cancelWait()
        this.#giveUp.abort()
        this.#giveUp = new AbortController()
        return
      case 'end': {
        const query = { connection_id: effect.connectionId, close: true }
        const ended = this.#context.call(query, LONG_POLL_END_WAIT_MS)
        // The result does not matter: the server drops such a connection by itself.
        return void ended.catch(() => {}).then(() => this.onclose?.({ code: NORMAL_CLOSE, reason: '' }))
      }
      case 'recover':
        return this.#context.recover()
      case 'forget':
        this.#context.forgotten()
        return this.#signal({ type: 'connect' })
      case 'report':
        if (typeof effect.error.code === 'number') this.onmessage?.({ data: { error: effect.error.response } })
        else this.onclose?.({ code: 1006, reason: effect.error.message })
    }
  }

  async #call(query: Record<string, unknown>, timeoutMs: number, take: (answer: LongPollAnswer) => void) {
    const { signal } = this.#giveUp
    try {
      const answer = await this.#context.call(query, timeoutMs, signal)
      if (!signal.aborted) take(answer)
    } catch (cause) {
      if (signal.aborted) return
      const error = cause instanceof ChatError ? cause : new ChatError('The long poll failed', { cause })
      this.#signal({ type: 'failed', error })
    }
  }
}

/** Opens a socket beside the long poll. If its first frame is in time, it is used; otherwise it is discarded. */
export async function tryAgain(
  context: RunnerContext,
  signal: AbortSignal,
  taken: (socket: Socket, token: string, frame: unknown) => void,
) {
  try {
    const token = await context.token()
    if (signal.aborted) return
    const socket = new context.Socket(context.url(token))
    const leave = () => {
      cancel()
      socket.onmessage = null
      socket.onclose = null
      socket.onerror = () => {}
      socket.close(SILENT_CLOSE)
    }
    const cancel = context.clock.after(CONNECT_WAIT_WITH_FALLBACK_MS, leave)
    signal.addEventListener('abort', leave)
    socket.onclose = cancel
    socket.onerror = leave
    socket.onmessage = ({ data }) => {
      if (!String(data).includes('"connection_id"')) return leave()
      cancel()
      taken(socket, token, data)
    }
  } catch (error) {
    context.log('info', 'The socket still does not open.', error)
  }
}
