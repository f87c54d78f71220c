/**
 * Long polling as a declared state machine: what takes the place of a socket that some network does not let through.
 * No request and no timer in here; `LongPollSocket` beside it makes those.
 * @see client.md 3.6, messaging.md 2.8
 */
import type { ChatError } from '../chat-error.ts'
import { backoffRange } from './backoff.ts'

export type LongPoll =
  | { readonly at: 'INIT' }
  /** Asking for a connection id. */
  | { readonly at: 'CONNECTING' }
  /** Polling, or waiting before the next poll after `failures` that failed in a row. */
  | { readonly at: 'CONNECTED'; readonly connectionId: string; readonly failures: number; readonly paused: boolean }
  /** The server has forgotten the connection, or we have ended it. */
  | { readonly at: 'DISCONNECTED' }
  /** Ended for good by an error. */
  | { readonly at: 'CLOSED'; readonly error: ChatError }

export type LongPollSignal =
  | { type: 'connect' }
  | { type: 'opened'; connectionId: string }
  /** A poll was answered, be it with nothing. */
  | { type: 'answered' }
  | { type: 'failed'; error: ChatError }
  /** The wait after a failure is over. */
  | { type: 'waited' }
  | { type: 'pause' | 'resume' }
  | { type: 'disconnect' }

export type LongPollEffect =
  | { do: 'connect' }
  | { do: 'poll'; connectionId: string }
  | { do: 'wait'; ms: number; upToMs: number }
  /** A poll failed, and with it the events that its answer may have brought: the channels are read again. */
  | { do: 'recover' }
  /** Gives up the call that is under way, and the wait. */
  | { do: 'cancel' }
  /** Tells the server that the client stops polling. */
  | { do: 'end'; connectionId: string }
  /** Says that the connection is gone and another one will be made. */
  | { do: 'forget' }
  | { do: 'report'; error: ChatError }

/** A signal that means nothing in this state changes nothing. */
export function longPollStep(poll: LongPoll, signal: LongPollSignal): [LongPoll, ...LongPollEffect[]] {
  switch (poll.at) {
    case 'INIT':
      if (signal.type === 'connect') return [{ at: 'CONNECTING' }, { do: 'connect' }]
      if (signal.type === 'disconnect') return [{ at: 'DISCONNECTED' }]
      break

    case 'CONNECTING':
      if (signal.type === 'opened') return polling(signal.connectionId)
      if (signal.type === 'failed') return closed(signal.error)
      if (signal.type === 'disconnect') return [{ at: 'DISCONNECTED' }, { do: 'cancel' }]
      break

    case 'CONNECTED': {
      const { connectionId, failures, paused } = poll
      if (signal.type === 'answered') return polling(connectionId)
      if (signal.type === 'waited' && !paused) return [poll, { do: 'poll', connectionId }, { do: 'recover' }]
      if (signal.type === 'failed') {
        const { error } = signal
        if (error.kind === 'ConnectionIDNotFoundError') return [{ at: 'DISCONNECTED' }, { do: 'forget' }]
        // Nobody refused anything, so there is nothing to wait for.
        if (error.code === 'ECONNABORTED') return [poll, { do: 'poll', connectionId }, { do: 'recover' }]
        if (typeof error.code === 'number' && !error.retry) return closed(error)
        return [
          { ...poll, failures: failures + 1 },
          { do: 'wait', ...backoffRange(failures + 1) },
        ]
      }
      if (signal.type === 'pause') return [{ ...poll, paused: true }, { do: 'cancel' }]
      if (signal.type === 'resume' && paused)
        return [{ ...poll, failures: 0, paused: false }, { do: 'poll', connectionId }, { do: 'recover' }]
      if (signal.type === 'disconnect') return [{ at: 'DISCONNECTED' }, { do: 'cancel' }, { do: 'end', connectionId }]
      break
    }

    case 'DISCONNECTED':
      if (signal.type === 'connect') return [{ at: 'CONNECTING' }, { do: 'connect' }]
      break

    case 'CLOSED':
      break
  }
  return [poll]
}

function polling(connectionId: string): [LongPoll, LongPollEffect] {
  return [
    { at: 'CONNECTED', connectionId, failures: 0, paused: false },
    { do: 'poll', connectionId },
  ]
}

function closed(error: ChatError): [LongPoll, LongPollEffect] {
  return [
    { at: 'CLOSED', error },
    { do: 'report', error },
  ]
}
