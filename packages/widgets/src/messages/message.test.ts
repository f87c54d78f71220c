import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { LONG_PRESS_MS } from '../limits.ts'
import type { Refusal } from '../testing/fake-server.ts'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage, framesRest } from '../testing/kit-page.ts'

let page: Page
const anotherPage = aKitPage(async (opened) => {
  page = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})

/** Ada opens one conversation of her working day; some calls are refused from the start. */
async function adaOpens(open: string, refusals: Record<string, Refusal> = {}, options: KitOptions = {}) {
  await page.evaluate(
    ([options, refusals]) =>
      window.kitFixture.start(options, (server) => {
        for (const [call, refusal] of Object.entries(refusals)) server.refusals.set(call, refusal)
      }),
    [{ open, ...options }, refusals] as const,
  )
  await page.waitForSelector('.chat-scroll')
}

const row = (id: string) => page.locator(`[data-key="${id}"]`)
const hasFocus = (id: string) => row(id).evaluate((it) => it === document.activeElement)
const newest = () => page.locator('.chat-scroll-row').last()
const notice = (text: string) => page.locator('.chat-notice').getByText(text, { exact: true })
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
const calls = (path: string) => page.evaluate((path) => window.kitFixture.calls(path), path)

async function adaSays(text: string) {
  await page.getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}

async function opensMenuOf(id: string) {
  await row(id).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
}

describe('the text of a message, selected and copied', () => {
  const selected = () => page.evaluate(() => document.getSelection()!.toString())
  const copied = async () => {
    await page.keyboard.press('Control+C')
    return page.evaluate(() => navigator.clipboard.readText())
  }

  it('is the text after a triple click, and neither the toolbar nor the time', async () => {
    await adaOpens('bo')
    await adaSays('Of these words')
    await newest().hover()
    await newest().getByRole('button', { name: 'More actions' }).waitFor()
    await newest().getByText('Of these words').click({ clickCount: 3 })
    expect((await selected()).trim()).toBe('Of these words')
    expect((await copied()).trim()).toBe('Of these words')
  })

  it('is code without its button', async () => {
    await adaOpens('bo')
    await adaSays('Look:\n```js\nlet a = 1\n```\ndone')
    await newest().locator('pre').waitFor()
    await newest()
      .locator('.chat-text')
      .evaluate((text) => document.getSelection()!.selectAllChildren(text))
    const lines = (await copied()).split('\n').filter(Boolean)
    expect(lines).toEqual(['Look:', 'let a = 1', 'done'])
  })

  it('has its lines and the signs of its lists when it is copied with others', async () => {
    await adaOpens('bo')
    await adaSays('One\ntwo\n\nthree')
    await adaSays('4. four\n3. three')
    await newest().locator('ol').waitFor()
    await page.evaluate(() => {
      const [first, last] = [...document.querySelectorAll('.chat-scroll-row .chat-text')].slice(-2)
      document.getSelection()!.setBaseAndExtent(first!, 0, last!, last!.childNodes.length)
    })
    const [one, two] = (await copied()).split(/^You, .*?: /m).filter(Boolean)
    expect(one!.trim()).toBe('One\ntwo\n\nthree')
    expect(two!.trim()).toBe('4. four\n3. three')
  })
})

describe('the status of an own message', () => {
  it('[MSG-18][MSG-19] it is sending, then delivered', async () => {
    await adaOpens('bo')
    await page.evaluate(() => window.kitFixture.server().hold())
    await adaSays('On my way')
    await newest().getByText('Sending', { exact: true }).waitFor()
    await page.evaluate(() => window.kitFixture.server().deliver())
    await newest().getByText('Delivered', { exact: true }).waitFor()
  })

  it('[READ-19] it is read when the other member has read it; in a group the readers have names', async () => {
    await adaOpens('bo')
    await page.evaluate(() => window.kitFixture.server().reads('bo', window.kitFixture.bo))
    await newest().getByText('Read', { exact: true }).waitFor()

    await adaOpens('racks')
    await page.evaluate(() => window.kitFixture.server().reads('racks', window.kitFixture.bo))
    await newest().getByTitle('Read by Bo Lindqvist').waitFor()
  })

  it('a held-back message is marked, and can only be copied or deleted until it is approved', async () => {
    await page.evaluate(() => {
      const config = { read_events: true, reactions: true, mark_messages_pending: true }
      const conversations = window.kitFixture.aWorkingDay()
      conversations.find(({ id }) => id === 'bo')!.data = { config }
      return window.kitFixture.start({ open: 'bo', conversations })
    })
    await page.waitForSelector('.chat-scroll')
    await adaSays('On my way')
    await newest().getByText('Waiting for review', { exact: true }).waitFor()
    await opensMenuOf((await newest().getAttribute('data-key'))!)
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy text', 'Delete for good'])
    await page.keyboard.press('Escape')
    // The up arrow in an empty box does not edit it either.
    await page.getByRole('textbox').press('ArrowUp')
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Sent!')
    await page.keyboard.press('Escape')

    await page.evaluate(() => {
      const { server, ada } = window.kitFixture
      const message = server()
        .conversations.find(({ id }) => id === 'bo')!
        .messages.at(-1)!
      const fields = { type: 'regular', attachments: [], mentioned_users: [] }
      server().pushes('bo', 'message.new', { message: { ...message, ...fields }, user: ada })
    })
    await newest().getByText('Delivered', { exact: true }).waitFor()
  })

  it('[MSG-20][TOA-10][TOA-13] a failed message stays, is marked, and a click sends it again under the same id', async () => {
    await adaOpens('bo', { 'POST /message': { status: 500, code: -1 } })
    await adaSays('On my way')
    await notice('Send message request failed').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Message Failed · Click to try again' }).click()
    await newest().getByText('Delivered', { exact: true }).waitFor()
    const sent = await calls('/message')
    const ids = sent.map(({ body }) => (body.message as { id: string }).id)
    expect(new Set(ids).size).toBe(1)
    expect(ids.length).toBeGreaterThan(1)
  })

  it('[MSG-21][TOA-11][TOA-42] a message refused for lack of rights offers no retry', async () => {
    await adaOpens('bo', { 'POST /message': { status: 403, code: 17 } })
    await adaSays('On my way')
    await newest().getByText('Message Failed · Unauthorized', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /Message Failed/ }).count()).toBe(0)
  })

  it('[TOA-40] a message stopped by moderation gives the reason', async () => {
    await adaOpens('bo', { 'POST /message': { status: 400, code: 73 } })
    await adaSays('Something rude')
    await newest().getByText('This message did not meet our content guidelines', { exact: true }).waitFor()
  })

  it('[TOA-12] a message of type error was not sent', async () => {
    await adaOpens('bo')
    await page.evaluate(() =>
      window.kitFixture.server().says('bo', window.kitFixture.ada, 'blocked', { type: 'error' }),
    )
    await page.getByText('Error · Unsent', { exact: true }).waitFor()
  })

  it('a failure is announced through the one assertive region', async () => {
    await adaOpens('bo', { 'POST /message': { status: 403, code: 17 } })
    await adaSays('On my way')
    await page.locator('[aria-live=assertive]').getByText('Message Failed · Unauthorized').waitFor()
    expect(await page.locator('[aria-live], [role=log], [role=status], [role=alert]').count()).toBe(2)
  })
})

describe('a message that was not sent', () => {
  it('[TOA-40] a message stopped by moderation can be edited or dropped, and no text is lost', async () => {
    await adaOpens('bo', { 'POST /message': { status: 400, code: 73 } })
    await adaSays('Something rude')
    await newest().getByText('This message did not meet our content guidelines', { exact: true }).waitFor()
    await page.getByRole('textbox').fill('Meanwhile')
    await newest().getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Something rude\nMeanwhile')
    await page.getByText('Something rude', { exact: true }).waitFor({ state: 'detached' })

    await page.getByRole('textbox').fill('Something ruder')
    await page.keyboard.press('Enter')
    const ruder = page.locator('.chat-scroll').getByText('Something ruder', { exact: true })
    await ruder.waitFor()
    await newest().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await ruder.waitFor({ state: 'detached' })
  })

  it('a failed message moves back to the composer from its menu', async () => {
    await adaOpens('bo', { 'POST /message': { status: 500, code: -1 } })
    await adaSays('On my way')
    await notice('Send message request failed').waitFor()
    await newest().focus()
    await page.keyboard.press('Shift+F10')
    await menuItem('Edit and send again').click()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('On my way')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })
})

describe('a message in a screen reader', () => {
  it('reads out reactions and the number of replies after its text, and its menu button has a unique name', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const lunch = conversations.find(({ id }) => id === 'bo')!.messages[0]!
    Object.assign(lunch, { reply_count: 2 })
    await adaOpens('bo', {}, { conversations })
    await page.evaluate(() => window.kitFixture.server().reacts('bo-0', window.kitFixture.bo, 'love'))
    const described = () =>
      row('bo-0').evaluate((it) =>
        it
          .getAttribute('aria-describedby')!
          .split(' ')
          .flatMap((id) => document.getElementById(id) ?? [])
          .map((part) => part.querySelector('[aria-label]')?.ariaLabel ?? part.textContent),
      )
    await expect.poll(described).toEqual(['red heart, 1 person', '2 replies', expect.stringMatching(/\d+:\d\d/)])
    const menus = await page
      .locator('.chat-toolbar [aria-haspopup=menu]')
      .evaluateAll((all) => all.map((it) => it.ariaLabel))
    expect(menus.length).toBeGreaterThan(2)
    expect(new Set(menus).size).toBe(menus.length)
    expect(menus[0]).toMatch(/^More actions, Bo Lindqvist, /)
  })
})

describe('the readers of a message', () => {
  it('[READ-19] are listed, with the members who have not read it yet', async () => {
    await adaOpens('racks')
    await page.evaluate(() => window.kitFixture.server().reads('racks', window.kitFixture.bo))
    await newest().getByTitle('Read by Bo Lindqvist').click()
    const list = page.getByRole('dialog', { name: 'Read by' })
    await list.getByText('1 person has read it').waitFor()
    await list.getByText('1 person has not read it yet').waitFor()
    expect(await list.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/Bo Lindqvist/),
      expect.stringMatching(/Cy Tanaka/),
    ])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
  })
})

describe('editing a message', () => {
  it('[MSG-22] an edited message is marked', async () => {
    await adaOpens('bo')
    await row('bo-2').focus()
    await page.keyboard.press('e')
    await page.getByText('Editing message').waitFor()
    await page.getByRole('textbox').fill('Sent it!')
    await page.getByRole('button', { name: 'Save' }).click()
    await row('bo-2').getByText('Sent it!', { exact: true }).waitFor()
    await row('bo-2')
      .getByText(/^Edited .*\d+:\d\d/)
      .waitFor()
  })

  it('[MSG-41] a message edited by another user names that user, until its author edits it', async () => {
    await adaOpens('bo')
    const changed = (by: string | null) =>
      page.evaluate((message_updated_by_id) => {
        const message_text_updated_at = new Date().toISOString()
        window.kitFixture
          .server()
          .edits('bo-2', { text: 'Other words', message_text_updated_at, message_updated_by_id })
      }, by)
    await changed('bo')
    await row('bo-2')
      .getByText(/^Edited by Bo Lindqvist, .*\d+:\d\d/)
      .waitFor()
    await changed('somebody-unknown')
    await row('bo-2')
      .getByText(/^Edited by somebody-unknown, /)
      .waitFor()
    await changed(null)
    await row('bo-2')
      .getByText(/^Edited \d/)
      .waitFor()
    expect(await row('bo-2').getByText('Edited by').count()).toBe(0)
  })

  it('[TOA-14] a failed edit shows a notice and keeps the text', async () => {
    await adaOpens('bo', { 'PUT /bo-2': { status: 500, code: -1 } })
    await row('bo-2').focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox').fill('Sent it!')
    await page.keyboard.press('Enter')
    await notice('Edit message request failed').waitFor()
    await row('bo-2').getByText('Sent it!', { exact: true }).waitFor()
  })

  it('[MOD2-16] an edit that moderation stops keeps its text, is told once, and can be changed or deleted', async () => {
    await adaOpens('bo', { 'PUT /bo-2': { status: 400, code: 73 } })
    await page.getByRole('textbox').fill('Meanwhile')
    await row('bo-2').focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox').fill('Something rude')
    await page.keyboard.press('Enter')
    await row('bo-2').getByText('This message did not meet our content guidelines', { exact: true }).waitFor()
    await row('bo-2').getByText('Something rude', { exact: true }).waitFor()
    expect(await notice('Edit message request failed').count()).toBe(0)
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Meanwhile')

    // It is still an edit, and the message is where it was.
    await row('bo-2').getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByText('Editing message').waitFor()
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Something rude')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await page.getByRole('textbox').fill('Something kind')
    await page.keyboard.press('Enter')
    await row('bo-2')
      .getByText(/^Edited .*\d+:\d\d/)
      .waitFor()
    await row('bo-2').getByText('Something kind', { exact: true }).waitFor()
    expect(await calls('/message')).toEqual([])
    expect(await row('bo-2').getByText('did not meet our content guidelines').count()).toBe(0)
  })

  it('[MOD2-16] deleting a message whose edit was stopped asks first, since others see it', async () => {
    await adaOpens('bo', { 'PUT /bo-2': { status: 400, code: 73 } })
    await row('bo-2').focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox').fill('Something rude')
    await page.keyboard.press('Enter')
    await row('bo-2').getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete this message?' })
    await question.getByText(/deletes the message for everyone/).waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await row('bo-2').getByText('Message deleted', { exact: true }).waitFor()
  })

  it('an edit without a connection waits, and is not announced as saved', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      const server = window.kitFixture.server()
      server.cutOff = true
      server.drops()
      const spoken: string[] = []
      const hear = () => spoken.push(document.querySelector('[aria-live=polite]')?.textContent ?? '')
      new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true })
      Object.assign(window, { spoken })
    })
    await row('bo-2').focus()
    await page.keyboard.press('e')
    await page.getByRole('textbox').fill('Sent it!')
    await page.keyboard.press('Enter')
    await row('bo-2').getByText('Waiting for a connection', { exact: true }).waitFor()
    expect(await notice('Edit message request failed').count()).toBe(0)
    // Announcements come within a moment.
    await page.getByRole('textbox').fill('And more')
    const spoken = await page.evaluate(() => (window as unknown as { spoken: string[] }).spoken)
    expect(spoken.some((text) => text.includes('Message edited'))).toBe(false)
  })

  it('[MSG-23] a deleted message leaves a placeholder, after a dialog that names the effect', async () => {
    await adaOpens('bo')
    await row('bo-2').focus()
    await page.keyboard.press('Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete this message?' })
    await question.getByText(/deletes the message for everyone/).waitFor()
    expect(await question.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
      true,
    )
    await question.getByRole('button', { name: 'Delete' }).click()
    await row('bo-2').getByText('Message deleted', { exact: true }).waitFor()
    await expect.poll(() => hasFocus('bo-2')).toBe(true)
  })

  it('a message that another user restores is announced if it is in view', async () => {
    await adaOpens('bo')
    const isBack = (id: string, text: string) =>
      page.evaluate(
        ([id, text]) => {
          const { bo, server } = window.kitFixture
          const created_at = new Date(Date.now() - 3_600_000).toISOString()
          const message = { id, text, user: bo, type: 'regular', created_at, updated_at: new Date().toISOString() }
          server().pushes('bo', 'message.undeleted', { message, message_id: id })
        },
        [id, text] as const,
      )
    await isBack('far-away', 'Never seen')
    await page.evaluate(() => window.kitFixture.server().deletes('bo-0', { hard: false }))
    await row('bo-0').getByText('Message deleted', { exact: true }).waitFor()
    expect(await page.locator('[aria-live=polite]').getByText('Message restored').count()).toBe(0)
    await isBack('bo-0', 'Can you send me the contract?')
    await row('bo-0').getByText('Can you send me the contract?', { exact: true }).waitFor()
    await page.locator('[aria-live=polite]').getByText('Message restored').waitFor()
  })

  it('[MSG-40] an own message can be restored within five seconds, and is deleted for other members after them', async () => {
    await adaOpens('bo')
    const deletions = () => page.evaluate(() => window.kitFixture.calls('/messages/bo-2').map(({ method }) => method))
    const deletes = async () => {
      await row('bo-2').focus()
      await page.keyboard.press('Delete')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
      await row('bo-2').getByText('Message deleted', { exact: true }).waitFor()
    }
    // However slow the machine is, the finger is quick.
    await page.evaluate(() => {
      const finger = new MutationObserver(() => {
        const undo = document.querySelector<HTMLElement>('.chat-notice button:not(.chat-icon-button)')
        if (undo) finger.disconnect()
        undo?.click()
      })
      finger.observe(document.body, { childList: true, subtree: true })
    })
    await row('bo-2').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await row('bo-2').getByText('Sent!', { exact: true }).waitFor()
    await page.locator('[aria-live=polite]').getByText('Message restored').waitFor()
    expect(await deletions()).toEqual([])

    await deletes()
    await expect.poll(deletions).toEqual(['DELETE'])
    await page.locator('.chat-notice').waitFor({ state: 'detached' })
    await row('bo-2').getByText('Message deleted', { exact: true }).waitFor()
  })

  it('[MSG-40] an own message is deleted at once when the page is closed', async () => {
    await adaOpens('bo')
    await row('bo-2').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    const calls = await page.evaluate(async () => {
      dispatchEvent(new Event('pagehide'))
      // A page that is closed finishes what it has begun, and begins no other task.
      for (let step = 0; step < 100; step++) await undefined
      return window.kitFixture.calls('/messages/bo-2').length
    })
    expect(calls).toBe(1)
    await page.locator('.chat-notice').waitFor({ state: 'detached' })
  })

  it('[MSG-24][MSG-39] deleting for good is offered to users who may delete any message, asks, and the row is removed', async () => {
    await adaOpens('bo')
    await opensMenuOf('bo-2')
    expect(await menuItem('Delete for good').count()).toBe(0)
    await page.keyboard.press('Escape')

    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const all = ['send-message', 'read-events', 'delete-any-message']
    const moderated = conversations.map((one) => ({ ...one, capabilities: all }))
    await adaOpens('bo', {}, { conversations: moderated })
    await opensMenuOf('bo-0')
    await menuItem('Delete for good').click()
    await page
      .getByRole('alertdialog', { name: 'Delete this message for good?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await row('bo-0').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus('bo-1')).toBe(true)
    await page.evaluate(() => {
      const message = { id: 'bo-1', user: window.kitFixture.ada, created_at: new Date().toISOString() }
      window.kitFixture.server().pushes('bo', 'message.deleted', { message, hard_delete: true, user: message.user })
    })
    await row('bo-1').waitFor({ state: 'detached' })
  })

  it('the focus stays in the conversation when its message is removed', async () => {
    await adaOpens('bo')
    await row('bo-1').focus()
    await page.evaluate(() => {
      const message = { id: 'bo-1', user: window.kitFixture.ada, created_at: new Date().toISOString() }
      window.kitFixture.server().pushes('bo', 'message.deleted', { message, hard_delete: true, user: message.user })
    })
    await row('bo-1').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.chat-pane') !== null)).toBe(true)
  })

  it('[TOA-15] a failed deletion shows a notice and the message is back', async () => {
    await adaOpens('bo', { 'DELETE /bo-2': { status: 500, code: -1 } })
    await row('bo-2').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await notice('Error deleting message').waitFor()
    await row('bo-2').getByText('Sent!', { exact: true }).waitFor()
  })

  it('[TOA-16][TOA-17] a failure to pin or unpin shows a notice', async () => {
    await adaOpens('racks', { 'PUT /racks-15': { status: 500, code: -1 }, 'PUT /racks-13': { status: 500, code: -1 } })
    await row('racks-15').focus()
    await page.keyboard.press('p')
    await notice('Error pinning message').waitFor()
    await row('racks-13').focus()
    await page.keyboard.press('p')
    await notice('Error removing message pin').waitFor()
  })
})

describe('the menu of a message', () => {
  it('opens by keyboard on its first item, and returns the focus to the row', async () => {
    await adaOpens('bo')
    await opensMenuOf('bo-0')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('React with thumbs up')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus('bo-0')).toBe(true)
  })

  it('closes with Tab as with Escape, and the focus is back on its row', async () => {
    await adaOpens('bo')
    await opensMenuOf('bo-0')
    await page.keyboard.press('Tab')
    await page.getByRole('menu').waitFor({ state: 'detached', timeout: 3_000 })
    await expect.poll(() => hasFocus('bo-0')).toBe(true)
  })

  it('keeps its place and its row while new messages arrive', async () => {
    await adaOpens('racks')
    await opensMenuOf('racks-13')
    const place = () => row('racks-13').evaluate((it) => Math.round(it.getBoundingClientRect().top))
    const before = await place()
    await page.evaluate(async () => {
      const { server, bo } = window.kitFixture
      for (let n = 0; n < 6; n++) await server().says('racks', bo, `And another thing ${n}`)
    })
    const latest = row('racks-13').locator('~ *', { hasText: 'And another thing 5' })
    await latest.waitFor({ state: 'attached' })
    expect(await place()).toBe(before)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await place()).toBe(before)
    await page
      .getByRole('button', { name: /6 new messages|6/ })
      .last()
      .waitFor()
  })

  it('its row remains the one tab stop of the list', async () => {
    await adaOpens('bo')
    await opensMenuOf('bo-0')
    expect(await page.locator('.chat-scroll-row[tabindex="0"]').getAttribute('data-key')).toBe('bo-0')
  })

  it('[PERM-5] leaves out an action without its capability', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const few = conversations.map((one) => ({ ...one, capabilities: ['send-message', 'read-events'] }))
    await adaOpens('bo', {}, { conversations: few })
    await opensMenuOf('bo-2')
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy text', 'Copy link'])
  })

  it('copies the text as it was written', async () => {
    await adaOpens('racks')
    await row('racks-11').focus()
    await page.keyboard.press('c')
    await page.locator('[aria-live=polite]').getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('- row A: two spares')
  })

  it('shows a tag beside the name of a guest and of an app, and beside no other name', async () => {
    await adaOpens('racks')
    const said = await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      return ['guest', 'bot', 'user'].map((role) => {
        server().says('racks', bo, 'Between')
        return server().says('racks', { id: role, name: `The ${role}`, role }, 'Hello')
      })
    })
    for (const [at, tag] of (['Guest', 'App', undefined] as const).entries()) {
      await row(said[at]!).waitFor()
      expect(await row(said[at]!).locator('.chat-tag').allTextContents()).toEqual(tag ? [tag] : [])
    }
  })

  it('copies a link that leads to the message, by key and from the menu', async () => {
    await adaOpens('racks')
    await row('racks-11').focus()
    await page.keyboard.press('l')
    await page.locator('[aria-live=polite]').getByText('Link copied').waitFor()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    expect(await copied()).toBe('https://example.com/messaging:racks#racks-11')
    await opensMenuOf('racks-3')
    await menuItem('Copy link').click()
    await expect.poll(copied).toBe('https://example.com/messaging:racks#racks-3')
  })

  it('[TOA-32] does not blame the age of a message for another failure to mark it unread', async () => {
    await adaOpens('bo', { 'POST /unread': { status: 500, code: -1 } })
    await opensMenuOf('bo-0')
    await menuItem('Mark unread').click()
    await notice('Error marking message unread').waitFor()
    expect(await page.getByText('newest 100').count()).toBe(0)
  })

  it('[READ-21][TOA-32] marks unread; a refusal gives the reason', async () => {
    await adaOpens('bo')
    await opensMenuOf('bo-0')
    await menuItem('Mark unread').click()
    await page.locator('[aria-live=polite]').getByText('Marked unread').waitFor()
    expect((await calls('/unread')).map(({ body }) => body.message_id)).toEqual(['bo-0'])

    await adaOpens('bo', { 'POST /unread': { status: 400, code: 4 } })
    await opensMenuOf('bo-0')
    await menuItem('Mark unread').click()
    await notice(
      'Error marking message unread. Cannot mark unread messages older than the newest 100 channel messages.',
    ).waitFor()
  })
})

it('a system message has an icon that is hidden from screen readers', async () => {
  await adaOpens('racks')
  const happened = page.getByRole('article').filter({ hasText: 'added Ada Okafor to the conversation' })
  await happened.locator('svg[aria-hidden=true]').waitFor({ state: 'attached' })
})

describe('reactions', () => {
  it('[RXN-12] a press adds a reaction, another removes it, and the users who reacted are listed', async () => {
    await adaOpens('bo')
    await page.evaluate(() => window.kitFixture.server().reacts('bo-0', window.kitFixture.bo, 'love'))
    const love = row('bo-0').getByRole('button', { name: /^red heart,/ })
    await love.click()
    await expect.poll(() => love.getAttribute('aria-pressed')).toBe('true')
    expect(await love.getAttribute('aria-label')).toBe('red heart, 2 people, including you')

    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    const people = page.getByRole('dialog', { name: 'Reactions' }).getByRole('listitem')
    await expect
      .poll(() => people.allTextContents())
      .toEqual([expect.stringContaining('Ada'), expect.stringContaining('Bo')])
    await page.evaluate(() => window.kitFixture.server().reacts('bo-0', window.kitFixture.cy, 'wow'))
    const kind = (name: string) => page.getByRole('dialog', { name: 'Reactions' }).getByRole('button', { name })
    for (const [name, count] of [
      ['astonished face, 1 person', 1],
      ['All', 3],
    ] as const) {
      await kind(name).click()
      await expect.poll(() => people.count()).toBe(count)
      expect(await kind(name).getAttribute('aria-pressed')).toBe('true')
    }
    await page.keyboard.press('Escape')

    await love.click()
    await expect.poll(() => love.getAttribute('aria-label')).toBe('red heart, 1 person')
  })

  it('[RXN-12] one emoji in several forms is one reaction: given in the form of others, removed in every form', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      const { server, ada, bo, cy } = window.kitFixture
      server().reacts('bo-0', bo, '❤')
      server().reacts('bo-0', cy, '❤️')
      server().reacts('bo-0', ada, '❤️')
    })
    const love = row('bo-0').getByRole('button', { name: /^red heart,/ })
    await expect.poll(() => love.getAttribute('aria-label')).toBe('red heart, 3 people, including you')
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    await dialog.getByRole('button', { name: 'red heart, 3 people' }).click()
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3)
    await page.keyboard.press('Escape')

    await love.click()
    await expect.poll(() => love.getAttribute('aria-label')).toBe('red heart, 2 people')
    await love.click()
    await expect.poll(() => love.getAttribute('aria-label')).toBe('red heart, 3 people, including you')
    const types = (await calls('/reaction')).map(({ body }) => (body as { reaction?: { type: string } }).reaction?.type)
    // Not as "love", which would be another reaction to every other client.
    expect(types.at(-1)).toMatch(/^❤/)
  })

  it('a refused reaction is removed again and shows a notice', async () => {
    await adaOpens('bo', { 'POST /reaction': { status: 500, code: -1 } })
    await row('bo-0').focus()
    await page.keyboard.press('+')
    await page.getByRole('menuitem', { name: 'React with thumbs up' }).click()
    await notice('Your reaction could not be saved').waitFor()
    await expect
      .poll(() =>
        row('bo-0')
          .getByRole('button', { name: /thumbs up,/ })
          .count(),
      )
      .toBe(0)
  })

  it('[TOA-31] a failure to load the users who reacted is shown in place of the list, with a retry button', async () => {
    await adaOpens('bo', { 'POST /reactions': { status: 500, code: -1 } })
    await page.evaluate(() => window.kitFixture.server().reacts('bo-0', window.kitFixture.bo, 'love'))
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    await page.getByText('Error fetching reactions', { exact: true }).waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog').getByRole('listitem').getByText('Bo Lindqvist').waitFor()
  })

  it('[RXN-12] the list of users who reacted follows events, and its pages skip no user', async () => {
    await adaOpens('bo')
    const people = page.getByRole('dialog', { name: 'Reactions' }).getByRole('listitem')
    const names = async () => (await people.locator('bdi').allTextContents()).map((name) => name.split(' ')[0])
    const reacts = (from: number, to: number) =>
      page.evaluate(
        ([from, to]) => {
          for (let n = from; n < to; n++)
            window.kitFixture.server().reacts('bo-0', { id: `p${n}`, name: `P${n} Quist` }, 'love')
        },
        [from, to] as const,
      )
    const unreacts = (n: number) =>
      page.evaluate((n) => window.kitFixture.server().unreacts('bo-0', { id: `p${n}`, name: '' }, 'love'), n)
    await reacts(0, 60)
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    await expect.poll(names).toEqual(Array.from({ length: 50 }, (_, n) => `P${59 - n}`))

    await reacts(60, 62)
    await unreacts(59)
    await unreacts(30)
    const shown = Array.from({ length: 52 }, (_, n) => `P${61 - n}`).filter((name) => !['P59', 'P30'].includes(name))
    await expect.poll(names).toEqual(shown)
    await page.evaluate(() => window.kitFixture.server().hold({ answered: true }))
    await page.getByRole('dialog').getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/reactions').length)).toBe(2)
    await unreacts(5)
    await page.evaluate(() => window.kitFixture.server().deliver())
    await expect.poll(names).toEqual([...shown, ...['P9', 'P8', 'P7', 'P6', 'P4', 'P3', 'P2', 'P1', 'P0']])
  })

  it('loading more users who reacted keeps the focus', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      for (let n = 0; n < 120; n++)
        window.kitFixture.server().reacts('bo-0', { id: `p${n}`, name: `P${n} Quist` }, 'love')
    })
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    const more = dialog.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    await page.evaluate(() => window.kitFixture.server().hold())
    await more.press('Enter')
    await more.press('Enter')
    expect(await more.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.evaluate(() => window.kitFixture.server().deliver())
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(100)
    expect(await more.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => window.kitFixture.calls('/reactions').length)).toBe(2)
  })

  it('[RXN-12] all users with one kind of reaction are found, however many reacted otherwise since', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      server().reacts('bo-0', bo, 'wow')
      for (let n = 0; n < 60; n++) server().reacts('bo-0', { id: `p${n}`, name: `P${n} Quist` }, 'love')
    })
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    const people = dialog.getByRole('listitem')
    await expect.poll(() => people.count()).toBe(50)
    await dialog.getByRole('button', { name: /1 person/ }).click()
    await expect.poll(() => people.allTextContents()).toEqual([expect.stringContaining('Bo')])
    expect(await dialog.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'All' }).click()
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => people.count()).toBe(61)
    expect(await people.last().textContent()).toContain('Bo')
  })

  it('[RXN-10] a user who changes their reaction while a page is loading is listed once', async () => {
    await adaOpens('bo')
    await page.evaluate(() => window.kitFixture.server().reacts('bo-0', window.kitFixture.bo, 'wow'))
    await page.evaluate(() => window.kitFixture.server().hold({ answered: true }))
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/reactions').length)).toBe(1)
    await page.evaluate(() => window.kitFixture.server().reactsAnew('bo-0', window.kitFixture.bo, 'love'))
    await page.evaluate(() => window.kitFixture.server().deliver())
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    await dialog.getByRole('listitem').first().waitFor()
    await expect.poll(() => dialog.locator('.chat-skeleton').count()).toBe(0)
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/^BLBo.*❤️$/)])
  })

  it('the list of users who reacted shows all again when the selected kind is gone', async () => {
    await adaOpens('bo')
    await page.evaluate(() => {
      const { server, bo, cy } = window.kitFixture
      server().reacts('bo-0', bo, 'love')
      server().reacts('bo-0', cy, 'wow')
    })
    await row('bo-0').getByRole('button', { name: 'Show who reacted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    await dialog
      .getByRole('button', { name: /1 person/ })
      .last()
      .press('Enter')
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1)
    await framesRest(page)
    await page.evaluate(() => window.kitFixture.server().unreacts('bo-0', window.kitFixture.cy, 'wow'))
    await expect.poll(() => dialog.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('Bo')])
    expect(await dialog.locator('[aria-pressed=true]').textContent()).toBe('All')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All')
  })
})

describe('a long text', () => {
  it('is folded, and unfolds on demand', async () => {
    await adaOpens('bo')
    const text = Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n')
    await page.evaluate((text) => window.kitFixture.server().says('bo', window.kitFixture.bo, text), text)
    const height = async () => (await newest().boundingBox())!.height
    await newest().getByRole('button', { name: 'Show more' }).waitFor()
    const folded = await height()
    await newest().getByRole('button', { name: 'Show more' }).click()
    await newest().getByRole('button', { name: 'Show less' }).waitFor()
    expect(await height()).toBeGreaterThan(folded * 1.5)
  })
})

it('recent reactions are one press away, and reactions already shown keep their place', async () => {
  await adaOpens('bo')
  const quick = () =>
    row('bo-0')
      .locator('.chat-toolbar [aria-pressed]')
      .evaluateAll((all) => all.map((it) => it.textContent))
  await row('bo-0').hover()
  await expect.poll(quick).toEqual(['👍', '❤️', '😂'])
  await row('bo-0').getByRole('button', { name: 'React with tears of joy' }).click()
  await expect.poll(() => row('bo-0').locator('.chat-reaction').count()).toBeGreaterThan(0)
  expect(await quick()).toEqual(['👍', '❤️', '😂'])
  await opensMenuOf('bo-0')
  await page.getByRole('menuitem', { name: 'React with party popper' }).click()
  await row('bo-0').hover()
  await expect.poll(quick).toEqual(['🎉', '👍', '❤️'])
})

it('Ctrl+Home and Ctrl+End move the focus before and after the messages', async () => {
  await adaOpens('racks')
  await newest().focus()
  await page.keyboard.press('Control+Home')
  expect(await page.evaluate(() => document.activeElement?.closest('.chat-header') !== null)).toBe(true)
  await newest().focus()
  await page.keyboard.press('Control+End')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
})

describe('with touch', () => {
  /** Its clock also runs on by itself, including for pages opened later: no other test has one. */
  async function aPageWithAClock() {
    await anotherPage({ hasTouch: true })
    await page.clock.install()
  }
  const isOpen = (id: string) =>
    row(id)
      .locator('.chat-message')
      .evaluate((it) => it.hasAttribute('data-open'))

  it('a double tap opens the menu, and a single tap does not', async () => {
    await aPageWithAClock()
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const said = conversations.find(({ id }) => id === 'bo')!.messages[0]!
    Object.assign(said, {
      attachments: [{ type: 'voiceRecording', asset_url: 'https://example.com/a.wav', duration: 3 }],
    })
    await adaOpens('bo', {}, { conversations })
    const bubble = row('bo-0').locator('.chat-bubble')
    const taps = (times: number, on = bubble) =>
      on.evaluate((it, times) => {
        for (let tap = 0; tap < times; tap++)
          for (const type of ['pointerdown', 'pointerup'])
            it.dispatchEvent(
              new PointerEvent(type, { pointerType: 'touch', clientX: 500, clientY: 300, bubbles: true }),
            )
      }, times)
    await taps(1)
    await taps(2, bubble.getByRole('slider'))
    await page.clock.runFor(LONG_PRESS_MS)
    expect(await isOpen('bo-0')).toBe(false)
    await taps(2)
    await page.getByRole('menu').waitFor()
  })

  it('[RXN-12] a long press on a reaction lists the users who reacted, and changes nothing', async () => {
    await aPageWithAClock()
    await adaOpens('racks')
    await page.evaluate(() => window.kitFixture.server().client.channel('messaging', 'racks').react('racks-13', 'like'))
    const chip = page.locator('.chat-reaction[aria-pressed]').first()
    const pressedBefore = await chip.getAttribute('aria-pressed')
    await chip.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 500, clientY: 300, bubbles: true })
    await page.clock.runFor(LONG_PRESS_MS)
    await page.getByRole('dialog', { name: 'Reactions' }).waitFor()
    expect(await chip.getAttribute('aria-pressed')).toBe(pressedBefore)
  })

  it('a long press opens the menu; a swipe does not', async () => {
    await aPageWithAClock()
    await adaOpens('bo')
    const bubble = row('bo-0').locator('.chat-bubble')
    const touch = { pointerType: 'touch', clientX: 500, clientY: 300, bubbles: true }
    await bubble.dispatchEvent('pointerdown', touch)
    await bubble.dispatchEvent('pointermove', { ...touch, clientY: 340 })
    await page.clock.runFor(LONG_PRESS_MS)
    expect(await isOpen('bo-0')).toBe(false)
    await bubble.dispatchEvent('pointerup', touch)
    await bubble.dispatchEvent('pointerdown', touch)
    await page.clock.runFor(LONG_PRESS_MS)
    expect(await isOpen('bo-0')).toBe(true)
    await page.getByRole('menu').waitFor()
  })
})

it('on a phone the message stays in view above its menu, and everything is back afterwards', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' })
  await adaOpens('racks')
  const bubble = () => newest().locator('.chat-bubble').boundingBox()
  const before = (await bubble())!
  await newest().focus()
  await page.keyboard.press('Shift+F10')
  const sheet = page.locator('.chat-sheet')
  await sheet.waitFor()
  const bottom = async () => {
    const { y, height } = (await bubble())!
    return y + height
  }
  const top = async () => (await sheet.boundingBox())!.y
  await expect.poll(async () => (await bottom()) < (await top())).toBe(true)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await bubble()).toEqual(before)
})

it('on a phone the menu opens from below, and so do its dialogs', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
  await adaOpens('bo')
  await opensMenuOf('bo-2')
  await page.locator('.chat-sheet').waitFor()
  await menuItem('Delete').click()
  await page.getByRole('alertdialog', { name: 'Delete this message?' }).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => hasFocus('bo-2')).toBe(true)
})

it('on a phone a message that is swiped far enough is replied to, and one that is swiped less goes back', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
  await adaOpens('bo')
  const fingers = await page.context().newCDPSession(page)
  const touches = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const bubble = row('bo-2').locator('.chat-bubble')
  const box = (await bubble.boundingBox())!
  const at = { x: box.x + 10, y: box.y + 10 }
  const draws = async (px: number) => {
    // It goes back first, and the two touches are not taken for one gesture.
    await bubble.evaluate(async (it) => {
      await Promise.all(it.getAnimations().map(({ finished }) => finished))
      await new Promise((resolve) => setTimeout(resolve, 400))
    })
    await touches('touchStart', at)
    // The code that follows the finger is loaded with the first touch.
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /swipe/.test(name)))
    for (let way = 4; way <= px; way += 4) await touches('touchMove', { x: at.x + way, y: at.y })
    const swipe = await bubble.getAttribute('data-swipe')
    await touches('touchEnd')
    return swipe
  }
  const answering = page.getByText('Replying to yourself', { exact: true })
  await draws(0)
  expect(await draws(40)).toBe('begun')
  expect(await bubble.getAttribute('data-swipe')).toBeNull()
  expect(await answering.count()).toBe(0)
  expect(await draws(80)).toBe('answers')
  await answering.waitFor()
  expect(await hasFocus('bo-2')).toBe(false)
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
})

it('on a phone a finger that lifts over the menu that has just opened presses nothing in it', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' })
  await adaOpens('bo')
  await opensMenuOf('bo-2')
  await page.keyboard.press('Escape')
  await page.locator('.chat-sheet').waitFor({ state: 'detached' })
  const fingers = await page.context().newCDPSession(page)
  const touches = async (type: 'touchStart' | 'touchEnd', at?: { x: number; y: number }) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const menu = page.getByRole('menu')
  const bubble = (await row('bo-2').locator('.chat-bubble').boundingBox())!
  const at = { x: bubble.x + bubble.width / 2, y: bubble.y + 10 }
  const pressed = () => page.evaluate(() => window.kitFixture.calls('').length)
  const before = await pressed()
  // The browser fires a click when a finger lifts, unless that is prevented.
  await page.evaluate(() => {
    const { dataset } = document.body
    addEventListener('touchend', (event) => {
      setTimeout(() => {
        dataset.lifted = `${dataset.lifted ?? ''}${event.defaultPrevented ? 'held ' : 'let '}`
      })
    })
  })
  const lifted = () => page.evaluate(() => document.body.dataset.lifted)

  await touches('touchStart', at)
  await menu.waitFor()
  await touches('touchEnd')
  await expect.poll(lifted).toBe('held ')
  expect([await menu.count(), await page.getByRole('dialog').count(), await pressed()]).toEqual([1, 1, before])
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })

  for (const _ of [1, 2]) {
    await touches('touchStart', at)
    await touches('touchEnd')
  }
  await menu.waitFor()
  await expect.poll(lifted).toBe('held let held ')
  expect([await menu.count(), await page.getByRole('dialog').count(), await pressed()]).toEqual([1, 1, before])
})

it('on a phone a conversation opens with the focus on its title, and no keyboard opens', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
  await adaOpens('bo')
  const name = page.getByRole('heading', { level: 2, name: 'Bo Lindqvist' })
  await expect.poll(() => name.evaluate((it) => it === document.activeElement)).toBe(true)
})

it('on a phone a thread opens with the focus on its heading, and returns it to the message', async () => {
  await anotherPage({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true })
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  for (const one of conversations) one.capabilities = ['read-events', 'send-message', 'send-reply']
  await adaOpens('bo', {}, { conversations })
  await row('bo-0').focus()
  await page.keyboard.press('t')
  const heading = page.getByRole('heading', { level: 2, name: 'Thread' })
  await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Close thread' }).click()
  await expect.poll(() => hasFocus('bo-0')).toBe(true)
})

describe('a deleted user', () => {
  it('[USR-16] leaves placeholders for the messages, and no name', async () => {
    await adaOpens('bo')
    await page.evaluate(() => window.kitFixture.server().deletesUser(window.kitFixture.bo, { hard: false }))
    await row('bo-0').getByText('Message deleted', { exact: true }).waitFor()
    await row('bo-0')
      .getByRole('heading', { name: /^Deleted user/ })
      .waitFor()
  })

  it('[USR-17] deleted hard, the messages also lose their reactions and mentions', async () => {
    await adaOpens('racks')
    await page.evaluate(() => {
      const { server, ada } = window.kitFixture
      server().reacts('racks-10', ada, 'like')
    })
    const others = () => row('racks-10').locator('.chat-reaction, .chat-mention').allTextContents()
    await expect.poll(others).toEqual(['@Ada Okafor', '👍1', '…'])
    await page.evaluate(() => window.kitFixture.server().deletesUser(window.kitFixture.cy, { hard: true }))
    await row('racks-10').getByText('Message deleted', { exact: true }).waitFor()
    expect(await others()).toEqual([])
  })
})

describe('replying to a message', () => {
  it('[MSG-31] the reply shows the quoted message, and a press goes there', async () => {
    await adaOpens('bo')
    await row('bo-0').focus()
    await page.keyboard.press('r')
    await page.getByText('Replying to Bo Lindqvist').waitFor()
    await page.keyboard.type('It is in your inbox')
    await page.keyboard.press('Enter')
    const quote = newest().getByRole('button', { name: /Bo Lindqvist: Can you send me the contract\?/ })
    await quote.click()
    await expect.poll(() => row('bo-0').evaluate((it) => it === document.activeElement)).toBe(true)
  })
})

it('[MSG-31] a reply names the kind of the quoted message, and shows when it is deleted', async () => {
  await adaOpens('bo')
  await page.evaluate(() => {
    const { server, bo } = window.kitFixture
    server().says('bo', bo, '', { id: 'voice', attachments: [{ type: 'voiceRecording' }] })
    server().says('bo', bo, 'Did you hear that?', { quoted_message_id: 'voice' })
    const { messages } = server().conversations.find(({ id }) => id === 'bo')!
    Object.assign(messages.find(({ id }) => id === 'bo-0')!, { type: 'deleted', deleted_at: new Date().toISOString() })
    server().says('bo', bo, 'And this?', { quoted_message_id: 'bo-0' })
  })
  await page.getByRole('button', { name: 'In reply to Bo Lindqvist: Voice message' }).waitFor()
  await newest().getByText('Original message was deleted', { exact: true }).waitFor()
})

describe('reporting a message', () => {
  const reporter = ['read-events', 'send-message', 'flag-message']

  async function adaMayReport(refusals: Record<string, Refusal> = {}) {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    for (const conversation of conversations) conversation.capabilities = reporter
    await adaOpens('bo', refusals, { conversations })
  }

  it('[MOD-14] takes one key, shows a notice, and can be undone', async () => {
    await adaMayReport()
    await row('bo-0').focus()
    await page.keyboard.press('f')
    await notice('You reported this message').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() => window.kitFixture.calls('/moderation/unflag').length === 1)
    const [flag] = await calls('/moderation/flag')
    expect(flag?.body).toMatchObject({ target_message_id: 'bo-0' })
  })

  it('[TOA-18] a failure shows a notice', async () => {
    await adaMayReport({ 'POST /flag': { status: 500, code: -1 } })
    await opensMenuOf('bo-0')
    await menuItem('Report').click()
    await notice('Error adding flag').waitFor()
  })
})
