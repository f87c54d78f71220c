import type { ChannelRow, UsageDayRow, UsageUserRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { putDays, putUsers } from './usage-store.ts'

/** Rows per write. */
const PAGE = 500

/** Maximum users of a day known to be stored; a user dropped here is written again, which changes nothing. */
const USERS_KEPT = 100_000

export const DAY_MS = 86_400_000
/** The last day computed, since most calls ask for the same day. */
let latest = { number: Number.NaN, text: '' }

/** The day of a timestamp, in UTC. */
export function dayOf(ms: number): string {
  const number = Math.floor(ms / DAY_MS)
  if (number !== latest.number) latest = { number, text: new Date(ms).toISOString().slice(0, 10) }
  return latest.text
}

/**
 * Counts the usage of each team: messages, translations, active users. Counts are kept in memory and written once a
 * minute, so that senders do not wait for it; a crash loses up to a minute.
 */
export class Usage {
  #node: string
  #server: () => Server
  /** This node's counts by day; whole counts, since a row is replaced as a whole. */
  #days = new Map<string, UsageDayRow>()
  #changed = new Set<UsageDayRow>()
  /** Today's active users, stored or waiting to be. */
  #users = new Map<string, UsageUserRow>()
  #unwritten = new Set<UsageUserRow>()
  #writing = Promise.resolve()
  #usersKept: number
  constructor(node: string, server: () => Server, usersKept = USERS_KEPT) {
    this.#node = node
    this.#server = server
    this.#usersKept = usersKept
  }

  /** A user sent a message. */
  said({ app, team }: ChannelRow, author: UserRow) {
    this.#dayOf(app, team ?? '').messages += 1
    for (const own of teamsOf(author)) this.#note(app, own, author.id, 1)
  }

  /** A message was translated. */
  translated({ app, team }: ChannelRow, languages: number) {
    this.#dayOf(app, team ?? '').translations += languages
  }

  /** Records the connected users, and writes the counts. */
  write(): Promise<void> {
    const written = this.#writing.then(() => this.#look()).then(() => this.#write())
    // A failed write is reported once, and does not block later ones.
    this.#writing = written.catch(() => {})
    return written
  }

  async #look() {
    const { presence, users } = this.#server()
    const byApp = Map.groupBy(presence.onlineUsers(), ({ app }) => app)
    for (const [app, here] of byApp) {
      const known = await users.getAll(
        app,
        here.map(({ userId }) => userId),
      )
      const peaks = new Map<string, { users: number; connections: number }>()
      for (const { userId, connections } of here)
        for (const team of teamsOf(known.get(userId))) {
          const peak = peaks.get(team) ?? { users: 0, connections: 0 }
          peaks.set(team, { users: peak.users + 1, connections: peak.connections + connections })
          this.#note(app, team, userId, 0)
        }
      for (const [team, { users, connections }] of peaks) {
        const row = this.#dayOf(app, team)
        row.users_peak = Math.max(row.users_peak, users)
        row.connections_peak = Math.max(row.connections_peak, connections)
      }
    }
  }

  async #write() {
    const { commit, clock } = this.#server()
    const today = dayOf(clock.now())
    for (const [app, rows] of Map.groupBy(this.#changed, (row) => row.app))
      for (let from = 0; from < rows.length; from += PAGE) {
        const page = rows.slice(from, from + PAGE)
        // Counts that change during the write are written the next time.
        for (const row of page) this.#changed.delete(row)
        const copies = page.map((row) => ({ ...row }))
        await commit
          .writeAlong(app, ({ db, dialect }) => putDays(db, dialect, copies))
          .catch((error: unknown) => this.#keep(this.#changed, page, error))
      }
    for (const [app, rows] of Map.groupBy(this.#unwritten, (row) => row.app))
      for (let from = 0; from < rows.length; from += PAGE) {
        const page = rows.slice(from, from + PAGE)
        for (const row of page) this.#unwritten.delete(row)
        const copies = page.map((row) => ({ ...row }))
        await commit
          .writeAlong(app, ({ db, dialect }) => putUsers(db, dialect, copies))
          .catch((error: unknown) => this.#keep(this.#unwritten, page, error))
      }
    for (const [key, { day }] of this.#days) if (day !== today) this.#days.delete(key)
    for (const [key, { day }] of this.#users) if (day !== today) this.#users.delete(key)
  }

  /** Keeps unwritten rows for the next time. */
  #keep<Row>(waiting: Set<Row>, rows: readonly Row[], error: unknown): never {
    for (const row of rows) waiting.add(row)
    throw error
  }

  #dayOf(app: string, team: string): UsageDayRow {
    const day = dayOf(this.#server().clock.now())
    const key = JSON.stringify([app, day, team])
    let row = this.#days.get(key)
    if (!row) {
      row = { app, team, day, node: this.#node, messages: 0, translations: 0, users_peak: 0, connections_peak: 0 }
      this.#days.set(key, row)
    }
    this.#changed.add(row)
    return row
  }

  #note(app: string, team: string, user_id: string, wrote: 0 | 1) {
    const day = dayOf(this.#server().clock.now())
    const key = JSON.stringify([app, day, team, user_id])
    const known = this.#users.get(key)
    if (known && known.wrote >= wrote) return
    const row = known ?? { app, team, day, user_id, wrote }
    row.wrote = wrote
    this.#users.set(key, row)
    if (this.#users.size > this.#usersKept) this.#users.delete(this.#users.keys().next().value!)
    this.#unwritten.add(row)
  }
}

/** A user without a team is in the team with the empty name. */
function teamsOf(user: UserRow | undefined): string[] {
  const teams: string[] = user?.teams_json == null ? [] : JSON.parse(user.teams_json)
  return teams.length > 0 ? teams : ['']
}
