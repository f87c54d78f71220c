import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Copy } from './copy.ts'
import { type Mutant, mutantsIn } from './mutants.ts'
import { Trials } from './try-mutants.ts'

/** A repository with a shop that is open from 9, one test for it, and one that fails unchanged. */
const files = {
  '.gitignore': 'node_modules\n',
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': 'export default { test: { include: ["**/*.test.ts"] } }',
  'apps/shop/open.ts': [
    'export function isOpen(hour: number) {',
    '  return hour >= 9',
    '}',
    'export function size() {',
    '  return 3',
    '}',
    'export function forever(more: boolean) {',
    '  while (more) more = false',
    '}',
    'export const greets = 4',
  ].join('\n'),
  'apps/shop/open.test.ts': [
    "import { expect, it } from 'vitest'",
    "import { forever, isOpen } from './open.ts'",
    "it('is shut at 8', () => expect(isOpen(8)).toBe(false))",
    "it('opens at 9', () => expect(isOpen(9)).toBe(true))",
    "it('comes to an end', () => expect(forever(true)).toBe(undefined))",
  ].join('\n'),
  'apps/shop/far.test.ts': [
    "import { expect, it } from 'vitest'",
    "import { greets } from './open.ts'",
    "it('greets', () => expect(greets).toBe(4))",
  ].join('\n'),
  'apps/shop/broken.test.ts': [
    "import { it } from 'vitest'",
    "it('never passes', () => { throw new Error('no') })",
  ].join('\n'),
}
const near = ['apps/shop/open.test.ts']
const LONG_MS = 300_000

let root = ''
let copy: Copy
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-shop-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  copy = new Copy(root)
})
afterAll(() => {
  copy.remove()
  rmSync(root, { recursive: true, force: true })
})

const path = 'apps/shop/open.ts'
const source = files[path]

function change(before: string, after: string): Mutant {
  const found = mutantsIn({ path, text: source }).find((each) => each.before === before && each.after === after)
  if (!found) throw new Error(`There is no ${before} → ${after}.`)
  return found
}

describe('one mutant and its nearest tests', () => {
  it('a failing test kills a mutant, and is reported', async () => {
    const trials = new Trials(copy, new Map())
    const failure = await trials.nearest(change('>=', '>'), near, LONG_MS)
    expect(failure).toMatchObject({ file: 'apps/shop/open.test.ts', title: 'opens at 9' })
  })

  it('a mutant survives when no test fails', async () => {
    expect(await new Trials(copy, new Map()).nearest(change('3', '4'), near, LONG_MS)).toBeUndefined()
  })

  it('a test that fails without the mutant does not count', async () => {
    const tests = ['apps/shop/broken.test.ts']
    expect(await new Trials(copy, new Map()).nearest(change('3', '4'), tests, LONG_MS)).toBeUndefined()
  })

  it('tries the tests that are further away', async () => {
    const tests = [...near, 'apps/shop/broken.test.ts', 'apps/shop/far.test.ts']
    const failure = await new Trials(copy, new Map()).nearest(change('4', '5'), tests, LONG_MS)
    expect(failure).toMatchObject({ file: 'apps/shop/far.test.ts', title: 'greets' })
  })

  it('finds nothing once its time is up', async () => {
    expect(await new Trials(copy, new Map()).nearest(change('>=', '>'), near, 1)).toBeUndefined()
  })
})

it('finds which of many mutants was killed, and continues without it', async () => {
  const [boundary, size, greeting] = [change('>=', '>'), change('3', '4'), change('4', '5')]
  const said: string[] = []
  const found = await new Trials(copy, new Map()).together([boundary, size, greeting], ['apps/shop'], (line) =>
    said.push(line),
  )
  expect([...found].map(([mutant, { title }]) => [mutant.after, title])).toEqual(
    expect.arrayContaining([
      ['>', 'opens at 9'],
      ['5', 'greets'],
    ]),
  )
  expect(found.has(size)).toBe(false)
  expect(said).toEqual([expect.stringContaining('never passes')])
})

it('never changes the repository, and restores the copy', async () => {
  await copy.with([change('>=', '<')], async () => {
    expect(readFileSync(join(copy.root, path), 'utf8')).toContain('hour < 9')
    expect(readFileSync(join(root, path), 'utf8')).toBe(source)
  })
  expect(readFileSync(join(copy.root, path), 'utf8')).toBe(source)
  await expect(copy.with([change('>=', '<')], () => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped')
  expect(readFileSync(join(copy.root, path), 'utf8')).toBe(source)
})

it('leaves no files behind', () => {
  const other = new Copy(root)
  other.remove()
  expect(existsSync(other.root)).toBe(false)
  expect(existsSync(join(root, 'node_modules/vitest/package.json'))).toBe(true)
})
