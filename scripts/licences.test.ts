import { expect, it } from 'vitest'
import { refused } from './licences.ts'

const one = (name: string, license?: string) => refused({ [`node_modules/${name}`]: { version: '1.0.0', license } })

it('accepts permissive licences, and one permissive licence of several to choose from', () => {
  expect(one('a', 'MIT')).toEqual([])
  expect(one('a', '(MIT OR GPL-3.0-only)')).toEqual([])
  expect(one('a', 'MIT AND Apache-2.0')).toEqual([])
})

it('names the package and its licence when that is not permissive, also for nested packages', () => {
  expect(one('a', 'GPL-3.0-only')).toEqual(['a 1.0.0: GPL-3.0-only'])
  expect(one('a', 'MIT AND GPL-3.0-only')).toEqual(['a 1.0.0: MIT AND GPL-3.0-only'])
  expect(refused({ 'apps/web/node_modules/b/node_modules/@c/d': { version: '2.0.0', license: 'SSPL-1.0' } })).toEqual([
    '@c/d 2.0.0: SSPL-1.0',
  ])
})

it('requires a licence of every package but our own', () => {
  expect(one('a')).toEqual(['a 1.0.0 names no licence'])
  expect(refused({ 'packages/client': { version: '0.1.0' }, 'node_modules/@parley/client': { link: true } })).toEqual(
    [],
  )
})

it('an exception is for one package and its one licence', () => {
  expect(one('axe-core', 'MPL-2.0')).toEqual([])
  expect(one('other', 'MPL-2.0')).toHaveLength(1)
  expect(one('axe-core', 'GPL-3.0-only')).toHaveLength(1)
  expect(one('@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later')).toEqual([])
})
