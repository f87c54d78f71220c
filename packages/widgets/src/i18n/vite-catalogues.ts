import { readFile } from 'node:fs/promises'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const CATALOGUE = /\/catalogues\/[a-z]{2}\.json$/
const COMPILED = '\0catalogue:'

/** A message in Lingui's form. */
export const compiled = (text: string): unknown => compileMessageOrThrow(text)

/**
 * Compiles every `catalogues/<language>.json` (key → ICU message) while Vite
 * bundles it, so that no message parser travels to the browser.
 *
 * A message that is not valid ICU stops the build with its file and key.
 *
 * @param compileText  makes what the browser gets of one message; without one it is {@link compiled}, and what becomes
 *   undefined is left out
 */
export function catalogues(compileText: (text: string, key: string) => unknown = compiled): Plugin {
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
      return `export default ${JSON.stringify(compile(texts, file, compileText))}`
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
