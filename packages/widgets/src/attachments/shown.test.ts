import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import type { FakeMessage } from '../testing/fake-server.ts'
import { aKitPage } from '../testing/kit-page.ts'
import { aPicture } from '../testing/uploading.ts'

let page: Page
/** The requests of the page, to any host. */
let asked: string[]
/** Pictures that are missing. */
let missing: Set<string>
const anotherPage = aKitPage(
  async (opened) => {
    page = opened
    asked = []
    missing = new Set()
    page.on('request', (request) => asked.push(request.url()))
    await page.route('https://files.example.com/**', (route) => {
      const headers = { 'access-control-allow-origin': '*' }
      const name = new URL(route.request().url()).pathname.slice(1)
      if (missing.has(name)) return route.fulfill({ status: 404, headers })
      return route.fulfill({ contentType: 'image/png', headers, body: aPicture })
    })
  },
  { refuses: true, acceptDownloads: true },
)

type Told = Partial<FakeMessage> & { by?: 'ada' | 'bo' }

/** Ada opens her conversation with Bo, with these messages, one a minute. */
async function adaReads(told: Told[], options: { theme?: 'light' | 'dark'; dir?: 'rtl' } = {}) {
  await page.evaluate(
    ([told, options]) => {
      if (options.dir) document.documentElement.dir = options.dir
      const { ada, bo, aWorkingDay } = window.kitFixture
      const conversations = aWorkingDay()
      const withBo = conversations.find(({ id }) => id === 'bo')!
      withBo.messages = told.map(({ by = 'bo', ...fields }, i) => ({
        id: `m${i}`,
        user: by === 'bo' ? bo : ada,
        text: '',
        created_at: new Date(Date.now() - (told.length - i) * 60_000).toISOString(),
        ...fields,
      }))
      return window.kitFixture.start({ open: 'bo', conversations, ...options })
    },
    [told, options] as const,
  )
  await page.locator(`[data-key="m${told.length - 1}"]`).waitFor()
}

const picture = (name: string, width = 1_200, height = 800) => ({
  type: 'image',
  image_url: `https://files.example.com/${name}`,
  fallback: name,
  original_width: width,
  original_height: height,
})
const row = (id: string) => page.locator(`[data-key="${id}"]`)
const lightbox = () => page.getByRole('dialog', { name: 'Photos' })
const shown = () => lightbox().getByRole('img').getAttribute('alt')
const count = () => lightbox().locator('.chat-lightbox-count').textContent()
const inFocus = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const scale = () => lightbox().locator('.chat-lightbox-scale').textContent()

describe('pictures in a message', () => {
  it('[ATT-11] have boxes of their final size before they load, so that nothing moves when they do', async () => {
    let give = () => {}
    const given = new Promise<void>((resolve) => {
      give = resolve
    })
    await page.route('https://files.example.com/late.png', async (route) => {
      await given
      await route.fulfill({ contentType: 'image/png', body: aPicture })
    })
    await adaReads([
      { text: 'Before' },
      { attachments: [picture('late.png', 1_600, 800)] },
      { attachments: [{ type: 'image', image_url: 'https://files.example.com/late.png' }] },
      { attachments: [picture('late.png', 8_000, 100)] },
      { text: 'After' },
    ])
    const boxes = () =>
      page
        .locator('.chat-picture')
        .evaluateAll((all) =>
          all.map((it) => [it.clientWidth, it.clientHeight, Math.round(it.getBoundingClientRect().top)]),
        )
    const before = await boxes()
    expect(before.map(([width, height]) => [width, height])).toEqual([
      [360, 180],
      [360, 270],
      [360, 80],
    ])
    give()
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth),
    )
    expect(await boxes()).toEqual(before)
  })

  it('have their text below them, no wider than they are, but never squeezed', async () => {
    const text = 'The whole ridge lay in the sun when we came over the last hill and looked back.'
    await adaReads([
      { text, attachments: [picture('wide.png')] },
      { text, attachments: [picture('tiny.png', 40, 40)] },
    ])
    const widthOf = (id: string, part: string) =>
      row(id)
        .locator(part)
        .evaluate((it) => it.getBoundingClientRect().width)
    const [bubble, gallery] = [await widthOf('m0', '.chat-bubble'), await widthOf('m0', '.chat-gallery')]
    expect(gallery).toBe(360)
    expect(bubble - gallery).toBeLessThan(16)
    expect(await widthOf('m1', '.chat-text')).toBeGreaterThan(200)
  })

  it('several form a grid of four, and the last shows how many more there are', async () => {
    await adaReads([{ attachments: Array.from({ length: 7 }, (_, i) => picture(`${i}.png`)) }])
    expect(await page.locator('.chat-picture').count()).toBe(4)
    expect(await page.locator('.chat-picture-more').getAttribute('data-more')).toBe('+3')
    await page.getByRole('button', { name: 'Open photo 3.png' }).click()
    await expect.poll(count).toBe('4 of 7')
  })

  it('one that fails to load shows its name and can be retried', async () => {
    missing.add('lake.png')
    await adaReads([{ attachments: [picture('lake.png')] }])
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await row('m0').getByText('lake.png').waitFor()
    const height = (await row('m0').boundingBox())!.height
    missing.clear()
    await again.click()
    await page.getByRole('button', { name: 'Open photo lake.png' }).waitFor()
    expect((await row('m0').boundingBox())!.height).toBe(height)
  })

  it('one that cannot be drawn is a file to save: at once in a format of few browsers, else after a second attempt', async () => {
    missing.add('lake.png').add('lake.heic')
    await adaReads([{ attachments: [picture('lake.png')] }, { attachments: [picture('lake.heic')] }])
    await row('m1').locator('a[download="lake.heic"]').waitFor()
    expect(await row('m1').getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await row('m0').getByRole('button', { name: 'Try again' }).click()
    await row('m0').locator('a[download="lake.png"]').waitFor()
    expect(await row('m0').getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  it('unsafe URLs are neither loaded nor linked', async () => {
    await adaReads([
      {
        attachments: [
          { type: 'image', image_url: 'javascript:alert(1)', fallback: 'bad.png' },
          { type: 'file', asset_url: 'data:text/html,<script>alert(1)</script>', title: '<b>page</b>.html' },
          { og_scrape_url: 'javascript:alert(1)', title: 'Click me' },
        ],
      },
    ])
    await row('m0').getByText('page</b>.html').or(row('m0').getByText('b>.html')).first().waitFor()
    expect(await row('m0').locator('a, .chat-attachments img').count()).toBe(0)
    expect(await page.getByText('Click me').count()).toBe(0)
  })
})

describe('the lightbox', () => {
  it('opens, moves and closes by keyboard, announces its position, and restores the focus', async () => {
    await adaReads([
      { attachments: [picture('one.png'), picture('two.png')] },
      { text: 'And', by: 'ada', attachments: [picture('three.png')] },
    ])
    expect(asked.some((url) => /Lightbox/.test(url))).toBe(false)
    await row('m0').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await inFocus()).toBe('Open photo two.png')
    await page.keyboard.press('Enter')
    await expect.poll(shown).toBe('two.png')
    expect(asked.some((url) => /Lightbox/.test(url))).toBe(true)
    await lightbox().getByText('Bo Lindqvist').waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(shown).toBe('three.png')
    expect(await count()).toBe('3 of 3')
    await page.locator('[aria-live=polite]').getByText('3 of 3', { exact: true }).waitFor()
    await lightbox().getByText('You', { exact: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    expect(await shown()).toBe('three.png')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(shown).toBe('one.png')
    await page.keyboard.press('Escape')
    await lightbox().waitFor({ state: 'detached' })
    await expect.poll(inFocus).toBe('Open photo two.png')
  })

  it('zooms by keys, buttons, wheel and double press, and pans a zoomed picture', async () => {
    const body =
      '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><circle cx="800" cy="600" r="90"/></svg>'
    await page.route('https://files.example.com/one.png', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body }),
    )
    await adaReads([{ attachments: [picture('one.png'), picture('two.png')] }])
    await page.getByRole('button', { name: 'Open photo one.png' }).click()
    await expect.poll(shown).toBe('one.png')
    await page.keyboard.press('+')
    await expect.poll(scale).toBe('150%')
    await page.keyboard.press('-')
    await page.keyboard.press('-')
    await expect.poll(scale).toBe('100%')
    for (let i = 0; i < 3; i++) await lightbox().getByRole('button', { name: 'Zoom in' }).click()
    const left = async () => (await lightbox().getByRole('img').boundingBox())!.x
    const before = await left()
    await page.keyboard.press('ArrowRight')
    await expect.poll(left).toBeLessThan(before)
    expect(await shown()).toBe('one.png')
    await page.keyboard.press('0')
    await expect.poll(scale).toBe('100%')
    await lightbox().locator('.chat-lightbox-stage').hover()
    await page.mouse.wheel(0, -300)
    await expect.poll(async () => Number.parseInt((await scale())!, 10)).toBeGreaterThan(150)
    await lightbox().locator('.chat-lightbox-stage').dblclick()
    await expect.poll(scale).toBe('100%')
  })

  it('a swipe moves to another picture, and downwards closes; right to left, the other way round', async () => {
    await adaReads([{ attachments: [picture('one.png'), picture('two.png')] }], { dir: 'rtl' })
    await page.getByRole('button', { name: 'Open photo one.png' }).click()
    await expect.poll(shown).toBe('one.png')
    const drag = async (x: number, y: number) => {
      await page.mouse.move(600, 400)
      await page.mouse.down()
      await page.mouse.move(600 + x, 400 + y, { steps: 4 })
      await page.mouse.up()
    }
    await drag(150, 10)
    await expect.poll(shown).toBe('two.png')
    await page.keyboard.press('ArrowRight')
    await expect.poll(shown).toBe('one.png')
    await drag(10, 150)
    await lightbox().waitFor({ state: 'detached' })
  })

  it('finds older pictures beyond the messages that are loaded', async () => {
    const between = Array.from({ length: 90 }, (_, i) => ({ text: `Word ${i}` }))
    await adaReads([{ attachments: [picture('old.png')] }, ...between, { attachments: [picture('new.png')] }])
    await page.getByRole('button', { name: 'Open photo new.png' }).click()
    await expect.poll(count).toBe('1 of 1')
    await lightbox().getByRole('button', { name: 'Previous photo' }).click()
    await expect.poll(shown).toBe('old.png')
    expect(await count()).toBe('1 of 2')
    expect(await lightbox().getByRole('button', { name: 'Previous photo' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('finds newer pictures, too, after a jump far back', async () => {
    const between = Array.from({ length: 90 }, (_, i) => ({ text: `Word ${i}` }))
    const answer = { text: 'This one?', quoted_message_id: 'm0' }
    await adaReads([{ attachments: [picture('old.png')] }, ...between, { attachments: [picture('new.png')] }, answer])
    await row('m92').getByTitle('Go to the message').click()
    await page.getByRole('button', { name: 'Open photo old.png' }).click()
    await expect.poll(shown).toBe('old.png')
    const next = lightbox().getByRole('button', { name: 'Next photo' })
    expect(await next.getAttribute('aria-disabled')).toBe(null)
    await next.click()
    await expect.poll(shown).toBe('new.png')
    expect(await count()).toBe('2 of 2')
    expect(await next.getAttribute('aria-disabled')).toBe('true')
  })

  it('shows the index when several older ones were loaded at once', async () => {
    const old = ['first.png', 'second.png'].map((name) => ({ attachments: [picture(name)] }))
    const between = Array.from({ length: 90 }, (_, i) => ({ text: `Word ${i}` }))
    await adaReads([...old, ...between, { attachments: [picture('new.png')] }])
    await page.getByRole('button', { name: 'Open photo new.png' }).click()
    await lightbox().getByRole('button', { name: 'Previous photo' }).click()
    await expect.poll(shown).toBe('second.png')
    expect(await count()).toBe('2 of 3')
    await page.locator('[aria-live=polite]').getByText('2 of 3', { exact: true }).waitFor()
  })

  it('stays at the picture the user moved to while older ones were loading', async () => {
    const between = Array.from({ length: 40 }, (_, i) => ({ text: `Word ${i}` }))
    const newest = ['new.png', 'newer.png'].map((name) => ({ attachments: [picture(name)] }))
    await adaReads([{ attachments: [picture('old.png')] }, ...between, ...newest])
    await page.getByRole('button', { name: 'Open photo new.png' }).click()
    await expect.poll(count).toBe('1 of 2')
    await page.evaluate(() => window.kitFixture.server().hold())
    await lightbox().getByRole('button', { name: 'Previous photo' }).click()
    await lightbox().getByRole('button', { name: 'Next photo' }).click()
    await expect.poll(shown).toBe('newer.png')
    await page.evaluate(() => window.kitFixture.server().deliver())
    await expect.poll(count).toBe('3 of 3')
    expect(await shown()).toBe('newer.png')
  })

  it('rotates a picture so that all of it is visible, by key and by button', async () => {
    const body =
      '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="800"><rect width="1600" height="800"/></svg>'
    await page.route('https://files.example.com/one.png', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body }),
    )
    await adaReads([{ attachments: [picture('one.png')] }])
    await page.getByRole('button', { name: 'Open photo one.png' }).click()
    const box = async (of: string) => (await lightbox().locator(of).boundingBox())!
    const isUpright = async () => {
      const [{ width, height }, zoomArea] = [await box('img'), await box('.chat-lightbox-stage')]
      return height > width && height <= zoomArea.height + 1 && width <= zoomArea.width + 1
    }
    await expect.poll(async () => (await box('img')).width).toBeGreaterThan(600)
    expect(await isUpright()).toBe(false)
    await lightbox().getByRole('button', { name: 'Rotate' }).click()
    await expect.poll(isUpright).toBe(true)
    await page.keyboard.press('r')
    await expect.poll(isUpright).toBe(false)
  })

  it('copies the link of a picture, and opens the picture in a new tab', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await adaReads([{ attachments: [picture('one.png')] }])
    await page.getByRole('button', { name: 'Open photo one.png' }).click()
    await lightbox().getByRole('button', { name: 'Copy link' }).click()
    await page.locator('[aria-live=polite]').getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://files.example.com/one.png')
    const original = lightbox().getByRole('link', { name: 'Open original' })
    expect(await original.getAttribute('href')).toBe('https://files.example.com/one.png')
    expect(await original.getAttribute('target')).toBe('_blank')
  })

  it('saves a picture under its name, and goes to its message', async () => {
    await adaReads([{ attachments: [picture('one.png')] }, { attachments: [picture('two.png')] }])
    await page.getByRole('button', { name: 'Open photo two.png' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      lightbox().getByRole('button', { name: 'Download' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('two.png')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(shown).toBe('one.png')
    await lightbox().getByRole('button', { name: 'Show in chat' }).click()
    await expect.poll(() => row('m0').evaluate((it) => it === document.activeElement)).toBe(true)
  })

  for (const theme of ['light', 'dark'] as const)
    it(`keeps nobody out, nor do the cards, in the ${theme} theme`, async () => {
      await adaReads(
        [
          {
            text: 'Words',
            attachments: [
              picture('one.png'),
              { type: 'file', asset_url: 'https://files.example.com/a.pdf', title: 'a.pdf' },
            ],
          },
          {
            text: 'https://example.com',
            attachments: [{ og_scrape_url: 'https://example.com', title: 'Tea', text: 'Leaves' }],
          },
        ],
        { theme },
      )
      expect(await axeFinds(page, '[role=feed]')).toEqual([])
      await page.getByRole('button', { name: 'Open photo one.png' }).click()
      await expect.poll(shown).toBe('one.png')
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
      expect(await axeFinds(page, '[role=dialog]')).toEqual([])
    })
})

describe('the version of pictures that is loaded', () => {
  const withThumb = (name: string) => ({
    ...picture(name),
    thumb_url: `https://files.example.com/small-${name}`,
    file_size: 1_572_864,
  })
  const rendition = (name: string) => ({ url: `https://files.example.com/${name}`, width: '200', height: '200' })
  const gif = {
    type: 'giphy',
    title: 'Dancing cat',
    giphy: { fixed_height: rendition('cat.gif'), fixed_height_still: rendition('cat-still.gif') },
  }
  const bosPictures: Told[] = [
    { attachments: [withThumb('alone.png')] },
    { attachments: [withThumb('one.png'), withThumb('two.png')] },
    {
      text: 'https://example.com',
      attachments: [
        { og_scrape_url: 'https://example.com', title: 'Tea', image_url: 'https://files.example.com/card.png' },
      ],
    },
  ]
  /** Ada has set this, on a high-density screen. */
  async function adaWants(pictures: string | undefined, { saves = false, told = bosPictures } = {}) {
    await anotherPage({ deviceScaleFactor: 2 })
    await page.evaluate(
      ([pictures, saves]) => {
        if (pictures) localStorage.setItem('parley.preferences.ada', JSON.stringify({ pictures }))
        Object.defineProperty(navigator, 'connection', { get: () => ({ saveData: saves }), configurable: true })
      },
      [pictures, saves] as const,
    )
    await adaReads(told)
  }
  const fetched = () =>
    asked.flatMap((url) => (url.includes('files.example.com') ? [new URL(url).pathname.slice(1)] : []))
  const isThere = () =>
    page.waitForFunction(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth))

  it('[interface.md 7.28] has the resolution of the screen by default, and is small if the device saves data', async () => {
    await adaWants(undefined)
    await expect.poll(() => fetched().toSorted()).toEqual(['alone.png', 'card.png', 'small-one.png', 'small-two.png'])
    await adaWants(undefined, { saves: true })
    await expect
      .poll(() => fetched().toSorted())
      .toEqual(['card.png', 'small-alone.png', 'small-one.png', 'small-two.png'])
  })

  it('[interface.md 7.28] is the original if set so, whether or not the device saves data', async () => {
    await adaWants('full', { saves: true })
    await expect.poll(() => fetched().toSorted()).toEqual(['alone.png', 'card.png', 'one.png', 'two.png'])
  })

  it('[interface.md 7.28] is none before a press if set so: then that picture loads, and the focus stays', async () => {
    await adaWants('asked')
    const load = page.getByRole('button', { name: 'Load photo alone.png 1.5 MB' })
    await load.waitFor()
    expect(await axeFinds(page, '[role=feed]')).toEqual([])
    expect(fetched()).toEqual([])

    await row('m0').focus()
    await page.keyboard.press('Enter')
    const before = await load.boundingBox()
    await page.keyboard.press('Enter')
    await isThere()
    expect(fetched()).toEqual(['alone.png'])
    expect(await inFocus()).toBe('Open photo alone.png')
    expect(await row('m0').locator('.chat-picture').boundingBox()).toEqual(before)
    await page.keyboard.press('Enter')
    await expect.poll(shown).toBe('alone.png')
    await page.keyboard.press('Escape')

    // It stays for as long as the page is open.
    await adaReads(bosPictures)
    await page.getByRole('button', { name: 'Open photo alone.png' }).waitFor()
    expect(await page.getByRole('button', { name: 'Load photo one.png' }).count()).toBe(1)
    expect(fetched().filter((name) => !name.endsWith('alone.png'))).toEqual([])
  })

  it('[interface.md 7.28] of animations is none either, nor of link previews, nor of quoted messages', async () => {
    await adaWants('asked', {
      told: [{ attachments: [gif] }, ...bosPictures.slice(0, 1), { text: 'That one', quoted_message_id: 'm1' }],
    })
    const play = row('m0').getByRole('button', { name: 'Play animation' })
    await row('m0').locator('.chat-gif').getByText('Dancing cat').waitFor()
    expect(await axeFinds(page, '[role=feed]')).toEqual([])
    expect(fetched()).toEqual([])
    await row('m0').focus()
    await page.keyboard.press('Enter')
    const before = await row('m0').locator('.chat-gif').boundingBox()
    await page.keyboard.press('Enter')
    await isThere()
    expect(await inFocus()).toBe('Pause animation')
    expect(fetched()).toEqual(['cat.gif'])
    expect(await row('m0').locator('.chat-gif').boundingBox()).toEqual(before)
    await page.keyboard.press('Enter')
    await play.waitFor()
    await expect.poll(fetched).toEqual(['cat.gif', 'cat-still.gif'])
  })
})

describe('other attachments', () => {
  it('[ATT-11] a file is a link that saves it, with its size; an executable one shows a warning', async () => {
    const file = (title: string) => ({
      type: 'file',
      title,
      asset_url: `https://files.example.com/${title}`,
      file_size: 1_572_864,
    })
    await adaReads([{ attachments: [file('plan.pdf'), file('setup.exe')] }])
    const plan = row('m0').locator('a').first()
    expect(await plan.innerText()).toMatch(/plan\.pdf\s+1\.5 MB/)
    expect([await plan.getAttribute('href'), await plan.getAttribute('download')]).toEqual([
      'https://files.example.com/plan.pdf',
      'plan.pdf',
    ])
    await row('m0').getByText('Can run on your device.').waitFor()
  })

  it('a name cannot look like another by changing the text direction', async () => {
    const title = '\u202Egpj.exe'
    await adaReads([{ attachments: [{ type: 'file', title, asset_url: 'https://files.example.com/one' }] }])
    const link = row('m0').locator('a').first()
    expect(await link.innerText()).toMatch(/EXE\s+gpj\.exe/)
    expect(await link.getAttribute('download')).toBe('gpj.exe')
  })

  it('a link preview is below the text: picture, site, title and description', async () => {
    await adaReads([
      {
        text: 'Read https://www.example.com/tea',
        attachments: [
          {
            og_scrape_url: 'https://www.example.com/tea',
            title: 'All about tea',
            text: 'Leaves and water. '.repeat(60),
            image_url: 'https://files.example.com/tea.png',
          },
        ],
      },
    ])
    const card = row('m0').locator('.chat-link-card')
    expect(await card.getAttribute('href')).toBe('https://www.example.com/tea')
    expect(await card.innerText()).toMatch(/^example\.com\s+All about tea/)
    const words = (await row('m0').locator('.chat-text').boundingBox())!
    const box = (await card.boundingBox())!
    expect(box.y).toBeGreaterThan(words.y)
    expect(box.height).toBeLessThan(340)
    expect(await row('m0').getByRole('link').count()).toBe(2)
  })

  it('its author can remove a link preview, and keep the text', async () => {
    const card = { og_scrape_url: 'https://www.example.com/tea', title: 'All about tea', text: 'Leaves and water.' }
    const kept = { type: 'file', title: 'Tea.pdf', asset_url: 'https://files.example.com/tea.pdf' }
    await adaReads([{ by: 'ada', text: 'Read https://www.example.com/tea', attachments: [kept, card] }])
    await row('m0').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Remove link preview' }).press('Enter')
    await row('m0').locator('.chat-link-card').waitFor({ state: 'detached' })
    expect(
      await row('m0')
        .getByRole('link', { name: /Tea\.pdf/ })
        .count(),
    ).toBe(1)
    await page.locator('[aria-live=polite]').getByText('Message edited').waitFor()
    const [call] = await page.evaluate(() => window.kitFixture.calls('/messages/m0'))
    expect(call?.body).toEqual({ set: { attachments: [kept] }, skip_enrich_url: true })
  })

  it('a video that cannot be played can still be saved', async () => {
    await adaReads([
      { attachments: [{ type: 'video', title: 'film.mp4', asset_url: 'https://files.example.com/film.mp4' }] },
    ])
    // A busy browser takes long to notice by itself.
    const fails = () => page.evaluate(() => document.querySelector('.chat-video')?.dispatchEvent(new Event('error')))
    await expect.poll(() => fails().then(() => row('m0').locator('a[download="film.mp4"]').count())).toBe(1)
  })
})
