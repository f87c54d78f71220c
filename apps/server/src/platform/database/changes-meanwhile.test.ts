import { expect, it } from 'vitest'
import { ChangesMeanwhile } from './changes-meanwhile.ts'

/** A read of these keys that lasts until it is ended; returns what was cached. */
function reads(meanwhile: ChangesMeanwhile, ...keys: string[]) {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const kept: string[] = []
  const end = meanwhile.keeping(
    () => promise,
    (key) => key,
    (key) => kept.push(key),
  )
  return async () => {
    resolve(keys)
    await end
    return kept
  }
}

it('keeps what was read, but for what changed meanwhile', async () => {
  const meanwhile = new ChangesMeanwhile()
  meanwhile.changed('a')
  const end = reads(meanwhile, 'a', 'b', 'c')
  meanwhile.changed('b')
  expect(await end()).toEqual(['a', 'c'])
})

it('tells apart reads that began before and after a change', async () => {
  const meanwhile = new ChangesMeanwhile()
  const early = reads(meanwhile, 'a')
  meanwhile.changed('a')
  const late = reads(meanwhile, 'a')
  expect(await late()).toEqual(['a'])
  expect(await early()).toEqual([])
})

it('keeps nothing once everything changed, or more than it can remember', async () => {
  const meanwhile = new ChangesMeanwhile()
  const cleared = reads(meanwhile, 'a')
  meanwhile.allChanged()
  const flooded = reads(meanwhile, 'a')
  for (let number = 0; number <= 10_000; number++) meanwhile.changed(`other-${number}`)
  const after = reads(meanwhile, 'a')
  expect(await cleared()).toEqual([])
  expect(await flooded()).toEqual([])
  expect(await after()).toEqual(['a'])
})

it('is not confused by a reading that fails', async () => {
  const meanwhile = new ChangesMeanwhile()
  const failing = meanwhile.keeping(
    () => Promise.reject(new Error('away')),
    () => '',
    () => {},
  )
  await expect(failing).rejects.toThrow('away')
  expect(await reads(meanwhile, 'a')()).toEqual(['a'])
})
