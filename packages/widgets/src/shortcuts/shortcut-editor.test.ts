import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
const anotherPage = aKitPage((opened) => {
  page = opened
})

const dialog = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const keysOf = (does: string) => dialog().getByRole('button', { name: new RegExp(`^${does} `) })
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const field = () => dialog().getByRole('textbox')
const hasFocus = (one: ReturnType<typeof field>) =>
  expect.poll(() => one.evaluate((it) => it === document.activeElement)).toBe(true)
const hears = (sentence: string) =>
  page.locator('[aria-live=polite]').getByText(sentence, { exact: true }).waitFor({ state: 'attached' })
const searches = () => page.getByRole('complementary', { name: 'Search' }).count()

async function adaOpens() {
  await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
  await page.getByRole('textbox').focus()
  await page.keyboard.press('Control+/')
  await dialog().waitFor()
}
async function adaLeaves() {
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
}

describe('the keys of a shortcut', () => {
  it('change as soon as they are pressed, with the keyboard alone, and are kept after a reload', async () => {
    await adaOpens()
    await keysOf('Search this conversation').focus()
    await page.keyboard.press('Enter')
    await hasFocus(field())
    expect(await field().getAttribute('aria-label')).toBe(
      'Search this conversation: press the new keys, or Escape to cancel',
    )
    await page.keyboard.press('Control+j')
    await hears('Search this conversation: Ctrl+J')
    await hasFocus(keysOf('Search this conversation'))
    expect(await keysOf('Search this conversation').innerText()).toMatch(/Ctrl\s*J/)
    await adaLeaves()
    await page.keyboard.press('Control+f')
    expect(await searches()).toBe(0)
    await page.keyboard.press('Control+j')
    await expect.poll(searches).toBe(1)

    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await adaOpens()
    await keysOf('Search this conversation').getByText('J').waitFor()
  })

  it('stay as they are with Escape, and Tab moves on to the buttons', async () => {
    await adaOpens()
    await keysOf('Find a conversation').click()
    await hasFocus(field())
    await page.keyboard.press('Tab')
    await hasFocus(button('Turn off'))
    await page.keyboard.press('Shift+Tab')
    await hasFocus(field())
    await page.keyboard.press('Escape')
    await hasFocus(keysOf('Find a conversation'))
    expect(await dialog().count()).toBe(1)
    expect(await dialog().getByRole('button', { name: 'Find a conversation Ctrl K', exact: true }).count()).toBe(1)
    await adaLeaves()
  })

  it('are refused with a reason if they belong to others, and never silently', async () => {
    await adaOpens()
    await keysOf('Find a conversation').click()
    const says = async (keys: string, sentence: string) => {
      await field().press(keys)
      await expect.poll(() => dialog().locator('.chat-field-fault').allTextContents()).toEqual([sentence])
      await hears(sentence)
    }
    await says('x', 'X alone types a character. Press it together with Ctrl.')
    await says('Control+Shift+V', 'Ctrl+Shift+V is needed for writing and moving around.')
    await says('F5', 'F5 is reserved by the browser or the system.')
    await says('Control+b', 'Ctrl+B is already used for “Bold”.')
    await hasFocus(field())
    expect(await field().inputValue()).toBe('Ctrl+B')
    await button('Cancel').click()
    await hasFocus(keysOf('Find a conversation'))
    expect(await axeFinds(page, '.chat-dialog')).toEqual([])
  })

  it('are taken from the one that has them, which has none then; undo reverts that', async () => {
    await adaOpens()
    await keysOf('Find a conversation').click()
    await field().press('Control+f')
    expect(await axeFinds(page, '.chat-dialog')).toEqual([])
    await button('Use it here').click()
    await hears('Find a conversation: Ctrl+F. Search this conversation: Off')
    await hasFocus(keysOf('Find a conversation'))
    await keysOf('Search this conversation').getByText('Off').waitFor()
    await button('Undo').click()
    await hears('The last change was undone')
    await keysOf('Find a conversation').getByText('K').waitFor()
    await keysOf('Search this conversation').getByText('F').waitFor()
  })

  it('of a message may be any letter, and none once it is off; all are reset at once', async () => {
    await adaOpens()
    await keysOf('Pin').click()
    await field().press('x')
    await keysOf('Edit(?= E| Off)').click()
    await button('Turn off').click()
    await keysOf('Edit(?= E| Off)').getByText('Off').waitFor()
    await hasFocus(keysOf('Edit(?= E| Off)'))
    await adaLeaves()
    const row = page.locator('[data-key="racks-15"]')
    await row.focus()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: '2 pinned messages' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')
    // Letters that are commands no more are typed.
    await page.keyboard.press('p')
    await page.keyboard.press('e')
    await expect.poll(() => page.locator('.chat-composer textarea').inputValue()).toBe('pe')

    await page.keyboard.press('Control+/')
    await button('Reset all').click()
    await hears('All shortcuts have been reset')
    await keysOf('Edit(?= E| Off)').getByText('E', { exact: true }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('parley.preferences.ada'))).toContain('"keys":{}')
  })

  it('can be reset one by one, unless another shortcut has them by now', async () => {
    await adaOpens()
    await keysOf('Find a conversation').click()
    await field().press('Control+j')
    await keysOf('Search this conversation').click()
    await field().press('Control+k')
    await keysOf('Find a conversation').click()
    await button('Reset').click()
    await dialog().getByText('Ctrl+K is already used for “Search this conversation”.').waitFor()
    await button('Cancel').click()
    await keysOf('Search this conversation').click()
    await button('Reset').click()
    await keysOf('Search this conversation').getByText('F').waitFor()
  })

  it('for sending, editing and quoting can be changed too, or removed', async () => {
    await adaOpens()
    await keysOf('Send').click()
    await field().press('Alt+Enter')
    await hears('Send: Alt+Enter')
    await keysOf('Edit your last message').click()
    await field().press('Shift+ArrowUp')
    await dialog().getByText('Shift+↑ is already used for “Reply to the last message”.').waitFor()
    await button('Use it here').click()
    await hears('Edit your last message: Shift+↑. Reply to the last message: Off')
    await adaLeaves()
    const box = page.getByRole('textbox')
    await box.focus()
    await page.keyboard.press('ArrowUp')
    expect(await box.inputValue()).toBe('')
    await page.keyboard.press('Shift+ArrowUp')
    const before = await box.inputValue()
    expect(before).not.toBe('')
    await page.keyboard.press('Escape')
    await page.keyboard.type('On its way')
    await page.keyboard.press('Control+Enter')
    expect(await box.inputValue()).toBe('On its way')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('article').filter({ hasText: 'On its way' }).waitFor()
  })

  it('of every list, photo and recording are shown, and cannot be changed', async () => {
    const rowOf = (does: string) => dialog().getByRole('listitem').filter({ hasText: does })
    await adaOpens()
    const title = dialog().getByRole('heading', { name: 'Fixed shortcuts' })
    await title.waitFor()
    expect(await rowOf('Next photo').innerText()).toMatch(/→/)
    expect(await rowOf('Next photo').getByRole('button').count()).toBe(0)
    expect(await rowOf('New line').innerText()).toMatch(/Shift\s+Enter/)
    expect(await axeFinds(page, '.chat-dialog')).toEqual([])
    await adaLeaves()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
      localStorage.setItem('parley.preferences.ada', '{"enterSends":false,"keys":{"send":""}}')
    })
    await adaOpens()
    expect(await rowOf('Next photo').innerText()).toMatch(/←/)
    expect(await rowOf('New line').innerText()).not.toMatch(/Shift/)
    await adaLeaves()
    const described = await page.getByRole('textbox').getAttribute('aria-describedby')
    const hints = await page.evaluate(
      (ids) => ids.map((id) => document.getElementById(id)?.textContent ?? ''),
      described!.split(' ').filter(Boolean),
    )
    expect(hints).toContain('Enter for a new line, the button to send')
  })

  it('are shown on buttons with the same action, and followed by other tabs at once', async () => {
    await adaOpens()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.waitForSelector('html[data-ready]')
    await other.evaluate(() => window.kitFixture.start({ open: 'racks' }))
    await other.getByRole('textbox').fill('Well')
    await other.getByRole('button', { name: 'Formatting', exact: true }).click()
    const bold = other.getByRole('button', { name: 'Bold' })
    expect(await bold.getAttribute('aria-keyshortcuts')).toBe('Control+B')
    await keysOf('Bold').click()
    await field().press('Control+j')
    await expect.poll(() => bold.getAttribute('aria-keyshortcuts')).toBe('Control+J')
    await keysOf('Bold').click()
    await button('Turn off').click()
    await expect.poll(() => bold.getAttribute('aria-keyshortcuts')).toBeNull()
    await other.close()
  })

  it('of region navigation go back with Shift, too', async () => {
    await adaOpens()
    await keysOf('Next region').click()
    await field().press('F8')
    await adaLeaves()
    const region = () =>
      page.evaluate(
        () => document.activeElement?.closest('aside, .chat-composer, .chat-messages, .chat-header')?.className,
      )
    await page.getByRole('textbox').focus()
    await page.keyboard.press('F6')
    expect(await region()).toContain('chat-composer')
    await page.keyboard.press('Shift+F8')
    expect(await region()).toContain('chat-messages')
    await page.keyboard.press('F8')
    expect(await region()).toContain('chat-composer')
  })

  it('are not shown while all are off, and one press brings all back', async () => {
    await page.evaluate(() => localStorage.setItem('parley.preferences.ada', '{"shortcuts":false}'))
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await page.getByRole('button', { name: 'Show them all' }).click()
    await dialog().waitFor()
    expect(await keysOf('Find a conversation').count()).toBe(0)
    await button('Use keyboard shortcuts').click()
    await keysOf('Find a conversation').waitFor()
  })

  it('are labelled as on a Mac, with Cmd', async () => {
    await anotherPage({})
    await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
    await page.getByRole('textbox').focus()
    await page.keyboard.press('Meta+/')
    await keysOf('Find a conversation').click()
    await field().press('Control+j')
    await dialog().getByText('⌃J is reserved by the browser or the system.').waitFor()
    await field().press('Meta+j')
    await hears('Find a conversation: ⌘J')
  })
})
