import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { indexedDBStorage } from './indexed-db.ts'

type Words = Awaited<ReturnType<typeof indexedDBStorage>>
declare global {
  var openWords: (name?: string) => Promise<Words>
}

const HTML = `<!doctype html><script type="module">
  import { indexedDBStorage } from '/storage.js'
  globalThis.openWords = indexedDBStorage
</script>`

describe('storage on the device', () => {
  let page: Page
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { output } = (await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        rolldownOptions: {
          input: fileURLToPath(new URL('./indexed-db.ts', import.meta.url)),
          preserveEntrySignatures: 'strict',
        },
      },
    })) as Rolldown.RolldownOutput
    const server = createServer(({ url }, answer) => {
      answer.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
      answer.end(url === '/' ? HTML : output[0].code)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => new Promise((resolve) => server.close(resolve)))
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    })
    ends.unshift(() => browser.close())
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  it('outlives the page', async () => {
    await page.evaluate(async () => {
      const words = await globalThis.openWords()
      words.set('draft:ada:messaging:tea', { text: 'half a sen', mentioned: [{ id: 'bo' }] })
      words.set('draft:ada:messaging:coffee', { text: 'gone', mentioned: [] })
      words.delete('draft:ada:messaging:coffee')
    })
    await page.reload()
    const found = await page.evaluate(async () => {
      const words = await globalThis.openWords()
      return [...words.keys()].map((key) => [key, words.get(key)])
    })
    assert.deepEqual(found, [['draft:ada:messaging:tea', { text: 'half a sen', mentioned: [{ id: 'bo' }] }]])
  })

  it('lasts as long as the page where the browser forbids it, and takes what cannot be written', async () => {
    const found = await page.evaluate(async () => {
      const words = await globalThis.openWords('other')
      const callable = () => {}
      words.set('strange', { callable })
      const { indexedDB } = globalThis
      Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true })
      const forbidden = await globalThis.openWords('third')
      forbidden.set('a', 1)
      Object.defineProperty(globalThis, 'indexedDB', { value: indexedDB, configurable: true })
      return [words.get('strange') !== undefined, forbidden.get('a')]
    })
    assert.deepEqual(found, [true, 1])
  })
})

it('is a Map where there is no browser', async () => {
  const words = await indexedDBStorage()
  words.set('a', 1)
  assert.deepEqual([words.get('a'), [...words.keys()]], [1, ['a']])
})
