import type { Messages } from '@lingui/core'
import type { Clock } from '@parley/client'
import { CATALOGUE_READS, CATALOGUE_RETRIES, CATALOGUE_RETRY_MS } from '../limits.ts'

/** Loads one compiled catalogue: a dynamic import, so that each language is a separate chunk. */
export type ReadCatalogue = () => Promise<{ default: Messages }>

export interface CatalogueSources {
  /** language → its loader; a language without one counts as not registered */
  catalogues: Partial<Record<string, ReadCatalogue>>
  clock: Clock
  log: (problem: string) => void
}

/**
 * Loads languages on demand.
 *
 * A language is loaded once. A failed load is tried again up to five times, 350 ms apart, and at most ten loads run at
 * a time [I18N-8…10]. The caller gets `undefined` for a language that is not registered or cannot be loaded, and falls
 * back to English; either is logged once [I18N-6, I18N-7, I18N-11].
 */
export class CatalogueLoader {
  #sources: CatalogueSources
  #loads = new Map<string, Promise<Messages | undefined>>()
  #loaded = new Map<string, Messages>()
  #running = 0
  #queue: (() => void)[] = []
  constructor(sources: CatalogueSources) {
    this.#sources = sources
  }

  load(language: string): Promise<Messages | undefined> {
    const load = this.#loads.get(language) ?? this.#start(language)
    this.#loads.set(language, load)
    return load
  }

  /** The catalogues loaded already. */
  loaded(language: string): Messages | undefined {
    return this.#loaded.get(language)
  }

  async #start(language: string): Promise<Messages | undefined> {
    const read = this.#sources.catalogues[language]
    if (!read) {
      this.#sources.log(`The language "${language}" is not registered; English is shown.`)
      return undefined
    }
    await this.#turn()
    try {
      const messages = await this.#tryAgain(read)
      this.#loaded.set(language, messages)
      return messages
    } catch (error) {
      this.#sources.log(`The texts for "${language}" could not be read; English is shown. ${String(error)}`)
      return undefined
    } finally {
      this.#running -= 1
      this.#queue.shift()?.()
    }
  }

  async #tryAgain(read: ReadCatalogue): Promise<Messages> {
    for (let failures = 0; ; ) {
      try {
        return (await read()).default
      } catch (error) {
        failures += 1
        if (failures > CATALOGUE_RETRIES) throw error
        await new Promise<void>((resolve) => this.#sources.clock.after(CATALOGUE_RETRY_MS, resolve))
      }
    }
  }

  /** Resolves when a load may start; the caller releases its slot. */
  async #turn() {
    if (this.#running >= CATALOGUE_READS) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#running += 1
  }
}
