/**
 * Refuses packages without a permissive licence: everything in package-lock.json, including development and optional
 * packages for other systems. Debian packages that tests use are not shipped, and not checked.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that require no more than attribution, by their SPDX ids. */
const permissive = new Set('MIT ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Unlicense'.split(' '))

interface Exception {
  package: RegExp
  licence: string
  why: string
}

/** Other accepted licences, and why they bind no user of Parley. */
const exceptions: Exception[] = [
  {
    package: /^@img\/sharp-(libvips|win32|wasm32)/,
    licence: 'LGPL-3.0-or-later',
    why: 'libvips is a library of its own, loaded as it is by sharp; whoever runs Parley may exchange it',
  },
  { package: /^lightningcss/, licence: 'MPL-2.0', why: 'a program of the build, unchanged; nothing of it is shipped' },
  { package: /^axe-core$/, licence: 'MPL-2.0', why: 'runs in tests, unchanged' },
  { package: /^caniuse-lite$/, licence: 'CC-BY-4.0', why: 'data that the build reads; nothing of it is shipped' },
]

/** Old packages that declare their licence in an unusual place, where we read it. */
const readByHand: Record<string, string> = {
  'busboy 0.3.1': 'MIT',
  'dicer 0.3.0': 'MIT',
  'humanize-number 0.0.2': 'MIT',
  'only 0.0.2': 'MIT',
  'streamsearch 0.1.2': 'MIT',
}

/** As package-lock.json has it. */
export interface Locked {
  version?: string
  license?: string
  /** One of our own. */
  link?: boolean
}

/** The packages that may not be used, each with its licence. @param locked  by their paths in node_modules */
export function refused(locked: Record<string, Locked>): string[] {
  return Object.entries(locked).flatMap(([place, { version, license, link }]) => {
    const name = place.split('node_modules/').at(-1)!
    if (link || !place.includes('node_modules/')) return []
    const licence = license ?? readByHand[`${name} ${version}`]
    if (licence === undefined) return [`${name} ${version} names no licence`]
    return isTaken(name, licence) ? [] : [`${name} ${version}: ${licence}`]
  })
}

/** With `A AND B` both apply; `A OR B` is a choice. */
function isTaken(name: string, licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((id) => permissive.has(id) || isException(name, id)))
}

function isException(name: string, id: string): boolean {
  return exceptions.some((one) => one.package.test(name) && one.licence === id)
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  const wrong = refused(lock.packages)
  for (const one of wrong) console.error(one)
  console.log(`${Object.keys(lock.packages).length} packages, ${wrong.length} with a licence that we do not take`)
  process.exit(wrong.length > 0 ? 1 : 0)
}
