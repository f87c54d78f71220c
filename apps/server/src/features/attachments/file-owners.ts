import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { FileLinks } from './file-links.ts'
import { filesById } from './file-store.ts'

const KEPT = 50_000

/**
 * Looks up the apps of files whose addresses do not name one, since they were made before addresses were signed for an
 * app. Such addresses stay in old messages for ever; recent look-ups are cached.
 */
export class FileOwners {
  #db: Kysely<Tables>
  #links: FileLinks
  #known: Map<string, string | undefined> | undefined
  /** @param any whether the database has files from that time; if not, nothing is looked up */
  constructor(db: Kysely<Tables>, links: FileLinks, any: boolean) {
    this.#db = db
    this.#links = links
    this.#known = any ? new Map() : undefined
  }

  of(id: string): string | undefined {
    return this.#known?.get(id)
  }

  async learn(texts: readonly string[]): Promise<void> {
    const known = this.#known
    if (!known) return
    const ids = new Set(texts.flatMap((text) => this.#links.idsWithoutApp(text)).filter((id) => !known.has(id)))
    if (ids.size === 0) return
    const files = await filesById(this.#db, [...ids])
    for (const id of ids) {
      if (known.size >= KEPT) known.delete(known.keys().next().value!)
      known.set(id, files.find((file) => file.id === id)?.app)
    }
  }
}
