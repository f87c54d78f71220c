import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'
import { aPicture, takesUploads } from '../testing/uploading.ts'

/** Ada's draft when an interruption comes. */
const HALF = 'Half a thought'

let page: Page
aKitPage(
  async (opened) => {
    page = opened
    await takesUploads(page)
  },
  { refuses: true },
)

async function adaOpens(options: KitOptions = {}) {
  await page.evaluate((options) => window.kitFixture.start(options), { open: 'bo', remembers: true, ...options })
  await page.waitForSelector('.chat-scroll')
}

async function adaTypes(options: KitOptions = {}) {
  await adaOpens(options)
  await box().focus()
  await page.keyboard.type(HALF)
}

const box = () => page.locator('.chat-pane > .chat-composer').getByRole('textbox')
const conversation = (name: string) =>
  page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name},`) })
const sent = () => page.evaluate(() => window.kitFixture.calls('/message').length)
const stands = (text: string) => expect.poll(() => box().inputValue()).toBe(text)
/** The state that the browser itself would restore. */
const kept = () =>
  page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((done, failed) => {
        request.onsuccess = () => done(request.result)
        request.onerror = () => failed(request.error)
      })
    const database = await asked(indexedDB.open('parley'))
    const words = await asked(database.transaction('words').objectStore('words').getAll())
    database.close()
    return JSON.stringify(words)
  })
/** The page is loaded again. */
const comesAgain = async () => {
  await page.waitForSelector('html[data-ready]')
  await adaOpens()
}

it('1: a reload', async () => {
  await adaTypes()
  await page.reload()
  await comesAgain()
  await stands(HALF)
})

it('2: a tab that is closed without `pagehide`', async () => {
  await adaTypes()
  await expect.poll(kept).toContain(HALF)
  const { origin } = new URL(page.url())
  const devtools = await page.context().newCDPSession(page)
  void devtools.send('Page.crash').catch(() => {})
  await page.waitForEvent('crash')
  page = await page.context().newPage()
  await page.goto(origin)
  await comesAgain()
  await stands(HALF)
})

it('3: another conversation, by pointer and by keys', async () => {
  await adaTypes()
  await conversation('Rack planning').click()
  await stands('')
  await page.keyboard.type('And another')
  // In a box with text the arrows move the caret; in the list they move on.
  await conversation('Bo Lindqvist').focus()
  await page.keyboard.press('Enter')
  await stands(HALF)
  await conversation('Rack planning').click()
  await stands('And another')
})

it('3: and the caret and the selection are restored, after an edit as well', async () => {
  const marked = () => box().evaluate((it: HTMLTextAreaElement) => [it.selectionStart, it.selectionEnd])
  const looksElsewhere = async () => {
    await conversation('Rack planning').click()
    await stands('')
    await conversation('Bo Lindqvist').click()
    await stands(HALF)
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  }
  await adaTypes()
  await page.keyboard.press('Home')
  for (const _ of 'Half') await page.keyboard.press('ArrowRight')
  await looksElsewhere()
  await expect.poll(marked).toEqual([4, 4])
  for (const _ of ' a') await page.keyboard.press('Shift+ArrowRight')
  await looksElsewhere()
  await expect.poll(marked).toEqual([4, 6])
  await page.locator('[data-key="bo-2"]').focus()
  await page.keyboard.press('e')
  await stands('Sent!')
  await page.keyboard.press('Escape')
  await stands(HALF)
  await expect.poll(marked).toEqual([4, 6])
})

it('1: and the caret and the selection are restored', async () => {
  const marked = () => box().evaluate((it: HTMLTextAreaElement) => [it.selectionStart, it.selectionEnd])
  const comesBack = async () => {
    await page.reload()
    await comesAgain()
    await stands(HALF)
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  }
  await adaTypes()
  await page.keyboard.press('Home')
  for (const _ of 'Half') await page.keyboard.press('ArrowRight')
  await comesBack()
  await expect.poll(marked).toEqual([4, 4])
  await page.keyboard.type('-')
  await stands('Half- a thought')
  await page.keyboard.press('Backspace')
  for (const _ of ' a') await page.keyboard.press('Shift+ArrowRight')
  await comesBack()
  await expect.poll(marked).toEqual([4, 6])
})

it('4: the way back to the list on a phone', async () => {
  await adaTypes()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await conversation('Bo Lindqvist').click()
  await stands(HALF)
})

it('5: a thread, which has a draft of its own', async () => {
  await adaTypes()
  await page.locator('[data-key="bo-2"]').focus()
  await page.keyboard.press('t')
  const thread = page.getByRole('complementary', { name: 'Thread' })
  await thread.getByRole('textbox').fill('Half a reply')
  await thread.getByRole('button', { name: 'Close' }).click()
  await stands(HALF)
  await page.locator('[data-key="bo-2"]').focus()
  await page.keyboard.press('t')
  await expect.poll(() => thread.getByRole('textbox').inputValue()).toBe('Half a reply')
  await stands(HALF)
})

it('6: an edit, left by its button, by Escape and by saving, and a reload in the middle of it', async () => {
  const edits = async (now = 'Sent!') => {
    await page.locator('[data-key="bo-2"]').focus()
    await page.keyboard.press('e')
    await stands(now)
  }
  await adaTypes()
  await edits()
  await page.getByRole('button', { name: 'Cancel editing' }).click()
  await stands(HALF)
  await edits()
  await page.keyboard.press('Escape')
  await stands(HALF)
  await edits()
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await stands(HALF)
  await edits('Sent!!')
  await page.reload()
  await comesAgain()
  await stands(HALF)
})

it('7: a reply that is begun, changed and left', async () => {
  await adaTypes()
  for (const key of ['bo-1', 'bo-2']) {
    await page.locator(`[data-key="${key}"]`).focus()
    await page.keyboard.press('r')
    await page.getByText(/^Replying to/).waitFor()
    await stands(HALF)
  }
  await page.keyboard.press('Escape')
  await stands(HALF)
})

it('8: a connection that is lost and comes back', async () => {
  await adaTypes()
  await page.evaluate(() => window.kitFixture.server().drops())
  await page.keyboard.type(' goes on')
  await page.evaluate(() => {
    const server = window.kitFixture.server()
    server.says('bo', window.kitFixture.bo, 'Are you there?')
    server.down = false
  })
  await page.getByText('Are you there?', { exact: true }).last().waitFor()
  await stands(`${HALF} goes on`)
})

it('9: the capability to send, removed and restored', async () => {
  await adaTypes()
  const may = (own_capabilities: string[]) =>
    page.evaluate(
      (own_capabilities) => window.kitFixture.server().pushes('bo', 'capabilities.changed', { own_capabilities }),
      own_capabilities,
    )
  await may(['read-events'])
  await page.getByText('You cannot write in this conversation').waitFor()
  await may(['read-events', 'send-message'])
  await stands(HALF)
})

it('10: a file attached to the text', async () => {
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  const capabilities = ['read-events', 'send-message', 'upload-file', 'create-attachment']
  await adaTypes({ conversations: conversations.map((one) => ({ ...one, capabilities })) })
  const picks = async (name: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([{ name, mimeType: 'image/png', buffer: aPicture }])
  }
  await picks('lake.png')
  await page.getByText('lake.png').first().waitFor()
  await conversation('Rack planning').click()
  await stands('')
  await conversation('Bo Lindqvist').click()
  await stands(HALF)
  await page.getByText('lake.png').first().waitFor()
})

it('11: a text that is too long', async () => {
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  const config = { max_message_length: 10, typing_events: true, read_events: true }
  await adaTypes({ conversations: conversations.map((one) => ({ ...one, data: { config } })) })
  await page.getByText(/characters? too many/).waitFor()
  await page.keyboard.press('Enter')
  await stands(HALF)
  expect(await sent()).toBe(0)
})

it('12: an Enter that an input method needs', async () => {
  await adaTypes()
  await box().dispatchEvent('compositionstart')
  await page.keyboard.press('Enter')
  await box().dispatchEvent('compositionend')
  expect(await sent()).toBe(0)
  expect(await box().inputValue()).toContain(HALF)
})

it('13: another theme, another language, another direction', async () => {
  await adaTypes()
  await page.evaluate(() => window.kitFixture.show({ theme: 'dark', language: 'de' }))
  await expect.poll(() => box().getAttribute('placeholder')).toMatch(/^Nachricht/)
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await stands(HALF)
})

it('14: a command that is begun, and a mention', async () => {
  await adaOpens({ open: 'racks' })
  await box().focus()
  await page.keyboard.type('@Bo L')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await stands('@Bo Lindqvist ')
  await conversation('Bo Lindqvist').click()
  await conversation('Rack planning').click()
  await stands('@Bo Lindqvist ')
  await page.keyboard.type('look')
  await page.keyboard.press('Enter')
  const named = () =>
    page.evaluate(() =>
      window.kitFixture
        .calls('/message')
        .map(({ body }) => (body.message as { mentioned_users: string[] }).mentioned_users),
    )
  await expect.poll(named).toEqual([['bo']])
})

it('keeps an uploaded file over a reload', async () => {
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  const capabilities = ['read-events', 'send-message', 'upload-file', 'create-attachment']
  const options = { conversations: conversations.map((one) => ({ ...one, capabilities })) }
  await adaTypes(options)
  await page.locator('input[type=file]').setInputFiles([{ name: 'lake.png', mimeType: 'image/png', buffer: aPicture }])
  await expect.poll(() => page.locator('.chat-upload').getAttribute('data-status')).toBe('finished')
  await page.reload()
  await page.waitForSelector('html[data-ready]')
  await adaOpens(options)
  await stands(HALF)
  await page.getByText('lake.png').first().waitFor()
  await box().press('Enter')
  const files = () =>
    page.evaluate(() =>
      window.kitFixture
        .calls('/message')
        .map(({ body }) => (body.message as { attachments: object[] }).attachments.length),
    )
  await expect.poll(files).toEqual([1])
})

/** Another device of Ada's stores its draft. */
const elsewhere = (text: string | undefined, more: object = {}) =>
  page.evaluate(
    ([text, more]) => {
      const message = { id: 'elsewhere', text: text ?? '', attachments: [], mentioned_users: [], ...more }
      const draft = { channel_cid: 'messaging:bo', created_at: new Date(Date.now() + 60_000).toISOString(), message }
      window.kitFixture.server().pushes('bo', text === undefined ? 'draft.deleted' : 'draft.updated', { draft })
    },
    [text, more] as const,
  )
const given = () =>
  page.evaluate(() =>
    window.kitFixture
      .calls('/draft')
      .flatMap(({ method, body }) =>
        method === 'POST' ? [(body as never as { message: { text: string } }).message.text] : [],
      ),
  )

it('continues a draft from another device, and is synced to it', async () => {
  await adaOpens()
  await elsewhere('From the train')
  await stands('From the train')
  await box().focus()
  await page.keyboard.press('End')
  await page.keyboard.type(', at last')
  await expect.poll(given).toEqual(['From the train, at last'])
})

it('is not changed while the user types; the other draft is offered beside it', async () => {
  await adaTypes()
  await elsewhere('From the train')
  expect(await box().inputValue()).toBe(HALF)
  await page.keyboard.press('Tab')
  const restore = page.getByRole('button', { name: 'Restore other draft' })
  await restore.click()
  await stands('From the train')
  expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  await restore.click()
  await stands(HALF)
  await page.getByRole('button', { name: 'Discard other draft' }).click()
  await restore.waitFor({ state: 'detached' })
  await stands(HALF)
})

it('shows in the list when it was begun elsewhere', async () => {
  await adaOpens({ open: 'racks' })
  await elsewhere('From the train')
  await conversation('Bo Lindqvist').getByText('Draft: From the train').last().waitFor()
})

it('shows its attachments in the list, while it has no text', async () => {
  await adaOpens({ open: 'racks' })
  const line = conversation('Bo Lindqvist').locator('.chat-channel-line')
  await elsewhere('', { poll_id: 'lunch' })
  await expect.poll(() => line.textContent()).toBe('Draft: Poll')
  await elsewhere('', { attachments: [{ type: 'image', image_url: 'https://files.example.com/lake.png' }] })
  await expect.poll(() => line.textContent()).toBe('Draft: Photo')
  await elsewhere('What about these?', { poll_id: 'lunch' })
  await expect.poll(() => line.textContent()).toBe('Draft: What about these?')
})

it('is kept on this device if the sync code fails to load', async () => {
  await adaOpens()
  const missed = new Set<string>()
  await page.route(/\/assets\/[^/]+\.js$/, (route) => {
    missed.add(route.request().url())
    return route.abort()
  })
  await box().focus()
  await page.keyboard.type(`${HALF} https://example.com`)
  await expect.poll(() => [...missed].join()).toMatch(/draft.*link|link.*draft/)
  await expect.poll(kept).toContain(HALF)
})
