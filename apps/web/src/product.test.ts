import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openProduct } from './product.ts'
import { readSettings } from './settings.ts'

it("the cookies' secret is generated once, and a truncated one is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'session-secret')
  const opens = async () => {
    const product = await openProduct(readSettings({ WEB_DATABASE_URL: 'sqlite::memory:', DATA_DIR: folder }))
    await product.database.close()
    return product.secret
  }
  const secret = await opens()
  expect(secret).toBe(readFileSync(file, 'utf8'))
  expect(await opens()).toBe(secret)
  writeFileSync(file, '')
  await expect(opens()).rejects.toThrow(/session-secret holds no secret/)
})
