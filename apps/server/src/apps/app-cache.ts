import type { Kysely } from 'kysely'
import type { AppRow, Tables } from '../database/tables.ts'
import { App } from './app.ts'
import { allApps, appById, appByKey, rulesOf } from './app-store.ts'

/**
 * Apps with their rules, by key and by id; there are as many as the operator founded. Somebody who changes one says so,
 * here and to other nodes.
 */
export class AppCache {
  #db: Kysely<Tables>
  #byKey = new Map<string, App>()
  #changed: (before: App, after: App) => void
  #byId = new Map<string, App>()
  /** The newest reading of each: an older one must not come out last. */
  #reloads = new Map<string, Promise<App | undefined>>()
  /** @param changed  told when new rules hold on this node */
  constructor(db: Kysely<Tables>, changed: (before: App, after: App) => void) {
    this.#db = db
    this.#changed = changed
  }

  async byKey(key: string): Promise<App | undefined> {
    return this.#byKey.get(key) ?? this.#load(await appByKey(this.#db, key))
  }

  async byId(id: string): Promise<App | undefined> {
    return this.#byId.get(id) ?? this.#load(await appById(this.#db, id))
  }

  /**
   * An app that something happens in: whoever called or connected loaded it.
   * @throws Error — it is not loaded
   */
  of(id: string): App {
    const app = this.#byId.get(id)
    if (!app) throw new Error(`App ${id} is not loaded.`)
    return app
  }

  /** Reads an app anew if it is known; until then the old rules hold. */
  async reload(id: string): Promise<App | undefined> {
    if (!this.#byId.has(id)) return undefined
    const before = this.#reloads.get(id)
    const reload = (async () => {
      await before?.catch(() => {})
      return this.#load(await appById(this.#db, id))
    })()
    this.#reloads.set(id, reload)
    try {
      return await reload
    } finally {
      if (this.#reloads.get(id) === reload) this.#reloads.delete(id)
    }
  }

  /** All that are loaded. */
  all(): Iterable<App> {
    return this.#byId.values()
  }

  /** Work that goes on by itself finds every app known. */
  async loadAll() {
    for (const row of await allApps(this.#db)) await this.#load(row)
  }

  async reloadAll() {
    for (const id of this.#byId.keys()) await this.reload(id)
  }

  async #load(row: AppRow | undefined): Promise<App | undefined> {
    if (!row) return undefined
    const app = new App(row, await rulesOf(this.#db, row.id))
    const before = this.#byId.get(app.id)
    this.#byId.set(app.id, app)
    this.#byKey.set(app.key, app)
    if (before) this.#changed(before, app)
    return app
  }
}
