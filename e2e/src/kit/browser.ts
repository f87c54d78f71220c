/** Users in real browsers. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, type RunnerTestCase } from 'vitest'
import { axeFinds } from '../../../scripts/axe.ts'
import { chromiumArgs, findChromium, findShell, microphoneArgs } from '../../../scripts/services/chromium.ts'
import { launchFirefox } from './firefox.ts'

const PATIENCE_MS = 20_000
/** Screenshots for inspection, kept outside version control. */
const pictures = join(import.meta.dirname, '../../../artifacts')

export const demoPassword = 'parley-demo'

/** One browser for a file of end-to-end tests, with as many users as it needs. */
export class Room {
  #browser: Browser
  #visitors: Visitor[] = []
  private constructor(browser: Browser) {
    this.#browser = browser
  }

  /**
   * @param windows  a full browser, which shows notifications; it is slower
   * @param args     further command line arguments
   */
  static async open({ windows = false, args = [] as readonly string[] } = {}): Promise<Room> {
    const executablePath = (windows ? undefined : findShell()) ?? findChromium()
    if (!executablePath) throw new Error('There is no Chromium; run the end-to-end tests with npm test.')
    return new Room(await chromium.launch({ executablePath, args: [...chromiumArgs, ...microphoneArgs, ...args] }))
  }

  static async inFirefox(path: string): Promise<Room> {
    return new Room(await launchFirefox(path))
  }

  /**
   * A user in a new browser context. A test that intercepts requests (`page.route`) blocks service workers: a request
   * made while a worker takes control of the page would bypass it.
   */
  async visitor(url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      baseURL: url,
      ...options,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const visitor = new Visitor(await context.newPage())
    this.#visitors.push(visitor)
    return visitor
  }

  /** A signed-in user on the given page. */
  async member(url: string, email: string, path = '/', options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await this.visitor(url, options)
    await visitor.hasSignedIn(email)
    await visitor.page.goto(path)
    await visitor.canPress()
    return visitor
  }

  /** Closes the visitors' contexts between tests. After a failed test, reports what their pages showed. */
  async clear(journey?: RunnerTestCase) {
    for (const visitor of this.#visitors.splice(0)) {
      if (journey?.result?.state === 'fail') console.error(await visitor.report().catch(String))
      await visitor.page.context().close()
    }
  }

  async close() {
    await this.clear()
    await this.#browser.close()
  }
}

export class Visitor {
  readonly page: Page
  /** Errors in the page; a test must end with none. */
  readonly faults: string[] = []
  constructor(page: Page) {
    this.page = page
    page.on('pageerror', (error) => this.faults.push(error.message))
    page.on('console', (message) => {
      // The browser itself logs a refused request; the test decides whether it was expected.
      if (
        message.type() === 'error' &&
        !message.text().startsWith('Failed to load resource') &&
        !/WebSocket/.test(message.text())
      )
        this.faults.push(message.text())
    })
  }

  async signsIn(email: string) {
    await this.page.goto('/sign-in')
    await this.page.getByLabel('E-mail address').fill(email)
    await this.page.getByLabel('Password', { exact: true }).fill(demoPassword)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
    await this.page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  }

  /** Submits the sign-in form without its page, which has tests of its own. */
  async hasSignedIn(email: string) {
    const { request } = this.page.context()
    await request.get('/sign-in')
    const { cookies } = await request.storageState()
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
    const form = { email, password: demoPassword }
    const answer = await request.post('/sign-in', { form, headers: { 'x-xsrf-token': token }, maxRedirects: 0 })
    expect(answer.status(), `signing in as ${email}`).toBe(302)
  }

  /** Waits for hydration; earlier clicks are lost. */
  async canPress() {
    await this.page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer$')))
  }

  get composer() {
    return this.page.getByRole('textbox', { name: /^Message / })
  }

  /** The `article` of the message with this text. */
  message(text: string) {
    return this.page.getByRole('article').filter({ hasText: text }).last()
  }

  async says(text: string) {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  async sees(text: string) {
    await this.message(text).waitFor()
  }

  /** Waits for animations to end: half-faded elements cannot be checked. */
  async settles() {
    // The animation of the last press starts with the next frame.
    await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await this.page.waitForFunction(() => {
      const moving = document.getAnimations().some((animation) => {
        const { iterations } = animation.effect?.getComputedTiming() ?? {}
        return animation.playState === 'running' && iterations !== Number.POSITIVE_INFINITY
      })
      return !moving && !document.querySelector('[data-entering], [data-exiting]')
    })
  }

  /** Checks the current screen in both themes, wide and on a phone. */
  async isForEverybody(screen: string) {
    const wide = this.page.viewportSize()!
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [shape, size] of [
        ['wide', wide],
        ['phone', { width: 390, height: 844 }],
      ] as const) {
        await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await this.page.setViewportSize(size)
        await this.isAccessible(`${screen}, ${colorScheme}, ${shape}`)
        await this.takesPicture(`${screen}-${colorScheme}-${shape}`)
      }
    await this.page.setViewportSize(wide)
  }

  async takesPicture(name: string) {
    await this.settles()
    mkdirSync(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}.png`) })
  }

  /** axe finds no accessibility violation on the page [interface.md 4]. */
  async isAccessible(screen = this.page.url()) {
    await this.settles()
    // Content behind a modal dialog is inert and cannot be reached.
    const dialogs = '[role=dialog], [role=alertdialog]'
    const isDialogOpen = (await this.page.locator(dialogs).count()) > 0
    expect(await axeFinds(this.page, isDialogOpen ? dialogs : undefined), screen).toEqual([])
  }

  /** What the page shows and its errors, to explain a failed test. */
  async report(): Promise<string> {
    const shown = await this.page.locator('body').ariaSnapshot({ timeout: 5000 })
    return [this.page.url(), ...this.faults, shown].join('\n')
  }

  isWell() {
    expect(this.faults).toEqual([])
  }
}
