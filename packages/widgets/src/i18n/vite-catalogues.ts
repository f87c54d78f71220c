import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { ENGLISH, SplitEnglish } from './split-english.ts'

const CATALOGUE = /\/catalogues\/[a-z]{2}\.json$/
const COMPILED = '\0catalogue:'
const IN_PLACE = join(import.meta.dirname, 'english.ts')

/** A message in Lingui's format. */
export const compiled = (text: string): unknown => compileMessageOrThrow(text)

/**
 * Compiles every `catalogues/<language>.json` (key → ICU message) while Vite bundles it, so that the message parser is
 * not part of the bundle.
 *
 * A message that is not valid ICU stops the build with its file and key.
 *
 * @param compileText  the compiled form of one message; the default is {@link compiled}, and undefined leaves the
 *   message out
 * @param options.split  lazy chunks of the kit contain their own English texts, see {@link SplitEnglish}; not for a
 *   page that requests texts of such chunks from the kit
 */
export function catalogues(
  compileText: (text: string, key: string) => unknown = compiled,
  { split = false } = {},
): Plugin {
  const english = split ? new SplitEnglish() : undefined
  return {
    name: 'parley-catalogues',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!CATALOGUE.test(source)) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      return resolved && `${COMPILED}${resolved.id}.js`
    },
    async load(id) {
      if (!id.startsWith(COMPILED)) return null
      const file = id.slice(COMPILED.length, -'.js'.length)
      this.addWatchFile(file)
      const texts: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
      const isThere = (key: string) => file !== ENGLISH || !english || english.isFirst(key)
      const wanted = Object.fromEntries(Object.entries(texts).filter(([key]) => isThere(key)))
      return `export default ${JSON.stringify(compile(wanted, file, compileText))}`
    },
    transform(code, id) {
      const texts = english?.textsOf(id, code) ?? []
      if (texts.length === 0) return null
      const own = JSON.stringify(compile(Object.fromEntries(texts), id, compileText))
      // Appended at the end, so that line numbers do not change.
      return {
        code: `${code}\nimport { english as kitEnglish } from ${JSON.stringify(IN_PLACE)}\nObject.assign(kitEnglish, ${own})\n`,
        map: null,
      }
    },
  }
}

function compile(texts: Record<string, string>, file: string, compileText: (text: string, key: string) => unknown) {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      try {
        return [key, compileText(text, key)]
      } catch (cause) {
        throw new Error(`${file}: the text of "${key}" is not a valid message.`, { cause })
      }
    }),
  )
}
