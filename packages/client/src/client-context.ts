import type { Calling } from './calling.ts'
import type { Channel } from './channels/channel.ts'
import type { ChannelContext } from './channels/channel-context.ts'
import type { StateContext } from './channels/channel-state.ts'
import type { ChatClient } from './chat-client.ts'
import type { Clock } from './clock.ts'
import type { ChatEvent, EventListeners } from './events.ts'
import type { CallOptions, ChannelMute, Me, Member, OwnUser } from './shapes.ts'
import type { ClientStorage } from './storage/storage.ts'

/** What the parts of a client may do with it. */
export interface ClientContext extends Calling {
  readonly client: ChatClient
  readonly clock: Clock
  readonly storage: ClientStorage
  /** The channels that receive events, by cid. */
  readonly active: Map<string, ChannelContext>
  readonly listeners: EventListeners
  random(): number
  me(): Me | undefined
  /** Changes the own user. */
  merge(fields: Partial<OwnUser>): void
  eventContext(cid: string): StateContext
  muteOf(cid: string): ChannelMute | undefined
  /** Resolves once there is a connection; watching needs one. */
  connected(call?: CallOptions): Promise<void>
  /** Changes with every reconnect; undefined without a connection. */
  connectionID(): string | undefined
  /** `created_at` of the last event over the previous connection, by the server's clock. */
  missedSince: string | undefined
  /** Changes with every sign-out. */
  generation(): number
  /**
   * The channel of this name, or the one of these members that the server has not named yet; created if it is not
   * known.
   */
  activeChannel(type: string, id: string, members?: readonly Member[]): ChannelContext
  /** One list per pending request: the events received since it was made, of any channel. */
  readonly noted: Set<ChatEvent[]>
  /**
   * Makes a request, and passes on its answer with the events received until then, which it may not include. A request
   * that watches waits for a connection, and is repeated if that is lost by the time of the answer, because the new
   * connection would not watch.
   */
  asks<Given, Result>(
    followed: { watch?: boolean; presence?: boolean },
    call: CallOptions,
    request: () => Promise<Given>,
    take: (given: Given, events: readonly ChatEvent[]) => Result | Promise<Result>,
  ): Promise<Result>
  /** Called when an answer had the newest messages of a channel. */
  arrived(channel: Channel): void
  /** Called with every channel that has unsent messages; set by automatic retries. */
  unsent?: (place: ChannelContext) => void
  watched(context: ChannelContext, isWatched: boolean): void
  /** Dispatches an event of the client's own. */
  tell(event: { type: string; cid?: string } & Record<string, unknown>): void
  log(level: 'info' | 'warn' | 'error', message: string, details?: unknown): void
}
