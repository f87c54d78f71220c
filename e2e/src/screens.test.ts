import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { outOfPlace } from '../../scripts/out-of-place.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

/** Names and messages may end in an ellipsis; a name that matches none turns that exception off. */
const NOBODYS = '^$'

/** Every screen, and how to get to it. */
const screens: [name: string, reach: (visitor: Visitor) => Promise<unknown>][] = [
  ['start', ({ page }) => page.getByRole('heading', { level: 1 }).waitFor()],
  ['organizations', ({ page }) => goTo(page, '/organizations')],
  [
    'members',
    async ({ page }) => {
      await goTo(page, '/organizations')
      await page
        .getByRole('link', { name: /Kiku Robotics/ })
        .first()
        .click()
      await page.getByLabel('Search members').waitFor()
    },
  ],
  ['settings', ({ page }) => goTo(page, '/settings')],
  ['not-found', ({ page }) => goTo(page, '/nowhere')],
  ['offline', ({ page }) => goTo(page, '/offline')],
  [
    'chat',
    ({ page }) =>
      page.goto('/chat').then(() =>
        page
          .getByRole('link', { name: /Bo Nakamura/ })
          .first()
          .waitFor(),
      ),
  ],
  [
    'conversation',
    async (visitor) => {
      await openGroup(visitor)
      await visitor.page.getByRole('article').first().waitFor()
    },
  ],
  [
    'message-menu',
    async (visitor) => {
      await visitor.page.goto('/chat')
      await visitor.page
        .getByRole('link', { name: /Supply round table/ })
        .first()
        .click()
      const last = visitor.page.getByRole('article').last()
      await last.hover()
      await last.getByRole('button', { name: 'More actions' }).click()
      await visitor.page.getByRole('menu').waitFor()
    },
  ],
  ['details', (visitor) => openDetails(visitor)],
  [
    'search-everywhere',
    async (visitor) => {
      await openGroup(visitor)
      await visitor.page.goto(`${visitor.page.url()}?search=the&in=all&since=2020-01-31`)
      await visitor.page.locator('.chat-hit').first().waitFor()
    },
  ],
  [
    'commands',
    async ({ page, composer }) => {
      await page.goto('/chat')
      await page
        .getByRole('link', { name: /Supply round table/ })
        .first()
        .click()
      // The draft of an earlier visit is there again.
      await composer.fill('')
      await page.keyboard.type('/')
      await page.getByRole('option').first().waitFor()
    },
  ],
  [
    'widget',
    async ({ page }) => {
      await page
        .getByRole('button', { name: /Open chat/ })
        .last()
        .click()
      await page.locator('#chat-widget').getByText('Bo Nakamura').first().waitFor()
    },
  ],
  ['new-chat', ({ page }) => openNewChat(page)],
  [
    'new-group',
    async ({ page }) => {
      await openNewChat(page)
      await page.getByRole('dialog').getByRole('button', { name: 'New group' }).click()
      await page.getByRole('checkbox').first().click()
    },
  ],
  [
    'channel-missing',
    ({ page }) => page.goto('/chat/messaging:nowhere').then(() => page.getByText('Channel Missing').waitFor()),
  ],
]

describe('every screen is accessible', () => {
  const product = theProduct()

  for (const colorScheme of ['light', 'dark'] as const)
    for (const [shape, viewport] of [
      ['wide', { width: 1280, height: 800 }],
      ['phone', { width: 390, height: 844 }],
    ] as const)
      it(`[APP-9] in the ${colorScheme} theme, ${shape}`, { timeout: 300_000 }, async () => {
        // Without motion, so that no element is checked half faded.
        const options = { colorScheme, viewport, hasTouch: shape === 'phone', reducedMotion: 'reduce' as const }
        const stranger = await product.visitor(options)
        await stranger.page.goto('/sign-in')
        await stranger.isAccessible()
        await stranger.takesPicture(`sign-in-${colorScheme}-${shape}`)

        await adaGoesEverywhere(options, async (ada, name) => {
          await ada.takesPicture(`${name}-${colorScheme}-${shape}`)
          await ada.isAccessible(name)
        })
      })

  for (const [how, dir, viewport] of [
    ['enlarged until 320 px are left', 'ltr', { width: 320, height: 640 }],
    ['on a phone held sideways', 'ltr', { width: 740, height: 360 }],
    ['right to left', 'rtl', { width: 768, height: 1024 }],
  ] as const)
    it(`nothing is cut off, covered or beside the page: ${how}`, { timeout: 300_000 }, async () => {
      const options = { viewport, hasTouch: dir === 'ltr', reducedMotion: 'reduce' as const }
      await adaGoesEverywhere(options, async (ada, name) => {
        await ada.page.evaluate((dir) => {
          document.documentElement.dir = dir
        }, dir)
        await ada.settles()
        await ada.takesPicture(`${name}-${dir}-${viewport.width}`)
        expect({ name, found: await outOfPlace(ada.page, NOBODYS) }).toEqual({ name, found: [] })
      })
    })

  async function adaGoesEverywhere(
    options: BrowserContextOptions,
    look: (ada: Visitor, screen: string) => Promise<void>,
  ) {
    const ada = await product.member('ada@northwind.example', '/', options)
    for (const [name, reach] of screens) {
      if (options.hasTouch && name === 'message-menu') continue
      await ada.page.goto('/')
      await ada.page
        .getByRole('button', { name: /Open chat/ })
        .last()
        .waitFor()
      await reach(ada)
      await look(ada, name)
    }
    ada.isWell()
  }

  it('switches can be told apart in the colours of a contrast theme', { timeout: 120_000 }, async () => {
    const ada = await product.member('ada@northwind.example', '/', { forcedColors: 'active' })
    await goTo(ada.page, '/organizations/northwind/members')
    const drawn = (is: ':checked' | ':not(:checked)') =>
      ada.page
        .locator(`.switch input${is}`)
        .first()
        .evaluate((input) => ({
          knob: getComputedStyle(input, '::before').backgroundColor,
          ground: getComputedStyle(input).backgroundColor,
        }))
    const [on, off] = [await drawn(':checked'), await drawn(':not(:checked)')]
    expect(on.knob).not.toBe(off.knob)
    for (const { knob, ground } of [on, off]) expect(knob).not.toBe(ground)
    await ada.takesPicture('members-contrast')
  })

  it('[APP-30] without chat access, with an explanation and a way back', { timeout: 60_000 }, async () => {
    const cleo = await product.member('cleo@northwind.example', '/chat')
    await cleo.page.getByText('Chat is not enabled for your account').waitFor()
    await cleo.isAccessible()
    await cleo.takesPicture('no-access')
    await cleo.page.getByRole('link', { name: 'Back to start' }).click()
    await cleo.page.waitForURL((url) => url.pathname === '/')
  })
})

async function goTo(page: Visitor['page'], path: string) {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

async function openNewChat(page: Visitor['page']) {
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

async function openGroup({ page, composer }: Visitor) {
  await page.goto('/chat')
  await page
    .getByRole('link', { name: /Supply round table/ })
    .first()
    .click()
  await composer.waitFor()
}

async function openDetails(visitor: Visitor) {
  await openGroup(visitor)
  await visitor.page.getByRole('heading', { name: 'Supply round table' }).getByRole('button').click()
  await visitor.page.getByRole('button', { name: 'Actions for Bo Nakamura' }).waitFor()
}
