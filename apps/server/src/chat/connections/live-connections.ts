import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Bus } from '../../platform/realtime/bus.ts'
import type { Connection } from '../../platform/realtime/connection.ts'
import type { Hub } from '../../platform/realtime/hub.ts'
import type { CachedWatchers } from '../../platform/realtime/watcher-cache.ts'
import type { Caller } from '../api/caller.ts'
import { PollWire } from './poll-wire.ts'

/** How long a poll waits for something to happen [LPL-11]. */
const HOLD_MS = 25_000
/** How long another node may take for what is done at once. */
const ASK_MS = 5_000

/** A connection that a call names, on whichever node it lives. */
export interface LiveConnection {
  /** From when this resolves, the connection gets the channels' events. */
  watch(cids: readonly string[]): Promise<void>
  unwatch(cid: string): Promise<void>
  /** Subscribes the connection to these users' presence. */
  follow(userIds: readonly string[]): Promise<void>
}

/** What one node asks of another about a connection that lives there. */
type Ask = { id: string; app: string; user: string | null } & (
  | { do: 'watch'; cids: readonly string[] }
  | { do: 'unwatch'; cid: string }
  | { do: 'follow'; users: readonly string[] }
  | { do: 'poll' }
  | { do: 'giveBack'; events: readonly string[] }
  | { do: 'close' }
)
interface Reply {
  unknown?: true
  /** What went wrong there. */
  failed?: string
  /** For a watch: the channels' current watchers, as the other node reports them; named as earlier versions send them. */
  glimpses?: Record<string, CachedWatchers>
  /** Of a poll. */
  events?: string[]
}

/**
 * Finds connections by their ids, which end with the node they live on: behind a load balancer, a call that
 * names one comes in anywhere [messaging.md 2.6, 2.8].
 */
export class LiveConnections {
  #node: string
  #clock: Clock
  #bus: Bus | undefined
  #hub: Hub
  constructor(node: string, clock: Clock, bus: Bus | undefined, hub: Hub) {
    this.#node = node
    this.#clock = clock
    this.#bus = bus
    this.#hub = hub
    bus?.serve(subjectOf(node), async (text) => JSON.stringify(await this.#answer(JSON.parse(text))))
  }

  /**
   * The connection a call came with.
   *
   * @throws ChatError InputError (4) — watching needs a live connection; 46 — this one is known nowhere; 23 — it may
   *   live on a node that is out of reach
   */
  of(caller: Caller): LiveConnection {
    const id = named(caller)
    const { app, user } = identityOf(caller)
    const ask = (
      what:
        | { do: 'watch'; cids: readonly string[] }
        | { do: 'unwatch'; cid: string }
        | { do: 'follow'; users: readonly string[] },
    ) => this.#ask({ id, app, user, ...what })
    if (this.#nodeOf(id) === this.#node) this.#found({ id, app, user })
    return {
      watch: async (cids) => {
        const { glimpses } = await ask({ do: 'watch', cids })
        for (const [cid, cachedWatchers] of Object.entries(glimpses ?? {})) this.#hub.glimpsed(app, cid, cachedWatchers)
      },
      unwatch: async (cid) => void (await ask({ do: 'unwatch', cid })),
      follow: async (users) => void (await ask({ do: 'follow', users })),
    }
  }

  /**
   * The events of a long-poll connection since the last poll: as soon as there are some, or none after 25 s.
   *
   * @param whenGone registers a callback for a client that stops waiting
   */
  async poll(caller: Caller, whenGone: (gone: () => void) => void): Promise<string[]> {
    const asker = { id: named(caller), ...identityOf(caller) }
    let gone = false
    let given: string[] | undefined
    const giveBack = () => {
      if (given && given.length > 0) this.#ask({ ...asker, do: 'giveBack', events: given }).catch(() => {})
    }
    if (this.#nodeOf(asker.id) === this.#node) {
      const poll = this.#poll(asker)
      whenGone(() => {
        poll.giveUp()
        giveBack()
      })
      given = await poll.events
      return given
    }
    whenGone(() => {
      gone = true
      giveBack()
    })
    given = (await this.#ask({ ...asker, do: 'poll' })).events ?? []
    if (gone) giveBack()
    return given
  }

  /** Ends a long-poll connection; one that is gone already is fine. */
  async close(caller: Caller): Promise<void> {
    try {
      await this.#ask({ id: named(caller), ...identityOf(caller), do: 'close' })
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
    }
  }

  async #ask(ask: Ask): Promise<Reply> {
    const node = this.#nodeOf(ask.id)
    if (node === this.#node) return this.#do(ask)
    let reply: Reply = { unknown: true }
    if (this.#bus && node !== undefined)
      try {
        const wait = ask.do === 'poll' ? HOLD_MS + ASK_MS : ASK_MS
        reply = JSON.parse(await this.#bus.request(subjectOf(node), JSON.stringify(ask), wait))
      } catch (error) {
        if (error instanceof ChatError) throw error
        // That node is gone, and the connection with it.
      }
    if (reply.failed !== undefined) throw new Error(`Node ${node} failed to ${ask.do}: ${reply.failed}`)
    if (reply.unknown) throw unknown(ask.id)
    return reply
  }

  async #answer(ask: Ask): Promise<Reply> {
    try {
      return await this.#do(ask)
    } catch (error) {
      return error instanceof ChatError ? { unknown: true } : { failed: String(error) }
    }
  }

  async #do(ask: Ask): Promise<Reply> {
    switch (ask.do) {
      case 'watch': {
        await this.#hub.watch(this.#found(ask), ask.cids)
        return {
          glimpses: Object.fromEntries(ask.cids.map((cid) => [cid, this.#hub.cachedWatchers(ask.app, cid)])),
        }
      }
      case 'unwatch':
        this.#hub.unwatch(this.#found(ask), ask.cid)
        return {}
      case 'follow':
        this.#hub.follow(this.#found(ask), ask.users)
        return {}
      case 'poll':
        return { events: await this.#poll(ask).events }
      case 'giveBack':
        this.#wireOf(ask).giveBack(ask.events)
        return {}
      case 'close':
        this.#found(ask).terminate()
        return {}
    }
  }

  #poll(asker: { id: string; app: string; user: string | null }) {
    const connection = this.#found(asker)
    const poll = this.#wireOf(asker).poll()
    connection.lastReceivedAt = this.#clock.elapsed()
    const cancel = this.#clock.after(HOLD_MS, poll.giveUp)
    const events = poll.events.finally(() => {
      cancel()
      connection.lastReceivedAt = this.#clock.elapsed()
    })
    return { events, giveUp: poll.giveUp }
  }

  /** @throws ChatError ConnectionIDNotFoundError (46) — it does not exist, or is another user's */
  #found({ id, app, user }: { id: string; app: string; user: string | null }): Connection {
    const connection = this.#hub.connections.get(id)
    // A caller without a name has no id to compare; knowing the connection's id is all there is to show.
    if (!connection || connection.app !== app || (connection.anonymous ? null : connection.userId) !== user)
      throw unknown(id)
    return connection
  }

  #wireOf(asker: { id: string; app: string; user: string | null }): PollWire {
    const { wire } = this.#found(asker)
    if (!(wire instanceof PollWire)) throw unknown(asker.id)
    return wire
  }

  #nodeOf(id: string): string | undefined {
    return id.length === 2 * UUID_CHARS + 1 ? id.slice(UUID_CHARS + 1) : undefined
  }
}

const UUID_CHARS = 36

/** @throws ChatError InputError (4) */
function named({ connectionId }: Caller): string {
  if (connectionId === undefined)
    throw inputError(
      'connection_id',
      'Watch or Presence requires an active websocket connection, please make sure to include your websocket connection_id',
    )
  return connectionId
}

function identityOf({ app, user }: Caller): { app: string; user: string | null } {
  return { app: app.id, user: user && user.role !== 'anonymous' ? user.id : null }
}

function unknown(id: string): ChatError {
  return new ChatError('ConnectionIDNotFoundError', `connection ${id} is not known here`)
}

function subjectOf(node: string): string {
  return `node.${node}`
}
