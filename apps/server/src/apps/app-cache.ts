import type { Kysely } from 'kysely'
import type { AppRow, Tables } from '../database/tables.ts'
import { appByKey } from './app-store.ts'

const APPS_KEPT = 10_000

/** Apps by their key. An app's key and secret never change while the server runs. */
export class AppCache {
  #db: Kysely<Tables>
  #apps = new Map<string, AppRow>()
  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  async byKey(key: string): Promise<AppRow | undefined> {
    const known = this.#apps.get(key)
    if (known) return known
    const app = await appByKey(this.#db, key)
    if (app && this.#apps.size < APPS_KEPT) this.#apps.set(key, app)
    return app
  }
}
