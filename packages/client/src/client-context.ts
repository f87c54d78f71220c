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
  /** The channels that events reach, by cid. */
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
  /** Another value after every reconnect; undefined without a connection. */
  connectionID(): string | undefined
  /** The time of the last event over the previous connection, by its own clock. */
  missedSince: string | undefined
  /** Another value after every sign-out. */
  generation(): number
  /** The channel of this name, or the conversation of these members that has none yet; made where it was not known. */
  activeChannel(type: string, id: string, members?: readonly Member[]): ChannelContext
  /** The events received since each pending request was made, of whatever channel. */
  readonly noted: Set<ChatEvent[]>
  /**
   * Makes a request, and hands its answer on with what happened until then, of which it may know nothing. What is to be
   * followed waits for a connection, and is asked for again where that is gone by the answer: it would stay deaf.
   */
  asks<Given, Result>(
    followed: { watch?: boolean; presence?: boolean },
    call: CallOptions,
    request: () => Promise<Given>,
    take: (given: Given, events: readonly ChatEvent[]) => Result | Promise<Result>,
  ): Promise<Result>
  /** An answer has brought what is newest in a channel. */
  arrived(channel: Channel): void
  /** Hears of every channel in which something was not sent, where somebody sends that again. */
  unsent?: (place: ChannelContext) => void
  watched(context: ChannelContext, isWatched: boolean): void
  /** An event of the client's own. */
  tell(event: { type: string; cid?: string } & Record<string, unknown>): void
  log(level: 'info' | 'warn' | 'error', message: string, details?: unknown): void
}
