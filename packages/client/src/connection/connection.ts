/**
 * The realtime connection as a state machine: signals come in, the next state and its effects come out. It has no timer
 * and no socket; `ConnectionRunner` owns those.
 * @see client.md 3.3
 */

import {
  CONNECT_WAIT_MS,
  CONNECT_WAIT_WITH_FALLBACK_MS,
  OFFLINE_ANNOUNCED_AFTER_MS,
  ONLINE_RECONNECT_MS,
  PING_MS,
  SILENCE_MS,
} from '@parley/protocol/limits'
import { ChatError } from '../chat-error.ts'
import { LONG_POLL_CONNECT_WAIT_MS, SOCKET_RETRY_MS, TOKEN_LOADS_MAX } from '../limits.ts'
import { backoffRange } from './backoff.ts'

/** The state of the connection. The banner, the retry and the recovery all read this one value. */
export type Connection =
  | { readonly at: 'idle' }
  /** A token is being loaded; `fresh` when the previous one was refused. */
  | ({ readonly at: 'authorizing'; readonly fresh: boolean } & Trying)
  /** The socket is opening, or open without its first frame; `over` when long polling replaces it. */
  | ({ readonly at: 'connecting'; readonly over?: 'longpoll' } & Trying)
  | { readonly at: 'connected'; readonly connectionId: string; readonly over?: 'longpoll' }
  /** Waiting for the next attempt. There are no attempts while the browser is offline. */
  | ({ readonly at: 'waiting'; readonly fresh: boolean; readonly offline: boolean } & Trying)
  /** Closed by the application, or for good by the error. */
  | { readonly at: 'closed'; readonly error?: ChatError; readonly told?: boolean }

/** The fields that are kept from attempt to attempt. */
export interface Trying {
  /** Consecutive failures. */
  readonly failures: number
  /** Consecutive fresh tokens that were requested since the server last accepted one. */
  readonly loads: number
  /** There was a connection before, so this is a reconnect and is followed by recovery. */
  readonly again: boolean
  /** Listeners were notified that the client is offline. */
  readonly told: boolean
  /** Why the previous attempt failed. */
  readonly problem?: ChatError
}

/**
 * `confirm`: the first frame is due · `silence`: nothing was received · `offline`: the loss is to be announced ·
 * `socket`: while long polling, retry the socket.
 */
export type Alarm = 'confirm' | 'ping' | 'silence' | 'retry' | 'offline' | 'socket'

/** The inputs: from the user, the token, the socket, the browser or the clock. */
export type Signal =
  | { type: 'connect' }
  | { type: 'disconnect' }
  | { type: 'authorized' }
  | { type: 'unauthorized'; error: ChatError }
  | { type: 'opened'; connectionId: string }
  /** Any frame, a health check included. */
  | { type: 'heard' }
  /** An error frame. `renewable`: there is a token function to load another token. */
  | { type: 'refused'; error: ChatError; renewable: boolean }
  /** The socket closed or failed without an error frame. */
  | { type: 'lost'; closing?: Closing }
  /** The server no longer knows the long-poll connection; another one is being made. */
  | { type: 'forgotten' }
  | { type: 'rung'; alarm: Alarm }
  | { type: 'online' }
  | { type: 'offline' }
  /** The page became visible, where timers may have slept; or a caller does not want to wait. */
  | { type: 'woke'; silentMs: number }

/** How a socket ended. */
export interface Closing {
  readonly code: number
  readonly reason: string
}

/** The outputs. */
export type Effect =
  | { do: 'load'; fresh: boolean }
  | { do: 'open'; over?: 'longpoll' }
  /** Opens a socket beside the long poll, which continues until the socket has its first frame. */
  | { do: 'try socket' }
  /** Long polling pauses while the browser is offline. */
  | { do: 'pause' | 'resume' }
  | { do: 'ping' }
  /** Discards a socket; its later frames are ignored. */
  | { do: 'drop' }
  /** The normal close, with code 1000. */
  | { do: 'close' }
  /** Sets an alarm and replaces the one of that name; `upToMs` asks for a random time in between. */
  | { do: 'alarm'; alarm: Alarm; ms: number; upToMs?: number }
  | { do: 'calm'; alarm: Alarm }
  | { do: 'tell'; online: boolean }
  | { do: 'recover' }

export type Step = [Connection, ...Effect[]]

const allAlarms: readonly Alarm[] = ['confirm', 'ping', 'silence', 'retry', 'offline', 'socket']

/**
 * The next state and its effects. A signal without a meaning in this state changes nothing.
 * @param options.fallback  whether long polling may replace a socket that fails [LPL-9]
 */
export function step(connection: Connection, signal: Signal, { fallback = false } = {}): Step {
  if (signal.type === 'disconnect') return [{ at: 'closed' }, ...allAlarms.map(calm), { do: 'close' }]
  const rung = signal.type === 'rung' ? signal.alarm : undefined

  switch (connection.at) {
    case 'idle':
    case 'closed':
      if (signal.type === 'connect') return firstAttempt(connection.at === 'closed' && connection.told === true)
      if (rung === 'offline' && connection.at === 'closed')
        return [
          { at: 'closed', error: connection.error, told: true },
          { do: 'tell', online: false },
        ]
      break

    case 'authorizing':
      if (signal.type === 'authorized') {
        const confirm = alarm('confirm', CONNECT_WAIT_WITH_FALLBACK_MS)
        return [{ ...remembered(connection), at: 'connecting' }, { do: 'open' }, ...(fallback ? [confirm] : [])]
      }
      if (signal.type === 'unauthorized') {
        if (!connection.again) return ended(signal.error, connection)
        return waiting(connection, { fresh: connection.fresh, problem: signal.error })
      }
      if (rung === 'confirm') return notConfirmed(connection, connection.fresh)
      if (signal.type === 'offline') return unplugged(connection, connection.fresh)
      break

    case 'connecting':
      if (signal.type === 'opened') return connected(connection, signal.connectionId, connection.over)
      if (signal.type === 'refused') return refused(connection, signal)
      if (signal.type === 'offline') return unplugged(connection, false)
      if (signal.type === 'lost' || rung === 'confirm') {
        if (fallback && !connection.over) return pollInstead(connection, signal)
        if (rung || connection.over) return notConfirmed(connection, false)
        return waiting(connection, { problem: socketFailed(signal) })
      }
      break

    case 'connected':
      if (connection.over) return polling(connection, signal)
      if (signal.type === 'heard') return [connection, alarm('silence', SILENCE_MS)]
      if (rung === 'ping') return [connection, { do: 'ping' }, alarm('ping', PING_MS)]
      if (rung === 'silence') return unhealthy(waiting(lost, {}))
      if (signal.type === 'woke' && signal.silentMs > SILENCE_MS) return unhealthy(waiting(lost, {}))
      if (signal.type === 'lost') return unhealthy(waiting(lost, { problem: socketFailed(signal) }))
      if (signal.type === 'refused') return unhealthy(refused(lost, signal))
      if (signal.type === 'offline') return unhealthy(unplugged(lost, false))
      break

    case 'waiting':
      if (rung === 'retry') return attempt(connection, connection.fresh)
      if (signal.type === 'online' || (signal.type === 'woke' && !connection.offline))
        return [{ ...connection, offline: false }, alarm('retry', ONLINE_RECONNECT_MS)]
      if (signal.type === 'offline') return unplugged(connection, connection.fresh)
      if (rung === 'confirm') return ended(givenUp(connection.problem), connection)
      break
  }
  if (rung === 'offline' && 'told' in connection)
    return [
      { ...connection, told: true },
      { do: 'tell', online: false },
    ]
  return [connection]
}

/** Connected by long polling. The poll itself survives network losses [LPL-10]. */
function polling(connection: Connection & { at: 'connected' }, signal: Signal): Step {
  const offline: Effect[] = [calm('socket'), { do: 'tell', online: false }]
  const told = { ...lost, told: true }
  switch (signal.type) {
    case 'offline':
      return [connection, { do: 'pause' }]
    case 'online':
      return [connection, { do: 'resume' }]
    case 'forgotten':
      return [{ ...told, at: 'connecting', over: 'longpoll' }, ...offline]
    case 'lost':
      return also(waiting(told, { problem: socketFailed() }), offline)
    case 'refused':
      return also(refused(told, signal), offline)
    // The socket that was opened beside the poll has its first frame.
    case 'opened':
      return also(connected(lost, signal.connectionId), [calm('socket')])
    case 'rung':
      if (signal.alarm === 'socket') return [connection, { do: 'try socket' }, alarm('socket', SOCKET_RETRY_MS)]
  }
  return [connection]
}

/** The socket failed in transport: use the same token with ordinary requests. */
function pollInstead(trying: Trying, signal: Signal): Step {
  const failed = { ...remembered(trying), failures: trying.failures + 1, problem: socketFailed(signal) }
  const confirm = alarm('confirm', LONG_POLL_CONNECT_WAIT_MS)
  return [{ ...failed, at: 'connecting', over: 'longpoll' }, confirm, { do: 'open', over: 'longpoll' }]
}

/** The start of a reconnect after a healthy connection. */
const lost: Trying = { failures: 0, loads: 0, again: true, told: false }

function firstAttempt(told: boolean): Step {
  const trying: Trying = { failures: 0, loads: 0, again: false, told }
  const [connection, ...effects] = attempt(trying, false)
  // One timeout for all attempts of the first connection, because a caller waits for it [CON-5].
  return [connection, calm('offline'), ...effects, alarm('confirm', CONNECT_WAIT_MS)]
}

function attempt(trying: Trying, fresh: boolean): Step {
  const effects: Effect[] = [{ do: 'load', fresh }]
  if (trying.again) effects.push(alarm('confirm', CONNECT_WAIT_MS))
  return [{ ...remembered(trying), at: 'authorizing', fresh }, ...effects]
}

function connected({ again, told }: Trying, connectionId: string, over?: 'longpoll'): Step {
  const effects: Effect[] = [calm('confirm'), calm('offline')]
  if (over) effects.push(alarm('socket', SOCKET_RETRY_MS))
  else effects.push(alarm('ping', PING_MS), alarm('silence', SILENCE_MS))
  // Long polling is always announced [client.md 3.6].
  if (told || over) effects.push({ do: 'tell', online: true })
  if (again) effects.push({ do: 'recover' })
  return [over ? { at: 'connected', connectionId, over } : { at: 'connected', connectionId }, ...effects]
}

/** Waits before the next attempt, longer after each failure. */
function waiting(trying: Trying, { fresh = false, problem }: { fresh?: boolean; problem?: ChatError }): Step {
  const failures = trying.failures + 1
  const effects: Effect[] = [{ do: 'drop' }]
  if (trying.again) effects.push(calm('confirm'))
  return [
    { ...remembered(trying), at: 'waiting', offline: false, fresh, failures, problem },
    ...effects,
    { do: 'alarm', alarm: 'retry', ...backoffRange(failures) },
  ]
}

/** Makes no attempt until the browser is online again. */
function unplugged(trying: Trying, fresh: boolean): Step {
  const effects: Effect[] = [{ do: 'drop' }, calm('retry')]
  if (trying.again) effects.push(calm('confirm'))
  return [{ ...remembered(trying), at: 'waiting', offline: true, fresh }, ...effects]
}

/** The fields that are kept from one state to the next. */
function remembered({ failures, loads, again, told, problem }: Trying): Trying {
  return { failures, loads, again, told, problem }
}

function also([next, ...effects]: Step, first: Effect[]): Step {
  return [next, ...first, ...effects]
}

/** The loss is announced 5 s later, if it lasts [CON-6]. */
function unhealthy([next, ...effects]: Step): Step {
  return [next, calm('ping'), calm('silence'), alarm('offline', OFFLINE_ANNOUNCED_AFTER_MS), ...effects]
}

/** The server refused. Only an expired token is replaced; only some codes are retried. */
function refused(trying: Trying, { error, renewable }: Signal & { type: 'refused' }): Step {
  if (error.kind === 'AuthErrorTokenExpired' && renewable) {
    if (trying.loads >= TOKEN_LOADS_MAX) return ended(error, trying)
    const loads = trying.loads + 1
    if (trying.loads > 0) return waiting({ ...trying, loads }, { fresh: true, problem: error })
    const [connection, ...effects] = attempt({ ...trying, loads, problem: error }, true)
    return [connection, { do: 'drop' }, ...effects]
  }
  return error.retry ? waiting(trying, { problem: error }) : ended(error, trying)
}

function notConfirmed(trying: Trying, fresh: boolean): Step {
  if (!trying.again) return ended(givenUp(trying.problem), trying)
  return waiting(trying, { fresh, problem: socketFailed() })
}

/** Closed for good. A pending announcement is still made. */
function ended(error: ChatError, { again, told }: Trying): Step {
  const over = allAlarms.filter((alarm) => alarm !== 'offline' || !again || told)
  return [{ at: 'closed', error, told }, ...over.map(calm), { do: 'drop' }]
}

function alarm(alarm: Alarm, ms: number): Effect {
  return { do: 'alarm', alarm, ms }
}

function calm(alarm: Alarm): Effect {
  return { do: 'calm', alarm }
}

/** The first connection failed, or was not ready in time [CON-12]. */
export function givenUp(cause: unknown): ChatError {
  // Node 20 has none.
  const hint = cause instanceof ReferenceError ? ': pass the option WebSocket' : ''
  const message = `initial WS connection could not be established${hint}`
  const transport = cause instanceof ChatError ? cause.transport : true
  return new ChatError(message, { code: 'CLIENT_CONNECTION_FAILED', transport, cause })
}

function socketFailed(signal?: Signal): ChatError {
  const response = signal?.type === 'lost' ? signal.closing : undefined
  return new ChatError('The socket was closed or not opened', { transport: true, response })
}
