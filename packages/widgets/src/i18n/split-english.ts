import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the components are. */
const SOURCE = join(import.meta.dirname, '..')
export const ENGLISH = join(import.meta.dirname, 'catalogues/en.json')

const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+\.tsx?)'/gm
/** A name of a text as it stands in code, or its beginning where the rest is filled in: `command.${name}`. */
const NAMED = /'([\w.]+)'|"([\w.]+)"|`([\w.]+\.)\$\{/g

/**
 * Tells the English texts with which a page starts from those of parts that are fetched when somebody asks for them.
 * English is in every page, whatever is spoken there, so each part brings its own [interface.md 5].
 */
export class SplitEnglish {
  #texts: Record<string, string> = JSON.parse(readFileSync(ENGLISH, 'utf8'))
  /** What every page with the kit loads, and what it may say. */
  #modules = new Set<string>()
  #first = new Set<string>()
  constructor() {
    this.#walk(join(SOURCE, 'index.ts'))
  }

  /** Whether a text is there from the start. */
  isFirst(key: string): boolean {
    return this.#first.has(key)
  }

  /** What a module says that nobody else has brought: nothing for those that every page loads. */
  textsOf(file: string, code: string): [key: string, text: string][] {
    if (!file.startsWith(SOURCE) || this.#modules.has(file)) return []
    const keys = this.#namedIn(code).filter((key) => !this.#first.has(key))
    return keys.map((key) => [key, this.#texts[key]!])
  }

  #walk(file: string) {
    if (this.#modules.has(file)) return
    this.#modules.add(file)
    const code = readFileSync(file, 'utf8')
    for (const key of this.#namedIn(code)) this.#first.add(key)
    for (const [, path] of code.matchAll(STATIC_IMPORT)) this.#walk(join(dirname(file), path!))
  }

  #namedIn(code: string): string[] {
    const found = [...code.matchAll(NAMED)].flatMap(([, single, double, begin]) => {
      if (begin) return Object.keys(this.#texts).filter((key) => key.startsWith(begin))
      const key = single ?? double!
      return Object.hasOwn(this.#texts, key) ? [key] : []
    })
    return [...new Set(found)]
  }
}
