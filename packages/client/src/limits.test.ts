import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as limits from './limits.ts'

it('[LIM-4] each limit is defined in one place, with its name and its unit', () => {
  const cwd = dirname(fileURLToPath(import.meta.url))
  const files = globSync('**/*.ts', { cwd }).filter((file) => !/test|limits\.ts/.test(file))
  assert.ok(files.length > 20)
  for (const file of files) {
    const elsewhere = readFileSync(`${cwd}/${file}`, 'utf8').match(/^(export )?const [A-Z][A-Z_]* = [\d_.]+/m)
    assert.equal(elsewhere, null, `${file}: ${elsewhere?.[0]}`)
  }
})

it('a changed limit of the client changes limits.txt, too', async () => {
  const lines = Object.entries(limits).map(([name, limit]) => `${name} ${JSON.stringify(limit)}`)
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('limits.txt')
})
