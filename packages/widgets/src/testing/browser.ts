import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { catalogues } from '../i18n/vite-catalogues.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

export interface FixtureBrowser {
  /** A page of its own with the fixture loaded; problems on the page make `problems()` grow. */
  open: (options?: BrowserContextOptions) => Promise<{ page: Page; problems: () => readonly string[] }>
  close: () => Promise<void>
}

/**
 * Builds one fixture page and opens a real browser on it.
 *
 * @param html    name of the page in its folder, as `scroll-fixture.html`
 * @param folder  this one unless said otherwise
 * @param text    makes a message of every text of the catalogues; as it is unless said otherwise
 * @throws Error when there is no Chromium at `CHROMIUM_PATH` or /usr/bin/chromium
 */
export async function aBrowserOn(
  html: string,
  folder = import.meta.dirname,
  text?: (text: string) => unknown,
): Promise<FixtureBrowser> {
  const [files, browser] = await Promise.all([built(html, folder, text), launched()])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://fixture').pathname
    const file = files.get(path === '/' ? `/${html}` : path)
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': CONTENT_TYPES[extname(path) || '.html'] ?? '',
    })
    response.end(file)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  return {
    async open(options) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      await page.goto(address)
      await page.waitForSelector('html[data-ready]')
      return { page, problems: () => problems }
    },
    async close() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function launched(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  if (!existsSync(executablePath))
    throw new Error(`No Chromium at ${executablePath}. Install it, or name it in CHROMIUM_PATH.`)
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A microphone that beeps, and is allowed.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  })
}

async function built(
  html: string,
  folder: string,
  text?: (text: string) => unknown,
): Promise<Map<string, string | Uint8Array>> {
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
  const files = new Map<string, string | Uint8Array>()
  for (const { output } of outputs as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] }[])
    for (const file of output) files.set(`/${file.fileName}`, file.code ?? file.source ?? '')
  return files
}
