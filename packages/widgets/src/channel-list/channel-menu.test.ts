import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

async function start(options: KitOptions = {}) {
  await page.evaluate((options) => window.kitFixture.start(options), options)
  await page.waitForSelector('.chat-channel-row')
}
const list = () => page.getByRole('navigation', { name: 'Conversations' })
const row = (name: string) =>
  list()
    .locator('.chat-channel-row')
    .filter({ has: page.locator(`.chat-channel-name:text-is("${name}")`) })
const names = () => list().locator('.chat-channel-name').allTextContents()
const current = () => list().locator('[aria-current=page] .chat-channel-name').textContent()

/** Opens the menu of a row by keys, and runs an action. */
async function takes(name: string, action: string) {
  await row(name).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

describe('the menu of a conversation', () => {
  it('pins it to the top, and unpins it again', async () => {
    await start()
    await takes('Bo Lindqvist', 'Pin to the top')
    await expect.poll(() => row('Bo Lindqvist').locator('.chat-hidden').textContent()).toMatch(/pinned$/)
    await takes('Rack planning', 'Unpin')
    await expect.poll(() => row('Rack planning').locator('.chat-hidden').textContent()).not.toMatch(/pinned/)
  })

  it('opens it, by keys, with the focus in its text box', async () => {
    await start()
    await row('Bo Lindqvist').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(current).toBe('Bo Lindqvist')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Message Bo Lindqvist')
  })

  it('archives it, apart from the others, and undoes that', async () => {
    await start()
    await takes('Company news', 'Archive')
    await list().getByRole('button', { name: 'Archived (1)' }).waitFor()
    expect(await names()).not.toContain('Company news')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
    await list().getByRole('button', { name: 'Archived (1)' }).click()
    expect((await names()).at(-1)).toBe('Company news')
    await page.getByText('Conversation archived: Company news').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() =>
        list()
          .getByRole('button', { name: /^Archived/ })
          .count(),
      )
      .toBe(0)
    expect(await names()).toContain('Company news')
  })

  it('keeps the focus in the list when the open one is archived with the pointer', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'news' }))
    await row('Company news').hover()
    await list().locator('.chat-channel:hover').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await list().getByRole('button', { name: 'Archived (1)' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
  })

  it('hides it, until it is shown again', async () => {
    await start()
    await takes('Bo Lindqvist', 'Hide until the next message')
    await expect.poll(names).not.toContain('Bo Lindqvist')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toContain('Bo Lindqvist')
  })

  it('hides it and clears its history, for the reader alone, after a dialog', async () => {
    await start()
    const question = page.getByRole('alertdialog', { name: 'Clear the history with Bo Lindqvist?' })
    const hides = () => page.evaluate(() => window.kitFixture.calls('/hide').map(({ body }) => body.clear_history))
    await takes('Bo Lindqvist', 'Hide and clear history…')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => row('Bo Lindqvist').evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await hides()).toEqual([])

    await takes('Bo Lindqvist', 'Hide and clear history…')
    await question.getByRole('button', { name: 'Hide and clear history' }).click()
    await expect.poll(names).not.toContain('Bo Lindqvist')
    expect(await hides()).toEqual([true])
    await page.getByText('Conversation hidden: Bo Lindqvist').first().waitFor()
    // It would come back empty, so no undo is offered.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
  })

  it('marks read what is unread, and unread what is read', async () => {
    await start()
    await takes('山田 由紀', 'Mark as read')
    await expect.poll(() => row('山田 由紀').locator('.chat-badge').count()).toBe(0)
    await row('山田 由紀').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Mark unread' }).click()
    await expect
      .poll(() => page.evaluate(() => window.kitFixture.calls('/unread').map(({ body }) => body.message_id)))
      .toEqual(['yuki-2'])
    await expect.poll(() => row('山田 由紀').evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('[PERM-5] offers only permitted actions, also by the right button and by pointing', async () => {
    await start()
    await row('Bo Lindqvist').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Mute notifications' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await row('Bo Lindqvist').hover()
    await list().locator('.chat-channel:hover').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
  })

  it('[PERM-5] leaves a group after a dialog, if permitted, and never a direct conversation', async () => {
    await page.evaluate(() => {
      const conversations = window.kitFixture
        .aWorkingDay()
        .map((one) =>
          one.id === 'racks' || one.id === 'bo'
            ? { ...one, capabilities: ['read-events', 'send-message', 'leave-channel'] }
            : one,
        )
      return window.kitFixture.start({ conversations })
    })
    await page.waitForSelector('.chat-channel-row')
    for (const name of ['Bo Lindqvist', 'Company news']) {
      await row(name).focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem', { name: 'Archive' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Leave group…' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await expect.poll(() => row(name).evaluate((it) => it === document.activeElement)).toBe(true)
    }

    await takes('Rack planning', 'Leave group…')
    const question = page.getByRole('alertdialog', { name: 'Leave “Rack planning”?' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => row('Rack planning').evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => window.kitFixture.calls('/racks').length)).toBe(0)

    await takes('Rack planning', 'Leave group…')
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(names).not.toContain('Rack planning')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
  })

  it('shows when the server refuses', async () => {
    await start()
    await page.evaluate(() => window.kitFixture.server().refusals.set('PATCH /ada', { status: 403, code: 17 }))
    await takes('Bo Lindqvist', 'Archive')
    await page.getByText('This could not be changed').first().waitFor()
    expect(await names()).toContain('Bo Lindqvist')
  })
})

describe('shortcuts', () => {
  it('move to the next conversation and back, and to the next unread one, but not out of a half-written message', async () => {
    await start({ open: 'racks' })
    await page.getByRole('textbox').focus()
    const order = await names()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(current).toBe(order[1])
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(current).toBe(order[0])
    await page.keyboard.press('Alt+Shift+ArrowDown')
    await expect.poll(current).toBe('山田 由紀')
    await page.getByRole('textbox').fill('Half a thought')
    await page.keyboard.press('Alt+ArrowDown')
    expect(await current()).toBe('山田 由紀')
  })

  it('mark everything read, after a dialog, if anything is unread', async () => {
    await start({ open: 'racks' })
    const box = page.locator('.chat-composer textarea')
    await box.focus()
    await page.keyboard.press('Alt+Shift+R')
    const question = page.getByRole('dialog', { name: 'Mark all read' })
    await question.getByText('3 unread messages in 2 conversations').waitFor()
    await question.getByRole('button', { name: 'Mark as read' }).click()
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/channels/read').length)).toBe(1)
    await expect.poll(() => box.evaluate((it) => it === document.activeElement)).toBe(true)
  })
})

describe('the search of the list', () => {
  const field = () => list().getByRole('searchbox')

  it('is reached by Ctrl+K, and finds users in conversations with the reader', async () => {
    await start({ open: 'racks' })
    await page.getByRole('textbox').focus()
    await page.keyboard.press('Control+k')
    await expect.poll(() => field().evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.type('lind')
    await list().getByRole('heading', { name: 'People' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(current).toBe('Bo Lindqvist')
    expect(await field().inputValue()).toBe('')
  })

  it('opens the best match with Enter, before the server has answered', async () => {
    await start({ open: 'racks' })
    await page.evaluate(() => window.kitFixture.server().hold())
    await field().fill('LIND')
    await list().getByRole('button', { name: 'Bo Lindqvist', exact: true }).waitFor()
    await field().press('Enter')
    await expect.poll(current).toBe('Bo Lindqvist')
    expect(await field().inputValue()).toBe('')
    await page.evaluate(() => window.kitFixture.server().deliver())
  })

  it('opens nothing with Enter while the matches are unknown', async () => {
    await start({ open: 'racks', leaves: true })
    await field().fill('row')
    await list().getByRole('heading', { name: 'Messages' }).waitFor()
    await page.evaluate(() => window.kitFixture.server().hold())
    await field().fill('rowz')
    await field().press('Enter')
    expect(await field().inputValue()).toBe('rowz')
    await page.evaluate(() => window.kitFixture.server().deliver())
    await list().getByText('Nothing matches “rowz”').waitFor()
  })

  it('finds conversations by name, and returns to the list with Escape', async () => {
    await start()
    await field().fill('rack')
    await list().getByRole('button', { name: 'Rack planning' }).waitFor()
    expect(await list().locator('.chat-hit mark').first().textContent()).toBe('Rack')
    await page.keyboard.press('Escape')
    await row('Bo Lindqvist').waitFor()
  })

  it('shows failed parts beside the results, and is one tab stop', async () => {
    await start({ leaves: true })
    await page.evaluate(() => window.kitFixture.server().refusals.set('GET /search', { status: 500, code: -1 }))
    await field().fill('rack')
    await list().getByRole('button', { name: 'Rack planning' }).waitFor()
    await list().getByText('The search did not work.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await list().getByRole('button', { name: 'Try again' }).click()
    await list().getByRole('heading', { name: 'Messages' }).waitFor()
    expect(await list().getByText('The search did not work.').count()).toBe(0)
    const stops = list().locator('.chat-hit[tabindex="0"]')
    expect(await list().locator('.chat-hit').count()).toBeGreaterThan(1)
    expect(await stops.count()).toBe(1)
    await stops.focus()
    await page.keyboard.press('End')
    expect(await stops.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('shows when there are no results', async () => {
    await start()
    await field().fill('zzzz')
    await list().getByText('Nothing matches “zzzz”').waitFor()
  })
})

describe('while the list is covered', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Find a conversation' })
  const offered = () => dialog().locator('.chat-hit-name').allTextContents()
  const heading = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
  const startCovered = async () => {
    await start({ open: 'racks' })
    await page.addStyleTag({ content: '.chat-channels { display: none }' })
    await page.locator('.chat-composer textarea').focus()
    await page.keyboard.press('Control+k')
    await dialog().waitFor()
  }

  it('Ctrl+K offers the most recent conversations, but not the open one', async () => {
    await startCovered()
    expect((await offered()).slice(0, 2)).toEqual(['山田 由紀', 'Bo Lindqvist'])
    expect(await offered()).not.toContain('Rack planning')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await heading('Bo Lindqvist')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })

  it('opens one by the first letter of its name, or by more of them', async () => {
    await startCovered()
    await page.keyboard.type('b')
    expect(await offered()).toEqual(['Bo Lindqvist', 'Bo Lindqvist and Cy Tanaka'])
    await page.keyboard.type('o l')
    await dialog().getByRole('heading', { name: 'People' }).waitFor()
    await page.keyboard.press('Enter')
    await heading('Bo Lindqvist')
  })

  it('Escape returns to the composer', async () => {
    await startCovered()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  })
})
