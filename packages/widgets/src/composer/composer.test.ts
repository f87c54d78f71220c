import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

async function adaOpens(open: string, options: KitOptions = {}) {
  await page.evaluate((options) => window.kitFixture.start(options), { open, ...options })
  await page.waitForSelector('.chat-scroll')
}

const box = () => page.getByRole('textbox')
const send = () => page.getByRole('button', { name: 'Send', exact: true })
const conversation = (name: string) =>
  page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name},`) })
const sentTexts = () =>
  page.evaluate(() => window.kitFixture.calls('/message').map(({ body }) => (body.message as { text: string }).text))
const typingEvents = () =>
  page.evaluate(() => window.kitFixture.calls('/event').map(({ body }) => (body.event as { type: string }).type))
const inFocus = () => box().evaluate((it) => it === document.activeElement)

describe('writing', () => {
  it('Enter sends, Shift+Enter starts a line, and the focus stays', async () => {
    await adaOpens('bo')
    expect(await inFocus()).toBe(true)
    await page.keyboard.type('One')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Two')
    await page.keyboard.press('Enter')
    await expect.poll(sentTexts).toEqual(['One\nTwo'])
    expect(await box().inputValue()).toBe('')
    expect(await inFocus()).toBe(true)
  })

  it('keys make text bold, italic, struck or code, and plain again, and undo reverts that', async () => {
    await adaOpens('bo')
    await page.keyboard.type('so much')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.press('Control+b')
    await expect.poll(() => box().inputValue()).toBe('so **much**')
    await page.keyboard.press('Control+b')
    await expect.poll(() => box().inputValue()).toBe('so much')
    await page.keyboard.press('Control+z')
    await expect.poll(() => box().inputValue()).toBe('so **much**')
    for (const [keys, text] of [
      ['Control+i', '_a_'],
      ['Control+Shift+X', '~~a~~'],
      ['Control+e', '`a`'],
    ] as const) {
      await box().fill('')
      await page.keyboard.press(keys)
      await expect.poll(() => box().inputValue()).toBe(text.replace('a', ''))
      await page.keyboard.type('a')
      expect(await box().inputValue()).toBe(text)
    }
  })

  it('buttons insert the marks, and a preview shows the result', async () => {
    await adaOpens('bo')
    const tool = (name: string) => page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name })
    expect(await page.getByRole('button', { name: 'Formatting' }).count()).toBe(0)
    await page.keyboard.type('so much')
    await page.getByRole('button', { name: 'Formatting' }).click()
    await box().focus()
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await tool('Bold').click()
    expect(await box().inputValue()).toBe('so **much**')
    expect(await inFocus()).toBe(true)
    await tool('Quote').click()
    expect(await box().inputValue()).toBe('> so **much**')
    await tool('Preview').click()
    await page.getByRole('region', { name: 'Preview' }).locator('blockquote strong').getByText('much').waitFor()
    await tool('Quote').click()
    expect(await box().inputValue()).toBe('so **much**')
    await box().fill('here')
    await page.keyboard.press('Control+a')
    await tool('Bold').focus()
    for (const _ of ['Italic', 'Strikethrough', 'Code', 'Link']) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.type('https://example.com')
    expect(await box().inputValue()).toBe('[here](https://example.com)')
    await tool('Bold').focus()
    await page.keyboard.press('Escape')
    await tool('Bold').waitFor({ state: 'detached' })
    expect(await inFocus()).toBe(true)
  })

  it('white space alone sends nothing', async () => {
    await adaOpens('bo')
    await page.keyboard.type('   ')
    await page.keyboard.press('Enter')
    await send().click({ force: true })
    expect(await send().getAttribute('aria-disabled')).toBe('true')
    expect(await sentTexts()).toEqual([])
  })

  it('Escape ends a reply, then ArrowUp edits the last own message and Escape restores the draft', async () => {
    await adaOpens('bo')
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText('Replying to yourself').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByText('Replying to yourself').count()).toBe(0)
    await page.keyboard.press('ArrowUp')
    expect(await box().inputValue()).toBe('Sent!')
    await page.keyboard.press('Escape')
    expect(await box().inputValue()).toBe('')
  })

  it.each([
    ['de', 'Antwort auf Ihre Nachricht'],
    ['es', 'Respondiendo a tu mensaje'],
    ['nl', 'Antwoord op je eigen bericht'],
    ['ja', '自分のメッセージに返信'],
  ])('a reply to oneself has its own text: "%s"', async (language, sentence) => {
    await adaOpens('bo', { language })
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText(sentence, { exact: true }).waitFor({ timeout: 10_000 })
  })

  it('the text box is described by the quoted author, and by the edit mode', async () => {
    const described = () =>
      box().evaluate((it) =>
        it
          .getAttribute('aria-describedby')!
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' '),
      )
    await adaOpens('bo')
    expect(await described()).not.toContain('Replying')
    await page.locator('[data-key="bo-0"]').focus()
    await page.keyboard.press('r')
    await expect.poll(described).toContain('Replying to Bo Lindqvist')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowUp')
    await expect.poll(described).toContain('Editing message')
  })

  it('Escape removes the new-messages line if there is nothing else to close', async () => {
    await adaOpens('yuki')
    const line = page.getByText('2 new messages', { exact: true })
    await line.waitFor()
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText(/^Replying to/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(/^Replying to/).waitFor({ state: 'detached' })
    expect(await line.count()).toBe(1)
    await page.keyboard.press('Escape')
    await line.waitFor({ state: 'detached' })
  })

  it('an edit sets the draft aside and restores it', async () => {
    await adaOpens('bo')
    await page.keyboard.type('Half a thought')
    await page.locator('[data-key="bo-2"]').focus()
    await page.keyboard.press('e')
    expect(await box().inputValue()).toBe('Sent!')
    await page.getByRole('button', { name: 'Cancel editing' }).click()
    expect(await box().inputValue()).toBe('Half a thought')
  })

  it('ArrowUp moves on to older own messages, until the text is changed', async () => {
    await adaOpens('bo')
    await page.keyboard.press('ArrowUp')
    expect(await box().inputValue()).toBe('Sent!')
    await page.keyboard.press('ArrowUp')
    expect(await box().inputValue()).toBe('Sure, one moment')
    await page.keyboard.type('!')
    await page.keyboard.press('ArrowUp')
    expect(await box().inputValue()).toBe('Sure, one moment!')
  })

  it('an edit that removes all text asks whether to delete the message', async () => {
    await adaOpens('bo')
    await page.keyboard.press('ArrowUp')
    await box().fill('')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Sent!').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Message deleted', { exact: true }).first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByText('Editing message').count()).toBe(0)
    await expect.poll(inFocus).toBe(true)
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => box().inputValue()).toBe('Sure, one moment')
    expect(await dialog.count()).toBe(0)
  })

  it('[I18N-13] the box says whether a person or a group is written to, in languages that tell them apart', async () => {
    await adaOpens('bo', { language: 'hi' })
    await expect.poll(() => box().getAttribute('placeholder')).toBe('Bo Lindqvist को मैसेज लिखें')
    await conversation('Rack planning').click()
    await expect.poll(() => box().getAttribute('placeholder')).toBe('Rack planning की चैट में मैसेज लिखें')
  })

  it('a draft survives opening another conversation, and the list shows it', async () => {
    await adaOpens('bo')
    await page.keyboard.type('Half a thought')
    await conversation('Rack planning').click()
    await expect.poll(() => box().getAttribute('placeholder')).toBe('Message Rack planning')
    expect(await box().inputValue()).toBe('')
    await page.getByText('Draft: Half a thought', { exact: true }).waitFor()
    await conversation('Bo Lindqvist').click()
    await expect.poll(() => box().inputValue()).toBe('Half a thought')
  })

  it('the box grows with the text and then scrolls', async () => {
    await adaOpens('bo')
    const height = async () => (await box().boundingBox())!.height
    const one = await height()
    await box().fill('a\nb\nc')
    expect(await height()).toBeGreaterThan(one)
    await box().fill('a\n'.repeat(100))
    expect(await height()).toBeLessThanOrEqual(900 * 0.4)
  })

  it('counts characters near the limit, and sends none beyond it', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const config = { max_message_length: 10, typing_events: true, read_events: true }
    await adaOpens('bo', { conversations: conversations.map((one) => ({ ...one, data: { config } })) })
    await box().fill('1234567')
    expect(await page.getByText(/characters left/).count()).toBe(0)
    await box().fill('1234567👨‍👩‍👧')
    await page.getByText('2 characters left').waitFor()
    await box().fill('12345678901')
    await page.getByText('1 character too many').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[aria-live=polite]').getByText('1 character too many').waitFor({ state: 'attached' })
    expect(await sentTexts()).toEqual([])
  })
})

it("without a connection the button's label says that the message will wait for one", async () => {
  await adaOpens('bo')
  await page.keyboard.type('Soon')
  expect(await send().getAttribute('title')).toBe('Send')
  await page.context().setOffline(true)
  await page.evaluate(() => window.kitFixture.server().drops())
  await expect
    .poll(() => send().getAttribute('title'), { timeout: 15_000 })
    .toBe('Will be sent when you are back online')
  await page.context().setOffline(false)
})

it('sends typing events, and a stop when the text is removed', async () => {
  await adaOpens('bo')
  await page.keyboard.type('Hi')
  await expect.poll(typingEvents).toEqual(['typing.start'])
  await box().fill('')
  await expect.poll(typingEvents).toEqual(['typing.start', 'typing.stop'])
})

describe('slow mode', () => {
  it('[CHN-50][CHN-52] counts down after sending, keeps the text, and sends nothing before 0', async () => {
    await page.clock.install()
    await adaOpens('slow')
    await page.keyboard.type('When do we move?')
    // From here on the delays of a busy machine do not count.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await page.keyboard.press('Enter')
    const timer = page.getByRole('timer')
    await timer.waitFor()
    expect(await timer.textContent()).toBe('20')
    await page.keyboard.type('And where to?')
    await page.keyboard.press('Enter')
    await page.clock.runFor(18_500)
    expect(await timer.textContent()).toBe('2')
    await page.keyboard.press('Enter')
    expect(await sentTexts()).toEqual(['When do we move?'])
    expect(await box().inputValue()).toBe('And where to?')
    await page.clock.runFor(2_000)
    await send().click()
    await expect.poll(sentTexts).toEqual(['When do we move?', 'And where to?'])
  })

  it('[CHN-52] that began without an event is learnt from the refusal', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      const server = window.kitFixture.server()
      const bo = server.conversations.find(({ id }) => id === 'bo')!
      bo.data = { cooldown: 60 }
      bo.messages.at(-1)!.created_at = new Date().toISOString()
      server.refusals.set('POST /message', { status: 403, code: 60 })
    })
    await page.keyboard.type('One more thing')
    await page.keyboard.press('Enter')
    await page.getByRole('timer').waitFor()
    await page.getByText('One more thing', { exact: true }).waitFor()
  })

  it('[CHN-52] does not apply to a user who may skip it', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const free = ['send-message', 'read-events', 'skip-slow-mode']
    await adaOpens('slow', { conversations: conversations.map((one) => ({ ...one, capabilities: free })) })
    await page.keyboard.type('When do we move?')
    await page.keyboard.press('Enter')
    await expect.poll(sentTexts).toEqual(['When do we move?'])
    expect(await page.getByRole('timer').count()).toBe(0)
  })
})

describe('where sending is forbidden', () => {
  it('[PERM-5] one line gives the reason, and there is no box', async () => {
    await adaOpens('news')
    await page.locator('.chat-composer-forbidden').getByText('This conversation is read-only').waitFor()
    expect(await box().count()).toBe(0)
  })

  it('a deleted user cannot be written to, with or without messages of theirs', async () => {
    await adaOpens('bo')
    await page.keyboard.type('Half a thought')
    await page.evaluate(() => window.kitFixture.server().deletesUser(window.kitFixture.bo, { hard: false }))
    await page.locator('.chat-composer-forbidden').getByText('Nobody else is in this conversation any more').waitFor()
    expect(await box().count()).toBe(0)
    // No avatar of a user, and no initials of a deleted name.
    await page.locator('.chat-header .chat-avatar svg').waitFor()
    expect(await page.locator('.chat-header .chat-avatar, [data-key] .chat-avatar').allTextContents()).not.toContain(
      'DU',
    )

    const [racks] = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const silent = { ...racks!, id: '!members-adabo', name: undefined, members: racks!.members.slice(0, 1) }
    await adaOpens('!members-adabo', { conversations: [silent] })
    await page.locator('.chat-composer-forbidden').getByText('Nobody else is in this conversation any more').waitFor()
    await page.getByRole('heading', { level: 2, name: 'Deleted user' }).waitFor()

    await adaOpens('!members-adabo', { conversations: [{ ...silent, messages: [] }] })
    await page.getByText('This is the start of your conversation with Deleted user').waitFor()
    expect(await page.getByRole('button', { name: /^Hello/ }).count()).toBe(0)
  })

  it('[PERM-5] the draft comes back with the capability to send', async () => {
    await adaOpens('bo')
    await page.keyboard.type('Half a thought')
    const change = (own_capabilities: string[]) =>
      page.evaluate(
        (own_capabilities) => window.kitFixture.server().pushes('bo', 'capabilities.changed', { own_capabilities }),
        own_capabilities,
      )
    await change(['read-events'])
    await page.getByText('You cannot write in this conversation').waitFor()
    await change(['read-events', 'send-message'])
    await expect.poll(() => box().inputValue()).toBe('Half a thought')
  })
})
