/** How many bytes the built product sends before it is usable [interface.md 10.1]. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const KB = 1_024
const limits = {
  /** The goal is 175 kB; React and its router alone are 106 kB, all routes 2, the client 29, the kit 53. */
  chatPage: 217 * KB,
  /** Any other page of a signed-in user: it must not load chat. */
  anyPage: 142.5 * KB,
  /** What a closed widget adds to it: the client's lazy chunks; its entry is part of the page. */
  closedWidget: 13 * KB,
  /** The marks of messages, unless a text needed them, and the notices. */
  firstTouch: 15 * KB,
  /** Menus, dialogs and notices, at first use. */
  overlays: 60 * KB,
  catalogue: 12 * KB,
  styles: 20 * KB,
}

/** Of a session [interface.md 10.2]. */
const LAYOUT_SHIFT = 0.02

const assets = join(import.meta.dirname, '../../apps/web/build/client/assets')
/** The browser does not always report the transferred size, so the size of the prepared file is used. */
const bytesOf = (file: string, ending: '.gz' | '.br') => {
  const path = join(assets, file)
  return statSync(existsSync(path + ending) ? path + ending : path).size
}
/** The goals count gzip; a browser that accepts Brotli loads less. */
const download = (name: string): Download => ({ name, bytes: bytesOf(name, '.gz'), brotliBytes: bytesOf(name, '.br') })

describe('what users download', () => {
  const product = theProduct()

  /** A user with an empty browser cache, on a page of the product. */
  async function firstVisit(
    email: string,
    find: (visitor: Visitor) => Promise<string>,
    options: BrowserContextOptions = {},
  ) {
    const signedIn = await product.member(email)
    const path = await find(signedIn)
    const session = await signedIn.page.context().storageState()
    const visitor = await product.visitor({ storageState: session, ...options })
    const downloads = watchDownloads(visitor.page)
    await visitor.page.goto(path)
    return { visitor, downloads }
  }

  it('the chat page, up to its messages', { timeout: 120_000 }, async () => {
    const { visitor, downloads } = await firstVisit('ada@northwind.example', async ({ page }) => {
      await page.goto('/chat')
      return (await page
        .getByRole('link', { name: /Supply round table/ })
        .first()
        .getAttribute('href'))!
    })
    await visitor.composer.waitFor()
    await visitor.page.getByRole('article').first().waitFor()
    const scripts = await downloads.settled('js')
    print('chat page with a conversation, before anything is touched', scripts)
    expect(sum(scripts)).toBeGreaterThan(50 * KB)
    expect(sum(scripts), names(scripts)).toBeLessThanOrEqual(limits.chatPage)
    const styles = await downloads.settled('css')
    print('its styles', styles)
    expect(sum(styles), names(styles)).toBeLessThanOrEqual(limits.styles)

    const marks = visitor.page.waitForResponse((response) => /marked-text.*\.js$/.test(response.url()))
    await visitor.page.keyboard.press('Shift')
    await marks
    const touched = without(scripts, await downloads.settled('js'))
    print('what comes with the first touch', touched)
    expect(sum(touched), names(touched)).toBeLessThanOrEqual(limits.firstTouch)

    const last = visitor.page.getByRole('article').last()
    await last.hover()
    await last.getByRole('button', { name: 'More actions' }).click()
    await visitor.page.getByRole('menu').waitFor()
    const menu = without([...scripts, ...touched], await downloads.settled('js'))
    const notices = touched.filter(({ name }) => !/^(?:marked-text|plain-text)/.test(name))
    print('menu of a message, and what all overlays share', [...menu, ...notices])
    expect(sum([...menu, ...notices]), names(menu)).toBeLessThanOrEqual(limits.overlays)
  })

  it('each style sheet once, with a lazy part as well', { timeout: 120_000 }, async () => {
    // A service worker's fetches may be reported as the page's own.
    const { visitor } = await firstVisit('ada@northwind.example', atStart, { serviceWorkers: 'block' })
    const { page } = visitor
    const sheets: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.endsWith('.css')) sheets.push(pathname)
    })
    await page.goto('/chat')
    await page
      .getByRole('link', { name: /Supply round table/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Supply round table' }).getByRole('button').click()
    await page.getByRole('button', { name: 'Actions for Bo Nakamura' }).waitFor()
    expect(sheets.some((path) => /DetailsPane/.test(path))).toBe(true)
    expect(sheets.toSorted()).toEqual([...new Set(sheets)].sort())
  })

  it('the closed widget, on a page without it', { timeout: 120_000 }, async () => {
    const bare = await firstVisit('cleo@northwind.example', atStart)
    await bare.visitor.canPress()
    const page = await bare.downloads.settled('js')
    const { visitor, downloads } = await firstVisit('ada@northwind.example', atStart)
    await visitor.page
      .getByRole('button', { name: /^Open chat/ })
      .last()
      .waitFor()
    const more = without(page, await downloads.settled('js'))
    print('a page of the product', page)
    expect(sum(page), names(page)).toBeLessThanOrEqual(limits.anyPage)
    print('the closed widget with its live number', more)
    expect(sum(more), names(more)).toBeLessThanOrEqual(limits.closedWidget)

    // Parts that load with chat have space reserved.
    await visitor.page.getByRole('link', { name: /Bo Nakamura/ }).waitFor()
    expect(await shiftOf(visitor.page)).toBeLessThanOrEqual(LAYOUT_SHIFT)
  })

  it.each(['br', 'gzip', undefined])('a page in an encoding that the browser accepts: %s', async (known) => {
    const headers = { 'accept-encoding': known ?? 'identity' }
    const response = await fetch(new URL('/welcome', product.url), { headers })
    expect(response.headers.get('content-encoding')).toBe(known ?? null)
    expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await response.text()).toMatch(/^<!DOCTYPE html>.*<\/html>$/s)
  })
})

describe('what is prepared for download', () => {
  it('one language of the product or of the kit', () => {
    const sizes = readdirSync(assets)
      .filter((file) => /^[a-z]{2}\.json-.*\.js$/.test(file))
      .map(download)
    print('catalogues, the largest of them', sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 1))
    expect(sizes.length).toBeGreaterThanOrEqual(22)
    for (const { name, bytes } of sizes) expect(bytes, name).toBeLessThanOrEqual(limits.catalogue)
  })

  it('nothing that only the server uses', () => {
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
    const texts = scripts.map((file) => readFileSync(join(assets, file), 'utf8'))
    const holding = (key: string) => texts.filter((text) => text.includes(`"${key}"`)).length
    expect([holding('settings.save'), holding('settings.saved')]).toEqual([12, 0])
  })
})

const atStart = async () => '/'

interface Download {
  name: string
  bytes: number
  brotliBytes: number
}

function watchDownloads(page: Page) {
  const files = new Set(readdirSync(assets))
  const downloads = new Map<string, Download>()
  let open = 0
  page.on('request', () => {
    open += 1
  })
  page.on('requestfailed', () => {
    open -= 1
  })
  page.on('requestfinished', (request) => {
    open -= 1
    const name = new URL(request.url()).pathname.split('/').at(-1)!
    if (files.has(name)) downloads.set(name, download(name))
  })
  return {
    /** All files of a kind, once the network is idle. */
    async settled(kind: 'js' | 'css'): Promise<Download[]> {
      await page.waitForLoadState('networkidle')
      await expect.poll(() => open).toBe(0)
      return [...downloads.values()].filter(({ name }) => name.endsWith(`.${kind}`))
    },
  }
}

const without = (known: readonly Download[], all: readonly Download[]) =>
  all.filter(({ name }) => !known.some((other) => other.name === name))
const sum = (downloads: readonly Download[]) => downloads.reduce((sum, { bytes }) => sum + bytes, 0)
/** The page's cumulative layout shift so far. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        // Earlier shifts are reported at once; without any, nothing is reported.
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((moved, entry) => moved + (entry as unknown as { value: number }).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(0))))
      }),
  )
}

const kB = (bytes: number) => `${(bytes / KB).toFixed(1)} kB`
const names = (downloads: readonly Download[]) =>
  downloads
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name} ${kB(bytes)}`)
    .join(', ')

function print(what: string, downloads: readonly Download[]) {
  const brotli = downloads.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0)
  console.info(`${what}: ${kB(sum(downloads))} gzipped in ${downloads.length} files, ${kB(brotli)} with Brotli`)
}
