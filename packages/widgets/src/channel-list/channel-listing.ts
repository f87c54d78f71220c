import { Cell, type Channel, type ChatClient, type Filter, type Live, type Sort } from '@parley/client'
import { CHANNELS_OFFSET_MAX, CHANNELS_PAGE } from '../limits.ts'
import { inOrder, isArchived, isInvitation } from './channel-order.ts'

export interface ChannelListQuery {
  filters: Filter
  sort?: Sort
}

/** The state of the list. A loaded list stays, whatever fails later. */
export type ChannelListing =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'loaded'; channels: readonly Channel[]; more: 'none' | 'some' | 'loading' | 'failed' | 'beyond' }

/** Newest activity first, as far as the server knows it. */
const NEWEST_FIRST: Sort = { last_updated: -1 }

/**
 * The channels of one query, page by page, in the order of the list, kept up to date by events: an unknown channel with
 * a message is added, a removed or deleted one is dropped, and being added or invited repeats the query.
 */
export class ChannelListStore implements Live<ChannelListing> {
  /** Invitations that arrived while the list was mounted and are not announced yet, by cid. */
  readonly unspoken = new Set<string>()
  #client: ChatClient
  #query: ChannelListQuery
  #cell = new Cell<ChannelListing>({ at: 'loading' })
  #held: string | undefined
  /** Archived channels and invitations in the list; they are shown separately. */
  #apart: readonly (readonly Channel[])[] = [[], []]
  #channelEnds = new Map<Channel, () => void>()
  #asking: Promise<void> | undefined
  #askAgain = false
  /** Channels removed since the request was sent; its answer may still contain them. */
  #gone = new Set<string>()
  /** Channels that were queried and do not belong in the list, so that their messages trigger no further query. */
  #strangers = new Set<string>()
  #following = false
  constructor(client: ChatClient, query: ChannelListQuery) {
    this.#client = client
    this.#query = query
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  /** Loads the list and follows its events. @returns the function that stops it */
  follow(): () => void {
    const client = this.#client
    this.#following = true
    const ask = () => {
      this.#strangers.clear()
      void this.refresh()
    }
    const listening = [
      client.on('notification.added_to_channel', ask),
      client.on('notification.invited', ({ cid }) => {
        this.unspoken.add(cid)
        ask()
      }),
      client.on('notification.invite_accepted', ask),
      client.on('notification.invite_rejected', (event) => this.#leave(event.cid)),
      client.on('notification.removed_from_channel', (event) => this.#leave(event.cid, ask)),
      client.on('channel.deleted', (event) => this.#leave(event.cid, ask)),
      client.on('notification.channel_deleted', (event) => this.#leave(event.cid, ask)),
      client.on('channel.hidden', (event) => this.#leave(event.cid)),
      client.on('channel.visible', ask),
      client.on('connection.recovered', ask),
      client.on('message.new', (event) => this.#heardOf(event.cid)),
      client.on('notification.message_new', (event) => this.#heardOf(event.cid)),
    ]
    ask()
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
      this.#following = false
      for (const end of this.#channelEnds.values()) end()
      this.#channelEnds.clear()
    }
  }

  /** Requests all loaded pages again. Calls made meanwhile are combined into one more round. */
  refresh(): Promise<void> {
    if (this.#asking) {
      this.#askAgain = true
      return this.#asking
    }
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined
      if (!this.#askAgain) return
      this.#askAgain = false
      void this.refresh()
    })
    return this.#asking
  }

  /** The next page of 30, unless the list has ended or the query's maximum offset is reached. */
  async loadMore(): Promise<void> {
    const before = this.snapshot()
    if (before.at !== 'loaded' || (before.more !== 'some' && before.more !== 'failed')) return
    this.#cell.set({ ...before, more: 'loading' })
    try {
      const page = await this.#page(before.channels.length)
      const known = this.#channels()
      const fresh = page.filter((channel) => !known.includes(channel))
      this.#show([...known, ...fresh], page.length === CHANNELS_PAGE)
    } catch {
      const listing = this.snapshot()
      if (listing.at === 'loaded') this.#cell.set({ ...listing, more: 'failed' })
    }
  }

  /** The row with this cid keeps its place until the next call with `undefined`. */
  hold(cid: string | undefined) {
    if (this.#held === cid) return
    this.#held = cid
    this.#arrange()
  }

  async #ask() {
    this.#gone.clear()
    const wanted = Math.max(this.#channels().length, CHANNELS_PAGE)
    try {
      const channels: Channel[] = []
      let full = true
      while (full && channels.length < wanted) {
        const page = await this.#page(channels.length)
        full = page.length === CHANNELS_PAGE
        channels.push(...page.filter((channel) => !channels.includes(channel)))
        if (page.length === 0) break
      }
      this.#show(channels, full)
    } catch (error) {
      if (this.snapshot().at !== 'loaded') this.#cell.set({ at: 'failed', error })
    }
  }

  #page(offset: number) {
    const { filters, sort = NEWEST_FIRST } = this.#query
    return this.#client.queryChannels(filters, sort, { limit: CHANNELS_PAGE, offset, presence: true })
  }

  /** A channel that is not in the list had a message: it is added if it matches the query. */
  #heardOf(cid: string) {
    if (this.snapshot().at !== 'loaded' || this.#strangers.has(cid)) return
    if (this.#channels().some((channel) => channel.cid === cid)) return
    this.#strangers.add(cid)
    void this.refresh()
  }

  #leave(cid: string, then?: () => void) {
    this.#gone.add(cid)
    if (this.#asking) this.#askAgain = true
    const listing = this.snapshot()
    if (listing.at === 'loaded') {
      const channels = listing.channels.filter((channel) => channel.cid !== cid)
      this.#follow(channels)
      this.#cell.set({ ...listing, channels })
    }
    then?.()
  }

  #channels(): readonly Channel[] {
    const listing = this.snapshot()
    return listing.at === 'loaded' ? listing.channels : []
  }

  #show(found: readonly Channel[], full: boolean) {
    const channels = found.filter(({ cid }) => !this.#gone.has(cid))
    this.#follow(channels)
    const more = !full ? 'none' : found.length > CHANNELS_OFFSET_MAX ? 'beyond' : 'some'
    // The held row keeps its place on screen, not the one in the answer.
    const shown = this.#channels()
    const kept = shown.filter((channel) => channels.includes(channel))
    const arranged = inOrder([...kept, ...channels.filter((channel) => !kept.includes(channel))], this.#held)
    this.#cell.set({ at: 'loaded', channels: arranged, more })
  }

  #arrange() {
    const listing = this.snapshot()
    if (listing.at !== 'loaded') return
    const channels = inOrder(listing.channels, this.#held)
    const apart = [channels.filter(isArchived), channels.filter(isInvitation)]
    const isSame = (one: readonly Channel[], other: readonly Channel[] = []) =>
      one.length === other.length && one.every((channel, place) => channel === other[place])
    if (isSame(channels, listing.channels) && apart.every((some, at) => isSame(some, this.#apart[at]))) return
    this.#apart = apart
    this.#cell.set({ ...listing, channels })
  }

  /** Subscribes to exactly these channels: any of them may move to the top. */
  #follow(channels: readonly Channel[]) {
    // An answer may arrive after the list is unmounted.
    if (!this.#following) return
    for (const [channel, end] of this.#channelEnds) {
      if (channels.includes(channel)) continue
      end()
      this.#channelEnds.delete(channel)
    }
    for (const channel of channels) {
      if (!this.#channelEnds.has(channel)) {
        this.#channelEnds.set(
          channel,
          channel.preview.subscribe(() => this.#arrange()),
        )
      }
    }
  }
}
