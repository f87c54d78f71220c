/** The built product beside a Parley server, and Ada signed in to it in a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { buildIfStale } from '../../scripts/build-if-stale.ts'
import { chromiumArgs, findChromium } from '../../scripts/services/chromium.ts'
import { comesUp, freePort, startDaemon } from '../../scripts/services/service.ts'
import { API_KEY, API_SECRET } from './app.ts'
import { dataFolder, type Parley } from './target.ts'

const root = join(import.meta.dirname, '../..')

export interface Product {
  url: string
  browser: Browser
  /** Makes a browser context in which Ada is signed in already. */
  storageState: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>
  stop(): Promise<void>
}

/** @throws Error when the machine has no Chromium, or the product does not start */
export async function startProduct(parley: Parley): Promise<Product> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium to look at the page with; CHROMIUM_PATH names one.')
  await buildIfStale()
  const folder = mkdtempSync(join(dataFolder, 'product-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const web = startDaemon(process.execPath, [join(root, 'apps/web/src/main.ts')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      WEB_PORT: `${port}`,
      PUBLIC_URL: url,
      CHAT_URL: `http://127.0.0.1:${parley.port}`,
      CHAT_API_KEY: API_KEY,
      CHAT_API_SECRET: API_SECRET,
      WEB_DATABASE_URL: `sqlite:${join(folder, 'web.sqlite')}`,
      SESSION_SECRET: API_SECRET,
    },
  })
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const stop = async () => {
    await browser.close()
    await web.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await comesUp('The web app', web, async () => web.output().includes('Demo sign-ins'))
    return { url, browser, storageState: await signedIn(browser, url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function signedIn(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill('ada@northwind.example')
  await page.getByLabel('Password', { exact: true }).fill('parley-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
  const state = await context.storageState()
  await context.close()
  return state
}
