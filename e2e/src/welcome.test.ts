import { describe, expect, it } from 'vitest'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

describe('the page for signed-out visitors', () => {
  const product = theProduct()

  async function stranger(options = {}): Promise<Visitor> {
    const visitor = await product.visitor({ reducedMotion: 'reduce', ...options })
    await visitor.page.goto('/')
    await visitor.page.waitForURL(/\/welcome$/)
    await slide(visitor, 1).waitFor()
    // The page is server-rendered; the buttons work once the slides are hydrated.
    await visitor.page.waitForFunction(() => document.querySelector('.chat-carousel-track[style*=translate]'))
    return visitor
  }

  it('[CAR-1] [CAR-3] [CAR-4] [CAR-9] the buttons show the slides in order, up to both ends', async () => {
    const visitor = await stranger()
    const [previous, next] = ['Previous slide', 'Next slide'].map((name) => visitor.page.getByRole('button', { name }))
    expect(await previous!.getAttribute('aria-disabled')).toBe('true')
    for (const place of [2, 3, 4]) {
      await next!.click()
      await shows(visitor, place)
    }
    await expect.poll(() => next!.getAttribute('aria-disabled')).toBe('true')
    await next!.focus()
    await visitor.page.keyboard.press('Enter')
    await shows(visitor, 4)
    expect(await next!.evaluate((button) => button === document.activeElement)).toBe(true)
    await previous!.click()
    await shows(visitor, 3)
    await expect.poll(() => previous!.getAttribute('aria-disabled')).toBe(null)
    visitor.isWell()
  })

  it('[CAR-2] [CAR-3] the arrow keys do the same', async () => {
    const visitor = await stranger()
    await visitor.page.getByRole('button', { name: 'Next slide' }).focus()
    await visitor.page.keyboard.press('ArrowLeft')
    await shows(visitor, 1)
    await visitor.page.keyboard.press('ArrowRight')
    await shows(visitor, 2)
    await visitor.page.keyboard.press('ArrowLeft')
    await shows(visitor, 1)
    visitor.isWell()
  })

  for (const [shape, viewport] of [
    ['wide', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      it(`is open to everybody in the ${colorScheme} theme, ${shape}`, async () => {
        const visitor = await stranger({ viewport, colorScheme, hasTouch: shape === 'phone' })
        await visitor.isAccessible()
        await visitor.takesPicture(`welcome-${colorScheme}-${shape}`)
        const overflow = await visitor.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
        await visitor.page.getByRole('link', { name: 'Sign in' }).first().click()
        await visitor.page.getByLabel('E-mail address').waitFor()
      })

  it('the manifest has a name, a start URL and icons that exist', async () => {
    const url = product.url
    const manifest = await (await fetch(`${url}/manifest.webmanifest`)).json()
    expect(manifest).toMatchObject({ name: 'Parley', start_url: '/', display: 'standalone' })
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(`${url}${src}`)
      expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type])
    }
  })
})

function slide({ page }: Visitor, place: number) {
  return page.getByRole('group', { name: `${place} of 4` })
}

/** The slide at this place, from 1, is the only reachable one. */
async function shows(visitor: Visitor, place: number) {
  await expect
    .poll(() =>
      visitor.page
        .locator('.chat-carousel-slide:not([inert])')
        .evaluateAll((slides) => slides.map((slide) => slide.ariaLabel)),
    )
    .toEqual([`${place} of 4`])
}
