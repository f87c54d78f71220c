/** The operations listed in the wire pages, and which of them only the app's server may call. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { endpoints } from '../../operations.ts'

const pages = ['messaging', 'administration'].map((name) =>
  readFileSync(new URL(`../../../../../docs/wire/${name}.md`, import.meta.url), 'utf8'),
)

/** The index at the end of each page: its rows, with their operations. */
const rows = pages.flatMap((page) =>
  [...page.matchAll(/^\|[^|\n]*\| ([^|\n]+) \| ([^|\n]+) \|[^|\n]*\|$/gm)].map(([, operations, who]) => ({
    operations: operations!.split(/\W+/).filter((word) => /^[A-Z]/.test(word)),
    who: who!,
  })),
)

describe('the wire pages', () => {
  it('name every operation as error texts, rate limits and metrics do', () => {
    const listed = pages.flatMap((page) => {
      const [, names] = /Operation names (?:used|of)[^`]*`+(?:text\n)?([^`]+)`/.exec(page)!
      return names!.split(/,\s+/).map((name) => name.trim())
    })
    const names = [...new Set(endpoints.map(({ name }) => name))]
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
    )
  })

  it('mark the operations that only the app’s server may call', () => {
    const forServers = new Set(rows.flatMap(({ operations, who }) => (who === 'S' ? operations : [])))
    const serverOnly = endpoints.flatMap(({ name, serverOnly }) => (serverOnly ? [name] : []))
    assert.deepEqual(serverOnly.toSorted(), [...forServers].toSorted())
  })
})
