import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { allMembers, allTypes, clientDocs, ownFieldTypes, REFERENCE } from './client-docs.ts'

const root = join(import.meta.dirname, '..')

it('every public name of the SDK has a description', () => {
  const members = allMembers()
  assert.ok(members.length > 300)
  assert.deepEqual(
    members.filter(({ doc }) => doc === '').map(({ owner, name }) => `${owner}.${name}`),
    [],
  )
})

it('the reference matches the code; `node scripts/client-docs.ts` writes it again', () => {
  const pages = clientDocs()
  for (const [path, text] of pages) assert.equal(readFileSync(join(root, path), 'utf8'), text, path)
  assert.deepEqual(
    readdirSync(join(root, REFERENCE)).toSorted(),
    [...pages.keys()].map((path) => path.slice(REFERENCE.length + 1)).toSorted(),
  )
})

it('one-line methods have the parameters and result of the function they call', () => {
  const queried = allMembers().find(({ owner, name }) => owner === 'ChatClient' && name === 'queryPolls')
  assert.match(queried?.signature ?? '', /^client\.queryPolls\(filter: Filter = \{\}, sort: Sort = \[\], .*: Promise</)
  const sent = allMembers().find(({ owner, name }) => owner === 'Channel' && name === 'sendFile')
  assert.match(sent?.signature ?? '', /^channel\.sendFile\(file: Uploadable, name\?: string, /)
})

it('types derived from the wire list their fields, and every event lists its payload', () => {
  const pages = clientDocs()
  const types = pages.get(`${REFERENCE}/types.md`) ?? ''
  assert.match(types, /^type Message = \{$[^}]*^ {2}own_reactions: Reaction\[\]$/m)
  assert.match(types, /^type Member = \{$[^}]*^ {2}user: User$[^}]*^\} & CustomMemberData$/m)
  assert.match(pages.get(`${REFERENCE}/events.md`) ?? '', /^## reaction\.new$[^}]*^ {2}reaction: Reaction$/m)
})

it('describes everything that it names', () => {
  const members = allMembers()
  const described = new Set([
    ...allTypes().keys(),
    ...ownFieldTypes().map(({ name }) => name),
    ...members.map(({ owner }) => owner),
    ...['ChatError', 'Name', 'Fields'],
  ])
  const named = members.flatMap(({ owner, name, signature }) =>
    [...signature.replace(/'[^']*'/g, '').matchAll(/\b[A-Z]\w+/g)]
      .filter(([type]) => !described.has(type) && !(type in globalThis) && !ofTheLanguage.has(type))
      .map(([type]) => `${type} in ${owner}.${name}`),
  )
  assert.deepEqual(named, [])
})

const ofTheLanguage = new Set(['Exclude', 'Iterable', 'NonNullable', 'Omit', 'Partial', 'Pick', 'Readonly', 'Record'])

it('gives the result of every call, and separates fields', () => {
  const signatures = allMembers().flatMap(({ signature }) => signature.split('\n'))
  assert.deepEqual(
    signatures.filter((one) => /^\w+\.\w+$/.test(one) || /\bcall: CallOptions = \{\}\)$/.test(one)),
    [],
  )
  assert.deepEqual(
    signatures.filter((one) => /\w \w+\??: /.test(one.replace(/readonly /g, ''))),
    [],
  )
})
