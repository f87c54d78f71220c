import type { Clock } from '../clock.ts'
import { withFields } from '../json-fields.ts'
import type { Micros } from '../micros.ts'
import { type Bus, subjectToken } from './bus.ts'
import { ChannelOrder } from './channel-order.ts'
import type { Connection } from './connection.ts'
import { applyEffect } from './effects.ts'
import { Frames, textFrame } from './frames.ts'
import { type Mutes, OnlineUser, type UnreadState } from './online-user.ts'
import type { Lazy, Publication } from './publication.ts'
import { CACHED_WATCHER_IDS, type CachedWatchers, WatcherCache } from './watcher-cache.ts'
import { Watchers } from './watchers.ts'

/** Channels that are looked up in one query. */
const CHANNELS_AT_ONCE = 500
/** Users who are looked up at the same moment. */
const USERS_AT_ONCE = 100
/** How long a node that begins to watch a channel waits for the other nodes to report its watchers. */
const WATCHERS_WAIT_MS = 50
/** A node that does not report a channel's watchers within this time counts as having none. */
const SILENT_AFTER_MS = 5_000

/** What the hub must ask others for; it knows no chat noun itself. */
export interface HubSources {
  /** The user's current unread states: in the named channels, or in all. */
  unreadStates(app: string, userId: string, cids?: readonly string[]): Promise<Map<string, UnreadState>>
  /** What the user mutes, read now. */
  mutes(app: string, userId: string): Promise<Mutes>
  /** The numbers of the newest events of channels, by cid. */
  newestSeqs(app: string, cids: readonly string[]): Promise<Map<string, number>>
  /** What happened in a channel after an event, oldest first, without effects. */
  eventsAfter(app: string, cid: string, seq: number): Promise<Publication[]>
  /** A user began to watch on their first connection anywhere, or stopped on the last. */
  watchingChanged(app: string, cid: string, userId: string, watching: boolean): void
  /** How many connections a user has on this node has changed. */
  counted(app: string, userId: string, count: number): void
  /** A user's first connection on this node came, or the last one went. */
  arrived(app: string, userId: string): Promise<void> | void
  left(app: string, userId: string): void
  /** An event's text for a user who does not see the messages of channels up to some time. */
  withoutHidden(text: string, hiddenToOf: (cid: string) => Micros): string
  /** An event's text with current translations. */
  inWords(app: string, text: string): string
  failed(error: unknown): void
  /** How often this node, or another one by its report, has committed. */
  commits(): number
  receivedCommits(node: string, number: number): void
}

/** The number of the newest event that a node has published to a channel. */
export type Newest = [app: string, cid: string, seq: number]

/** The recipients of a channel on this node. */
interface Audience {
  app: string
  cid: string
  watchers: Watchers
  members: Map<string, OnlineUser>
  order: ChannelOrder
  /** Resolves when the other nodes had time to report watchers. */
  asking?: Promise<void>
  /** Ends the subscription to other nodes' events of it. */
  end: (() => void) | undefined
}

interface UserBusMessage {
  userId: string
  publication: Publication
}

type ChannelBusMessage =
  | { from: string; commits?: number; publication: Publication }
  | { from: string; watch: string; on: boolean; invisible?: boolean }
  | { from: string; ask: 'watchers' }
  | { from: string; watchers: string[]; invisible?: string[]; to: string }

/**
 * Fan-out: hands events to connections, encoded once, with the receiver's totals spliced in, in the channel's order.
 *
 * In a cluster a node subscribes to a channel while one of its connections watches it or belongs to a
 * connected member, and to every connected user.
 */
export class Hub {
  #node: string
  #clock: Clock
  #bus: Bus | undefined
  #sources: HubSources
  #audiences = new Map<string, Audience>()
  #users = new Map<string, OnlineUser>()
  #userEnds = new Map<string, () => void>()
  /** Users whose unread states are being read for the first time. */
  #arrivals = new Map<string, Promise<void>>()
  /** How many users' unread states are being read. */
  #entering = 0
  /** Channels with events during such a read, with no members on this node. */
  #unheard = new Set<string>()
  #followers = new Map<string, Set<Connection>>()
  #connections = new Map<string, Connection>()
  #watcherCache: WatcherCache
  /** Invisible users, by app. */
  #invisible = new Map<string, Set<string>>()
  /** Events published here since `takeNewest`, by channel. */
  #newest = new Map<string, Newest>()
  /** Frames handed to connections so far. */
  deliveries = 0
  constructor(node: string, clock: Clock, bus: Bus | undefined, sources: HubSources) {
    this.#node = node
    this.#clock = clock
    this.#bus = bus
    this.#sources = sources
    this.#watcherCache = new WatcherCache(clock)
  }

  get connections(): ReadonlyMap<string, Connection> {
    return this.#connections
  }

  user(app: string, userId: string): OnlineUser | undefined {
    return this.#users.get(`${app}|${userId}`)
  }

  connectionsOf(app: string, userId: string): number {
    return this.user(app, userId)?.connections.size ?? 0
  }

  /** Takes a connection in; resolves with the user's unread totals when every event from now on will reach it. */
  async attach(connection: Connection): Promise<OnlineUser | undefined> {
    this.#connections.set(connection.id, connection)
    if (connection.anonymous) return undefined

    const key = `${connection.app}|${connection.userId}`
    let user = this.#users.get(key)
    if (user) {
      user.connections.add(connection)
      this.#sources.counted(user.app, user.id, user.connections.size)
      await this.#arrivals.get(key)
      return user
    }
    user = new OnlineUser(connection.app, connection.userId)
    user.connections.add(connection)
    this.#users.set(key, user)
    const noted = this.#sources.arrived(user.app, user.id)
    this.#sources.counted(user.app, user.id, 1)
    const arrival = Promise.all([this.#arrive(key, user), noted]).then(() => {})
    this.#arrivals.set(key, arrival)
    try {
      await arrival
    } finally {
      if (this.#arrivals.get(key) === arrival) this.#arrivals.delete(key)
    }
    return user
  }

  async #arrive(key: string, user: OnlineUser) {
    if (this.#bus) {
      const end = this.#bus.subscribe(`app.${user.app}.user.${subjectToken(user.id)}`, (text) =>
        this.#deliverToUser(JSON.parse(text)),
      )
      this.#userEnds.set(key, end)
      await this.#bus.settled()
    }
    await this.#enter(user)
  }

  detach(connection: Connection) {
    if (!this.#connections.delete(connection.id)) return
    for (const cid of [...connection.watching]) this.unwatch(connection, cid)
    for (const followed of connection.following) {
      const followers = this.#followers.get(followed)
      followers?.delete(connection)
      if (followers?.size === 0) this.#followers.delete(followed)
    }

    const key = `${connection.app}|${connection.userId}`
    const user = this.#users.get(key)
    if (!user?.connections.delete(connection)) return
    this.#sources.counted(user.app, user.id, user.connections.size)
    if (user.connections.size > 0) return
    this.#users.delete(key)
    this.#userEnds.get(key)?.()
    this.#userEnds.delete(key)
    for (const cid of user.channels.keys()) this.#removeMember(user, cid)
    this.#sources.left(user.app, user.id)
  }

  /** From when this resolves, the connection gets the channel's events and the watcher count is known. */
  async watch(connection: Connection, cids: readonly string[]) {
    const begun: Audience[] = []
    const fresh: Audience[] = []
    for (const cid of cids) {
      if (connection.watching.has(cid)) continue
      const audience = this.#audience(connection.app, cid)
      if (!audience.watchers.asked) fresh.push(audience)
      audience.watchers.asked = true
      connection.watching.add(cid)
      audience.watchers.add(connection)
      begun.push(audience)
    }
    if (!this.#bus || begun.length === 0) return
    await Promise.all(begun.map(({ asking }) => asking))
    if (fresh.length > 0) await this.#bus.settled()
    for (const audience of fresh) this.#broadcast(audience, { from: this.#node, ask: 'watchers' })
    const begunCids = begun.map(({ cid }) => cid)
    const seqs = await this.#sources.newestSeqs(connection.app, begunCids)
    for (const { cid, order, watchers } of begun) {
      const newest = seqs.get(cid)
      // Without a number to go on, the loss of the first event would not be noticed.
      order.startAfter(newest)
      if (watchers.connections.has(connection)) watchers.connections.set(connection, newest ?? 0)
    }
    if (fresh.length > 0) await new Promise<void>((resolve) => this.#clock.after(WATCHERS_WAIT_MS, resolve))
  }

  unwatch(connection: Connection, cid: string) {
    const audience = this.#audiences.get(`${connection.app}|${cid}`)
    if (!audience || !connection.watching.delete(cid)) return
    audience.watchers.remove(connection)
    this.#dropIfEmpty(audience)
  }

  /** The watchers of a channel, for a node without watchers of it. */
  cachedWatchers(app: string, cid: string): CachedWatchers {
    return { count: this.watcherCount(app, cid), ids: this.watchersShown(app, cid).slice(0, CACHED_WATCHER_IDS) }
  }

  /** Another node reported the watchers. */
  glimpsed(app: string, cid: string, cachedWatchers: CachedWatchers) {
    this.#watcherCache.keep(`${app}|${cid}`, cachedWatchers)
  }

  /** A user becomes invisible or visible; where they watch it looks like leaving or coming. */
  setInvisible(app: string, userId: string, on: boolean) {
    const invisible = this.#invisibleIn(app)
    if (invisible.has(userId) === on) return
    if (on) invisible.add(userId)
    else invisible.delete(userId)
    for (const audience of this.#audiences.values())
      if (audience.app === app && audience.watchers.has(userId))
        this.#sources.watchingChanged(app, audience.cid, userId, !on)
  }

  #invisibleIn(app: string): Set<string> {
    const invisible = this.#invisible.get(app) ?? new Set()
    this.#invisible.set(app, invisible)
    return invisible
  }

  /** Distinct users who watch, on all nodes, but for invisible ones; an anonymous connection counts as one. */
  watcherCount(app: string, cid: string): number {
    const watchers = this.#audiences.get(`${app}|${cid}`)?.watchers
    return watchers?.asked ? watchers.count : (this.#watcherCache.of(`${app}|${cid}`)?.count ?? 0)
  }

  /** Whether `watcherCount` covers all nodes; nodes without watchers receive no reports. */
  knowsWatchers(app: string, cid: string): boolean {
    return !this.#bus || this.#audiences.get(`${app}|${cid}`)?.watchers.asked === true
  }

  /** The connections on this node that watch. */
  watchersHere(app: string, cid: string): Connection[] {
    return [...(this.#audiences.get(`${app}|${cid}`)?.watchers.connections.keys() ?? [])]
  }

  /** Ids of those who watch and of whom others may know, the last to begin first. */
  watchersShown(app: string, cid: string): string[] {
    const watchers = this.#audiences.get(`${app}|${cid}`)?.watchers
    return watchers?.asked ? watchers.shown : [...(this.#watcherCache.of(`${app}|${cid}`)?.ids ?? [])]
  }

  /** Ids of the named watchers, including invisible ones: they receive the same events. */
  watchersOf(app: string, cid: string): string[] {
    const watchers = this.#audiences.get(`${app}|${cid}`)?.watchers
    return watchers?.asked ? watchers.ids : [...(this.#watcherCache.of(`${app}|${cid}`)?.ids ?? [])]
  }

  /** The same, of all of them: where this node does not know of the others, these are asked. */
  async whoWatches(app: string, cid: string): Promise<string[]> {
    if (!this.#bus) return this.watchersOf(app, cid)
    const audience = this.#audience(app, cid)
    if (!audience.watchers.asked) {
      audience.watchers.asked = true
      audience.asking = this.#askWatchers(audience)
    }
    await audience.asking
    const { ids } = audience.watchers
    if (this.#audiences.get(`${app}|${cid}`) === audience) this.#dropIfEmpty(audience)
    return ids
  }

  async #askWatchers(audience: Audience) {
    await this.#bus?.settled()
    this.#broadcast(audience, { from: this.#node, ask: 'watchers' })
    await new Promise<void>((resolve) => this.#clock.after(WATCHERS_WAIT_MS, resolve))
  }

  /** Subscribes the connection to these users' presence. */
  follow(connection: Connection, userIds: readonly string[]) {
    for (const id of userIds) {
      const key = `${connection.app}|${id}`
      connection.following.add(key)
      const followers = this.#followers.get(key) ?? new Set()
      this.#followers.set(key, followers.add(connection))
    }
  }

  /** To the followers of a user on this node, but for the user's own connections. */
  sendToFollowers(app: string, userId: string, body: string) {
    const followers = this.#followers.get(`${app}|${userId}`)
    if (!followers) return
    const frame = textFrame(Buffer.from(this.#sources.inWords(app, body)))
    for (const connection of followers) if (connection.userId !== userId) this.#send(connection, frame)
  }

  /** To all on this node who know a user: followers, watchers of these channels, and the user's own connections. */
  sendToAllWhoKnow(app: string, userId: string, cids: readonly string[], body: string) {
    const receivers = new Set(this.#followers.get(`${app}|${userId}`))
    for (const connection of this.user(app, userId)?.connections ?? []) receivers.add(connection)
    for (const cid of cids) for (const connection of this.watchersHere(app, cid)) receivers.add(connection)
    const frame = textFrame(Buffer.from(this.#sources.inWords(app, body)))
    for (const connection of receivers) this.#send(connection, frame)
  }

  /** To the user's own connections on this node. */
  sendToUser(app: string, userId: string, body: string) {
    const user = this.user(app, userId)
    if (user) this.#sendToAll(user, body, false)
  }

  /** To these connections on this node. */
  send(connections: Iterable<Connection>, app: string, body: string) {
    const frame = textFrame(Buffer.from(this.#sources.inWords(app, body)))
    for (const connection of connections) this.#send(connection, frame)
  }

  /** To the watchers on this node alone, all connections but those of one user. */
  sendToWatchers(app: string, cid: string, body: string, except: string | undefined) {
    const watchers = this.watchersHere(app, cid)
    if (watchers.length === 0) return
    const frame = textFrame(Buffer.from(this.#sources.inWords(app, body)))
    for (const connection of watchers) if (connection.userId !== except) this.#send(connection, frame)
  }

  /** Delivers what was committed here, to this node and to the others. */
  publish(publications: readonly Publication[]) {
    for (const publication of publications) {
      if (this.#bus) this.#carry(publication)
      if (publication.cid !== null) this.#receive(publication)
      for (const userId of usersNamed(publication)) this.#deliverToUser({ userId, publication })
    }
  }

  /** Removes the watchers on another node. */
  nodeGone(node: string) {
    for (const { watchers } of this.#audiences.values()) watchers.noteAllThere(node, [])
  }

  /** Events may have been missed: they are read from the database. */
  async catchUp() {
    await eachOf(this.#users.values(), (user) => this.#enter(user))
    const audiences = [...this.#audiences.values()]
    for (const audience of audiences) {
      audience.watchers.doubt()
      this.#broadcast(audience, { from: this.#node, ask: 'watchers' })
    }
    this.#clock.after(SILENT_AFTER_MS, () => {
      for (const { watchers } of audiences) watchers.forgetSilent()
    })
    for (const [app, those] of Map.groupBy(audiences, ({ app }) => app))
      for (let at = 0; at < those.length; at += CHANNELS_AT_ONCE) {
        const cids = those.slice(at, at + CHANNELS_AT_ONCE).map(({ cid }) => cid)
        for (const [cid, seq] of await this.#sources.newestSeqs(app, cids)) this.expect([app, cid, seq])
      }
  }

  /** Drops the state of published events; for a node that has just closed all its connections. */
  reset() {
    this.#newest.clear()
    this.#unheard.clear()
    for (const { order } of this.#audiences.values()) order.reset()
  }

  /** The newest event published here since the last call, for each channel. */
  takeNewest(): Newest[] {
    const newest = [...this.#newest.values()]
    this.#newest.clear()
    return newest
  }

  /** An event has happened; should it not come soon, it is read from the log. */
  expect([app, cid, seq]: Newest) {
    this.#audiences.get(`${app}|${cid}`)?.order.expect(seq)
  }

  #carry(publication: Publication) {
    const commits = this.#sources.commits()
    const busMessage: ChannelBusMessage = { from: this.#node, commits, publication: spokenOut(publication) }
    const text = JSON.stringify(busMessage)
    const { app, cid, seq } = publication
    if (cid !== null) this.#bus!.publish(channelSubject(app, cid), text)
    if (cid !== null && seq > 0) this.#newest.set(`${app}|${cid}`, [app, cid, seq])
    for (const userId of usersNamed(publication))
      this.#bus!.publish(
        `app.${publication.app}.user.${subjectToken(userId)}`,
        JSON.stringify({ ...busMessage, userId }),
      )
  }

  #onBusMessage(audience: Audience, text: string) {
    const busMessage = JSON.parse(text) as ChannelBusMessage
    if (busMessage.from === this.#node) return
    if ('publication' in busMessage) {
      if (busMessage.commits) this.#sources.receivedCommits(busMessage.from, busMessage.commits)
      this.#receive(busMessage.publication)
    } else if ('watch' in busMessage) {
      if (busMessage.invisible) this.setInvisible(audience.app, busMessage.watch, true)
      audience.watchers.noteThere(busMessage.from, busMessage.watch, busMessage.on)
    } else if ('ask' in busMessage) {
      const { idsHere } = audience.watchers
      const invisible = idsHere.filter((id) => this.#invisibleIn(audience.app).has(id))
      this.#broadcast(audience, { from: this.#node, watchers: idsHere, invisible, to: busMessage.from })
    } else if (busMessage.to === this.#node) {
      for (const id of busMessage.invisible ?? []) this.setInvisible(audience.app, id, true)
      audience.watchers.noteAllThere(busMessage.from, busMessage.watchers)
    }
  }

  #broadcast(audience: Audience, busMessage: ChannelBusMessage) {
    this.#bus?.publish(channelSubject(audience.app, audience.cid), JSON.stringify(busMessage))
  }

  #receive(publication: Publication) {
    const key = `${publication.app}|${publication.cid}`
    const audience = this.#audiences.get(key)
    if (audience) audience.order.receive(publication)
    else if (this.#entering > 0) this.#unheard.add(key)
  }

  /** The log has the events that the bus lost; unread states are reloaded with them. */
  async #readLost({ app, cid, members }: Audience, after: number): Promise<Publication[]> {
    const lost = await this.#sources.eventsAfter(app, cid, after)
    await eachOf(members.values(), (user) => this.#reread(user, [cid]))
    return lost
  }

  #deliver(audience: Audience, publication: Publication) {
    const { cid } = audience
    const changed = this.#applyEffects(audience, publication)
    const count = publication.uncounted && audience.watchers.asked ? this.watcherCount(audience.app, cid) : undefined
    const counted = (body: string) => (count === undefined ? body : withFields(body, { watcher_count: count }))

    const only = publication.only && new Set(publication.only)
    const blind = this.#blindTo(audience, publication)
    const { threads } = publication
    const framesFor = (userId: string, body: Lazy, frames: Frames) => {
      const own = threads?.[userId]
      const hiddenTo = audience.members.get(userId)?.channels.get(cid)?.hiddenTo
      if (!own && !hiddenTo) return frames
      const whole = spoken(body)
      const text = hiddenTo ? this.#sources.withoutHidden(whole, () => hiddenTo) : whole
      return own || text !== whole ? this.#frames(publication.app, withFields(counted(text), { ...own })) : frames
    }
    const watching = audience.watchers.connections
    if (publication.watchers !== undefined && watching.size > 0) {
      const frames = this.#frames(publication.app, counted(publication.watchers))
      for (const [connection, since] of watching) {
        if (publication.seq > 0 && publication.seq <= since) continue
        if ((only && !only.has(connection.userId)) || blind?.has(connection.userId)) continue
        if (connection.userId === publication.except) continue
        const user = hasTotals(publication, connection.userId) ? audience.members.get(connection.userId) : undefined
        const frame = framesFor(connection.userId, publication.watchers, frames)
        this.#send(connection, frame.with(user?.channels.get(cid)?.counts ? user.totals : undefined))
      }
    }
    if (publication.others) {
      let frames: Frames | undefined
      for (const user of audience.members.values()) {
        if (user.id === publication.others.except || (only && !only.has(user.id)) || blind?.has(user.id)) continue
        if (publication.others.onlyChanged && !changed.has(user.id) && !threads?.[user.id]) continue
        for (const connection of user.connections) {
          if (connection.watching.has(cid)) continue
          frames ??= this.#frames(publication.app, counted(spoken(publication.others.body)))
          const frame = framesFor(user.id, publication.others.body, frames)
          this.#send(connection, frame.with(user.channels.get(cid)?.counts ? user.totals : undefined))
        }
      }
    }
    if (publication.lowered && (changed.get(publication.lowered.user) ?? 0) < 0) {
      const user = this.user(audience.app, publication.lowered.user)
      if (user) this.#sendToAll(user, spoken(publication.lowered.body), true)
    }
    for (const effect of publication.effects ?? []) {
      if (effect.do === 'close') this.#close(audience)
      if (effect.do === 'forget') this.#countLeft(audience, effect.ordinal)
      if (effect.do === 'leave') this.#leave(audience.app, effect.user, cid)
    }
  }

  /** Members who do not see the event's message; all see what is posted now. */
  #blindTo(audience: Audience, { about, at }: Publication): ReadonlySet<string> | undefined {
    if (about === undefined || about >= at) return undefined
    const isBlind = (user: OnlineUser) => (user.channels.get(audience.cid)?.hiddenTo ?? 0) >= about
    return new Set([...audience.members.values()].filter(isBlind).map(({ id }) => id))
  }

  /** Lets the effects act on members here; gives those whose unread count they changed, and by how much. */
  #applyEffects(audience: Audience, { seq, effects = [] }: Publication): Map<string, number> {
    const changed = new Map<string, number>()
    if (effects.length === 0) return changed
    const alone = effects.length === 1 && effects[0]!.do === 'read' ? effects[0]!.user : undefined
    const users = alone === undefined ? audience.members.values() : [audience.members.get(alone)]
    for (const user of users) {
      const unreadState = user?.channels.get(audience.cid)
      if (!user || !unreadState || seq <= unreadState.seq) continue
      const before = unreadState.unread
      for (const effect of effects) applyEffect(user, audience.cid, unreadState, effect)
      unreadState.seq = seq
      if (unreadState.unread !== before) changed.set(user.id, unreadState.unread - before)
    }
    return changed
  }

  /**
   * Of what is left after an ordinal some may be one's own, or of people one mutes: for who had not read so far it is
   * counted.
   */
  #countLeft({ cid, members }: Audience, ordinal: number) {
    const concerned = [...members.values()].filter(({ channels }) => {
      const unreadState = channels.get(cid)
      return unreadState?.ordinal === ordinal && unreadState.unread > 0
    })
    eachOf(concerned, (user) => this.#reread(user, [cid])).catch((error: unknown) => this.#sources.failed(error))
  }

  #deliverToUser(busMessage: UserBusMessage) {
    const { userId, publication } = busMessage
    const user = this.user(publication.app, userId)
    if (!user) return
    const { cid, seq } = publication
    const audience =
      cid !== null && user.channels.has(cid) ? this.#audiences.get(`${publication.app}|${cid}`) : undefined
    // Its totals would be older than the event it belongs to.
    if (audience?.order.awaits(seq)) return audience.order.hold(() => this.#deliverToUser(busMessage))
    if (publication.quiet?.user === userId) user.setMutes(publication.quiet, this.#clock.micros())
    for (const effect of publication.effects ?? []) {
      if (cid === null || !('user' in effect) || effect.user !== userId) continue
      if (effect.do === 'join') {
        const { ordinal, counts, unread = 0, hiddenTo, joinedAt } = effect
        this.#join(user, cid, { seq, ordinal, counts, unread, hiddenTo, joinedAt })
      }
    }
    for (const { users, body, totals, unwatched, threads } of publication.personal ?? []) {
      if (!users.includes(userId)) continue
      const text = this.#sources.withoutHidden(body, (cid) => user.channels.get(cid)?.hiddenTo ?? 0)
      this.#sendToAll(
        user,
        withFields(text, threads ?? {}),
        totals === true,
        unwatched && cid !== null ? cid : undefined,
      )
    }
  }

  #sendToAll(user: OnlineUser, body: string, totals: boolean, unwatchedCid?: string) {
    const frame = this.#frames(user.app, body).with(totals ? user.totals : undefined)
    for (const connection of user.connections)
      if (unwatchedCid === undefined || !connection.watching.has(unwatchedCid)) this.#send(connection, frame)
  }

  #frames(app: string, body: string): Frames {
    return new Frames(this.#sources.inWords(app, body))
  }

  #send(connection: Connection, frame: Buffer) {
    this.deliveries += 1
    connection.lastSentAt = this.#clock.elapsed()
    connection.send(frame)
  }

  /** Reads the user's unread states in all channels, or in the named ones, and keeps them current. */
  async #enter(user: OnlineUser, cids?: readonly string[]) {
    this.#entering += 1
    try {
      await this.#loadUnreadStates(user, cids)
    } finally {
      this.#entering -= 1
      if (this.#entering === 0) this.#unheard.clear()
    }
  }

  async #loadUnreadStates(user: OnlineUser, cids: readonly string[] | undefined) {
    const before = cids?.filter((cid) => user.channels.has(cid)) ?? [...user.channels.keys()]
    const mutings = user.mutings
    const [mutes, unreadStates] = await Promise.all([
      this.#sources.mutes(user.app, user.id),
      this.#sources.unreadStates(user.app, user.id, cids),
    ])
    if (user.mutings === mutings) user.setMutes(mutes, this.#clock.micros())
    if (user.connections.size === 0) return
    const behind = before.filter((cid) => !unreadStates.has(cid))
    for (const [cid, unreadState] of unreadStates) {
      const known = user.channels.get(cid)
      const { order } = this.#audience(user.app, cid)
      const passedBy =
        order.newest === undefined ? this.#unheard.has(`${user.app}|${cid}`) : order.newest > unreadState.seq
      if (this.#bus || passedBy) behind.push(cid)
      order.startAfter(unreadState.seq)
      if (!known || known.seq <= unreadState.seq) this.#addMember(user, cid, unreadState)
    }
    // Events delivered during the read are missing in these states.
    if (behind.length === 0) return
    await this.#bus?.settled()
    await this.#reread(user, behind)
  }

  /** Reads unread states again until no event has overtaken the read. */
  async #reread(user: OnlineUser, cids: readonly string[]) {
    for (let left = cids; left.length > 0; ) {
      const fresh = await this.#sources.unreadStates(user.app, user.id, left)
      left = left.filter((cid) => {
        const known = user.channels.get(cid)
        const unreadState = fresh.get(cid)
        if (known && !unreadState) this.#leave(user.app, user.id, cid)
        if (!known || !unreadState) return false
        if (unreadState.seq < known.seq) return true
        user.enter(cid, unreadState)
        return false
      })
    }
  }

  /** The rules of some channels changed: reloads the unread states of connected users. */
  async reloadUnreadStates(app: string, isConcerned: (cid: string) => boolean) {
    await eachOf(this.#users.values(), async (user) => {
      if (user.app === app) await this.#reread(user, [...user.channels.keys()].filter(isConcerned))
    })
  }

  /** Those of the users who are connected here may read other channels than before, or of the named ones. */
  async reloadUnreadStatesOfUsers(app: string, userIds: readonly string[], cids?: readonly string[]) {
    const users = userIds.flatMap((id) => this.user(app, id) ?? [])
    await eachOf(users, (user) => this.#enter(user, cids))
  }

  /** Users connected to this node. */
  usersHere(app: string): string[] {
    return [...this.#users.values()].flatMap((user) => (user.app === app ? user.id : []))
  }

  #join(user: OnlineUser, cid: string, unreadState: UnreadState) {
    this.#addMember(user, cid, unreadState)
    this.#audience(user.app, cid).order.startAfter(unreadState.seq)
    // Until this node's subscription is in force, it misses events of the channel.
    if (this.#bus)
      this.#bus
        .settled()
        .then(() => this.#reread(user, [cid]))
        .catch((error: unknown) => this.#sources.failed(error))
  }

  #leave(app: string, userId: string, cid: string) {
    const user = this.user(app, userId)
    if (!user) return
    this.#removeMember(user, cid)
    for (const connection of user.connections) this.unwatch(connection, cid)
  }

  #addMember(user: OnlineUser, cid: string, unreadState: UnreadState) {
    user.enter(cid, unreadState)
    this.#audience(user.app, cid).members.set(user.id, user)
  }

  #removeMember(user: OnlineUser, cid: string) {
    user.leave(cid)
    const audience = this.#audiences.get(`${user.app}|${cid}`)
    if (!audience?.members.delete(user.id)) return
    this.#dropIfEmpty(audience)
  }

  #close(audience: Audience) {
    for (const user of [...audience.members.values()]) this.#removeMember(user, audience.cid)
    for (const connection of [...audience.watchers.connections.keys()]) this.unwatch(connection, audience.cid)
  }

  #audience(app: string, cid: string): Audience {
    const key = `${app}|${cid}`
    const audience = this.#audiences.get(key)
    if (audience) return audience
    const invisible = this.#invisibleIn(app)
    const opened: Audience = {
      app,
      cid,
      watchers: new Watchers(
        {
          here: (watch, on) =>
            this.#broadcast(opened, { from: this.#node, watch, on, ...(invisible.has(watch) && { invisible: true }) }),
          anywhere: (userId, watching) => {
            if (!invisible.has(userId)) this.#sources.watchingChanged(app, cid, userId, watching)
          },
        },
        invisible,
      ),
      members: new Map(),
      order: new ChannelOrder(this.#clock, {
        deliver: (publication) => this.#deliver(opened, publication),
        lost: (after) => this.#readLost(opened, after),
        failed: (error) => this.#sources.failed(error),
      }),
      end: this.#bus?.subscribe(channelSubject(app, cid), (text) => this.#onBusMessage(opened, text)),
    }
    this.#audiences.set(key, opened)
    return opened
  }

  #dropIfEmpty(audience: Audience) {
    if (audience.watchers.connections.size > 0 || audience.members.size > 0) return
    audience.end?.()
    this.#audiences.delete(`${audience.app}|${audience.cid}`)
  }
}

/** Not one after the other, which for thousands would take long, and not all at the same moment. */
async function eachOf(users: Iterable<OnlineUser>, look: (user: OnlineUser) => Promise<void>) {
  const all = [...users]
  for (let at = 0; at < all.length; at += USERS_AT_ONCE) await Promise.all(all.slice(at, at + USERS_AT_ONCE).map(look))
}

function channelSubject(app: string, cid: string): string {
  return `app.${app}.channel.${subjectToken(cid)}`
}

function hasTotals({ totals }: Publication, userId: string): boolean {
  return totals === 'members' || (totals !== undefined && totals.only === userId)
}

function spoken(text: Lazy): string {
  return typeof text === 'string' ? text : text()
}

function spokenOut(publication: Publication): Publication {
  const { others, lowered } = publication
  return {
    ...publication,
    ...(others && { others: { ...others, body: spoken(others.body) } }),
    ...(lowered && { lowered: { ...lowered, body: spoken(lowered.body) } }),
  }
}

/** The users a publication reaches through their own subject: those it is for, and those who come or go. */
function usersNamed({ personal, effects, quiet }: Publication): Set<string> {
  const names = new Set<string>(quiet && [quiet.user])
  for (const { users } of personal ?? []) for (const id of users) names.add(id)
  for (const effect of effects ?? []) if (effect.do === 'join' || effect.do === 'leave') names.add(effect.user)
  return names
}
