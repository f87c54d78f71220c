/** Reloads the active channels after a reconnect [client.md 3.5]. */
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { Channel } from '../channels/channel.ts'
import type { ChannelContext } from '../channels/channel-context.ts'
import type { ChannelState } from '../channels/channel-state.ts'
import { withThread } from '../channels/state-changes.ts'
import { ChatError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import { CHANNELS_RECOVERED, RECOVERY_PAUSE_MS } from '../limits.ts'
import { merged } from '../live.ts'
import { latestSet } from '../messages/message-sets.ts'
import { withGap } from '../messages/pages.ts'
import type { Filter } from '../shapes.ts'
import { backoffRange, spread } from './backoff.ts'
import { repaired } from './missed.ts'

export class Recovery {
  #context: ClientContext
  /** Channels still to reload, which the new connection does not watch. Those that waited longest come first. */
  #stale = new Map<Channel, ChannelContext>()
  #cancel: (() => void) | undefined
  constructor(context: ClientContext) {
    this.#context = context
  }

  /**
   * Reloads the 30 channels with the newest messages, and the others later, page by page [CON-14, CON-15].
   * @returns true when listeners are to be notified, false when the connection was lost again meanwhile
   */
  async run(): Promise<boolean> {
    this.cancel()
    const connection = this.#context.connectionID()
    const later = this.#lost().sort((a, b) => lastMessageAt(b) - lastMessageAt(a))
    for (const active of this.#context.active.values()) if (!later.includes(active)) cutReplies(active)
    for (const active of later) {
      if (active.missedSince) continue
      active.missedSince = this.#context.missedSince
      active.knownUntil = newestReceived(active.channel.state)
    }
    const first = later.splice(0, CHANNELS_RECOVERED)
    // Channels that are open in a view come first.
    for (const active of later.sort((a, b) => isOpen(b) - isOpen(a))) this.#markStale(active)
    await this.#read(first)
    if (connection !== this.#context.connectionID()) return false
    this.#later(0)
    return true
  }

  /** Reloads a channel that the server does not watch and that could not be watched. */
  again(active: ChannelContext) {
    this.#markStale(active)
    if (!this.#cancel) this.#later(0)
  }

  /** The application reloads its channels itself; the server no longer watches any of them. */
  leave() {
    for (const { change } of this.#lost()) change((state) => merged(state, { initialized: false }))
    for (const active of this.#context.active.values()) cutReplies(active)
  }

  /** The channel is watched, or is not to be watched any more. Until its missed events are known, it is not settled. */
  settled(active: ChannelContext, isWatched: boolean) {
    const { channel, missedSince } = active
    if (!isWatched || !missedSince) this.#stale.delete(channel)
    if (!isWatched) cutReplies(active)
  }

  cancel() {
    this.#cancel?.()
    this.#cancel = undefined
  }

  forget() {
    this.cancel()
    this.#stale.clear()
  }

  /** The channels that were watched, and those left by an interrupted recovery. */
  #lost(): ChannelContext[] {
    return [...this.#context.active.values()].filter(({ channel }) => channel.initialized || this.#stale.has(channel))
  }

  /** Every further page waits at least a second, longer while the server refuses [CON-23]. */
  #later(failures: number) {
    this.cancel()
    if (this.#stale.size === 0) return
    const connection = this.#context.connectionID()
    const longerMs = failures > 0 ? spread(backoffRange(failures), this.#context.random) : 0
    this.#cancel = this.#context.clock.after(RECOVERY_PAUSE_MS + longerMs, async () => {
      // A request now would wait for the next connection, and be sent together with that one's first page.
      if (connection !== this.#context.connectionID()) return this.cancel()
      const isDone = await this.#read([...this.#stale.values()].slice(0, CHANNELS_RECOVERED))
      // The next connection reloads everything itself.
      if (connection === this.#context.connectionID()) this.#later(isDone ? 0 : failures + 1)
    })
  }

  /**
   * Reloads one page of channels. Channels missing in the answer are deleted, unless they are merely hidden.
   * @returns false when the request failed; the channels stay stale
   */
  async #read(page: readonly ChannelContext[]): Promise<boolean> {
    if (page.length === 0) return true
    const cids = page.map(({ channel }) => channel.cid)
    const presence = page.some((active) => active.presence)
    const connection = this.#context.connectionID()
    try {
      const request = async () => {
        const found = new Set((await this.#readable(cids, presence)).map(({ cid }) => cid))
        // After a sign-out, no channel is missing.
        if (connection !== this.#context.connectionID()) return undefined
        const missing = cids.filter((cid) => !found.has(cid))
        const hidden = missing.length > 0 ? await this.#query({ cid: { $in: missing }, hidden: true }, presence) : []
        if (connection !== this.#context.connectionID()) return undefined
        const gone = missing.filter((cid) => !hidden.some((channel) => channel.cid === cid))
        for (const cid of gone) this.#context.tell({ type: 'notification.removed_from_channel', cid })
        return page.filter(({ channel, missedSince }) => missedSince && isDeep(channel.state))
      }
      return await this.#context.asks({}, {}, request, async (deep, events) => {
        if (!deep) return false
        if (deep.length > 0 && !(await repaired(this.#context, deep, events))) return false
        for (const active of page) {
          active.missedSince = undefined
          this.#stale.delete(active.channel)
        }
        return true
      })
    } catch (error) {
      this.#context.log('warn', 'Channels could not be recovered.', error)
      // A newer connection has reloaded them, or is about to.
      if (connection === this.#context.connectionID()) for (const active of page) this.#markStale(active)
      return false
    }
  }

  /**
   * The server refuses a whole query when one of its channels may not be read any more [ERR-28]. Then the user's own
   * channels are queried together, and each other one by itself.
   */
  async #readable(cids: readonly string[], presence: boolean): Promise<Channel[]> {
    const all = await this.#query({ cid: { $in: cids } }, presence).catch(unlessLost)
    if (all) return all
    const me = this.#context.client.userID as string
    const mine = await this.#query({ cid: { $in: cids }, members: { $in: [me] } }, presence)
    const others = cids.filter((cid) => !mine.some((channel) => channel.cid === cid))
    const read = await Promise.all(others.map((cid) => this.#query({ cid }, presence).catch(unlessLost)))
    return [...mine, ...read.flatMap((channels) => channels ?? [])]
  }

  /** Queries and watches channels. */
  #query(filter: Filter, presence: boolean): Promise<Channel[]> {
    return this.#context.client.queryChannels(filter, { last_message_at: -1 }, { limit: CHANNELS_RECOVERED, presence })
  }

  #markStale(active: ChannelContext) {
    if (active.channel.disconnected) return
    this.#stale.delete(active.channel)
    this.#stale.set(active.channel, active)
    active.change((state) => merged(state, { initialized: false }))
  }
}

function unlessLost(error: unknown): undefined {
  if (!(error instanceof ChatError) || error.kind !== 'ErrQueryChannelPermissions') throw error
}

/** Replies that arrive from now on need not follow the loaded ones. */
function cutReplies({ change }: ChannelContext) {
  change((state) => {
    let next = state
    for (const [id, thread] of Object.entries(state.threads))
      next = withThread(next, id, { ...thread, sets: withGap(thread.sets) })
    return next
  })
}

/** Whether more than the newest page is loaded. */
function isDeep({ sets, threads }: ChannelState): boolean {
  return (
    Object.keys(threads).length > 0 || sets.length > 1 || sets.some(({ messages }) => messages.length > MESSAGES_PAGE)
  )
}

/** The user's own messages sent while offline do not show which messages came before them. */
function newestReceived({ sets }: ChannelState): string | undefined {
  return latestSet(sets)?.messages.findLast(({ status, unheard }) => status === 'received' && !unheard)?.id
}

function isOpen({ readers }: ChannelContext): number {
  return Number(readers() > 0)
}

function lastMessageAt({ channel }: ChannelContext): number {
  return channel.state.last_message_at?.getTime() ?? 0
}
