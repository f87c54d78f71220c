import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../../scripts/machine-time.ts'
import type * as pretended from '../testing/fake-server.ts'
import type * as wire from '../testing/wire.ts'
import { indexedDBStorage } from './indexed-db.ts'

type Words = Awaited<ReturnType<typeof indexedDBStorage>>
declare global {
  var openWords: (name?: string) => Promise<Words>
  var world: typeof pretended & typeof wire
}

/** The page's program: the storage, and a client with a fake server. */
const program = `
  import { indexedDBStorage } from '${fileURLToPath(new URL('./indexed-db.ts', import.meta.url))}'
  import * as pretended from '${fileURLToPath(new URL('../testing/fake-server.ts', import.meta.url))}'
  import * as wire from '${fileURLToPath(new URL('../testing/wire.ts', import.meta.url))}'
  globalThis.setImmediate = (task) => setTimeout(task)
  globalThis.world = { ...pretended, ...wire }
  globalThis.openWords = indexedDBStorage
`
const isProgram = (id: string) => id === 'virtual:program'

describe('storage on the device', () => {
  let page: Page
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { output } = (await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        modulePreload: false,
        rolldownOptions: { input: 'virtual:program', output: { codeSplitting: false } },
      },
      plugins: [
        {
          name: 'program',
          resolveId: (id) => (isProgram(id) ? id : undefined),
          load: (id) => (isProgram(id) ? program : undefined),
        },
      ],
    })) as Rolldown.RolldownOutput
    const server = createServer(({ url }, answer) => {
      answer.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
      answer.end(url === '/' ? '<!doctype html><script type="module" src="/program.js"></script>' : output[0].code)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(() => new Promise((resolve) => server.close(resolve)))
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_SHELL_PATH,
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
    })
    ends.unshift(() => browser.close())
    const context = await browser.newContext()
    page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  it('survives the page', async () => {
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

  it('keeps an entry written while the page is left', async () => {
    for (const round of ['first', 'second', 'third']) {
      await page.evaluate(async (round) => {
        const words = await globalThis.openWords('leaving')
        addEventListener('pagehide', () => words.set('draft', round))
      }, round)
      await page.reload()
      const kept = await page.evaluate(async () => (await globalThis.openWords('leaving')).get('draft'))
      assert.equal(kept, round)
    }
  })

  it('keeps it also if the next page reads before it is written', async () => {
    await page.evaluate(async () => {
      const words = await globalThis.openWords('late')
      words.set('sent', 'a whole sentence')
      words.set('draft', 'half')
    })
    await page.evaluate(async () => {
      const words = await globalThis.openWords('late')
      addEventListener('pagehide', () => {
        IDBObjectStore.prototype.put = IDBObjectStore.prototype.delete = () => undefined as never
        words.set('draft', 'half a sentence')
        words.delete('sent')
      })
    })
    const kept = () =>
      page.evaluate(async () => {
        const words = await globalThis.openWords('late')
        return [...words.keys()].map((key) => [key, words.get(key)])
      })
    for (const _ of ['at once', 'and for good']) {
      await page.reload()
      assert.deepEqual(await kept(), [['draft', 'half a sentence']])
    }
  })

  it('closes its database for another page that deletes or upgrades it; entries then last as long as the page', async () => {
    const kept = await page.evaluate(async () => {
      const words = await globalThis.openWords('newer')
      words.set('draft', 'half a sentence')
      const opening = indexedDB.open('newer', 2)
      await new Promise<unknown>((resolve, reject) => {
        opening.onsuccess = resolve
        opening.onblocked = () => reject(new Error('The older version is in the way.'))
      })
      words.set('draft', 'a whole sentence')
      return words.get('draft')
    })
    assert.equal(kept, 'a whole sentence')
  })

  it('does not restore entries that another tab changed since', async () => {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.evaluate(async () => {
      const words = await globalThis.openWords('tabs')
      addEventListener('pagehide', () => words.set('draft', 'half a sentence'))
    })
    await tab.goto('about:blank')
    const kept = (at: Page) => at.evaluate(async () => (await globalThis.openWords('tabs')).get('draft'))
    await expect.poll(() => kept(page)).toBe('half a sentence')
    await page.evaluate(async () => void (await globalThis.openWords('tabs')).set('draft', 'a whole sentence'))
    await expect.poll(() => kept(page)).toBe('a whole sentence')
    await tab.clock.setFixedTime(now().getTime() + 5 * 60_000)
    await tab.goto(page.url())
    assert.equal(await kept(tab), 'a whole sentence')
    await tab.close()
  })

  it('leaves entries that another tab is handling to that tab, as long as it is open', async () => {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.evaluate(async () => {
      const { aChannel, aConnectedWorld, messages } = globalThis.world
      const { client, server } = await aConnectedWorld({ storage: await globalThis.openWords('busy') })
      server.answers('POST', '/channels/messaging/tea/query', aChannel({}, { messages: messages(1, 2) }))
      server.holds('POST', '/channels/messaging/tea/message')
      server.holds('PUT', '/messages/m1')
      const tea = client.channel('messaging', 'tea')
      await tea.watch()
      void tea.send({ id: 'on-its-way', text: 'Hello' })
      void tea.edit('m1', { text: 'better' })
      void tea.remove('m2', { until: new Promise(() => {}) })
    })
    const found = () => page.evaluate(async () => [...(await globalThis.openWords('busy')).keys()])
    const stored = () =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open('busy', 1)
            opening.onsuccess = () => {
              const counting = opening.result.transaction('words').objectStore('words').count()
              counting.onsuccess = () => resolve(counting.result)
              opening.result.close()
            }
          }),
      )
    await expect.poll(stored).toBe(3)
    assert.deepEqual(await found(), [])
    await tab.close()
    const keys = ['m1', 'm2', 'on-its-way'].map((id) => `unsent:ada:messaging:tea:${id}`)
    await expect.poll(found).toEqual(keys)
  })

  it('[MSG-33] keeps a failed edit, and sends it as an edit after a reload', async () => {
    await page.evaluate(async () => {
      const { aChannel, aConnectedWorld, messages, Refusal } = globalThis.world
      const { client, server } = await aConnectedWorld({ storage: await globalThis.openWords('edits') })
      server.answers('POST', '/channels/messaging/tea/query', aChannel({}, { messages: messages(1, 1) }))
      server.answers('PUT', '/messages/m1', new Refusal(-1, 500, 'broken'))
      const tea = client.channel('messaging', 'tea')
      await tea.watch()
      await tea.edit('m1', { text: 'better', mentioned_users: ['bo'] })
    })
    await page.reload()
    const found = await page.evaluate(async () => {
      const { aChannel, aConnectedWorld, aMessage, messages } = globalThis.world
      const storage = await globalThis.openWords('edits')
      const { client, server } = await aConnectedWorld({ storage })
      server.answers('POST', '/channels/messaging/tea/query', aChannel({}, { messages: messages(1, 1) }))
      server.answers('PUT', '/messages/m1', {
        message: aMessage('m1', { minute: 1, text: 'better', updated_at: '2026-01-05T09:00:00Z' }),
      })
      const tea = client.channel('messaging', 'tea')
      await tea.watch()
      const shown = () => tea.state.messages.map(({ text, status }) => `${text}: ${status}`)
      const before = shown()
      await tea.retry('m1')
      const sent = server.callsTo('PUT', '/messages/m1').map(({ body }) => body)
      return { before, after: shown(), sent, kept: [...storage.keys()] }
    })
    assert.deepEqual(found, {
      before: ['better: failed'],
      after: ['better: received'],
      sent: [{ set: { text: 'better', mentioned_users: ['bo'] } }],
      kept: [],
    })
  })

  it('lasts as long as the page if the browser blocks it, and accepts values that cannot be stored', async () => {
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

it('is a Map without a browser', async () => {
  const words = await indexedDBStorage()
  words.set('a', 1)
  assert.deepEqual([words.get('a'), [...words.keys()]], [1, ['a']])
})
