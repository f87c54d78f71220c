import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const pane = () => page.getByRole('complementary', { name: 'Search' })
const field = () => pane().getByRole('searchbox')
const hits = () => pane().locator('.chat-hit')
const focusedKey = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'))

/** Ada opens a group with 300 messages, of which every seventh is about tea, and searches it. */
async function adaSearches(words?: string, options = {}) {
  await page.evaluate((options) => {
    const { ada, bo } = window.kitFixture
    const messages = Array.from({ length: 300 }, (_, n) => ({
      id: `m${n}`,
      user: n % 2 ? ada : bo,
      text: n % 7 === 0 ? `Tea number ${n}, with more words to come` : `Words ${n}`,
      created_at: new Date(Date.now() - (300 - n) * 60_000).toISOString(),
    }))
    const conversations = [{ id: 'long', name: 'Long talk', members: [ada, bo], messages }]
    return window.kitFixture.start({ conversations, open: 'long', ...options })
  }, options)
  await page.waitForSelector('.chat-scroll-row')
  await page.getByRole('button', { name: 'Search this conversation' }).click()
  if (words !== undefined) await field().fill(words)
}
const asked = () => page.evaluate(() => window.kitFixture.calls('/search').length)

describe('a search beside the conversation', () => {
  it('takes the focus, finds by the beginnings of words, marks them, and shows the number of results', async () => {
    await adaSearches()
    await expect.poll(() => field().evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.type('te')
    await expect.poll(() => hits().count()).toBe(20)
    expect(await hits().first().locator('mark').allTextContents()).toEqual(['Te'])
    await page.locator('[aria-live=polite]').getByText('20 results').waitFor()
    await pane().getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => hits().count()).toBe(40)
  })

  it('[PERM-5] is offered only to users with the capability, with its key', async () => {
    const mayNot = ['read-events', 'send-message']
    await page.evaluate((capabilities) => {
      const conversations = window.kitFixture.aWorkingDay().map((one) => ({ ...one, capabilities }))
      return window.kitFixture.start({ open: 'racks', conversations, leaves: true })
    }, mayNot)
    await page.waitForSelector('.chat-scroll-row')
    expect(await page.getByRole('button', { name: 'Search this conversation' }).count()).toBe(0)
    await page.locator('.chat-composer textarea').focus()
    await page.keyboard.press('ControlOrMeta+F')
    // Results from elsewhere are not removed with it.
    await page.keyboard.press('ControlOrMeta+Shift+F')
    await expect.poll(() => field().evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await pane().getByRole('button', { name: 'This conversation' }).count()).toBe(0)
    expect(await pane().getByText('Everywhere').count()).toBe(1)
  })

  it('opens by its key from the field that finds conversations as well', async () => {
    await adaSearches(undefined, { leaves: true })
    await page.keyboard.press('Escape')
    await expect.poll(() => pane().count()).toBe(0)
    const conversations = page.getByRole('searchbox', { name: 'Search chats and messages' })
    for (const [keys, where] of [
      ['ControlOrMeta+F', 'This conversation'],
      ['ControlOrMeta+Shift+F', 'Everywhere'],
    ] as const) {
      await conversations.focus()
      await page.keyboard.press(keys)
      await expect.poll(() => field().evaluate((it) => it === document.activeElement)).toBe(true)
      await pane().getByRole('button', { name: where, pressed: true }).waitFor()
    }
  })

  it('sends a request after a pause, and not for a single letter', async () => {
    await page.clock.install()
    await adaSearches('t')
    await page.clock.runFor(1_000)
    expect(await asked()).toBe(0)
    await field().pressSequentially('ea')
    await expect.poll(() => hits().count()).toBe(20)
    expect(await asked()).toBe(1)
  })

  it('keeps the typed text while the page is slow to update its address', async () => {
    await adaSearches(undefined, { searchTakes: 500 })
    await field().fill('tea')
    await expect.poll(asked).toBe(1)
    await page.keyboard.type(' number')
    const seen = await page.evaluate(async () => {
      const seen = new Set<string>()
      // Until the page has passed back all values it was given.
      for (const kit = document.querySelector<HTMLElement>('.kit')!; kit.dataset.search !== 'tea number'; ) {
        seen.add(document.querySelector<HTMLInputElement>('.chat-search input')!.value)
        await new Promise(requestAnimationFrame)
      }
      return [...seen]
    })
    expect(seen).toEqual(['tea number'])
    await expect.poll(asked).toBe(2)
  })

  it('leads to a message far back, highlights it, and stays open', async () => {
    await adaSearches('number 7')
    await expect.poll(() => hits().count()).toBeGreaterThan(0)
    await pane()
      .getByRole('button', { name: /Tea number 7,/ })
      .click()
    await expect.poll(focusedKey).toBe('m7')
    expect(await page.locator('[data-key=m7]').getAttribute('data-highlighted')).toBe('true')
    expect(await pane().locator('[aria-current=true]').count()).toBe(1)
    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await page.getByText('Words 299', { exact: true }).waitFor()
  })

  it('works by keys alone: down to the results, Enter opens, F3 moves on, Escape closes', async () => {
    await adaSearches('tea')
    await expect.poll(() => hits().count()).toBe(20)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(focusedKey).toBe('m287')
    await page.keyboard.press('F3')
    await expect.poll(focusedKey).toBe('m280')
    await page.keyboard.press('Shift+F3')
    await expect.poll(focusedKey).toBe('m287')
    await field().focus()
    await page.keyboard.press('Escape')
    await pane().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
  })

  it('does not handle the keys of an input method, nor the Escape that drops a composition', async () => {
    await adaSearches('tea')
    await expect.poll(() => hits().count()).toBe(20)
    for (const key of ['ArrowDown', 'Escape'])
      await field().dispatchEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true })
    expect(await field().evaluate((it: HTMLInputElement) => [it === document.activeElement, it.value])).toEqual([
      true,
      'tea',
    ])
  })

  it('filters by own messages', async () => {
    await adaSearches('tea')
    await expect.poll(() => hits().count()).toBe(20)
    await pane().getByRole('button', { name: 'From me' }).click()
    await expect.poll(async () => new Set(await hits().locator('.chat-hit-name').allTextContents()).size).toBe(1)
    expect(await pane().getByRole('button', { name: 'From me' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('filters by sender and by days, with the keyboard', async () => {
    await adaSearches('words')
    await expect.poll(() => hits().count()).toBe(20)
    await pane().getByText('Sender and date').focus()
    await page.keyboard.press('Enter')
    await pane().getByRole('combobox', { name: 'From' }).focus()
    await page.keyboard.type('Bo')
    await expect
      .poll(async () => [...new Set(await hits().locator('.chat-hit-name').allTextContents())])
      .toEqual(['Bo Lindqvist'])
    const dayIn = (days: number) =>
      page.evaluate((days) => new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE'), days)
    // There are no messages tomorrow, nor two days ago.
    for (const [label, days] of [
      ['Since', 1],
      ['Until', -2],
    ] as const) {
      await pane()
        .getByLabel(label)
        .fill(await dayIn(days))
      await pane()
        .getByText(/^Nothing matches/)
        .waitFor()
      await pane()
        .getByLabel(label)
        .fill(await dayIn(-days))
      await expect.poll(() => hits().count()).toBe(20)
      await pane().getByLabel(label).fill('')
    }
  })

  it('everywhere filters by any user, found by name: those in conversations with the reader, and those of the directory', async () => {
    await page.evaluate(() => {
      const zoe = { id: 'zoe', name: 'Zoë Abiola', organization: 'Fabrikam' }
      const people = { find: async () => ({ people: [zoe], hasMore: false }) }
      return window.kitFixture.start({ open: 'racks', people, leaves: true })
    })
    await page.waitForSelector('.chat-scroll-row')
    await page.getByRole('button', { name: 'Search this conversation' }).click()
    await pane().getByRole('button', { name: 'Everywhere' }).click()
    await field().first().fill('the')
    await pane().getByText('Sender and date').click()
    const from = pane().getByRole('combobox', { name: 'From' })
    await from.fill('zoe')
    await expect
      .poll(() => pane().getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('Zoë Abiola')])
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.kitFixture.show({ theme }), theme)
      await standsStill(page)
      expect(await axeFinds(page, '.chat-search')).toEqual([])
    }
    await page.keyboard.press('Escape')
    expect(await from.inputValue()).toBe('')
    // Not a member of the open conversation.
    await from.fill('leila')
    await from.fill('maxi')
    await expect.poll(() => pane().getByRole('option').first().textContent()).toContain('Maximiliane')
    await page.keyboard.press('Enter')
    const narrowed = pane().getByRole('button', { name: 'Remove filter: Maximiliane Freifrau' })
    await narrowed.waitFor()
    expect(await narrowed.evaluate((it) => it === document.activeElement)).toBe(true)
    await expect
      .poll(async () => [...new Set(await hits().locator('.chat-hit-name').allTextContents())])
      .toEqual(['Maximiliane Freifrau von Hohenstein-Oberndorf'])
    await page.keyboard.press('Enter')
    await from.waitFor()
    expect(await from.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('everywhere shows the members of a conversation without a name', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', leaves: true }))
    await page.waitForSelector('.chat-scroll-row')
    await page.getByRole('button', { name: 'Search this conversation' }).click()
    await pane().getByRole('button', { name: 'Everywhere' }).click()
    await field().fill('sent')
    const sent = pane().getByRole('button', { name: /You.*Sent!.*Bo Lindqvist/ })
    await sent.waitFor()
    expect(await sent.locator('.chat-avatar').textContent()).toBe('AO')
  })

  it('stores queries with an opened result, on this device, until they are cleared', async () => {
    await adaSearches('tea')
    await hits().first().click()
    await pane().getByRole('button', { name: 'Clear search' }).click()
    await pane().getByRole('button', { name: 'tea', exact: true }).click()
    await expect.poll(() => hits().count()).toBe(20)
    await pane().getByRole('button', { name: 'Clear search' }).click()
    await pane().getByRole('button', { name: 'Clear recent searches' }).click()
    await pane().getByText('Look for a word in a message.').waitFor()
    expect(await field().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('shows when there are no results, also for code or right-to-left text', async () => {
    await adaSearches('<b>\u202egnihton\u202c</b>')
    await pane()
      .getByText(/^Nothing matches/)
      .waitFor()
    expect(await pane().locator('b').count()).toBe(0)
  })

  it('shows a failure, and tries again', async () => {
    await adaSearches()
    await page.evaluate(() => window.kitFixture.server().refusals.set('GET /search', { status: 500, code: -1 }))
    await field().fill('tea')
    await pane().getByText('The search did not work.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await pane().getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => hits().count()).toBe(20)
  })

  it('shows a failure to load more, keeps the results, and tries again', async () => {
    await adaSearches('tea')
    await expect.poll(() => hits().count()).toBe(20)
    await page.evaluate(() => window.kitFixture.server().refusals.set('GET /search', { status: 500, code: -1 }))
    await pane().getByRole('button', { name: 'Show more' }).click()
    await pane().getByText('The search did not work.').waitFor()
    expect(await hits().count()).toBe(20)
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await pane().getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => hits().count()).toBe(40)
    expect(await pane().getByText('The search did not work.').count()).toBe(0)
  })

  it('covers the conversation on a phone, and closes for the message', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await adaSearches('number 7')
    await pane()
      .getByRole('button', { name: /Tea number 7,/ })
      .click()
    await pane().waitFor({ state: 'detached' })
    await expect.poll(focusedKey).toBe('m7')
  })
})
