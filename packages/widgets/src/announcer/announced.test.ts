import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'
import { aPicture, takesUploads } from '../testing/uploading.ts'

/** The use of the kit by a screen reader user: by keys alone, with the announcements. */

/** By then all collected announcements are made. */
const READ_OUT_MS = 3_000

let page: Page
aKitPage(
  async (opened) => {
    page = opened
    await page.evaluate(() => {
      const conversations = window.kitFixture.aWorkingDay()
      const withBo = conversations.find(({ id }) => id === 'bo')!
      withBo.capabilities = [
        ...[
          'read-events',
          'send-message',
          'send-reply',
          'upload-file',
          'create-attachment',
          'send-reaction',
          'cast-poll-vote',
        ],
        ...['update-own-message', 'quote-message', 'search-messages'],
      ]
      return window.kitFixture.start({ conversations })
    })
    await page.waitForSelector('.chat-channel-row')
    await page.evaluate(listen)
  },
  { refuses: true },
)

/** From now on the page records the content of its live regions, in order. */
function listen() {
  const heard: string[] = []
  Object.assign(window, { heard })
  for (const region of document.querySelectorAll('[aria-live]'))
    new MutationObserver((changes) => {
      for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        heard.push(`${region.getAttribute('aria-live')}: ${added.textContent}`)
    }).observe(region, { childList: true })
}
const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
const hears = (sentence: string) => expect.poll(heard).toContain(sentence)
const box = () => page.getByRole('textbox', { name: 'Message Bo Lindqvist' })
const hasFocus = (of: ReturnType<typeof box>) =>
  expect.poll(() => of.evaluate((it) => it === document.activeElement)).toBe(true)
const bo = (text: string, fields = {}) =>
  page.evaluate(
    ([text, fields]) => {
      const { server, bo } = window.kitFixture
      server().says('bo', bo, text, fields)
    },
    [text, fields] as const,
  )

async function adaOpensBo() {
  await page.getByRole('button', { name: /^Bo Lindqvist, / }).focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('.chat-scroll-row')
  await hasFocus(box())
}

it('opening a conversation: its row has one full label, and the focus is in a box labelled with the recipients', async () => {
  await page.getByRole('button', { name: /^Bo Lindqvist, .*Sent!.* ago/ }).waitFor()
  await page.clock.install()
  await adaOpensBo()
  const described = await box().getAttribute('aria-describedby')
  const hints = await page.evaluate(
    (ids) => ids.map((id) => document.getElementById(id)?.textContent ?? ''),
    described!.split(' ').filter(Boolean),
  )
  expect(hints).toContain('Enter to send, Shift+Enter for a new line')
  // Loaded history is never announced.
  await page.clock.runFor(READ_OUT_MS)
  expect((await heard()).filter((sentence) => sentence.includes('Sent!'))).toEqual([])
})

it('unread messages elsewhere, but not after an own message from another device', async () => {
  await adaOpensBo()
  await page.clock.install()
  const posted = (by: 'ada' | 'cy', total_unread_count: number) =>
    page.evaluate(
      ([by, total_unread_count]) => {
        const user = window.kitFixture[by]
        const message = { id: `m-${by}`, type: 'regular', text: 'Hm', user, mentioned_users: [], attachments: [] }
        const fields = { message: { ...message, created_at: new Date().toISOString() }, user, unread_channels: 2 }
        window.kitFixture.server().pushes('three', 'notification.message_new', { ...fields, total_unread_count })
      },
      [by, total_unread_count] as const,
    )
  const elsewhere = async () => (await heard()).filter((sentence) => sentence.includes('unread'))
  await posted('ada', 3)
  await page.clock.runFor(11_000)
  expect(await elsewhere()).toEqual([])
  await posted('cy', 4)
  await page.clock.runFor(11_000)
  await expect.poll(elsewhere).toEqual(['polite: 4 unread messages in 2 conversations'])

  // Messages that Ada marks unread elsewhere are not new, and neither is her own message there.
  await page.evaluate(() => {
    const fields = { user: window.kitFixture.ada, total_unread_count: 9, unread_channels: 2, unread_messages: 5 }
    const read = { last_read_at: new Date().toISOString() }
    window.kitFixture.server().pushes('three', 'notification.mark_unread', { ...fields, ...read })
  })
  await posted('ada', 9)
  await page.clock.runFor(11_000)
  expect(await elsewhere()).toHaveLength(1)
})

it('a new message: the author, then plain text, once', async () => {
  await adaOpensBo()
  await page.clock.install()
  await bo('It **is** here')
  await page.clock.runFor(READ_OUT_MS)
  await hears('polite: Bo Lindqvist: It is here')
  expect((await heard()).filter((sentence) => sentence.includes('here'))).toHaveLength(1)
})

it('a voice message: its length, in words', async () => {
  await adaOpensBo()
  await bo('', { attachments: [{ type: 'voiceRecording', asset_url: 'https://example.com/a.webm', duration: 11.6 }] })
  await hears('polite: Bo Lindqvist: Voice message, 12 seconds')
})

it('an invitation: inviter and group, once, when it arrives; not the pending ones', async () => {
  await page.evaluate(() => {
    const { ada, bo, cy, aWorkingDay, start } = window.kitFixture
    const waiting = { id: 'pier', name: 'The old pier', members: [ada, bo, cy], messages: [], invited: { by: 'bo' } }
    return start({ conversations: [...aWorkingDay(), waiting] })
  })
  const cards = page.getByRole('list', { name: 'Invitations' })
  await cards.getByText('Bo Lindqvist invited you to The old pier').waitFor()
  await page.evaluate(listen)
  await page.evaluate(() => {
    const { server, ada, bo, cy } = window.kitFixture
    const invited = { by: 'bo' }
    server().invites({ id: 'quay', name: 'The new quay', members: [ada, bo, cy], messages: [], invited })
  })
  await hears('polite: Bo Lindqvist invited you to The new quay')
  await cards.getByText('Bo Lindqvist invited you to The new quay').waitFor()
  expect((await heard()).filter((sentence) => sentence.includes('invited'))).toHaveLength(1)
  expect(await page.locator('[aria-live]').getByText('The old pier').count()).toBe(0)
})

it('many messages at once: one sentence with their number', async () => {
  await adaOpensBo()
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await bo(text)
  await expect.poll(async () => (await heard()).some((it) => /new messages from Bo Lindqvist$/.test(it))).toBe(true)
})

it('sending: a sent message is not announced, and is in the list under one’s name', async () => {
  await adaOpensBo()
  await page.clock.install()
  const before = await heard()
  await page.keyboard.type('On my way')
  await page.keyboard.press('Enter')
  const own = page.getByRole('article', { name: 'You On my way' })
  await own.waitFor()
  await hasFocus(box())
  // The server sends the event to every member, including her.
  await page.evaluate(() => {
    const { server, ada } = window.kitFixture
    const { messages } = server().conversations.find(({ id }) => id === 'bo')!
    const message = { ...messages.at(-1), type: 'regular', mentioned_users: [] }
    server().pushes('bo', 'message.new', { message, user: ada })
  })
  await page.clock.runFor(READ_OUT_MS)
  expect(await heard()).toEqual(before)
})

it('a failure to send: announced at once and assertively, once', async () => {
  await adaOpensBo()
  await page.evaluate(() => window.kitFixture.server().refusals.set('POST /message', { status: 403, code: 17 }))
  await page.keyboard.type('On my way')
  await page.keyboard.press('Enter')
  await hears('assertive: Message Failed · Unauthorized')
  expect((await heard()).filter((sentence) => /ailed/.test(sentence))).toHaveLength(1)
})

it('a reaction: a press announces no more than the button, and another user’s is announced', async () => {
  await adaOpensBo()
  await page.evaluate(() => {
    const { server, bo } = window.kitFixture
    server().reacts('bo-2', bo, 'like')
  })
  await expect.poll(async () => (await heard()).some((it) => /^polite: Bo Lindqvist reacted with /.test(it))).toBe(true)
  const chip = page.getByRole('article', { name: 'You Sent!' }).getByRole('button', { name: /, 1 person$/ })
  expect(await chip.getAttribute('aria-pressed')).toBe('false')
})

it('voting: the option is labelled with its result, and the vote is announced', async () => {
  await adaOpensBo()
  await page.evaluate(() => {
    const { server, bo } = window.kitFixture
    server().asks('bo', bo, { name: 'Lunch?', created_by_id: 'bo', options: ['Pho', 'Pizza'] })
  })
  const pho = page.getByRole('radio', { name: /^Pho, 0 votes/ })
  await pho.focus()
  await page.keyboard.press('Space')
  await hears('polite: You voted for Pho')
  await page.getByRole('radio', { name: 'Pho, 1 vote, 100%, your vote' }).waitFor()
})

it('a thread: a landmark with a name, and a box labelled as a reply', async () => {
  await adaOpensBo()
  await page.keyboard.press('Shift+Tab')
  await page.locator('[data-key="bo-2"]').focus()
  await page.keyboard.press('t')
  const thread = page.getByRole('complementary', { name: 'Thread' })
  await hasFocus(thread.getByRole('textbox', { name: 'Reply in the thread' }))
  await thread.getByRole('checkbox', { name: 'Also send to Bo Lindqvist' }).waitFor()
  await page.keyboard.press('Escape')
  await thread.waitFor({ state: 'detached' })
  await hasFocus(page.locator('[data-key="bo-2"]'))
})

it('searching: the number of results is announced after a pause', async () => {
  await adaOpensBo()
  await page.keyboard.press('Control+f')
  await hasFocus(
    page.getByRole('complementary', { name: 'Search' }).getByRole('searchbox', { name: 'Search messages' }),
  )
  await page.keyboard.type('sent')
  await hears('polite: 1 result')
})

it('a file that fails: announced assertively, with its name on its buttons', async () => {
  const files = await takesUploads(page)
  await adaOpensBo()
  files.refuse('No room')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).press('Enter')
  await (await chooser).setFiles([{ name: 'lake.png', mimeType: 'image/png', buffer: aPicture }])
  await expect.poll(async () => (await heard()).some((it) => it.includes('Error uploading image'))).toBe(true)
  await page.getByRole('button', { name: 'Try to upload lake.png again' }).waitFor()
})

it('editing a message: announced when it is saved, and the focus returns', async () => {
  await adaOpensBo()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Sent at last')
  await page.keyboard.press('Enter')
  await hears('polite: Message edited')
  await hasFocus(box())
})

it('the connection: nothing for a moment, then the effect of the loss, then the reconnect', async () => {
  await adaOpensBo()
  await page.evaluate(() => window.kitFixture.server().drops())
  await expect
    .poll(async () => (await heard()).some((it) => /Connection failure, reconnecting now/.test(it)))
    .toBe(true)
  await page.evaluate(() => {
    window.kitFixture.server().down = false
  })
  await expect.poll(async () => (await heard()).some((it) => /: Connected/.test(it)), { timeout: 60_000 }).toBe(true)
})
