import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const start = (options: KitOptions = {}) => page.evaluate((options) => window.kitFixture.start(options), options)
const rows = () => page.getByRole('navigation', { name: 'Conversations' }).locator('.chat-channel-row')
const names = () => page.locator('.chat-channel-name').allTextContents()
const row = (name: string) => rows().filter({ has: page.locator(`.chat-channel-name:text-is("${name}")`) })
const says = (id: string, text: string) =>
  page.evaluate(([id, text]) => window.kitFixture.server().says(id!, window.kitFixture.bo, text!), [id, text])

it('a list that stays open all day keeps only the newest message of each conversation', async () => {
  await start()
  await row('Bo Lindqvist').waitFor()
  const kept = await page.evaluate(() => {
    const server = window.kitFixture.server()
    for (let n = 1; n <= 250; n++) server.says('bo', window.kitFixture.bo, `Word ${n}`)
    return server.client.channel('messaging', 'bo').state.messages.length
  })
  expect(kept).toBe(200)
  await row('Bo Lindqvist').getByText('Word 250', { exact: true }).waitFor()
})

describe('the order of the conversations', () => {
  it('is pinned first, then by last activity, and follows a new message', async () => {
    await start()
    await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Rack planning', '山田 由紀', 'Bo Lindqvist'])
    await says('bo', 'One more thing')
    await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Rack planning', 'Bo Lindqvist', '山田 由紀'])
  })

  it('does not move a row under the pointer, or with the focus, until that leaves', async () => {
    await start()
    await row('Bo Lindqvist').hover()
    await says('bo', 'One more thing')
    await row('Bo Lindqvist').getByText('One more thing', { exact: true }).waitFor()
    expect((await names()).indexOf('Bo Lindqvist')).toBe(2)
    await page.mouse.move(900, 500)
    await expect.poll(async () => (await names()).indexOf('Bo Lindqvist')).toBe(1)

    await row('山田 由紀').focus()
    await says('yuki', 'And another')
    await row('山田 由紀').getByText('And another', { exact: true }).waitFor()
    expect((await names()).indexOf('山田 由紀')).toBe(2)
    await row('山田 由紀').blur()
    await expect.poll(async () => (await names()).indexOf('山田 由紀')).toBe(1)
  })
})

describe('a row that moves', () => {
  /** Names and lengths of the animations. */
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.chat-channels-list > li')].flatMap((row) =>
        row.getAnimations().map((motion) => {
          const { duration } = motion.effect!.getTiming()
          return [row.querySelector('.chat-channel-name')?.textContent, duration]
        }),
      ),
    )
  /** A message arrives, and the animations are reported before they end. */
  const movingAfter = async (id: string) => {
    const order = await names()
    await page.evaluate((id) => {
      const { animate } = Element.prototype
      Element.prototype.animate = function (...given) {
        const motion = animate.apply(this, given)
        motion.pause()
        return motion
      }
      window.kitFixture.server().says(id, window.kitFixture.bo, 'News')
    }, id)
    await expect.poll(names).not.toEqual(order)
    const motions = await moving()
    await page.evaluate(() => document.getAnimations().map((motion) => motion.finish()))
    return motions
  }
  /** The animation code is loaded for the first row that moves. */
  const firstOneMoves = async () => {
    await row('Bo Lindqvist').waitFor()
    await says('bo', 'One more thing')
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /glide/.test(name)))
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  }

  it('is animated, with the rows it passes; the others stay, and each row stays the same element', async () => {
    await start()
    await firstOneMoves()
    const node = await row('山田 由紀').elementHandle()
    const motions = await movingAfter('yuki')
    expect(motions).toEqual([
      ['山田 由紀', 150],
      ['Bo Lindqvist', 150],
    ])
    expect(await row('山田 由紀').evaluate((it, node) => it === node, node)).toBe(true)
    expect(await moving()).toEqual([])
  })

  it('moves at once while a finger is down or a menu is open, and with reduced motion', async () => {
    await start()
    await firstOneMoves()
    await page.mouse.move(900, 500)
    await page.mouse.down()
    expect(await movingAfter('yuki')).toEqual([])
    await page.mouse.up()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await movingAfter('bo')).toEqual([])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect((await movingAfter('yuki')).length).toBe(2)
    await row('Rack planning').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    expect(await movingAfter('bo')).toEqual([])
  })
})

describe('a row', () => {
  it('has one accessible name made of the facts that apply', async () => {
    await start()
    expect(await row('山田 由紀').locator('.chat-hidden').textContent()).toMatch(
      /^山田 由紀, 2 unread messages, よろしくお願いします🙇, 2[56] minutes ago, online$/,
    )
    expect(await row('Rack planning').locator('.chat-hidden').textContent()).toMatch(/pinned$/)
    await page.getByRole('button', { name: /^山田 由紀, 2 unread messages,/ }).waitFor()
  })

  it('shows the receipt of the last own message, as the message itself does', async () => {
    await start({ open: 'bo' })
    const mark = row('Bo Lindqvist').locator('.chat-channel-top svg')
    const markAt = (delivery: string) => page.locator(`[data-key="bo-2"] [data-delivery=${delivery}] svg`).innerHTML()
    const delivered = await markAt('delivered')
    await expect.poll(() => mark.innerHTML()).toBe(delivered)
    await page.evaluate(() => window.kitFixture.server().reads('bo', window.kitFixture.bo))
    const read = await markAt('read')
    expect(read).not.toBe(delivered)
    await expect.poll(() => mark.innerHTML()).toBe(read)
    expect(await row('ليلى حداد').first().locator('.chat-channel-top svg').count()).toBe(0)
  })

  it('shows an unread mention in place of the receipt of the last own message', async () => {
    await start()
    await row('Bo Lindqvist').locator('.chat-channel-top svg').waitFor()
    await page.evaluate(() => {
      const { ada, bo } = window.kitFixture
      window.kitFixture.server().says('bo', bo, '@Ada Okafor?', { mentioned_users: [ada] })
    })
    await row('Bo Lindqvist').getByText('@', { exact: true }).waitFor()
    expect(await row('Bo Lindqvist').locator('.chat-hidden').textContent()).toMatch(
      /^Bo Lindqvist, 1 unread message, 1 mention, @Ada Okafor\?/,
    )
    expect(await row('Bo Lindqvist').locator('.chat-channel-top svg').count()).toBe(0)
  })

  it('shows no flickering clock while an own message is being sent, but its time', async () => {
    await start({ open: 'bo' })
    const mark = row('Bo Lindqvist').locator('.chat-channel-top svg')
    await mark.waitFor()
    const said = () => row('Bo Lindqvist').locator('time').getAttribute('title')
    const before = await said()
    await page.evaluate(() => {
      const server = window.kitFixture.server()
      server.hold()
      void server.client.channel('messaging', 'bo').send({ text: 'On my way' })
    })
    await row('Bo Lindqvist').getByText('You: On my way', { exact: true }).waitFor()
    expect(await mark.count()).toBe(0)
    expect(await said()).not.toBe(before)
    await page.evaluate(() => window.kitFixture.server().deliver())
    await mark.waitFor()
  })

  it('is muted until the mute expires, and no longer', async () => {
    // The rows check the time at the start of each minute.
    await page.clock.install({ time: new Date('2026-06-03T10:00:45') })
    await start()
    await page.evaluate(() => {
      const expires = new Date(Date.now() + 10_000).toISOString()
      const me = { channel_mutes: [{ channel: { cid: 'messaging:racks' }, expires }] }
      window.kitFixture.server().pushes('racks', 'notification.channel_mutes_updated', { me })
    })
    const name = () => row('Rack planning').locator('.chat-hidden').first().textContent()
    await expect.poll(name).toContain('muted')
    await page.clock.runFor(16_000)
    expect(await name()).not.toContain('muted')
  })

  it('[MOD-15] does not show what a muted person writes, as the conversation does not', async () => {
    await start()
    const line = () => row('Rack planning').locator('.chat-channel-line').textContent()
    await page.evaluate(() => window.kitFixture.server().says('racks', window.kitFixture.bo, 'Psst'))
    await expect.poll(line).toContain('Psst')
    const mutes = (ids: string[]) =>
      page.evaluate((ids) => {
        const me = { mutes: ids.map((id) => ({ target: { id } })) }
        window.kitFixture.server().pushes('racks', 'notification.mutes_updated', { me })
      }, ids)
    await mutes(['bo'])
    await expect.poll(line).toBe('Message from a muted person')
    await mutes([])
    await expect.poll(line).toContain('Psst')
  })

  it('shows the length of a voice message', async () => {
    await start()
    await page.evaluate(() => {
      const voice = { type: 'voiceRecording', asset_url: 'https://example.com/a.webm', duration: 72.4 }
      window.kitFixture.server().says('bo', window.kitFixture.bo, '', { attachments: [voice] })
    })
    await row('Bo Lindqvist').getByText('Voice message, 1:12', { exact: true }).waitFor()
  })

  it('counts unread messages to 99', async () => {
    await start()
    await row('ليلى حداد').first().getByText('99+').waitFor()
    await says('bo', 'One more thing')
    await row('Bo Lindqvist').getByText('1', { exact: true }).waitFor()
  })

  it('[TYP-6] shows typing users in place of the last message', async () => {
    await start()
    await rows().first().waitFor()
    await page.evaluate(() => window.kitFixture.server().types('bo', window.kitFixture.bo))
    await row('Bo Lindqvist').getByText('Bo Lindqvist is typing…', { exact: true }).waitFor()
  })
})

describe('by keyboard', () => {
  it('the search and the list are a tab stop each; arrows, Home, End and letters move; Enter opens', async () => {
    await start()
    await rows().first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const at = () => page.evaluate(() => document.activeElement?.querySelector('.chat-channel-name')?.textContent)
    expect(await at()).toBe('Rack planning')
    await page.keyboard.press('ArrowDown')
    expect(await at()).toBe('山田 由紀')
    await page.keyboard.press('End')
    expect(await at()).toBe((await names()).at(-1))
    await page.keyboard.press('Home')
    expect(await at()).toBe('Rack planning')
    await page.keyboard.type('comp')
    expect(await at()).toBe('Company news')
    await page.keyboard.press('Enter')
    await expect.poll(() => row('Company news').getAttribute('aria-current')).toBe('page')
    await page.getByRole('heading', { name: 'Company news', level: 2 }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('nav'))).toBeNull()
  })
})

it('the Escape that drops a composition keeps the query', async () => {
  await start()
  const field = page.getByRole('searchbox')
  await field.fill('rack')
  await field.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true, cancelable: true })
  expect(await field.inputValue()).toBe('rack')
})

describe('when the list changes on the server', () => {
  it('[TOA-41] being removed drops the row and shows the open channel as missing', async () => {
    await start({ open: 'bo' })
    await page.getByRole('heading', { name: 'Bo Lindqvist', level: 2 }).waitFor()
    await page.evaluate(() => window.kitFixture.server().takesAway('bo'))
    await page.getByRole('heading', { name: 'Channel Missing' }).waitFor()
    await expect.poll(async () => (await names()).includes('Bo Lindqvist')).toBe(false)
  })

  it('being added repeats the query and shows the new row', async () => {
    await start({ conversations: [] })
    await page.getByText('No conversations yet').waitFor()
    await page.evaluate(() => {
      const { server, ada, bo } = window.kitFixture
      server().conversations.push({ id: 'new', members: [ada, bo], messages: [] })
      server().pushes('new', 'notification.added_to_channel', { channel: { id: 'new', cid: 'messaging:new' } })
    })
    await row('Bo Lindqvist').waitFor()
  })

  it('a channel hidden during the query stays hidden, whatever an older answer contains', async () => {
    await start()
    await row('Bo Lindqvist').waitFor()
    await page.evaluate(() => {
      const { server } = window.kitFixture
      server().hold({ answered: true })
      server().pushes('racks', 'notification.added_to_channel', {})
    })
    const asked = () => page.evaluate(() => window.kitFixture.calls('/channels').length)
    const before = await asked()
    await page.evaluate(() => {
      const { conversations } = window.kitFixture.server()
      const at = conversations.findIndex(({ id }) => id === 'bo')
      conversations.splice(at, 1)
      window.kitFixture.server().pushes('bo', 'channel.hidden', {})
    })
    await row('Bo Lindqvist').waitFor({ state: 'detached' })
    const seen = await page.evaluateHandle(() => {
      const seen = new Set<string>()
      const look = () => {
        for (const name of document.querySelectorAll('.chat-channel-name')) seen.add(name.textContent!)
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
      return seen
    })
    await page.evaluate(() => window.kitFixture.server().deliver())
    await expect.poll(asked).toBeGreaterThan(before)
    await says('racks', 'And all is as it is now')
    await row('Rack planning').getByText('Bo Lindqvist: And all is as it is now', { exact: true }).waitFor()
    expect(await seen.evaluate((seen) => [...seen])).toEqual(expect.not.arrayContaining(['Bo Lindqvist']))
    expect(await row('Bo Lindqvist').count()).toBe(0)
  })

  it('a message in a channel that does not belong in the list triggers one query, not one each time', async () => {
    await start()
    await rows().first().waitFor()
    await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      const message = { id: 'x', user: bo, text: 'Hi', created_at: new Date().toISOString() }
      for (let n = 0; n < 5; n++) server().pushes('elsewhere', 'notification.message_new', { message, user: bo })
    })
    const queries = () => page.evaluate(() => window.kitFixture.calls('/channels').length)
    await expect.poll(queries).toBe(2)
    await says('bo', 'One more thing')
    await row('Bo Lindqvist').getByText('One more thing', { exact: true }).waitFor()
    expect(await queries()).toBe(2)
  })

  it('a failure is shown with a retry button', async () => {
    await page.evaluate(() =>
      window.kitFixture.start({}, (server) => server.refusals.set('POST /channels', { status: 500, code: -1 })),
    )
    await page.getByText('Your conversations could not be loaded.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Try again' }).click()
    await row('Rack planning').waitFor()
  })
})

/** Ada with so many conversations. */
const adaHas = (count: number) =>
  page.evaluate((length) => {
    const { ada, bo } = window.kitFixture
    const conversations = Array.from({ length }, (_, n) => ({
      id: `c${n}`,
      name: `Conversation ${n}`,
      members: [ada, bo],
      messages: [{ id: `m${n}`, user: bo, text: 'Hi', created_at: new Date(Date.now() - n * 60_000).toISOString() }],
    }))
    return window.kitFixture.start({ conversations })
  }, count)

it('requests thirty channels at a time, until the list ends', async () => {
  await adaHas(70)
  await expect.poll(() => rows().count()).toBe(30)
  for (const count of [60, 70]) {
    await page.locator('.chat-channels').evaluate((it) => it.scrollTo(0, it.scrollHeight))
    await expect.poll(() => rows().count()).toBe(count)
  }
  const asked = await page.evaluate(() =>
    window.kitFixture.calls('/channels').map(({ body }) => [body.limit, body.offset]),
  )
  expect(asked).toEqual([
    [30, 0],
    [30, 30],
    [30, 60],
  ])
})

it('a page that failed to load is requested again by the reader, not automatically', async () => {
  await adaHas(40)
  await expect.poll(() => rows().count()).toBe(30)
  await page.evaluate(() => window.kitFixture.server().refusals.set('POST /channels', { status: 500, code: -1 }))
  await page.locator('.chat-channels').evaluate((it) => it.scrollTo(0, it.scrollHeight))
  await page.getByText('Your conversations could not be loaded.').waitFor()
  expect(await page.evaluate(() => window.kitFixture.calls('/channels').length)).toBe(2)
  await page.evaluate(() => window.kitFixture.server().refusals.clear())
  const again = page.getByRole('button', { name: 'Try again' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows().count()).toBe(40)
  expect(await page.evaluate(() => document.activeElement?.closest('.chat-channels') !== null)).toBe(true)
})
