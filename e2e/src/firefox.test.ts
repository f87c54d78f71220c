/** The main flow on the other engine: Ada uses Firefox, Bo uses Chromium. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFirefox } from '../../scripts/services/firefox.ts'
import { Room, type Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

/** The first version that supports what Playwright needs over WebDriver BiDi. */
const OLDEST_FIREFOX = 138

const path = findFirefox()
const version = path && /(\d+)\.\d/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout)?.[1]
const lack = !path
  ? 'there is none on this machine'
  : Number(version) >= OLDEST_FIREFOX
    ? undefined
    : `${path} is ${version}, older than ${OLDEST_FIREFOX}`
if (lack) console.info(`Nobody looks at the product in Firefox: ${lack}.`)

describe.skipIf(lack)('Firefox and Chromium, side by side', () => {
  let firefox: Room | undefined
  const product = theProduct()
  beforeAll(async () => {
    firefox = await Room.inFirefox(path!)
  })
  afterAll(() => firefox?.close())

  it('two users write, react, edit by keyboard and open every overlay', { timeout: 240_000 }, async () => {
    const ada = await firefox!.member(product.url, 'ada@northwind.example', '/chat')
    const bo = await product.member('bo@kiku.example', '/chat')
    await opens(ada, 'Bo Nakamura')
    await opens(bo, 'Ada Lindqvist')
    await ada.sees('Well done')

    await types(ada, 'Greetings from **Firefox** https://example.com')
    await ada.page.keyboard.press('Enter')
    await bo.message('Greetings from Firefox').getByRole('link', { name: 'https://example.com' }).waitFor()
    await ada.message('Greetings from Firefox').getByText('Firefox', { exact: true }).waitFor()
    await bo.says('And from Chromium')
    await ada.sees('And from Chromium')
    // The newest message is fully visible above the text box.
    await expect
      .poll(async () => {
        const message = await ada.message('And from Chromium').boundingBox()
        const box = await ada.composer.boundingBox()
        return message !== null && box !== null && message.y + message.height <= box.y
      })
      .toBe(true)

    await ada.message('And from Chromium').hover()
    await ada.message('And from Chromium').getByRole('button', { name: 'React with red heart' }).click()
    await bo
      .message('And from Chromium')
      .getByRole('button', { name: /red heart, 1 person/ })
      .waitFor()

    // By keyboard alone: the arrow leads to one's last message, its menu opens, and Escape returns.
    await ada.composer.focus()
    await ada.page.keyboard.press('ArrowUp')
    await ada.page.getByText('Editing message').waitFor()
    await ada.page.keyboard.press('End')
    await ada.page.keyboard.type(' and back')
    await ada.page.keyboard.press('Enter')
    await bo.sees('and back')
    await ada.message('and back').focus()
    await ada.page.keyboard.press('Shift+F10')
    await ada.page.getByRole('menu').waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.page.getByRole('menu').waitFor({ state: 'hidden' })
    await expect.poll(() => ada.page.evaluate(() => document.activeElement?.closest('article') !== null)).toBe(true)

    await types(ada, ':smil')
    await ada.page.getByRole('option').first().waitFor()
    await ada.page.keyboard.press('Enter')
    await expect.poll(() => ada.composer.inputValue()).toMatch(/\p{Extended_Pictographic}/u)
    await ada.isAccessible('a conversation in Firefox')
    await ada.takesPicture('firefox')

    ada.isWell()
    bo.isWell()
  })
})

async function opens({ page }: Visitor, name: string) {
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click()
}

/** Key by key: React gets no event when Playwright fills a field at once in Firefox. */
async function types({ composer }: Visitor, text: string) {
  await composer.pressSequentially(text)
}
