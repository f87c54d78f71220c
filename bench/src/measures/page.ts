/** What the chat page costs on a slow phone: to open, to type in, and to keep open. */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChatClient } from '@parley/client/server'
import { watchRenders } from '@parley/widgets/testing'
import type { CDPSession, Page } from 'playwright-core'
import { API_KEY, API_SECRET } from '../app.ts'
import { percentile } from '../percentiles.ts'
import { startProduct } from '../product.ts'
import { atMost, type Figure } from '../report.ts'
import type { Targets } from '../target.ts'

/** A mid-range phone compared with a desktop machine. */
const SLOWER = 4
/** One less than the maximum kept, so that the last page is known to be the last. */
const LOADED = 999
const HEARD = 20
const WORDS = 'The power budget for row C assumes the old supplies, and the cooling numbers are from the summer.'

export interface PageOptions {
  targets: Targets
  /** Visits to the page, each with an empty cache. */
  visits: number
  /** Keys pressed in the composer. */
  keys: number
}

export async function page({ targets, visits, keys }: PageOptions): Promise<Figure[]> {
  const server = await targets.parley('sqlite')
  const product = await startProduct(server)
  const floor = await startFloor()
  try {
    const chat = new ChatClient(API_KEY, API_SECRET, { baseURL: `http://127.0.0.1:${server.port}` })
    const path = await aConversation(chat)
    const open = async (url: string) => {
      const context = await product.browser.newContext({ baseURL: product.url, storageState: product.storageState })
      const page = await context.newPage()
      const cdp = await context.newCDPSession(page)
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.addInitScript(watchRenders)
      await page.addInitScript(noteTimes)
      await page.goto(url)
      return { page, cdp }
    }
    const paints = async (url: string) => {
      const times: number[] = []
      for (let visit = 0; visit < visits; visit++) {
        const { page } = await open(url)
        times.push(await firstPaint(page))
        await page.context().close()
      }
      return percentile(times, 0.5)
    }
    const paint = { parley: await paints(path), floor: await paints(floor.url) }

    // One after the other: a throttled page uses CPU in the background, too.
    const bare = await open(`${floor.url}?messages=${LOADED}`)
    await firstPaint(bare.page)
    const writtenBare = await typed(bare.page, keys)
    const heapBare = await heapMB(bare.cdp)
    await bare.page.context().close()
    const parley = await open(path)
    await firstPaint(parley.page)
    await loadAll(parley.page)
    const written = await typed(parley.page, keys)
    const heap = { parley: await heapMB(parley.cdp), floor: heapBare }
    const renders = await rendersPerMessage(parley.page, chat)

    const slower = `${SLOWER}× slower processor`
    const box = 'a bare text box in a page with as many paragraphs'
    const key = (share: number) => ({
      parley: percentile(written, share),
      floor: { what: box, value: percentile(writtenBare, share) },
    })
    return [
      {
        name: `first messages painted, empty cache, ${slower}`,
        unit: 'ms',
        parley: paint.parley,
        floor: { what: '25 paragraphs of HTML alone', value: paint.floor },
        goal: atMost(2_500),
      },
      { name: `key to paint with ${LOADED} messages, ${slower}, p50`, unit: 'ms', ...key(0.5) },
      { name: `key to paint with ${LOADED} messages, ${slower}, p99`, unit: 'ms', ...key(0.99), goal: atMost(50) },
      {
        name: `heap with ${LOADED} messages, after collection`,
        unit: 'MB',
        parley: heap.parley,
        floor: { what: 'the messages as objects, and a paragraph each', value: heap.floor },
        goal: atMost(60),
      },
      {
        name: 'rows rendered for a message that comes',
        unit: 'rows',
        parley: renders,
        floor: { what: 'its own', value: 1 },
        goal: atMost(2),
      },
    ]
  } finally {
    await floor.stop()
    await product.stop()
    await server.stop()
  }
}

/** A group of Ada and a bot that has written a thousand messages; returns its URL. */
async function aConversation(chat: ChatClient): Promise<string> {
  const { users } = await chat.queryUsers({ name: { $in: ['Ada Lindqvist'] } })
  await chat.upsertUsers([{ id: 'machine', name: 'Machine' }])
  const data = { created_by_id: 'machine', members: [users[0]!.id, 'machine'], name: 'Loaded' }
  const channel = chat.channel('messaging', 'loaded', data)
  await channel.create()
  for (let n = 0; n < LOADED; n++) await channel.sendMessage({ text: `${n}: ${WORDS}`, user_id: 'machine' })
  return '/chat/messaging:loaded'
}

/** Runs in the page: records when the first message was painted, and how long each key took to its paint. */
function noteTimes() {
  const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then))
  Object.assign(window, { keysToPaint: [] })
  const looking = new MutationObserver(() => {
    if (!document.querySelector('article')) return
    looking.disconnect()
    painted(() => Object.assign(window, { firstPaint: performance.now() }))
  })
  looking.observe(document, { childList: true, subtree: true })
  addEventListener(
    'keydown',
    ({ timeStamp }) => painted(() => window.keysToPaint.push(performance.now() - timeStamp)),
    true,
  )
}

declare global {
  interface Window {
    firstPaint?: number
    keysToPaint: number[]
  }
}

async function firstPaint(page: Page): Promise<number> {
  await page.waitForFunction(() => window.firstPaint !== undefined, undefined, { timeout: 120_000 })
  return page.evaluate(() => window.firstPaint!)
}

/** Scrolls to the top repeatedly until all messages are loaded and the list states their number. */
async function loadAll(page: Page) {
  const all = () =>
    page.evaluate((loaded) => {
      const scroller = document.querySelector('.chat-scroll')!
      scroller.scrollTop = scroller.scrollTop < 10 ? 40 : 0
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }))
      return Number(document.querySelector('article')?.getAttribute('aria-setsize')) >= loaded
    }, LOADED)
  while (!(await all())) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)))
}

/** Milliseconds from each key to the paint after it. */
async function typed(page: Page, keys: number): Promise<number[]> {
  const box = page.getByRole('textbox').last()
  await box.click()
  await page.evaluate(() => {
    window.keysToPaint = []
  })
  for (let n = 0; n < keys; n++) {
    await page.keyboard.press('abcdefghij'[n % 10]!)
    // A key pressed before the last one was painted would wait for it, which is not how users type.
    await page.waitForFunction((keys) => window.keysToPaint.length === keys, n + 1)
  }
  return page.evaluate(() => window.keysToPaint)
}

async function heapMB(cdp: CDPSession): Promise<number> {
  for (let n = 0; n < 3; n++) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

async function rendersPerMessage(page: Page, chat: ChatClient): Promise<number> {
  const channel = chat.channel('messaging', 'loaded')
  await page.getByRole('button', { name: 'Go to the newest message' }).click()
  const counts: number[] = []
  for (let n = 0; n <= HEARD; n++) {
    const text = `heard ${randomBytes(4).toString('hex')}`
    await page.evaluate(() => window.rendersOfRows())
    await channel.sendMessage({ text, user_id: 'machine' })
    await page.getByRole('article').filter({ hasText: text }).waitFor()
    const rows = await page.evaluate(() => [...new Set(window.rendersOfRows())].length)
    // The first one may come while the list is still scrolling to its end.
    if (n > 0) counts.push(rows)
  }
  return percentile(counts, 0.5)
}

/** The same text in a plain HTML page, and `?messages=1000` of them as objects beside it. */
async function startFloor() {
  const server = createServer((request, response) => {
    const count = Number(new URL(request.url!, 'http://floor').searchParams.get('messages') ?? 25)
    const rows = Array.from({ length: count }, (_, n) => `<article><p>${n}: ${WORDS}</p></article>`).join('')
    const kept = `window.kept = JSON.parse(${JSON.stringify(JSON.stringify(Array.from({ length: count }, aMessage)))})`
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>floor</title>${rows}<textarea></textarea><script>${kept}</script>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function aMessage(_: unknown, n: number) {
  const at = '2026-01-05T09:00:00.000Z'
  return {
    id: `m${n}`,
    text: `${n}: ${WORDS}`,
    user: { id: 'machine', name: 'Machine' },
    created_at: at,
    updated_at: at,
  }
}
