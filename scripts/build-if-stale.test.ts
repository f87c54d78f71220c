import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sourceHash } from './build-if-stale.ts'

async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sources-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'web/app'), { recursive: true })
  await writeFile(join(folder, 'web/app/root.tsx'), 'one')
  return folder
}

it('recognizes the same sources, whenever they were written', async () => {
  const folder = await aFolder()
  const before = sourceHash(folder, ['web'])
  await utimes(join(folder, 'web/app/root.tsx'), 1, 1)
  expect(sourceHash(folder, ['web'])).toBe(before)
})

it('detects a changed, a new and a renamed file', async () => {
  const folder = await aFolder()
  const seen = new Set([sourceHash(folder, ['web'])])
  await writeFile(join(folder, 'web/app/root.tsx'), 'two')
  seen.add(sourceHash(folder, ['web']))
  await writeFile(join(folder, 'web/app/chat.tsx'), '')
  seen.add(sourceHash(folder, ['web']))
  await rm(join(folder, 'web/app/root.tsx'))
  await writeFile(join(folder, 'web/app/main.tsx'), 'two')
  seen.add(sourceHash(folder, ['web']))
  expect(seen.size).toBe(4)
})

it('ignores the output of a build, and tests', async () => {
  const folder = await aFolder()
  const before = sourceHash(folder, ['web'])
  await mkdir(join(folder, 'web/build'))
  await writeFile(join(folder, 'web/build/root.js'), 'made')
  await writeFile(join(folder, 'web/app/root.test.tsx'), 'tested')
  expect(sourceHash(folder, ['web'])).toBe(before)
})
