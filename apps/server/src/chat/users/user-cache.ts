import type { Kysely } from 'kysely'
import { ChangesMeanwhile } from '../../platform/database/changes-meanwhile.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Tables, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { usersByIds } from './user-store.ts'

const USERS_KEPT = 50_000

/** Caches recently read users. Every change of a user, here or on another node, evicts it. */
export class UserCache {
  #db: Kysely<Tables>
  #dialect: Dialect
  #users = new Map<string, UserRow>()
  #meanwhile = new ChangesMeanwhile()
  constructor(db: Kysely<Tables>, dialect: Dialect) {
    this.#db = db
    this.#dialect = dialect
  }

  /** One user; undefined when it does not exist. */
  async get(app: string, id: string): Promise<UserRow | undefined> {
    return this.known(app, id) ?? (await this.getAll(app, [id])).get(id)
  }

  /** The user, if it is cached. */
  known(app: string, id: string): UserRow | undefined {
    return this.#users.get(`${app}|${id}`)
  }

  /** The users that exist, by id; one query for all cache misses. */
  async getAll(app: string, ids: Iterable<string>): Promise<Map<string, UserRow>> {
    const found = new Map<string, UserRow>()
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const user = this.#users.get(`${app}|${id}`)
      if (user) found.set(id, user)
      else missing.push(id)
    }
    if (missing.length === 0) return found
    const read = () => usersByIds(this.#db, this.#dialect, app, missing)
    const users = await this.#meanwhile.keeping(
      read,
      ({ id }) => `${app}|${id}`,
      (user) => this.#keep(user),
    )
    for (const user of users) found.set(user.id, user)
    return found
  }

  /** @param key `<app>|<id>` */
  forget(key: string) {
    this.#meanwhile.changed(key)
    this.#users.delete(key)
  }

  /**
   * A commit on this node updated the user's last activity; nothing else about the user changed.
   *
   * @param key `<app>|<id>`
   */
  seen(key: string, at: Micros) {
    this.#meanwhile.changed(key)
    const user = this.#users.get(key)
    if (user) this.#users.set(key, { ...user, last_active: at })
  }

  clear() {
    this.#meanwhile.allChanged()
    this.#users.clear()
  }

  #keep(user: UserRow) {
    if (this.#users.size >= USERS_KEPT) this.#users.delete(this.#users.keys().next().value as string)
    this.#users.set(`${user.app}|${user.id}`, user)
  }
}
