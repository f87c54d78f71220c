import type { Clock } from '../clock.ts'
import type { EventRow } from '../database/tables.ts'
import { type Bus, subjectToken } from './bus.ts'
import type { Connection } from './connection.ts'
import { textFrame, totalsTail } from './frames.ts'
import { OnlineUser, type Standing } from './online-user.ts'
import type { Effect, Lazy, Publication } from './publication.ts'

/** What came too early waits this long for the event before it; then the event log is asked. */
const GAP_PATIENCE_MS = 100
/** How long a node that begins to watch a channel waits for the others to say who watches there. */
const WATCHERS_WAIT_MS = 50

/** What the hub must ask others for; it knows no chat noun itself. */
export interface HubSources {
  /** Where a user stands in channels, read now: in the named ones, or in all. */
  standings(app: string, userId: string, cids?: readonly string[]): Promise<Map<string, Standing>>
  /** The channel's events after a number, oldest first. */
  eventsAfter(app: string, cid: string, seq: number): Promise<EventRow[]>
  /** Somebody is the first to watch with any connection anywhere, or the last to stop. */
  watchingChanged(app: string, cid: string, userId: string, watching: boolean): void
  /** A user's first connection on this node came, or the last one went. */
  arrived(app: string, userId: string): void
  left(app: string, userId: string): void
  failed(error: unknown): void
}

/** Who hears of a channel on this node. */
interface Audience {
  app: string
  cid: string
  watchers: Set<Connection>
  /** Connections per watching user, anonymous ones left out. */
  watchingUsers: Map<string, number>
  watchingElsewhere: Map<string, Set<string>>
  members: Map<string, OnlineUser>
  /** The other nodes were asked who watches there; from then on they say it unasked. */
  asked: boolean
  /** Number of the newest event delivered; undefined before the first. */
  seq: number | undefined
  early: Map<number, Publication>
  repairing: boolean
  end: (() => void) | undefined
}

type ChannelMail =
  | { from: string; publication: Publication }
  | { from: string; watch: string; on: boolean }
  | { from: string; ask: 'watchers' }
  | { from: string; watchers: string[]; to: string }

/**
 * Hands events to connections: encoded once, the receiver's totals spliced in, in the channel's order.
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
  #followers = new Map<string, Set<Connection>>()
  #connections = new Map<string, Connection>()
  /** Frames handed to connections so far. */
  deliveries = 0
  constructor(node: string, clock: Clock, bus: Bus | undefined, sources: HubSources) {
    this.#node = node
    this.#clock = clock
    this.#bus = bus
    this.#sources = sources
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
      return user
    }
    user = new OnlineUser(connection.app, connection.userId)
    user.connections.add(connection)
    this.#users.set(key, user)
    this.#sources.arrived(user.app, user.id)
    if (this.#bus) {
      const end = this.#bus.subscribe(`app.${user.app}.user.${subjectToken(user.id)}`, (text) =>
        this.#deliverToUser(JSON.parse(text)),
      )
      this.#userEnds.set(key, end)
      await this.#bus.settled()
    }
    await this.#enter(user)
    return user
  }

  detach(connection: Connection) {
    if (!this.#connections.delete(connection.id)) return
    for (const cid of [...connection.watching]) this.unwatch(connection, cid)
    for (const followed of connection.following) this.#followers.get(followed)?.delete(connection)

    const key = `${connection.app}|${connection.userId}`
    const user = this.#users.get(key)
    if (!user?.connections.delete(connection) || user.connections.size > 0) return
    this.#users.delete(key)
    this.#userEnds.get(key)?.()
    this.#userEnds.delete(key)
    for (const cid of user.channels.keys()) this.#removeMember(user, cid)
    this.#sources.left(user.app, user.id)
  }

  /** From when this resolves, the connection gets the channel's events and the watcher count is known. */
  async watch(connection: Connection, cids: readonly string[]) {
    const fresh: Audience[] = []
    for (const cid of cids) {
      if (connection.watching.has(cid)) continue
      const known = this.#audiences.has(`${connection.app}|${cid}`)
      const audience = this.#audience(connection.app, cid)
      if (!audience.asked) fresh.push(audience)
      audience.asked = true
      connection.watching.add(cid)
      audience.watchers.add(connection)
      if (!connection.anonymous) this.#watchingHere(audience, connection.userId, +1)
    }
    if (!this.#bus || fresh.length === 0) return
    await this.#bus.settled()
    for (const audience of fresh) this.#tell(audience, { from: this.#node, ask: 'watchers' })
    await new Promise<void>((resolve) => this.#clock.after(WATCHERS_WAIT_MS, resolve))
  }

  unwatch(connection: Connection, cid: string) {
    const audience = this.#audiences.get(`${connection.app}|${cid}`)
    if (!audience || !connection.watching.delete(cid)) return
    audience.watchers.delete(connection)
    if (!connection.anonymous) this.#watchingHere(audience, connection.userId, -1)
    this.#dropIfEmpty(audience)
  }

  /** Distinct users who watch, on all nodes; an anonymous connection counts as one. */
  watcherCount(app: string, cid: string): number {
    const audience = this.#audiences.get(`${app}|${cid}`)
    if (!audience) return 0
    let count = audience.watchingUsers.size
    for (const connection of audience.watchers) if (connection.anonymous) count += 1
    const elsewhere = new Set<string>()
    for (const users of audience.watchingElsewhere.values())
      for (const id of users) if (!audience.watchingUsers.has(id)) elsewhere.add(id)
    return count + elsewhere.size
  }

  /** Ids of those who watch, the last to begin first. */
  watchersOf(app: string, cid: string): string[] {
    const audience = this.#audiences.get(`${app}|${cid}`)
    if (!audience) return []
    const ids = new Set([...audience.watchingUsers.keys()].reverse())
    for (const users of audience.watchingElsewhere.values()) for (const id of users) ids.add(id)
    return [...ids]
  }

  /** The connection wants to hear of these users' presence. */
  follow(connection: Connection, userIds: readonly string[]) {
    for (const id of userIds) {
      const key = `${connection.app}|${id}`
      connection.following.add(key)
      const followers = this.#followers.get(key) ?? new Set()
      this.#followers.set(key, followers.add(connection))
    }
  }

  /** To the followers of a user on this node, and to the user's own connections. */
  tellFollowers(app: string, userId: string, body: string) {
    const receivers = new Set(this.#followers.get(`${app}|${userId}`))
    for (const connection of this.user(app, userId)?.connections ?? []) receivers.add(connection)
    const frame = textFrame(Buffer.from(body))
    for (const connection of receivers) this.#send(connection, frame)
  }

  /** To the watchers on this node alone, all connections but those of one user. */
  tellWatchers(app: string, cid: string, body: string, except: string | undefined) {
    const audience = this.#audiences.get(`${app}|${cid}`)
    if (!audience) return
    const frame = textFrame(Buffer.from(body))
    for (const connection of audience.watchers) if (connection.userId !== except) this.#send(connection, frame)
  }

  /** Delivers what was committed here, to this node and to the others. */
  publish(publications: readonly Publication[]) {
    for (const publication of publications) {
      if (this.#bus) this.#carry(publication)
      if (publication.cid !== null) this.#receive(publication)
      for (const userId of usersNamed(publication)) this.#deliverToUser({ userId, publication })
    }
  }

  #carry(publication: Publication) {
    const mail: ChannelMail = { from: this.#node, publication: spokenOut(publication) }
    const text = JSON.stringify(mail)
    if (publication.cid !== null) this.#bus!.publish(channelSubject(publication.app, publication.cid), text)
    for (const userId of usersNamed(publication))
      this.#bus!.publish(`app.${publication.app}.user.${subjectToken(userId)}`, JSON.stringify({ ...mail, userId }))
  }

  #hear(audience: Audience, text: string) {
    const mail = JSON.parse(text) as ChannelMail
    if (mail.from === this.#node) return
    if ('publication' in mail) this.#receive(mail.publication)
    else if ('watch' in mail) this.#watchingThere(audience, mail.from, mail.watch, mail.on)
    else if ('ask' in mail)
      this.#tell(audience, { from: this.#node, watchers: [...audience.watchingUsers.keys()], to: mail.from })
    else if (mail.to === this.#node)
      for (const userId of mail.watchers) this.#watchingThere(audience, mail.from, userId, true)
  }

  #tell(audience: Audience, mail: ChannelMail) {
    this.#bus?.publish(channelSubject(audience.app, audience.cid), JSON.stringify(mail))
  }

  /** Puts a channel's events in order. One that comes before its predecessor waits; a gap is read from the log. */
  #receive(publication: Publication) {
    const audience = this.#audiences.get(`${publication.app}|${publication.cid}`)
    if (!audience) return
    const { seq } = publication
    if (seq === 0) return this.#deliver(audience, publication)
    if (audience.seq !== undefined && seq <= audience.seq) return
    if (audience.seq !== undefined && seq > audience.seq + 1) {
      audience.early.set(seq, publication)
      if (!audience.repairing) {
        audience.repairing = true
        this.#clock.after(GAP_PATIENCE_MS, () => void this.#repair(audience))
      }
      return
    }
    this.#deliver(audience, publication)
    audience.seq = seq
    for (let next = seq + 1; audience.early.has(next); next++) {
      const waiting = audience.early.get(next)!
      audience.early.delete(next)
      this.#deliver(audience, waiting)
      audience.seq = next
    }
  }

  /** What the bus lost is in the log: the events go to the watchers, and the standings are read anew. */
  async #repair(audience: Audience) {
    try {
      if (audience.early.size === 0 || audience.seq === undefined) return
      const missed = await this.#sources.eventsAfter(audience.app, audience.cid, audience.seq)
      for (const event of missed) {
        if (event.seq <= audience.seq) continue
        const waiting = audience.early.get(event.seq)
        audience.early.delete(event.seq)
        this.#deliver(audience, waiting ?? asPublication(event))
        audience.seq = event.seq
      }
      for (const seq of audience.early.keys()) if (seq <= audience.seq) audience.early.delete(seq)
      for (const user of [...audience.members.values()]) await this.#reread(user, audience)
    } catch (error) {
      this.#sources.failed(error)
    } finally {
      audience.repairing = false
    }
  }

  #deliver(audience: Audience, publication: Publication) {
    const { cid } = audience
    const lowered = this.#applyEffects(audience, publication)

    if (publication.watchers !== undefined && audience.watchers.size > 0) {
      const frames = new Frames(publication.watchers)
      for (const connection of audience.watchers) {
        if (publication.onlyWatcher !== undefined && publication.onlyWatcher !== connection.userId) continue
        const user = hasTotals(publication, connection.userId) ? audience.members.get(connection.userId) : undefined
        this.#send(connection, frames.with(user?.channels.get(cid)?.counts ? user.totals : undefined))
      }
    }
    if (publication.others) {
      let frames: Frames | undefined
      for (const user of audience.members.values()) {
        if (user.id === publication.others.except) continue
        for (const connection of user.connections) {
          if (connection.watching.has(cid)) continue
          frames ??= new Frames(spoken(publication.others.body))
          this.#send(connection, frames.with(user.channels.get(cid)?.counts ? user.totals : undefined))
        }
      }
    }
    if (lowered && publication.lowered) {
      const user = this.user(audience.app, publication.lowered.user)
      if (user) this.#sendToAll(user, spoken(publication.lowered.body), true)
    }
    for (const effect of publication.effects ?? []) if (effect.do === 'close') this.#close(audience)
  }

  /** Lets the effects act on members here; says whether the count of the one to be told went down. */
  #applyEffects(audience: Audience, { seq, effects = [], lowered }: Publication): boolean {
    if (effects.length === 0) return false
    const alone = effects.length === 1 && effects[0]!.do === 'read' ? effects[0]!.user : undefined
    const users = alone === undefined ? audience.members.values() : [audience.members.get(alone)]
    let fell = false
    for (const user of users) {
      const standing = user?.channels.get(audience.cid)
      if (!user || !standing || seq <= standing.seq) continue
      const before = standing.unread
      for (const effect of effects) applyEffect(user, audience.cid, standing, effect)
      standing.seq = seq
      if (standing.unread < before && lowered?.user === user.id) fell = true
    }
    return fell
  }

  #deliverToUser({ userId, publication }: { userId: string; publication: Publication }) {
    const user = this.user(publication.app, userId)
    if (!user) return
    const { cid, seq } = publication
    for (const effect of publication.effects ?? []) {
      if (cid === null || !('user' in effect) || effect.user !== userId) continue
      if (effect.do === 'join')
        this.#addMember(user, cid, { seq, ordinal: effect.ordinal, unread: 0, counts: effect.counts })
      if (effect.do === 'leave') {
        this.#removeMember(user, cid)
        for (const connection of user.connections) this.unwatch(connection, cid)
      }
    }
    for (const { users, body, totals, unwatched } of publication.personal ?? []) {
      if (!users.includes(userId)) continue
      this.#sendToAll(user, body, totals === true, unwatched && cid !== null ? cid : undefined)
    }
  }

  #sendToAll(user: OnlineUser, body: string, totals: boolean, unwatchedCid?: string) {
    const frame = new Frames(body).with(totals ? user.totals : undefined)
    for (const connection of user.connections)
      if (unwatchedCid === undefined || !connection.watching.has(unwatchedCid)) this.#send(connection, frame)
  }

  #send(connection: Connection, frame: Buffer) {
    this.deliveries += 1
    connection.toldAt = this.#clock.now()
    connection.send(frame)
  }

  async #enter(user: OnlineUser) {
    const standings = await this.#sources.standings(user.app, user.id)
    if (user.connections.size === 0) return
    const behind: string[] = []
    for (const [cid, standing] of standings) {
      this.#addMember(user, cid, standing)
      const audience = this.#audience(user.app, cid)
      if (this.#bus || (audience.seq !== undefined && audience.seq > standing.seq)) behind.push(cid)
      audience.seq ??= standing.seq
    }
    // What was delivered between the reading and now has passed these standings by.
    if (behind.length === 0) return
    await this.#bus?.settled()
    const fresh = await this.#sources.standings(user.app, user.id, behind)
    for (const [cid, standing] of fresh) if (user.channels.has(cid)) user.enter(cid, standing)
  }

  async #reread(user: OnlineUser, audience: Audience) {
    const fresh = (await this.#sources.standings(user.app, user.id, [audience.cid])).get(audience.cid)
    if (fresh && user.channels.has(audience.cid)) user.enter(audience.cid, fresh)
  }

  #addMember(user: OnlineUser, cid: string, standing: Standing) {
    user.enter(cid, standing)
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
    for (const connection of [...audience.watchers]) this.unwatch(connection, audience.cid)
  }

  #audience(app: string, cid: string): Audience {
    const key = `${app}|${cid}`
    let audience = this.#audiences.get(key)
    if (audience) return audience
    audience = {
      app,
      cid,
      watchers: new Set(),
      watchingUsers: new Map(),
      watchingElsewhere: new Map(),
      members: new Map(),
      seq: undefined,
      early: new Map(),
      repairing: false,
      end: undefined,
    }
    const opened = audience
    audience.end = this.#bus?.subscribe(channelSubject(app, cid), (text) => this.#hear(opened, text))
    this.#audiences.set(key, audience)
    return audience
  }

  #dropIfEmpty(audience: Audience) {
    if (audience.watchers.size > 0 || audience.members.size > 0) return
    audience.end?.()
    this.#audiences.delete(`${audience.app}|${audience.cid}`)
  }

  #watchingHere(audience: Audience, userId: string, change: 1 | -1) {
    const was = isWatching(audience, userId)
    const count = (audience.watchingUsers.get(userId) ?? 0) + change
    if (count > 0) audience.watchingUsers.set(userId, count)
    else audience.watchingUsers.delete(userId)
    if ((change === 1 && count === 1) || count === 0)
      this.#tell(audience, { from: this.#node, watch: userId, on: count > 0 })
    if (was !== isWatching(audience, userId)) this.#sources.watchingChanged(audience.app, audience.cid, userId, !was)
  }

  #watchingThere(audience: Audience, node: string, userId: string, on: boolean) {
    const was = isWatching(audience, userId)
    const users = audience.watchingElsewhere.get(node) ?? new Set()
    if (on) users.add(userId)
    else users.delete(userId)
    if (users.size > 0) audience.watchingElsewhere.set(node, users)
    else audience.watchingElsewhere.delete(node)
    if (was !== isWatching(audience, userId)) this.#sources.watchingChanged(audience.app, audience.cid, userId, !was)
  }
}

/** One event as frames: the words are encoded once, receivers with the same totals share a frame. */
class Frames {
  #body: Buffer
  #plain: Buffer | undefined
  #byTotals = new Map<number, Buffer>()
  constructor(body: string) {
    this.#body = Buffer.from(body)
  }

  with(totals: { unread: number; channels: number } | undefined): Buffer {
    if (!totals) {
      this.#plain ??= textFrame(this.#body)
      return this.#plain
    }
    const key = totals.unread * 1_048_576 + totals.channels
    let frame = this.#byTotals.get(key)
    if (!frame) {
      frame = textFrame(this.#body, totalsTail(totals))
      this.#byTotals.set(key, frame)
    }
    return frame
  }
}

function applyEffect(user: OnlineUser, cid: string, standing: Standing, effect: Effect) {
  switch (effect.do) {
    case 'join':
    case 'leave':
      return
    case 'close':
      return user.setUnread(cid, 0)
    case 'readAll':
      standing.ordinal = effect.ordinal
      return user.setUnread(cid, 0)
    case 'read':
      if (effect.user !== user.id) return
      standing.ordinal = effect.ordinal
      return user.setUnread(cid, standing.counts ? effect.unread : 0)
    case 'count':
    case 'authorRead':
      if (effect.author === user.id) {
        standing.ordinal = effect.ordinal
        return user.setUnread(cid, 0)
      }
      if (effect.do === 'count' && standing.counts) user.setUnread(cid, standing.unread + 1)
      return
    case 'uncount':
    case 'recount':
      if (effect.author === user.id || !standing.counts || effect.ordinal <= standing.ordinal) return
      return user.setUnread(cid, Math.max(0, standing.unread + (effect.do === 'recount' ? 1 : -1)))
    default:
      return effect satisfies never
  }
}

function channelSubject(app: string, cid: string): string {
  return `app.${app}.channel.${subjectToken(cid)}`
}

function isWatching(audience: Audience, userId: string): boolean {
  if (audience.watchingUsers.has(userId)) return true
  for (const users of audience.watchingElsewhere.values()) if (users.has(userId)) return true
      asked: false,
  return false
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
function usersNamed({ personal, effects }: Publication): Set<string> {
  const names = new Set<string>()
  for (const { users } of personal ?? []) for (const id of users) names.add(id)
  for (const effect of effects ?? []) if (effect.do === 'join' || effect.do === 'leave') names.add(effect.user)
  return names
}

function asPublication({ app, cid, seq, at, body, user_id }: EventRow): Publication {
  return { app, cid, seq, at, watchers: body, ...(user_id !== null && { onlyWatcher: user_id }) }
}
