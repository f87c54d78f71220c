import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the components. */
const SOURCE = join(import.meta.dirname, '..')
export const ENGLISH = join(import.meta.dirname, 'catalogues/en.json')

const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+\.tsx?)'/gm
/** The key of a text in the code, or its prefix if the rest is computed: `command.${name}`. */
const NAMED = /'([\w.]+)'|"([\w.]+)"|`([\w.]+\.)\$\{/g

/**
 * Separates the English texts of the initial page from those of lazy chunks. English is in every page, whatever its
 * language, so each chunk contains its own texts [interface.md 5].
 */
export class SplitEnglish {
  #texts: Record<string, string> = JSON.parse(readFileSync(ENGLISH, 'utf8'))
  /** The modules that every page with the kit loads, and their texts. */
  #modules = new Set<string>()
  #first = new Set<string>()
  constructor() {
    this.#walk(join(SOURCE, 'index.ts'))
  }

  /** Whether a text is part of the initial page. */
  isFirst(key: string): boolean {
    return this.#first.has(key)
  }

  /** The texts of a module that no other has added; none for modules that every page loads. */
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
