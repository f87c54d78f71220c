/**
 * Long polling as a state machine. It replaces a socket that a network blocks. It makes no request and sets no timer;
 * `LongPollSocket` does.
 * @see client.md 3.6, messaging.md 2.8
 */
import type { ChatError } from '../chat-error.ts'
import { backoffRange } from './backoff.ts'

export type LongPoll =
  | { readonly at: 'INIT' }
  /** Requesting a connection id. */
  | { readonly at: 'CONNECTING' }
  /** Polling, or waiting before the next poll after `failures` failures in a row. */
  | { readonly at: 'CONNECTED'; readonly connectionId: string; readonly failures: number; readonly paused: boolean }
  /** The server has dropped the connection, or the client has ended it. */
  | { readonly at: 'DISCONNECTED' }
  /** Closed for good by an error. */
  | { readonly at: 'CLOSED'; readonly error: ChatError }

export type LongPollSignal =
  | { type: 'connect' }
  | { type: 'opened'; connectionId: string }
  /** A poll was answered, perhaps without events. */
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
  /** A poll failed, and the events of its answer may be lost: reload the channels. */
  | { do: 'recover' }
  /** Aborts the call under way, and the wait. */
  | { do: 'cancel' }
  /** Sends the server the end of polling. */
  | { do: 'end'; connectionId: string }
  /** Reports that the connection is lost and another one will be made. */
  | { do: 'forget' }
  | { do: 'report'; error: ChatError }

/** The next state and its effects. A signal without a meaning in this state changes nothing. */
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
        // A timeout is no refusal, so poll again at once.
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
