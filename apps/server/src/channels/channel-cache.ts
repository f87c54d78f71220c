import type { Kysely } from 'kysely'
import type { ChannelRow, MemberRow, Tables } from '../database/tables.ts'
import { channelByCid } from './channel-store.ts'

const CHANNELS_KEPT = 20_000
const MEMBERS_KEPT = 200_000

/**
 * Channels and memberships used lately, so that a send asks the database nothing before it commits.
 * Commits put in what they changed, other nodes say what to forget; that somebody is no member is never kept.
 */
export class ChannelCache {
  #db: Kysely<Tables>
  #channels = new Map<string, ChannelRow>()
  #members = new Map<string, MemberRow>()
  #changes = 0
  #loadMember: (app: string, cid: string, userId: string) => Promise<MemberRow | undefined>
  constructor(
    db: Kysely<Tables>,
    loadMember: (app: string, cid: string, userId: string) => Promise<MemberRow | undefined>,
  ) {
    this.#db = db
    this.#loadMember = loadMember
  }

  async get(app: string, cid: string): Promise<ChannelRow | undefined> {
    const key = `${app}|${cid}`
    const known = this.#channels.get(key)
    if (known) return known
    const before = this.#changes
    const channel = await channelByCid(this.#db, app, cid)
    if (channel && before === this.#changes) keep(this.#channels, CHANNELS_KEPT, key, channel)
    return channel
  }

  async member(app: string, cid: string, userId: string): Promise<MemberRow | undefined> {
    const key = `${app}|${cid}|${userId}`
    const known = this.#members.get(key)
    if (known) return known
    const before = this.#changes
    const member = await this.#loadMember(app, cid, userId)
    if (member && before === this.#changes) keep(this.#members, MEMBERS_KEPT, key, member)
    return member
  }

  /** The channel as a commit on this node left it. */
  put(channel: ChannelRow) {
    this.#changes += 1
    const key = `${channel.app}|${channel.cid}`
    if (this.#channels.has(key)) this.#channels.set(key, channel)
  }

  /** @param key `<app>|<cid>` */
  forget(key: string) {
    this.#changes += 1
    this.#channels.delete(key)
  }

  /** @param key `<app>|<cid>|<user id>` */
  forgetMember(key: string) {
    this.#changes += 1
    this.#members.delete(key)
  }

  clear() {
    this.#changes += 1
    this.#channels.clear()
    this.#members.clear()
  }
}

function keep<Row>(kept: Map<string, Row>, limit: number, key: string, row: Row) {
  if (kept.size >= limit) kept.delete(kept.keys().next().value as string)
  kept.set(key, row)
}
