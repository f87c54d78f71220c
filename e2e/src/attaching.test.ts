import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

/** For what is slow in a browser: a file is uploaded, checked, scaled down, and downloaded again. */
const patiently = { timeout: 30_000 }

async function together() {
  const group = await aGroup(product.stack, 'Our tour', ['ada-lindqvist', 'bo-nakamura'])
  await group.says('bo-nakamura', 'Where shall we go?')
  const ada = await product.member('ada@northwind.example', group.path, { serviceWorkers: 'block' })
  const bo = await product.member('bo@kiku.example', group.path)
  await ada.composer.waitFor()
  await bo.composer.waitFor()
  return { group, ada, bo }
}

/** Drops a picture of a lake in the evening and a plan onto the messages. */
function dropsPictureAndFile({ page }: Visitor) {
  return page.getByRole('feed').evaluate(async (feed) => {
    const canvas = new OffscreenCanvas(1_200, 800)
    const pen = canvas.getContext('2d')!
    const sky = pen.createLinearGradient(0, 0, 0, 800)
    for (const [at, colour] of ['#3b1d6e', '#c2547d', '#f6b26b', '#1d3b53'].entries()) sky.addColorStop(at / 3, colour)
    pen.fillStyle = sky
    pen.fillRect(0, 0, 1_200, 800)
    const carried = new DataTransfer()
    carried.items.add(new File([await canvas.convertToBlob()], 'lake.png', { type: 'image/png' }))
    carried.items.add(new File(['First the lake, then the forest.'], 'plan.txt', { type: 'text/plain' }))
    for (const type of ['dragenter', 'drop'])
      feed.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }))
  })
}

const tiles = ({ page }: Visitor) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')

/** An uploaded file shows its size; before, its progress. */
const haveGoneUp = (visitor: Visitor, count: number) =>
  expect
    .poll(
      () =>
        tiles(visitor)
          .filter({ hasText: /kB|bytes/ })
          .count(),
      patiently,
    )
    .toBe(count)

it('[ATT-11] [ATT-12] a sender drops a picture and a file and records a voice message; the recipient views, reads and listens', {
  timeout: 180_000,
}, async () => {
  const { group, ada, bo } = await together()

  // A reload during an upload asks first, and keeps what was typed.
  const asked: string[] = []
  ada.page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const held = /\/channels\/[^/]+\/[^/]+\/(image|file)\?/
  await ada.page.route(held, () => {})
  await ada.composer.click()
  await ada.page.keyboard.type('Our tour')
  await dropsPictureAndFile(ada)
  await expect.poll(() => tiles(ada).count(), patiently).toBe(2)
  await ada.page.reload()
  await expect.poll(() => ada.composer.inputValue(), patiently).toBe('Our tour')
  expect(asked).toEqual(['beforeunload'])
  await ada.page.unroute(held)

  await dropsPictureAndFile(ada)
  await haveGoneUp(ada, 2)
  await ada.takesPicture('attaching')
  await ada.isAccessible('attaching')
  await ada.composer.press('Enter')
  await expect.poll(() => tiles(ada).count()).toBe(0)

  // Bo sees both, opens the picture by keyboard, and returns to it.
  await bo.sees('Our tour')
  const message = bo.message('Our tour')
  const thumbnail = message.getByRole('button', { name: 'Open photo lake.png' })
  await expect
    .poll(() => thumbnail.getByRole('img').evaluate((img: HTMLImageElement) => img.naturalWidth), patiently)
    .toBeGreaterThan(0)
  const plan = message.getByRole('link', { name: /plan\.txt/ })
  const address = await plan.getAttribute('href')
  expect(await (await fetch(address!)).text()).toBe('First the lake, then the forest.')
  await bo.takesPicture('attached')
  await message.focus()
  await bo.page.keyboard.press('Enter')
  await bo.page.keyboard.press('Enter')
  const lightbox = bo.page.getByRole('dialog', { name: 'Photos' })
  const shown = lightbox.getByRole('img', { name: 'lake.png' })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth), patiently).toBe(1_200)
  await bo.isAccessible('lightbox')
  await bo.takesPicture('lightbox')
  const [saved] = await Promise.all([
    bo.page.waitForEvent('download'),
    lightbox.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('lake.png')
  await bo.page.keyboard.press('Escape')
  await expect.poll(() => thumbnail.evaluate((it) => it === document.activeElement)).toBe(true)

  // Ada records a voice message, and plays it before she sends it.
  await ada.page.getByRole('button', { name: 'Record a voice message' }).click()
  await expect.poll(() => ada.page.getByRole('timer').textContent(), patiently).toMatch(/^0:(0[2-9]|[1-5]\d)$/)
  await ada.page.getByRole('button', { name: 'Finish recording' }).click()
  // It can be cancelled during its upload, and removed afterwards.
  await ada.page.getByRole('button', { name: 'Remove Voice message' }).waitFor(patiently)
  await ada.composer.press('Enter')
  const voice = bo.page
    .getByRole('article')
    .filter({ has: bo.page.getByRole('slider') })
    .last()
  await voice.getByRole('button', { name: 'Play Voice message' }).click()
  // The chat owns the player: a voice message keeps playing when its row scrolls out of view.
  const audio = bo.page.locator('audio')
  await expect
    .poll(() => audio.evaluate((it: HTMLAudioElement) => it.currentTime > 0 || it.ended), patiently)
    .toBe(true)
  expect(await bo.page.getByText('This audio could not be played.').count()).toBe(0)
  await bo.takesPicture('voice')

  // The floating widget shows the same.
  await bo.page.goto('/')
  await bo.page
    .getByRole('button', { name: /Open chat/ })
    .last()
    .click()
  const panel = bo.page.getByRole('region', { name: 'Chat' })
  await panel.getByRole('button', { name: group.name }).click()
  await panel.getByRole('button', { name: 'Open photo lake.png' }).first().waitFor()
  await panel.getByRole('button', { name: 'Play Voice message' }).waitFor()
  await panel.getByRole('button', { name: 'Attach files' }).waitFor()
  await bo.takesPicture('attached-widget')
  for (const one of [ada, bo]) one.isWell()
})

it('[ATT-11] on a phone, in dark mode', { timeout: 120_000 }, async () => {
  const options = { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 }, hasTouch: true }
  const ada = await product.member('ada@northwind.example', '/chat', options)
  // The voice message recorded on the desktop plays here.
  await ada.page
    .getByRole('link', { name: /^Our tour/ })
    .first()
    .click()
  await ada.page.getByRole('button', { name: 'Play Voice message' }).waitFor()
  await dropsPictureAndFile(ada)
  await haveGoneUp(ada, 2)
  await ada.takesPicture('attaching-phone')
  await ada.page.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect.poll(() => tiles(ada).count()).toBe(0)
  const thumbnail = ada.page.getByRole('button', { name: 'Open photo lake.png' }).last()
  await thumbnail.waitFor()
  await ada.takesPicture('attached-phone')
  expect(await ada.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await thumbnail.tap()
  await ada.page.getByRole('dialog', { name: 'Photos' }).getByRole('img').waitFor()
  await ada.isAccessible('lightbox-phone')
  await ada.takesPicture('lightbox-phone')
  ada.isWell()
})
