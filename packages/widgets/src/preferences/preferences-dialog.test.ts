import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'
import { aPicture } from '../testing/uploading.ts'

let page: Page
const anotherPage = aKitPage((opened) => {
  page = opened
})

const start = () => page.evaluate(() => window.kitFixture.start({ open: 'bo', preferences: true }))
const dialog = () => page.getByRole('dialog', { name: 'Chat preferences' })
const chat = () => page.locator('.chat')

async function adaOpens() {
  await start()
  await page.getByRole('button', { name: 'Chat preferences' }).click()
  await dialog().waitFor()
}

describe('the preferences', () => {
  it('change the theme, the spacing and the language at once, and are kept after a reload', async () => {
    await adaOpens()
    await dialog().getByLabel('Theme').selectOption('dark')
    await expect.poll(() => chat().getAttribute('class')).toBe('chat chat-theme-dark')
    await dialog().getByLabel('Spacing').selectOption('compact')
    expect(await chat().getAttribute('data-density')).toBe('compact')
    await dialog().getByRole('combobox', { name: 'Language', exact: true }).selectOption('ja')
    await page.getByRole('dialog', { name: 'チャットの設定' }).waitFor()
    await page.keyboard.press('Escape')

    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await start()
    await page.getByRole('button', { name: 'チャットの設定' }).waitFor()
    expect(await chat().getAttribute('class')).toBe('chat chat-theme-dark')
    await page.getByRole('button', { name: 'チャットの設定' }).click()
    await page.getByRole('button', { name: '元に戻す' }).click()
    await page.getByRole('dialog', { name: 'Chat preferences' }).waitFor()
    expect(await chat().getAttribute('class')).toBe('chat chat-theme-light')
  })

  it('are all reset at once, and that is undone by a press', async () => {
    await adaOpens()
    await dialog().getByLabel('Spacing').selectOption('compact')
    await dialog().getByRole('switch', { name: 'Stay where I am when I send' }).check()
    expect(await dialog().getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await dialog().getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => chat().getAttribute('data-density')).toBeNull()
    await dialog().getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => chat().getAttribute('data-density')).toBe('compact')
    expect(await dialog().getByRole('switch', { name: 'Stay where I am when I send' }).isChecked()).toBe(true)
  })

  it('announce the author only with the first of several messages, and sending and typing on request', async () => {
    await adaOpens()
    await dialog().getByRole('switch', { name: 'Read the author of every message' }).uncheck()
    await dialog().getByRole('switch', { name: 'Say when my message was sent' }).check()
    await dialog().getByRole('switch', { name: 'Say who is typing' }).check()
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.evaluate(() => {
      for (const text of ['One thing', 'and another']) window.kitFixture.server().says('bo', window.kitFixture.bo, text)
    })
    await page.getByRole('article', { name: 'Bo Lindqvist One thing', exact: true }).waitFor()
    await page.getByRole('article', { name: 'and another', exact: true }).waitFor()
    const hears = (sentence: string) =>
      page.locator('[aria-live=polite]').getByText(sentence, { exact: true }).waitFor({ state: 'attached' })
    await page.evaluate(() => window.kitFixture.server().types('bo', window.kitFixture.bo))
    await hears('Bo Lindqvist is typing…')
    await page.getByRole('textbox', { name: 'Message Bo Lindqvist' }).fill('Well')
    await page.keyboard.press('Enter')
    await hears('Sent')
  })

  it('keep the reading position after sending', async () => {
    await page.evaluate(() => {
      const conversations = window.kitFixture.aWorkingDay()
      const withBo = conversations.find(({ id }) => id === 'bo')!
      const { bo } = window.kitFixture
      withBo.messages = Array.from({ length: 60 }, (_, at) => ({
        id: `long-${at}`,
        user: bo,
        text: `${at}\n\nand\n\nmore`,
        created_at: new Date(Date.UTC(2026, 5, 1, 9, at)).toISOString(),
      }))
      return window.kitFixture.start({ open: 'bo', preferences: true, conversations })
    })
    await page.locator('[data-key=long-59]').waitFor()
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByRole('switch', { name: 'Stay where I am when I send' }).check()
    await page.keyboard.press('Escape')
    const list = page.locator('.chat-scroll').first()
    const top = () => list.evaluate((it) => it.scrollTop)
    await list.evaluate((it) => it.scrollBy(0, -1_500))
    await page.getByRole('button', { name: 'Go to the newest message' }).waitFor()
    const before = await top()
    await page.getByRole('textbox', { name: 'Message Bo Lindqvist' }).fill('Well')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/message').length)).toBe(1)
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(60)
    await page.getByRole('button', { name: 'Go to the newest message' }).click()
    await page.getByRole('article', { name: 'You Well' }).waitFor()
  })

  it('use an already loaded language from the first frame on', async () => {
    const german = () => page.evaluate(() => window.kitFixture.start({ open: 'bo', language: 'de' }))
    await german()
    await page.waitForSelector('.chat[lang=de] .chat-composer')
    await page.evaluate(() => {
      const spoken = new Set<string>()
      const look = () => spoken.add(document.querySelector<HTMLElement>('.chat')?.lang ?? '')
      new MutationObserver(look).observe(document.getElementById('root')!, { childList: true, subtree: true })
      Object.assign(window, { spoken })
    })
    await german()
    await page.waitForSelector('.chat[lang=de] .chat-composer')
    const spoken = await page.evaluate(() => [...(window as unknown as { spoken: Set<string> }).spoken])
    expect(spoken).toContain('de')
    expect(spoken).not.toContain('en')
  })

  it('show times with twelve or twenty-four hours, whatever the language', async () => {
    await adaOpens()
    const times = () => page.locator('.chat-message-time, .chat-message time').allInnerTexts()
    const hours = dialog().getByRole('combobox', { name: 'Time format' })
    await hours.selectOption({ label: '14:05' })
    await expect.poll(async () => (await times()).filter((time) => /[AP]M/.test(time))).toEqual([])
    await hours.selectOption({ label: '2:05 PM' })
    await expect.poll(async () => (await times()).every((time) => /[AP]M/.test(time))).toBe(true)
    expect((await times()).length).toBeGreaterThan(0)
  })

  it("show times in the format of the reader's country, not only of the language", async () => {
    await anotherPage({ locale: 'en-GB' })
    await adaOpens()
    const times = await page.locator('.chat-message time').allInnerTexts()
    expect(times.filter((time) => /[ap]m/i.test(time))).toEqual([])
    expect(times.length).toBeGreaterThan(0)
  })

  it('return the focus to the button that opened them', async () => {
    await adaOpens()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    const opener = page.getByRole('button', { name: 'Chat preferences' })
    await expect.poll(() => opener.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('let Enter begin a new line, and Ctrl+Enter send', async () => {
    await adaOpens()
    await dialog().getByLabel('Enter sends the message').uncheck()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    const box = page.getByRole('textbox')
    await box.focus()
    await page.keyboard.type('One')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Two')
    expect(await box.inputValue()).toBe('One\nTwo')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => box.inputValue()).toBe('')
    await page.getByRole('article').filter({ hasText: 'Two' }).waitFor()
  })

  it('load pictures only on a press, at once', async () => {
    await page.route('https://files.example.com/lake.png', (route) =>
      route.fulfill({ contentType: 'image/png', body: aPicture }),
    )
    await page.evaluate(() => {
      const conversations = window.kitFixture.aWorkingDay()
      const attachments = [{ type: 'image', image_url: 'https://files.example.com/lake.png', fallback: 'lake.png' }]
      conversations.find(({ id }) => id === 'bo')!.messages.at(-1)!.attachments = attachments
      return window.kitFixture.start({ open: 'bo', preferences: true, conversations })
    })
    await page.getByRole('button', { name: 'Open photo lake.png' }).waitFor()
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByRole('combobox', { name: 'Load photos' }).selectOption('Only when I ask')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Load photo lake.png' }).click()
    await page.getByRole('button', { name: 'Open photo lake.png' }).waitFor()
  })

  it('show messages in one column, own ones included, with avatars and names', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByRole('combobox', { name: 'Messages', exact: true }).selectOption('flat')
    await page.keyboard.press('Escape')
    const grounds = () =>
      page
        .locator('.chat-bubble')
        .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))])
    await expect.poll(grounds).toEqual(['rgba(0, 0, 0, 0)'])
    const starts = await page
      .locator('.chat-bubble')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
    expect(new Set(starts).size).toBe(1)
    expect(await page.locator('.chat-message-author').getByText('You', { exact: true }).count()).toBeGreaterThan(0)
    expect(await axeFinds(page, '.chat-messages')).toEqual([])
  })

  it('keep messages unread until the reader marks them read, in their place', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByLabel('Mark messages as read').selectOption('byHand')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    const marks = () => page.evaluate(() => window.kitFixture.calls('/racks/read').length)
    const before = await marks()
    await page.evaluate(() => window.kitFixture.server().says('racks', window.kitFixture.bo, 'Not so fast'))
    await page.getByRole('heading', { name: '1 new message' }).waitFor()
    // Longer than the time after which a message counts as seen.
    await page.waitForTimeout(1_500)
    expect(await marks()).toBe(before)
    await page.locator('.chat-messages').getByRole('button', { name: 'Mark as read' }).click()
    await expect.poll(marks).toBe(before + 1)
    await page.getByRole('heading', { name: '1 new message' }).waitFor({ state: 'detached' })
    expect(await page.locator('.chat-messages').getByRole('button', { name: 'Mark as read' }).count()).toBe(0)
  })

  it('hide link previews, and start animations only on a press', async () => {
    await page.evaluate(() => {
      const { bo, aWorkingDay } = window.kitFixture
      const conversations = aWorkingDay()
      const said = { user: bo, created_at: new Date().toISOString() }
      const card = { og_scrape_url: 'https://example.com/tea', title: 'All about tea', text: 'Leaves' }
      const rendition = { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', width: '100', height: '100' }
      const gif = { type: 'giphy', title: 'Tea', giphy: { fixed_height: rendition, fixed_height_still: rendition } }
      conversations.find(({ id }) => id === 'bo')!.messages = [
        { ...said, id: 'link', text: 'https://example.com/tea', attachments: [card] },
        { ...said, id: 'gif', text: '', attachments: [gif] },
      ]
      localStorage.setItem('parley.preferences.ada', '{"previews":false,"gifs":false}')
      return window.kitFixture.start({ open: 'bo', conversations, preferences: true })
    })
    await page.getByRole('button', { name: 'Play animation' }).waitFor({ state: 'attached' })
    expect(await page.locator('.chat-link-card').count()).toBe(0)
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByLabel('Show link previews').check()
    await page.locator('.chat-link-card').waitFor()
  })

  it('announce only mentions in a group', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', preferences: true }))
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByLabel('Read aloud').selectOption('mentions')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.clock.install()
    await page.evaluate(() => {
      const { server, ada, bo } = window.kitFixture
      server().says('racks', bo, 'Not for you')
      server().says('racks', bo, 'But @Ada Okafor this', { mentioned_users: [ada] })
    })
    const spoken = page.locator('[aria-live=polite]')
    await spoken.getByText('Bo Lindqvist mentioned you in “Rack planning”').waitFor()
    await page.getByText('Not for you', { exact: true }).first().waitFor()
    // A message without a mention would be announced a moment later.
    await page.clock.runFor(3_000)
    expect(await spoken.getByText('Bo Lindqvist: Not for you').count()).toBe(0)
  })

  it('show when the server refuses a privacy setting, and reset it', async () => {
    await adaOpens()
    await page.evaluate(() => window.kitFixture.server().refusals.set('PATCH /users', { status: 403, code: 17 }))
    await dialog().getByLabel('When I am typing').click()
    await page.getByText('This could not be saved').first().waitFor()
    await expect.poll(() => dialog().getByLabel('When I am typing').isChecked()).toBe(true)
  })
})

describe('the shortcuts', () => {
  it('are listed by Ctrl+/, and the search opens by Ctrl+F', async () => {
    await start()
    await page.getByRole('textbox').focus()
    await page.keyboard.press('Control+/')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Next unread conversation').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
    await page.keyboard.press('Control+f')
    const field = page.getByRole('complementary', { name: 'Search' }).getByRole('searchbox')
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('leave every key to the browser once they are turned off', async () => {
    await adaOpens()
    const isTaken = () =>
      page.evaluate(() => {
        const press = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true })
        document.querySelector('textarea')!.focus()
        return !document.activeElement!.dispatchEvent(press)
      })
    await dialog().getByLabel('Use keyboard shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await isTaken()).toBe(false)
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await dialog().getByLabel('Use keyboard shortcuts').check()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await isTaken()).toBe(true)
  })
})
