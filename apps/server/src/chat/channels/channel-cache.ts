import type { Kysely } from 'kysely'
import { ChangesMeanwhile } from '../../platform/database/changes-meanwhile.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ChannelRow, MemberRow, Place, Tables } from '../../platform/database/tables.ts'
import { channelsStored } from './channel-store.ts'

const CHANNELS_KEPT = 20_000
const MEMBERS_KEPT = 200_000

/** The (channel, user) pairs that are memberships. */
type LoadMembers = (app: string, places: readonly Place[]) => Promise<MemberRow[]>

/**
 * Caches recently used channels and memberships, so that sending a message reads nothing from the database before it
 * commits. Commits update the cache, and other nodes send invalidations. The absence of a membership is never cached.
 */
export class ChannelCache {
  #db: Kysely<Tables>
  #dialect: Dialect
  #channels = new Map<string, ChannelRow>()
  #members = new Map<string, MemberRow>()
  #meanwhile = new ChangesMeanwhile()
  #loadMembers: LoadMembers
  constructor(db: Kysely<Tables>, dialect: Dialect, loadMembers: LoadMembers) {
    this.#db = db
    this.#dialect = dialect
    this.#loadMembers = loadMembers
  }

  async get(app: string, cid: string): Promise<ChannelRow | undefined> {
    return this.#channels.get(`${app}|${cid}`) ?? (await this.getAll(app, [cid])).get(cid)
  }

  /** The channels that exist, deleted ones included; one query for all cache misses. */
  async getAll(app: string, cids: readonly string[]): Promise<Map<string, ChannelRow>> {
    const channels = await this.#knownAnd(
      this.#channels,
      CHANNELS_KEPT,
      cids.map((cid) => ({ cid })),
      ({ cid }) => `${app}|${cid}`,
      (missing) =>
        channelsStored(
          this.#db,
          this.#dialect,
          app,
          missing.map(({ cid }) => cid),
        ),
    )
    return new Map(channels.map((channel) => [channel.cid, channel]))
  }

  async member(app: string, cid: string, userId: string): Promise<MemberRow | undefined> {
    return this.#members.get(`${app}|${cid}|${userId}`) ?? (await this.memberships(app, userId, [cid])).get(cid)
  }

  /** One user's memberships in these channels, by cid; one query for all cache misses. */
  async memberships(app: string, userId: string, cids: readonly string[]): Promise<Map<string, MemberRow>> {
    const places = cids.map((cid) => ({ cid, user_id: userId }))
    return new Map((await this.membersAt(app, places)).map((member) => [member.cid, member]))
  }

  /** The (channel, user) pairs that are memberships, without duplicates; one query for all cache misses. */
  membersAt(app: string, places: readonly Place[]): Promise<MemberRow[]> {
    return this.#knownAnd(
      this.#members,
      MEMBERS_KEPT,
      places,
      ({ cid, user_id }) => `${app}|${cid}|${user_id}`,
      (missing) => this.#loadMembers(app, missing),
    )
  }

  async #knownAnd<Name, Row extends Name>(
    kept: Map<string, Row>,
    limit: number,
    names: readonly Name[],
    keyOf: (name: Name) => string,
    load: (missing: readonly Name[]) => Promise<Row[]>,
  ): Promise<Row[]> {
    const found: Row[] = []
    const missing: Name[] = []
    for (const [key, name] of new Map(names.map((name) => [keyOf(name), name]))) {
      const known = kept.get(key)
      if (known) found.push(known)
      else missing.push(name)
    }
    if (missing.length === 0) return found
    const loaded = await this.#meanwhile.keeping(
      () => load(missing),
      keyOf,
      (row) => keep(kept, limit, keyOf(row), row),
    )
    return [...found, ...loaded]
  }

  /** The channel as committed on this node. */
  put(channel: ChannelRow) {
    const key = `${channel.app}|${channel.cid}`
    this.#meanwhile.changed(key)
    const known = this.#channels.get(key)
    // Another node may have changed it since, and a reader may have loaded that state already.
    if (known && known.seq <= channel.seq) this.#channels.set(key, channel)
  }

  /** @param key `<app>|<cid>` */
  forget(key: string) {
    this.#meanwhile.changed(key)
    this.#channels.delete(key)
  }

  /** @param key `<app>|<cid>|<user id>` */
  forgetMember(key: string) {
    this.#meanwhile.changed(key)
    this.#members.delete(key)
  }

  clear() {
    this.#meanwhile.allChanged()
    this.#channels.clear()
    this.#members.clear()
  }
}

function keep<Row>(kept: Map<string, Row>, limit: number, key: string, row: Row) {
  if (kept.size >= limit) kept.delete(kept.keys().next().value as string)
  kept.set(key, row)
}
