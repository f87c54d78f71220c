import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

const ada = () => product.member('ada@northwind.example', '/chat')

async function opens(visitor: Visitor, name: RegExp) {
  await visitor.page.getByRole('link', { name }).first().click()
  await visitor.composer.waitFor()
}

/** The text of the focused message. */
const focusedText = ({ page }: Visitor) =>
  page.evaluate(() => document.activeElement?.closest('article')?.textContent ?? '')

it('[APP-27] a URL leads to its message, and to a reply in its thread', {
  timeout: 120_000,
}, async () => {
  const visitor = await ada()
  await opens(visitor, /Bo Nakamura/)
  await visitor.says('Remember the harbour')
  await visitor.sees('Remember the harbour')
  for (let n = 0; n < 12; n++) await visitor.says(`More words ${n}\n\nand\n\nmore\n\nlines`)
  await visitor.sees('More words 11')
  const id = await visitor.message('Remember the harbour').evaluate((it) => (it as HTMLElement).dataset.key!)

  // A reply is written in its thread.
  await visitor.message('Remember the harbour').focus()
  await visitor.page.keyboard.press('t')
  const thread = visitor.page.getByRole('complementary', { name: 'Thread' })
  // A URL leads only to what the server has.
  const kept = visitor.page.waitForResponse((answer) => !!answer.request().postData()?.includes('By the old crane'))
  await thread.getByRole('textbox').fill('By the old crane')
  await thread.getByRole('textbox').press('Enter')
  const reply = thread.getByRole('article').filter({ hasText: 'By the old crane' })
  await reply.waitFor()
  await kept
  const replyId = await reply.evaluate((it) => (it as HTMLElement).dataset.key!)

  const path = new URL(visitor.page.url()).pathname
  await visitor.page.goto(`${path}?message=${id}`)
  await visitor.message('Remember the harbour').and(visitor.page.locator('[data-highlighted]')).waitFor()
  await expect.poll(() => focusedText(visitor)).toContain('Remember the harbour')

  await visitor.page.goto(`${path}?message=${replyId}`)
  await thread.getByText('By the old crane').waitFor()
  await expect.poll(() => focusedText(visitor)).toContain('By the old crane')

  await visitor.page.goto(`${path}?message=nothing-like-that`)
  await visitor.page.getByText('This message is not available').first().waitFor()
  visitor.isWell()
})

/** Sends a message to Bo, and its link to another conversation. @returns the link */
async function saysWithALink(visitor: Visitor, words: string): Promise<string> {
  await opens(visitor, /Bo Nakamura/)
  await visitor.says(words)
  await visitor.message(words).locator('[data-delivery=delivered]').waitFor()
  const id = await visitor.message(words).evaluate((it) => (it as HTMLElement).dataset.key!)
  const { origin, pathname } = new URL(visitor.page.url())
  const address = `${origin}${pathname}?message=${id}`
  await opens(visitor, /Supply round table/)
  await visitor.says(address)
  return address
}

it('[APP-27] a message link sent in another conversation opens on the same page, and Back returns', {
  timeout: 120_000,
}, async () => {
  const visitor = await ada()
  const { page } = visitor
  const words = `The lantern is lit at ${randomUUID()}`
  const address = await saysWithALink(visitor, words)
  await page.getByRole('link', { name: address }).last().click()
  await page.waitForURL(address)
  await expect.poll(() => focusedText(visitor)).toContain(words)
  expect(page.context().pages()).toHaveLength(1)
  await page.goBack()
  await page.getByRole('heading', { name: 'Supply round table', level: 2 }).waitFor()
  visitor.isWell()
})

it('[APP-27] the original of a quoted reply has a URL of its own, and Back leads to the reply', {
  timeout: 120_000,
}, async () => {
  const visitor = await ada()
  const { page } = visitor
  await opens(visitor, /Supply round table/)
  const { pathname } = new URL(page.url())
  const quote = page.getByTitle('Go to the message from').last()
  const id = await page
    .getByRole('article')
    .filter({ has: quote })
    .last()
    .evaluate((it) => (it as HTMLElement).dataset.key!)
  await quote.click()
  await page.waitForURL(/[?]message=/)
  await page.locator('[data-highlighted]').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === pathname && !url.search)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('article') != null)).toBe(true)
  expect(await page.locator(`[data-key="${id}"]`).isVisible()).toBe(true)
  visitor.isWell()
})

it('[APP-27] in the floating panel such a link opens in the panel, and in a new tab on request', {
  timeout: 120_000,
}, async () => {
  const visitor = await ada()
  const { page } = visitor
  const words = `The anchor is up at ${randomUUID()}`
  const address = await saysWithALink(visitor, words)
  await visitor.message(address).locator('[data-delivery=delivered]').waitFor()

  await page.goto('/settings')
  await page.getByRole('button', { name: /^Open chat/ }).click()
  const panel = page.getByRole('region', { name: 'Chat', exact: true })
  await panel.getByRole('button', { name: /^Supply round table/ }).click()
  const link = panel.getByRole('link', { name: address }).last()
  const tab = page.context().waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  await (await tab).close()
  await panel.getByRole('heading', { name: 'Supply round table', level: 2 }).waitFor()
  await link.click()
  await expect.poll(() => focusedText(visitor)).toContain(words)
  await panel.getByRole('heading', { name: /Bo Nakamura/, level: 2 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
  expect(page.context().pages()).toHaveLength(1)

  // A later visit to the conversation does not jump there again.
  await panel.getByRole('button', { name: 'Back to conversations' }).click()
  await panel.getByRole('button', { name: /^Bo Nakamura/ }).click()
  await visitor.composer.waitFor()
  expect(await focusedText(visitor)).toBe('')
  visitor.isWell()
})

it('on a phone nothing of a conversation shows through an overlay', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const visitor = await product.member('ada@northwind.example', '/chat', phone)
  await opens(visitor, /Supply round table/)
  const date = visitor.page.locator('.chat-floating-date')
  // As while it scrolls, which a rotated phone or its keyboard causes by itself.
  const shows = () =>
    date.evaluate((it) => {
      it.setAttribute('data-shown', '')
      for (const fading of it.getAnimations()) fading.finish()
    })
  await shows()
  expect(await date.isVisible()).toBe(true)
  await visitor.page.getByRole('button', { name: 'Search this conversation' }).tap()
  await visitor.page.getByRole('complementary', { name: 'Search' }).waitFor()
  await shows()
  expect(await date.isVisible()).toBe(false)
})

it('[APP-27] on a phone Back closes an overlay of a conversation, and only then the conversation', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = await product.member('ada@northwind.example', '/chat', phone)
  await page
    .getByRole('link', { name: /Supply round table/ })
    .first()
    .tap()
  const name = page.getByRole('heading', { name: 'Supply round table', level: 2 })
  await name.tap()
  const pane = (called: string) => page.getByRole('complementary', { name: called })
  await pane('Details').getByRole('button', { name: 'Pinned messages' }).tap()
  await pane('Pinned messages').waitFor()
  await page.goBack()
  await pane('Details').waitFor()
  await page.goBack()
  await name.waitFor()
  await page.getByRole('button', { name: 'Search this conversation' }).tap()
  await pane('Search').getByRole('searchbox').fill('pepper')
  await page.waitForURL(/search=pepper/)
  await page.goBack()
  await pane('Search').waitFor({ state: 'detached' })
  await name.waitFor()
  await page.goBack()
  await page.waitForURL(/chat$/)
})

it('[APP-27] a search finds a message anywhere, jumps to it as often as asked, and is in the URL', {
  timeout: 120_000,
}, async () => {
  const visitor = await ada()
  // A retried test finds the messages of its first run as well.
  const words = `The peppermint is ready at ${randomUUID()}`
  await opens(visitor, /Bo Nakamura/)
  await visitor.says(words)
  await visitor.message(words).locator('[data-delivery=delivered]').waitFor()
  await visitor.page.goto('/chat')
  await opens(visitor, /Supply round table/)
  await visitor.page.keyboard.press('Control+Shift+F')
  const pane = visitor.page.getByRole('complementary', { name: 'Search' })
  await pane.getByRole('searchbox').fill('pepperm')
  const hit = pane.getByRole('button', { name: words })
  await hit.waitFor()
  await visitor.takesPicture('search')
  await visitor.isAccessible('search')
  await hit.press('Enter')
  await visitor.page.waitForURL(/message=.*search=pepperm|search=pepperm.*message=/)
  await expect.poll(() => focusedText(visitor)).toContain(words)
  await hit.click()
  await expect.poll(() => focusedText(visitor)).toContain(words)
  await visitor.page.goBack()
  await visitor.page.goBack()
  await visitor.page.getByRole('heading', { name: 'Supply round table', level: 2 }).waitFor()

  // The channel list's search finds it as well.
  await visitor.page.keyboard.press('Control+k')
  const list = visitor.page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('searchbox').fill('pepperm')
  await list.getByRole('button', { name: words }).click()
  await expect.poll(() => focusedText(visitor)).toContain(words)

  // The author and start date of a search are in the URL, and return with it.
  await visitor.page.goto('/chat')
  await opens(visitor, /Supply round table/)
  await visitor.page.keyboard.press('Control+Shift+F')
  await pane.getByRole('searchbox').fill('pepperm')
  await pane.getByText('Sender and date').click()
  await pane.getByRole('combobox', { name: 'From' }).fill('ada lind')
  await pane.getByRole('option', { name: /Ada Lindqvist/ }).waitFor()
  await visitor.page.keyboard.press('Enter')
  const sender = pane.getByRole('button', { name: 'Remove filter: Ada Lindqvist' })
  await sender.waitFor()
  await pane.getByLabel('Since').fill('2020-01-31')
  await visitor.page.waitForURL(/from=.+&since=2020-01-31/)
  await hit.waitFor()
  await visitor.page.reload()
  await hit.waitFor()
  expect(await pane.getByLabel('Since').inputValue()).toBe('2020-01-31')
  await sender.waitFor()
  visitor.isWell()
})

it('[APP-11] theme and language chosen in chat are those of the product, and stay', { timeout: 120_000 }, async () => {
  const visitor = await ada()
  // A retried test may have stopped in German.
  await visitor.page.evaluate(() =>
    fetch('/settings/looks', { method: 'POST', body: new URLSearchParams({ language: 'en', theme: 'system' }) }),
  )
  await visitor.page.reload()
  await opens(visitor, /Bo Nakamura/)
  await visitor.page.getByRole('button', { name: 'Chat preferences' }).click()
  const dialog = visitor.page.getByRole('dialog')
  await visitor.takesPicture('preferences')
  await visitor.isAccessible('preferences')
  await dialog.getByLabel('Theme').selectOption('dark')
  await expect.poll(() => visitor.page.locator('html').getAttribute('data-theme')).toBe('dark')
  await expect.poll(() => visitor.page.locator('.chat').first().getAttribute('class')).toContain('chat-theme-dark')
  const typing = dialog.getByLabel('When I am typing')
  await typing.check()
  const told = visitor.page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await typing.uncheck()
  await told
  await dialog.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de')
  await visitor.page.getByRole('dialog', { name: 'Chat-Einstellungen' }).waitFor()
  await visitor.page.reload()
  await visitor.page.getByRole('button', { name: 'Chat-Einstellungen' }).click()
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Sprache', exact: true }).inputValue()).toBe('de')
  await expect.poll(() => dialog.getByLabel('Dass ich gerade schreibe').isChecked()).toBe(false)
  expect(await visitor.page.locator('html').getAttribute('data-theme')).toBe('dark')
  await dialog.getByRole('combobox', { name: 'Sprache', exact: true }).selectOption('en')
  await visitor.page.getByRole('dialog', { name: 'Chat preferences' }).getByLabel('Theme').selectOption('system')
  await expect.poll(() => visitor.page.locator('html').getAttribute('data-theme')).toBe('system')
  visitor.isWell()
})

it('[WID-33] unread counts are in the title and on the icon, and a conversation can be archived', {
  timeout: 120_000,
}, async () => {
  const bo = await product.member('bo@kiku.example', '/chat')
  const visitor = await product.member('ada@northwind.example', '/settings')
  await opens(bo, /Ada/)
  await bo.says('Are you there?')
  await expect.poll(() => visitor.page.title()).toMatch(/^\(\d+\+?\) Settings/)
  const icon = () => visitor.page.locator('link[rel=icon]').getAttribute('href')
  await expect.poll(icon).toBe('/icon-unread.svg')

  await visitor.page.goto('/chat')
  const row = visitor.page.getByRole('link', { name: /Bo Nakamura/ }).first()
  await row.focus()
  await visitor.page.keyboard.press('Shift+F10')
  await visitor.takesPicture('channel-menu')
  await visitor.page.getByRole('menuitem', { name: 'Mark as read' }).click()
  await expect.poll(() => row.getByText(/unread/).count()).toBe(0)
  await row.focus()
  await visitor.page.keyboard.press('Shift+F10')
  await visitor.page.getByRole('menuitem', { name: 'Archive' }).click()
  // A notice stays while the pointer is on it.
  await visitor.page.getByRole('button', { name: 'Undo' }).hover()
  await visitor.page.getByRole('button', { name: /^Archived/ }).waitFor()
  await visitor.page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => visitor.page.getByRole('button', { name: /^Archived/ }).count()).toBe(0)
  visitor.isWell()
})
