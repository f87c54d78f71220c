import type { Server } from '../../server.ts'
import type { Batch, EndedUser } from '../database/batch.ts'
import type { ChannelRow, UserRow } from '../database/tables.ts'
import type { Newest } from './hub.ts'
import type { Resync } from './resync.ts'
import type { SequencedBus } from './sequenced-bus.ts'

/** Channels in one bus message; the bus takes no more than a megabyte. */
const CHANNELS_PER_BUS_MESSAGE = 2_000

/** What several nodes notice within this time is one loss. */
const SAME_LOSS_MS = 2_000

/** Rows changed on another node: caches drop them, and clients that know the users receive the change. */
interface Changes {
  apps: string[]
  users: string[]
  members: string[]
  channels: string[]
  addresses: string[]
  updated: ({ app: string; id: string } & Change)[]
  ended: EndedUser[]
  /** Channels as they were. */
  earlier: ChannelRow[]
  /** The outcome is unknown: all caches are reloaded. */
  unsure: boolean
  /** The database lost commits: nothing that any node cached, or published, can be relied on. */
  rewound: boolean
}

/** What of a user changed besides. */
export interface Change {
  /** Whether the presence looks otherwise. */
  veiled: boolean
  /** Whether the user may do more or less than before. */
  ranked: boolean
}

/** What a commit means to the clients of this node, whichever node made it. */
export interface Consequences {
  /** @param was  the channel as it was */
  channelChanged(server: Server, was: ChannelRow): Promise<void>
  userChanged(server: Server, user: UserRow, change: Change): Promise<void>
}

const nothing: Changes = {
  apps: [],
  users: [],
  members: [],
  channels: [],
  addresses: [],
  updated: [],
  ended: [],
  earlier: [],
  unsure: false,
  rewound: false,
}

/** What follows a commit: caches drop changed rows, other nodes are notified, and events are delivered. */
export class AfterCommit {
  #server: () => Server
  #sequencedBus: SequencedBus | undefined
  #resync: Resync
  #consequences: Consequences
  #failed: (error: unknown) => void
  #resetAll: () => void
  #resyncedAt = Number.NEGATIVE_INFINITY
  constructor(
    server: () => Server,
    sequencedBus: SequencedBus | undefined,
    resync: Resync,
    consequences: Consequences,
    failed: (error: unknown) => void,
    resetAll: () => void,
  ) {
    this.#resetAll = resetAll
    this.#server = server
    this.#sequencedBus = sequencedBus
    this.#resync = resync
    this.#consequences = consequences
    this.#failed = failed
  }

  /** Never throws: what is stored is stored, and who misses an event catches up from the log. */
  committed(batch: Batch) {
    try {
      this.#publish(batch)
    } catch (error) {
      this.#failed(error)
      this.unsure()
    }
  }

  /** A commit may have been stored and not published: this node checks the log, and so do the others. */
  unsure() {
    this.#sequencedBus?.send('changes', { ...nothing, unsure: true })
    this.#resync.begin()
  }

  /** The database lost commits: this node, the others and all clients read everything again. */
  rewound() {
    this.#sequencedBus?.send('changes', { ...nothing, rewound: true })
    this.#reset()
  }

  /** Several nodes notice the same loss, each by itself. */
  #reset() {
    const now = this.#server().clock.elapsed()
    if (now - this.#resyncedAt < SAME_LOSS_MS) return
    this.#resyncedAt = now
    this.#resetAll()
  }

  /** Publishes the newest sequence numbers of channels: a node that missed events finds them in the log. */
  publishNewestSeqs() {
    const newest = this.#server().hub.takeNewest()
    for (let at = 0; at < newest.length; at += CHANNELS_PER_BUS_MESSAGE)
      this.#sequencedBus?.send('newest', { newest: newest.slice(at, at + CHANNELS_PER_BUS_MESSAGE) })
  }

  /** Receives the commits of other nodes. */
  listen() {
    // A node of another version may send fewer fields.
    this.#sequencedBus?.receive<Partial<Changes>>('changes', (changes) => this.#onChanges({ ...nothing, ...changes }))
    this.#sequencedBus?.receive<{ newest: Newest[] }>('newest', ({ newest }) => {
      for (const each of newest) this.#server().hub.expect(each)
    })
  }

  #publish(batch: Batch) {
    const { users, channels, addresses, hub, tasks } = this.#server()
    for (const channel of batch.channels) channels.put(channel)
    const changeOf = (user: UserRow) => ({ veiled: batch.veiledUsers.has(user), ranked: batch.rankedUsers.has(user) })
    const changes: Changes = {
      ...nothing,
      apps: [...batch.changedApps],
      users: [...batch.changedUsers, ...batch.seenUsers.keys()],
      members: [...batch.changedMembers],
      channels: [...batch.changedChannels],
      addresses: [...batch.changedAddresses],
      updated: batch.updatedUsers.map((user) => ({ app: user.app, id: user.id, ...changeOf(user) })),
    }
    for (const key of batch.changedUsers) users.forget(key)
    for (const [key, at] of batch.seenUsers) users.seen(key, at)
    for (const key of changes.members) channels.forgetMember(key)
    for (const id of changes.addresses) addresses.forget(id)
    if (Object.values(changes).some((changed) => Array.isArray(changed) && changed.length > 0))
      this.#sequencedBus?.send('changes', changes)
    // One message each: a user may be in very many channels.
    for (const ended of batch.endedUsers) this.#sequencedBus?.send('changes', { ...nothing, ended: [ended] })
    hub.publish(batch.publications)
    // One message each, as well: a row may be large.
    for (const was of batch.earlierChannels) {
      this.#sequencedBus?.send('changes', { ...nothing, earlier: [was] })
      this.#channelChanged(was)
    }
    if (batch.hasTasks) tasks.look()
    for (const user of batch.updatedUsers) this.#userChanged(user, changeOf(user))
    for (const user of batch.endedUsers) this.#userEnded(user)
  }

  #onChanges(changes: Changes) {
    const { apps, users, channels, addresses } = this.#server()
    for (const id of changes.apps) apps.reload(id).catch(this.#failed)
    for (const key of changes.users) users.forget(key)
    for (const key of changes.members) channels.forgetMember(key)
    for (const key of changes.channels) channels.forget(key)
    for (const id of changes.addresses) addresses.forget(id)
    for (const { app, id, ...change } of changes.updated)
      users
        .get(app, id)
        .then((user) => user && this.#userChanged(user, change))
        .catch(this.#failed)
    for (const user of changes.ended) this.#userEnded(user)
    for (const was of changes.earlier) this.#channelChanged(was)
    if (changes.unsure) this.#resync.begin()
    if (changes.rewound) this.#reset()
  }

  #channelChanged(was: ChannelRow) {
    void this.#consequences.channelChanged(this.#server(), was).catch(this.#failed)
  }

  #userChanged(user: UserRow, change: Change) {
    void this.#consequences.userChanged(this.#server(), user, change).catch(this.#failed)
  }

  #userEnded({ app, id, body, cids, reason }: EndedUser) {
    const { hub, gateway } = this.#server()
    if (body !== undefined) hub.sendToAllWhoKnow(app, id, cids, body)
    gateway.userEnded(app, id, reason)
  }
}
