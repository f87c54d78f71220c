import type { Kysely } from 'kysely'
import type { AppRow, Tables } from '../../platform/database/tables.ts'
import { App } from './app.ts'
import { allApps, appById, appByKey, rulesOf } from './app-store.ts'

/**
 * Caches apps with their rules, by key and by id; there is one entry per app the operator created. A change to an app
 * invalidates it here and on other nodes.
 */
export class AppCache {
  #db: Kysely<Tables>
  #byKey = new Map<string, App>()
  #changed: (before: App, after: App) => void
  #byId = new Map<string, App>()
  /** The newest load of each app: an older one must not win. */
  #reloads = new Map<string, Promise<App | undefined>>()
  /** Counts the changes, and holds the newest of each app: what was read before it is out of date. */
  #changes = 0
  #changedAt = new Map<string, number>()
  /** @param changed  called when new rules are in effect on this node */
  constructor(db: Kysely<Tables>, changed: (before: App, after: App) => void) {
    this.#db = db
    this.#changed = changed
  }

  async byKey(key: string): Promise<App | undefined> {
    return this.#byKey.get(key) ?? this.#load(() => appByKey(this.#db, key))
  }

  async byId(id: string): Promise<App | undefined> {
    return this.#byId.get(id) ?? this.#load(() => appById(this.#db, id))
  }

  /**
   * An app with current activity: the call or connection has loaded it.
   * @throws Error — the app is not loaded
   */
  of(id: string): App {
    const app = this.#byId.get(id)
    if (!app) throw new Error(`App ${id} is not loaded.`)
    return app
  }

  /** The same; undefined if this node has not loaded it. */
  loaded(id: string): App | undefined {
    return this.#byId.get(id)
  }

  /** Reloads a changed app if it is cached; until then the old rules apply. */
  async reload(id: string): Promise<App | undefined> {
    this.#changes += 1
    this.#changedAt.set(id, this.#changes)
    if (!this.#byId.has(id)) return undefined
    const before = this.#reloads.get(id)
    const reload = (async () => {
      await before?.catch(() => {})
      return this.#load(() => appById(this.#db, id))
    })()
    this.#reloads.set(id, reload)
    try {
      return await reload
    } finally {
      if (this.#reloads.get(id) === reload) this.#reloads.delete(id)
    }
  }

  /** Resolves when the changes this node knows of are in effect. */
  async settled() {
    await Promise.allSettled(this.#reloads.values())
  }

  /** All loaded apps. */
  all(): Iterable<App> {
    return this.#byId.values()
  }

  /** Loads every app for background jobs. */
  async loadAll() {
    for (const { id } of await allApps(this.#db)) await this.#load(() => appById(this.#db, id))
  }

  async reloadAll() {
    for (const id of this.#byId.keys()) await this.reload(id)
  }

  async #load(read: () => Promise<AppRow | undefined>): Promise<App | undefined> {
    const began = this.#changes
    const row = await read()
    if (!row) return undefined
    const app = new App(row, await rulesOf(this.#db, row.id))
    // The app changed meanwhile: what was read may be older.
    if ((this.#changedAt.get(app.id) ?? 0) > began) return this.#load(() => appById(this.#db, app.id))
    const before = this.#byId.get(app.id)
    this.#byId.set(app.id, app)
    this.#byKey.set(app.key, app)
    if (before) this.#changed(before, app)
    return app
  }
}
