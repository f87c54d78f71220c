import type { ChatEvents as WireEvents } from '@parley/protocol/events'
import type { CustomEventData, CustomEvents } from './custom-data.ts'
import type { Member, Owned, User } from './shapes.ts'

/** Events that the client makes itself; they never cross the wire [client.md 1.4]. */
export interface LocalEvents {
  /** `false` is dispatched 5 s after the connection was lost, `true` at once [CON-6]. */
  'connection.changed': { online: boolean }
  /** The active channels are up to date again after a reconnect [CON-24]. */
  'connection.recovered': { cid?: undefined }
}

export type ChatEvents = {
  [Name in keyof WireEvents]: Owned<WireEvents[Name], { member: Member; thread_participants: User[] }>
} & LocalEvents
export type ChatEventName = keyof ChatEvents

/** An event in an answer. */
export type AnsweredEvent = { [Name in keyof WireEvents]: { type: Name } & ChatEvents[Name] }[keyof WireEvents]

/** An event as listeners get it: with the client's time of arrival. */
export type ChatEvent<Name extends ChatEventName = ChatEventName> = {
  [N in Name]: { type: N; received_at: Date } & ChatEvents[N] & Partial<CustomEventData>
}[Name]

/** An event of an unknown type, for example a custom one of the application. */
export interface CustomEvent extends Partial<CustomEventData> {
  type: string
  received_at: Date
  cid?: string
  [field: string]: unknown
}

export interface Subscription {
  unsubscribe(): void
}

type Handler = (event: ChatEvent & CustomEvent) => void

/** Listeners by event type; without a type, to all events. */
interface Listener {
  type: string | undefined
  handler: Handler
}

/** The listeners of one object, in the order of registration. */
export class EventListeners {
  #all: readonly Listener[] = []
  #failed: (error: unknown) => void
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  add(...given: [handler: unknown] | [type: string, handler: unknown]): Subscription {
    const [handler, type] = given.toReversed()
    const added = { type, handler } as Listener
    this.#all = [...this.#all, added]
    return { unsubscribe: () => this.#without(added) }
  }

  /** A listener that was added twice is called twice, and is removed once at a time. */
  remove(...given: [handler: unknown] | [type: string, handler: unknown]) {
    const [handler, type] = given.toReversed()
    this.#without(this.#all.find((other) => other.type === type && other.handler === handler))
  }

  get size() {
    return this.#all.length
  }

  #without(listener: Listener | undefined) {
    this.#all = this.#all.filter((other) => other !== listener)
  }

  /** Calls the typed listeners, then the untyped ones. A listener that throws does not stop the others. */
  tell(event: { type: string }) {
    const of = (type: string | undefined) => this.#all.filter((listener) => listener.type === type)
    for (const { handler } of [...of(event.type), ...of(undefined)]) {
      try {
        handler(event as ChatEvent & CustomEvent)
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}

/** The ways to listen, the same on the client and on a channel. */
export interface Listening {
  on<Name extends ChatEventName>(type: Name, handler: (event: ChatEvent<Name>) => void): Subscription
  on<Name extends keyof CustomEvents>(
    type: Name,
    handler: (event: CustomEvent & CustomEvents[Name]) => void,
  ): Subscription
  /** Every event, also of types that this client does not know. */
  on(handler: (event: ChatEvent) => void): Subscription
}
