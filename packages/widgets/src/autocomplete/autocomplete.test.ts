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
  await page.getByRole('textbox').focus()
}

async function adaOpensWith(open: string, capabilities: readonly string[]) {
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  await adaOpens(open, { conversations: conversations.map((one) => ({ ...one, capabilities })) })
}

const box = () => page.getByRole('textbox')
const list = () => page.getByRole('listbox')
const options = () => list().getByRole('option')
const chosen = () => list().getByRole('option', { selected: true })
const names = async () => {
  await list().waitFor()
  return list().locator('.chat-suggestion-name').allTextContents()
}
const sent = () =>
  page.evaluate(() =>
    window.kitFixture.calls('/message').map(({ body }) => {
      const { text, mentioned_users } = body.message as { text: string; mentioned_users: string[] }
      return { text, mentioned_users }
    }),
  )
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

describe('commands', () => {
  it('[CMD-1] [CMD-2] [CMD-3] [CMD-4] [CMD-5] [CMD-10] a slash offers the permitted commands, and nothing else', async () => {
    await adaOpensWith('racks', ['read-events', 'send-message', 'ban-channel-members'])
    await page.keyboard.type('/')
    expect(await names()).toEqual(['/giphy', '/ban', '/unban', '/mute', '/unmute'])
    await adaOpensWith('racks', ['read-events', 'send-message'])
    await page.keyboard.type('/')
    expect(await names()).toEqual(['/giphy', '/mute', '/unmute'])
  })

  it.each(['ban', 'unban', 'mute', 'unmute'])(
    "%s names a user by keyboard, and is sent in the server's format",
    async (name) => {
      await adaOpensWith('racks', ['read-events', 'send-message', 'ban-channel-members'])
      await page.keyboard.type(`/${name.slice(0, -1)}`)
      await expect.poll(async () => (await names())[0]).toBe(`/${name}`)
      await press('Enter')
      await page.getByRole('button', { name: `Remove the command ${name}` }).waitFor()
      // It asks for a user at once, and cannot be sent without one.
      await expect.poll(names).toEqual(['Bo Lindqvist', 'Cy Tanaka'])
      expect(await page.getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-disabled')).toBe('true')
      await press('ArrowDown', 'Tab')
      expect(await box().inputValue()).toBe('@Cy Tanaka ')
      await press('Enter')
      await expect.poll(sent).toEqual([{ text: `/${name} @Cy Tanaka `, mentioned_users: ['cy'] }])
    },
  )

  it('a typed command becomes a chip; Backspace behind it removes it, and the text stays', async () => {
    await adaOpens('bo')
    await page.keyboard.type('/giphy cats')
    await page.getByRole('button', { name: 'Remove the command giphy' }).waitFor()
    expect(await box().inputValue()).toBe('cats')
    await press('Home', 'Backspace')
    expect(await page.locator('.chat-command').count()).toBe(0)
    expect(await box().inputValue()).toBe('cats')
  })

  it('undo reverts the choice of a command', async () => {
    await adaOpens('bo')
    await page.keyboard.type('/gi')
    await list().waitFor()
    await press('Enter')
    await page.locator('.chat-command').waitFor()
    await press('Control+z')
    await expect.poll(() => box().inputValue()).toBe('/gi')
    expect(await page.locator('.chat-command').count()).toBe(0)
  })

  it('an edited message cannot begin with a command', async () => {
    await adaOpens('bo')
    // The code for suggestions is loaded.
    await page.keyboard.type('/')
    await list().waitFor()
    await press('Backspace', 'ArrowUp')
    await box().fill('/')
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await list().count()).toBe(0)
  })
})

describe('users', () => {
  it('the most recent author comes first, and the chosen user is mentioned', async () => {
    await adaOpens('racks')
    await page.keyboard.type('Ask @')
    expect(await names()).toEqual(['Bo Lindqvist', 'Cy Tanaka'])
    await page.keyboard.type('TANA')
    await expect.poll(names).toEqual(['Cy Tanaka'])
    await press('Enter')
    expect(await box().inputValue()).toBe('Ask @Cy Tanaka ')
    expect(await list().count()).toBe(0)
    await press('Enter')
    await expect.poll(sent).toEqual([{ text: 'Ask @Cy Tanaka ', mentioned_users: ['cy'] }])
  })

  it('a guest or app has a tag beside the name', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    const others = [
      { id: 'deploys', name: 'Deploys', role: 'bot' },
      { id: 'visitor', name: 'Devi', role: 'guest' },
    ]
    await adaOpens('racks', {
      conversations: conversations.map((one) => ({ ...one, members: [...one.members, ...others] })),
    })
    await page.keyboard.type('@')
    await options().first().waitFor()
    expect(await options().evaluateAll((rows) => rows.map((it) => it.querySelector('.chat-tag')?.textContent))).toEqual(
      [undefined, undefined, 'App', 'Guest'],
    )
    await list().getByRole('option', { name: 'Deploys App' }).waitFor()
  })

  it('[PERM-5] no user is offered where mentions are forbidden', async () => {
    await adaOpensWith('racks', ['read-events', 'send-message'])
    await page.keyboard.type('@bo')
    await expect.poll(() => box().inputValue()).toBe('@bo')
    expect(await list().count()).toBe(0)
  })

  it('Escape closes the list for this word only, and nothing else', async () => {
    await adaOpens('racks')
    await press('Shift+ArrowUp')
    await page.keyboard.type('@b')
    await list().waitFor()
    await press('Escape')
    await expect.poll(() => list().count()).toBe(0)
    await page.getByText(/^Replying to/).waitFor()
    await page.keyboard.type('o')
    expect(await list().count()).toBe(0)
    await page.keyboard.type(' and @c')
    expect(await names()).toEqual(['Cy Tanaka'])
  })

  it('a list closed with Escape stays closed when the caret leaves the word and comes back, until the word is typed again', async () => {
    await adaOpens('racks')
    await page.keyboard.type('Well, @c')
    await list().waitFor()
    await press('Escape', 'Home')
    await press('End')
    await page.keyboard.type('y')
    await page.getByRole('button', { name: 'Emoji' }).focus()
    await box().focus()
    await press('ArrowLeft', 'ArrowRight')
    expect(await list().count()).toBe(0)
    expect(await box().getAttribute('aria-activedescendant')).toBeNull()
    await press('Backspace', 'Backspace', 'Backspace')
    await page.keyboard.type('@c')
    await list().waitFor()
  })

  it('undo reverts an accepted name', async () => {
    await adaOpens('racks')
    await page.keyboard.type('@bo')
    await list().waitFor()
    await press('Enter')
    expect(await box().inputValue()).toBe('@Bo Lindqvist ')
    await press('Control+z')
    await expect.poll(() => box().inputValue()).toBe('@bo')
  })

  it('in a large channel the server is asked for unknown members', async () => {
    const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
    await adaOpens('racks', { conversations: conversations.map((one) => ({ ...one, data: { member_count: 300 } })) })
    await page.keyboard.type('@le')
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/members').length)).toBe(1)
  })
})

describe('emoji', () => {
  it('are found by their names in the current language, and inserted by Enter', async () => {
    await adaOpens('bo', { language: 'de' })
    await page.keyboard.type('Toll :konf')
    await expect.poll(names).toContain('Konfettibombe')
    await press('Enter')
    expect(await box().inputValue()).toBe('Toll 🎉')
  })

  it('a time of day and a link open no list', async () => {
    await adaOpens('bo')
    await page.keyboard.type('At 10:30 see https://example')
    expect(await list().count()).toBe(0)
  })
})

describe('the list', () => {
  it('belongs to the box, which keeps its role and its focus; the number of suggestions is announced', async () => {
    await adaOpens('racks')
    await page.keyboard.type('@')
    await list().waitFor()
    expect(await box().getAttribute('aria-controls')).toBe(await list().getAttribute('id'))
    expect(await box().getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'))
    await press('ArrowUp')
    expect(await chosen().textContent()).toContain('Cy Tanaka')
    expect(await box().getAttribute('aria-activedescendant')).toBe(await options().nth(1).getAttribute('id'))
    await page.getByText('2 suggestions').waitFor({ state: 'attached' })
    await press('Escape')
    await page.getByText('Suggestions closed').waitFor({ state: 'attached' })
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('moves nothing when it opens, and can be used with a pointer, too', async () => {
    await adaOpens('racks')
    const last = page.locator('[data-key]').last()
    await expect.poll(async () => (await last.boundingBox())!.y).toBeLessThan(900)
    const before = await last.boundingBox()
    await page.keyboard.type('@')
    await list().waitFor()
    expect(await last.boundingBox()).toEqual(before)
    await options().nth(1).click()
    expect(await box().inputValue()).toBe('@Cy Tanaka ')
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('does not handle Enter while an input method composes', async () => {
    await adaOpens('racks')
    await page.keyboard.type('@')
    await list().waitFor()
    await box().dispatchEvent('compositionstart')
    await box().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
    expect(await box().inputValue()).toBe('@')
    await box().dispatchEvent('compositionend')
  })

  it('closes when the caret leaves the word', async () => {
    await adaOpens('racks')
    await page.keyboard.type('Ask @b')
    await list().waitFor()
    await press('Home')
    await expect.poll(() => list().count()).toBe(0)
  })
})
