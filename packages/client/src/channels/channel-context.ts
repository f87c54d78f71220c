import type { ClientContext } from '../client-context.ts'
import type { ChatEvent } from '../events.ts'
import type { Method, RequestOptions } from '../http.ts'
import type { Outbox } from '../messages/outbox.ts'
import type { Answer, ChannelRequest, ChannelStateAnswer } from '../shapes.ts'
import type { OwnTyping } from '../typing/own-typing.ts'
import type { Channel } from './channel.ts'
import type { Asked } from './channel-answer.ts'
import type { ChannelState } from './channel-state.ts'

/** What the client and the lazily loaded modules may do with a channel. */
export interface ChannelContext {
  readonly channel: Channel
  readonly host: ClientContext
  readonly outbox: Outbox
  /** undefined until the user types here. */
  readonly typing: OwnTyping | undefined
  /** The application queried the presence of its members; each new connection must query it again. */
  presence: boolean
  /** The channel may have missed events since then, until a recovery fetches them. */
  missedSince?: string | undefined
  /** The newest message that was known at that time. */
  knownUntil?: string | undefined
  /** The page requests under way. */
  readonly paging: Map<'older' | 'newer', Promise<void>>
  /** Channel data that the application set and that the server has not taken yet. */
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
  /** How many of the listeners may show its history. */
  readers(): number
  /** Dispatches an event to the channel's listeners. */
  tell(event: ChatEvent): void
  /** Takes the answer of a query that was about several channels. */
  take(answer: ChannelStateAnswer, asked: Asked): void
  /** Shows the given data at once, and sends it with the next query, which may create the channel. */
  give(data: ChannelRequest): void
}

/** The arguments that a method passes on to the function behind it: all but the context. */
export type Given<Call> = Call extends (context: never, ...given: infer All) => unknown ? All : never
