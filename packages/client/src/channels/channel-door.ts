import type { ClientDoor } from '../client-door.ts'
import type { Method, RequestOptions } from '../http.ts'
import type { Outbox } from '../messages/outbox.ts'
import type { Answer, ChannelRequest } from '../shapes.ts'
import type { Channel } from './channel.ts'
import type { ChannelState } from './channel-state.ts'

/** What the modules that a channel fetches when they are first needed may do with it. */
export interface ChannelDoor {
  readonly channel: Channel
  readonly host: ClientDoor
  readonly outbox: Outbox
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
  /** How many want to hear of changes and events. */
  listeners(): number
}

/** What a method hands on to the function behind it: everything but the door. */
export type Given<Call> = Call extends (door: never, ...given: infer All) => unknown ? All : never
