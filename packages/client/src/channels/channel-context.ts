import type { ClientContext } from '../client-context.ts'
import type { ChatEvent } from '../events.ts'
import type { Method, RequestOptions } from '../http.ts'
import type { Outbox } from '../messages/outbox.ts'
import type { Answer, ChannelRequest, ChannelStateAnswer } from '../shapes.ts'
import type { OwnTyping } from '../typing/own-typing.ts'
import type { Channel } from './channel.ts'
import type { Asked } from './channel-answer.ts'
import type { ChannelState } from './channel-state.ts'

/** What its client, and the modules that are fetched when they are first needed, may do with a channel. */
export interface ChannelContext {
  readonly channel: Channel
  readonly host: ClientContext
  readonly outbox: Outbox
  /** undefined while nothing has been written here. */
  readonly typing: OwnTyping | undefined
  /** Somebody asked who of its members is online; a new connection has to be asked again. */
  presence: boolean
  /** From then on it may have missed events, until a recovery has brought them. */
  missedSince?: string | undefined
  /** The newest message that was known by then. */
  knownUntil?: string | undefined
  /** The pages on their way. */
  readonly paging: Map<'older' | 'newer', Promise<void>>
  /** What the application gave for the channel and the server has not taken yet. */
  given(): ChannelRequest
  /** The path of the channel's own calls. @throws ChatError CLIENT_CHANNEL_DISCONNECTED, CLIENT_CHANNEL_ID_MISSING */
  path(): string
  /** A call on that path or below it. */
  call<Fields>(method: Method, path: string, options: RequestOptions): Promise<Answer<Fields>>
  /** @throws ChatError CLIENT_CHANNEL_DISCONNECTED */
  checkUsable(): void
  /** @throws ChatError CLIENT_CHANNEL_DISCONNECTED, CLIENT_CHANNEL_NOT_INITIALIZED */
  checkInitialized(): void
  change(change: (state: ChannelState) => ChannelState): void
  /** The number of listeners to changes and events. */
  listeners(): number
  /** How many of them may show its history. */
  readers(): number
  /** Dispatches an event to the channel's listeners. */
  tell(event: ChatEvent): void
  /** Takes the answer of a query that was about several channels. */
  take(answer: ChannelStateAnswer, asked: Asked): void
  /** Shows what is wanted of it, and tells the server with the next query, which may be the one that makes it. */
  give(data: ChannelRequest): void
}

/** What a method hands on to the function behind it: all arguments but the context. */
export type Given<Call> = Call extends (context: never, ...given: infer All) => unknown ? All : never
