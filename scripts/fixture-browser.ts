import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { catalogues } from '@parley/widgets/vite-catalogues'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { chromiumArgs, findChromium, findShell, microphoneArgs } from './services/chromium.ts'
import { shiftDate } from './shift-date.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

export interface FixtureBrowser {
  /** A page of its own with the fixture loaded. */
  open: (options?: BrowserContextOptions) => Promise<OpenFixture>
  close: () => Promise<void>
}

export interface OpenFixture {
  page: Page
  /** Errors and warnings of the page so far. */
  problems: () => readonly string[]
  /** Closes the page and its popups, and clears their storage, so that the next page finds nothing. */
  leave: () => Promise<void>
}

/** An empty page that stays open beside the fixtures: it keeps their process and its compiled code. */
const ANCHOR = '/anchor'

/** One for all files of a worker; it ends with the worker. */
let sharedBrowser: Promise<Browser> | undefined
/** Builds without texts of their own, by the path of the page. */
const plain = new Map<string, Promise<Files>>()

type Files = Map<string, string | Uint8Array>

/**
 * Builds one fixture page and opens a real browser on it.
 *
 * @param html    name of the page in its folder, as `scroll-fixture.html`
 * @param folder  the page's folder
 * @param text    maps every text of the catalogues; unchanged by default
 * @throws Error when there is no Chromium at `CHROMIUM_SHELL_PATH` or /usr/bin/chromium
 */
export async function aBrowserOn(
  html: string,
  folder: string,
  text?: (text: string) => unknown,
): Promise<FixtureBrowser> {
  sharedBrowser ??= launched()
  const [files, browser] = await Promise.all([
    text ? built(html, folder, text) : onceBuilt(html, folder),
    sharedBrowser,
  ])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://fixture').pathname
    const file = path === ANCHOR ? '' : files.get(path === '/' ? `/${html}` : path)
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': CONTENT_TYPES[extname(path) || '.html'] ?? '',
      // Files named after their content need not be loaded or compiled again for every page.
      ...(path.startsWith('/assets/') && { 'cache-control': 'max-age=3600, immutable' }),
    })
    response.end(file)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profiles = new Map<string, Promise<Profile>>()

  return {
    async open(options) {
      const key = JSON.stringify(options ?? {})
      const profile = profiles.get(key) ?? aProfile(browser, origin, options)
      profiles.set(key, profile)
      const { context, newPage, forget } = await profile
      const page = await newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      await page.goto(origin)
      await page.waitForSelector('html[data-ready]')
      return {
        page,
        problems: () => problems,
        async leave() {
          if (await forget()) return
          profiles.delete(key)
          await context.close()
        },
      }
    },
    async close() {
      for (const profile of profiles.values()) await (await profile).context.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

interface Profile {
  context: BrowserContext
  /** An empty page in the anchor's process; one that the context opens begins in another process, and moves. */
  newPage: () => Promise<Page>
  /** Closes every page but the anchor, and clears what they stored; false where that is impossible. */
  forget: () => Promise<boolean>
}

async function aProfile(browser: Browser, origin: string, options?: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext(options)
  const anchor = await context.newPage()
  // Pages have the date of their test, also when this program's time is shifted from the browser's.
  await context.addInitScript(shiftDate, Date.now() - (await anchor.evaluate(() => Date.now())))
  await anchor.goto(origin + ANCHOR)
  const devtools = await context.newCDPSession(anchor)
  return {
    context,
    async newPage() {
      const [page] = await Promise.all([anchor.waitForEvent('popup'), anchor.evaluate(() => void window.open())])
      return page
    },
    async forget() {
      const pages = context.pages().filter((page) => page !== anchor)
      try {
        // A fake clock stays with all later pages.
        for (const page of pages)
          if (!(await page.evaluate(() => String(setTimeout).includes('[native code]')))) return false
        for (const page of pages) await page.close()
        await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
        await context.clearPermissions()
        return true
      } catch {
        return false // crashed, or closed by the test
      }
    },
  }
}

async function launched(): Promise<Browser> {
  const executablePath = findShell() ?? findChromium()
  if (!executablePath) throw new Error('There is no Chromium; run the tests with npm test.')
  const browser = await chromium.launch({
    executablePath,
    // Pages of one profile share their process and its compiled code.
    args: [...chromiumArgs, ...microphoneArgs, '--process-per-site'],
  })
  // A crash must not fail the files that come after.
  browser.on('disconnected', () => {
    sharedBrowser = undefined
  })
  return browser
}

function onceBuilt(html: string, folder: string): Promise<Files> {
  const path = join(folder, html)
  const files = plain.get(path) ?? built(html, folder)
  plain.set(path, files)
  return files
}

async function built(html: string, folder: string, text?: (text: string) => unknown): Promise<Files> {
  const bundle = await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    plugins: [catalogues(text)],
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: { write: false, rolldownOptions: { input: `${folder}/${html}` } },
  })
  const outputs = Array.isArray(bundle) ? bundle : [bundle]
  const files: Files = new Map()
  for (const { output } of outputs as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] }[])
    for (const file of output) files.set(`/${file.fileName}`, file.code ?? file.source ?? '')
  return files
}
