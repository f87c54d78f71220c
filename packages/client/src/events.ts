import type { ChatEvents as WireEvents } from '@parley/protocol/events'
import type { CustomEventData } from './custom-data.ts'

/** Events the client makes itself; they never cross the wire [client.md 1.4]. */
export interface LocalEvents {
  /** Offline is told 5 s after health was lost, online at once [CON-6]. */
  'connection.changed': { online: boolean }
  /** The active channels are up to date again after a reconnect [CON-24]. */
  'connection.recovered': { cid?: undefined }
}

export type ChatEvents = WireEvents & LocalEvents
export type ChatEventName = keyof ChatEvents

/** An event as listeners get it: with the client's own time of arrival. */
export type ChatEvent<Name extends ChatEventName = ChatEventName> = {
  [N in Name]: { type: N; received_at: Date } & ChatEvents[N] & Partial<CustomEventData>
}[Name]

/** An event of a type this client does not know, for example one of the application's own. */
export interface CustomEvent {
  type: string
  received_at: Date
  cid?: string
  [field: string]: unknown
}

export interface Subscription {
  unsubscribe(): void
}

type Handler = (event: ChatEvent & CustomEvent) => void

/** Who listens to what, in the order of registration. */
export class EventListeners {
  #typed = new Map<string, Handler[]>()
  #untyped: Handler[] = []
  #failed: (error: unknown) => void
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  add(...given: [handler: unknown] | [type: string, handler: unknown]): Subscription {
    const [type, handler] = typeAndHandler(given)
    if (type === undefined) this.#untyped.push(handler)
    else this.#typed.set(type, [...(this.#typed.get(type) ?? []), handler])
    return { unsubscribe: () => this.remove(...given) }
  }

  remove(...given: [handler: unknown] | [type: string, handler: unknown]) {
    const [type, handler] = typeAndHandler(given)
    if (type === undefined) this.#untyped = without(this.#untyped, handler)
    else {
      const left = without(this.#typed.get(type) ?? [], handler)
      if (left.length > 0) this.#typed.set(type, left)
      else this.#typed.delete(type)
    }
  }

  get size() {
    return this.#untyped.length + [...this.#typed.values()].reduce((sum, handlers) => sum + handlers.length, 0)
  }

  /** Calls the typed listeners, then the untyped ones. One that throws does not stop the others. */
  tell(event: { type: string }) {
    for (const handler of [...(this.#typed.get(event.type) ?? []), ...this.#untyped]) {
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
  on(type: string & {}, handler: (event: CustomEvent) => void): Subscription
  /** Every event. Types this client does not know come too. */
  on(handler: (event: ChatEvent) => void): Subscription
}

function typeAndHandler(given: readonly unknown[]): [string | undefined, Handler] {
  return given.length === 1 ? [undefined, given[0] as Handler] : [given[0] as string, given[1] as Handler]
}

/** Without the first occurrence: a handler given twice hears twice, and is taken away once at a time. */
function without(handlers: Handler[], handler: Handler): Handler[] {
  const at = handlers.indexOf(handler)
  return at < 0 ? handlers : handlers.toSpliced(at, 1)
}
