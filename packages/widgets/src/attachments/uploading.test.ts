import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'
import { aPicture, takesUploads, type UploadServer } from '../testing/uploading.ts'

let page: Page
let files: UploadServer
const opens = aKitPage(
  async (opened) => {
    page = opened
    files = await takesUploads(page)
  },
  { refuses: true },
)

const can = ['read-events', 'send-message', 'upload-file', 'create-attachment', 'update-own-message', 'quote-message']

interface Opening extends KitOptions {
  capabilities?: readonly string[]
  /** upload settings of the app */
  settings?: Record<string, unknown>
}

async function adaOpens({ capabilities = can, settings = {}, ...options }: Opening = {}) {
  await page.evaluate(
    ([capabilities, settings, options]) => {
      const conversations = window.kitFixture.aWorkingDay()
      for (const one of conversations) one.capabilities = capabilities
      return window.kitFixture.start({ open: 'bo', conversations, ...options }, (server) =>
        Object.assign(server.settings, settings),
      )
    },
    [capabilities, settings, options] as const,
  )
  await page.waitForSelector('.chat-scroll')
}

const box = () => page.getByRole('textbox')
const tiles = () => page.locator('.chat-upload')
const tile = (name: string) => tiles().filter({ hasText: name })
const stateOf = (name: string) => tile(name).locator('.chat-upload-state')
const notice = (text: string) => page.locator('.chat-notice').filter({ hasText: text })
const picks = (...given: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').setInputFiles(given)
const text = (name: string, content = 'words') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
const picture = (name: string, buffer = aPicture) => ({ name, mimeType: 'image/png', buffer })
const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const sent = () =>
  page.evaluate(() =>
    window.kitFixture.calls('/message').map(({ body }) => body.message as { text: string; attachments?: object[] }),
  )

/** Pasted or dropped files, as the browser's events contain them. */
function brings(
  how: 'paste' | 'drop' | 'dragenter',
  files: [name: string, type: string, bytes?: number][],
  words = '',
) {
  return page.evaluate(
    ([how, files, words]) => {
      const carried = new DataTransfer()
      for (const [name, type, bytes = 3] of files) carried.items.add(new File([new Uint8Array(bytes)], name, { type }))
      if (words) carried.setData('text/plain', words)
      const event =
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true })
          : new DragEvent(how, { dataTransfer: carried, bubbles: true, cancelable: true })
      const on = how === 'paste' ? document.querySelector('textarea') : document.querySelector('.chat-scroll')
      on?.dispatchEvent(event)
    },
    [how, files, words] as const,
  )
}

describe('a picture', () => {
  /** A photo as a camera makes it, rotated, with its location. */
  async function aPhoto(width: number, height: number, more = 'GPSLatitude 53.54') {
    const drawn = await page.evaluate(
      async ([width, height]) => {
        const canvas = new OffscreenCanvas(width, height)
        const context = canvas.getContext('2d')!
        context.fillStyle = 'teal'
        context.fillRect(0, 0, width, height)
        const blob = await canvas.convertToBlob({ type: 'image/jpeg' })
        return [...new Uint8Array(await blob.arrayBuffer())]
      },
      [width, height] as const,
    )
    // Orientation 6: the picture is rotated by 90°.
    const tiff = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(more)])
    const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2])
    return Buffer.concat([head, exif, Buffer.from(drawn.slice(2))])
  }
  const photo = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })
  /** The size of the picture in a tile, upright. */
  const sizeOf = (name: string) =>
    tile(name)
      .locator('img')
      .evaluate((it: HTMLImageElement) => [it.naturalWidth, it.naturalHeight])

  it('[ATT-20] is resized, stays upright, and loses its location', async () => {
    await adaOpens()
    await picks(photo('harbour.jpg', await aPhoto(3_000, 1_000)))
    await expect.poll(() => tile('harbour.jpg').getAttribute('data-status')).toBe('finished')
    expect(await sizeOf('harbour.jpg')).toEqual([853, 2_560])
    expect(files.forms[0]).toContain('image/jpeg')
    expect(files.forms[0]).not.toMatch(/Exif|GPSLatitude/)
  })

  it('[ATT-20] that is small and has no metadata is sent unchanged, and so is an animation', async () => {
    await adaOpens()
    const gif = Buffer.from('GIF89a a picture that moves')
    const moving = Buffer.concat([aPicture, Buffer.from('acTL eXIf')])
    await picks(
      picture('lake.png'),
      { name: 'wave.gif', mimeType: 'image/gif', buffer: gif },
      picture('apng.png', moving),
    )
    await expect.poll(() => files.asked.length).toBe(3)
    const form = (name: string) => files.forms[files.asked.indexOf(name)] ?? ''
    expect(form('lake.png')).toContain(aPicture.toString('latin1'))
    expect(form('wave.gif')).toContain(gif.toString('latin1'))
    expect(form('apng.png')).toContain(moving.toString('latin1'))
  })

  it('[ATT-20] that no browser can read is sent unchanged', async () => {
    await adaOpens()
    const odd = Buffer.from('\xff\xd8 Exif\0\0 no picture at all', 'latin1')
    await picks(photo('odd.jpg', odd))
    await expect.poll(() => tile('odd.jpg').getAttribute('data-status')).toBe('finished')
    expect(files.forms[0]).toContain(odd.toString('latin1'))
  })

  it('[ATT-20] is sent unchanged if the application sets so', async () => {
    await adaOpens({ originalPictures: true })
    const original = await aPhoto(3_000, 1_000)
    await picks(photo('harbour.jpg', original))
    await expect.poll(() => tile('harbour.jpg').getAttribute('data-status')).toBe('finished')
    expect(files.forms[0]).toContain('GPSLatitude 53.54')
  })

  it('[interface.md 7.28] is shown where it was sent, also if pictures load only on a press', async () => {
    await page.route('https://chat.example.com/files/*', (route) =>
      route.fulfill({ contentType: 'image/png', body: aPicture }),
    )
    await page.evaluate(() => localStorage.setItem('parley.preferences.ada', JSON.stringify({ pictures: 'asked' })))
    await adaOpens()
    await picks(picture('lake.png'))
    await expect.poll(() => tile('lake.png').getAttribute('data-status')).toBe('finished')
    await box().press('Enter')
    await page.getByRole('button', { name: 'Open photo lake.png' }).waitFor()
    expect(await page.locator('[data-asked]').count()).toBe(0)
  })

  it('[ATT-19] gets a description for screen readers, by keys alone', async () => {
    await page.route('https://chat.example.com/files/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: aPicture }),
    )
    await adaOpens()
    await picks(picture('lake.png'))
    await expect.poll(() => tile('lake.png').getAttribute('data-status')).toBe('finished')
    await page.getByRole('button', { name: 'Remove lake.png' }).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await focusedLabel()).toBe('Describe lake.png')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Describe this image' })
    await dialog.getByLabel('What does it show?').waitFor()
    expect(await axeFinds(page)).toEqual([])
    await page.keyboard.type('A lake <b>at dusk</b>')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(focusedLabel).toBe('Describe lake.png')
    await tile('lake.png').getByText('A lake <b>at dusk</b>').waitFor()
    await box().press('Enter')
    await expect
      .poll(async () => (await sent()).map(({ attachments }) => attachments))
      .toMatchObject([[{ type: 'image', alt_text: 'A lake <b>at dusk</b>', fallback: 'lake.png' }]])
    await page.getByRole('button', { name: 'Open photo A lake <b>at dusk</b>' }).click()
    await page.getByRole('dialog').getByRole('img', { name: 'A lake <b>at dusk</b>' }).waitFor()
  })
})

describe('picking files', () => {
  it('[ATT-11] picks a picture and a file, shows their progress, and sends them with the text', async () => {
    await adaOpens()
    files.hold()
    await picks(picture('lake.png'), text('plan.txt', 'x'.repeat(1_536)))
    await expect.poll(() => stateOf('plan.txt').textContent()).toMatch(/^\d+%$/)
    expect(await tile('plan.txt').getByRole('progressbar', { name: 'Upload of plan.txt' }).count()).toBe(1)
    await expect
      .poll(() =>
        tile('lake.png')
          .locator('img')
          .evaluate((it: HTMLImageElement) => it.naturalWidth),
      )
      .toBe(10)
    await files.deliver()
    await expect.poll(() => stateOf('plan.txt').textContent()).toBe('1.5 kB')
    await page.locator('[aria-live=polite]').getByText('2 files attached').waitFor()
    await box().fill('Have a look')
    await page.keyboard.press('Enter')
    await expect.poll(() => tiles().count()).toBe(0)
    const [message] = await sent()
    expect(message?.text).toBe('Have a look')
    expect(message?.attachments).toMatchObject([
      { type: 'image', image_url: 'https://chat.example.com/files/lake.png', original_width: 10 },
      { type: 'file', asset_url: 'https://chat.example.com/files/plan.txt', title: 'plan.txt', file_size: 1_536 },
    ])
  })

  it('a file alone can be sent, but not as an edit', async () => {
    await adaOpens()
    await picks(text('plan.txt'))
    await expect.poll(() => stateOf('plan.txt').textContent()).toBe('5 bytes')
    await box().focus()
    await page.keyboard.press('ArrowUp')
    expect(await box().inputValue()).toBe('Sent!')
    expect([await tiles().count(), await page.getByRole('button', { name: 'Attach files' }).count()]).toEqual([0, 0])
    await page.keyboard.press('Escape')
    await tile('plan.txt').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await sent()).map((message) => message.attachments?.length)).toEqual([1])
  })

  it('[ATT-9][TOA-28] sends nothing before all files are uploaded, shows the reason, and keeps everything', async () => {
    await adaOpens()
    files.hold()
    await picks(picture('lake.png'))
    await tile('lake.png').waitFor()
    await box().fill('Have a look')
    await page.keyboard.press('Enter')
    await notice('Wait until all attachments have uploaded').waitFor()
    expect(await sent()).toEqual([])
    expect([await box().inputValue(), await tiles().count()]).toEqual(['Have a look', 1])
    await files.deliver()
    await expect.poll(() => tile('lake.png').getAttribute('data-status')).toBe('finished')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await sent()).length).toBe(1)
  })

  it('[TOA-21][TOA-22][TOA-23] a failed upload is reported on its tile and in a notice, and can be retried', async () => {
    await adaOpens()
    files.refuse('the disk is full')
    const film = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') }
    await picks(picture('lake.png'), text('plan.txt'), film)
    for (const [name, words] of [
      ['lake.png', 'Error uploading image'],
      ['plan.txt', 'Error uploading file'],
      ['film.mp4', 'Error uploading attachment'],
    ] as const) {
      await notice(words).waitFor()
      expect(await stateOf(name).textContent()).toBe(words)
    }
    await page.keyboard.press('Enter')
    await notice('Some attachments could not be uploaded. Retry or remove them.').waitFor()
    expect(await sent()).toEqual([])
    files.refuse()
    await page.getByRole('button', { name: 'Try to upload plan.txt again' }).click()
    await expect.poll(() => stateOf('plan.txt').textContent()).toBe('5 bytes')
    expect(await focusedLabel()).toBe('Remove plan.txt')
  })

  it('a failed message moves back to the composer with its files and its quote', async () => {
    await adaOpens()
    await page.locator('[data-key="bo-0"]').focus()
    await page.keyboard.press('r')
    await picks(text('plan.txt'))
    await expect.poll(() => tile('plan.txt').getAttribute('data-status')).toBe('finished')
    await box().fill('The plan')
    // One that is not retried automatically.
    await page.evaluate(() => window.kitFixture.server().refusals.set('POST /message', { status: 400, code: 4 }))
    await page.keyboard.press('Enter')
    await page.locator('.chat-failure').waitFor()
    expect(await tiles().count()).toBe(0)
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await picks(text('costs.txt'))
    await expect.poll(() => tile('costs.txt').getAttribute('data-status')).toBe('finished')
    await page.locator('.chat-scroll-row').last().focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Edit and send again' }).click()
    await expect.poll(() => tiles().count()).toBe(2)
    await page.getByText('Replying to Bo Lindqvist').waitFor()
    await box().press('Enter')
    await expect.poll(async () => (await sent()).length).toBe(2)
    const [first, second] = await sent()
    expect(second).toMatchObject({ text: 'The plan', quoted_message_id: 'bo-0' })
    expect(second!.attachments).toEqual([...first!.attachments!, expect.objectContaining({ title: 'costs.txt' })])
  })

  it('an upload can be cancelled', async () => {
    await adaOpens()
    files.hold()
    await picks(text('plan.txt'))
    await page.getByRole('button', { name: 'Cancel the upload of plan.txt' }).click()
    expect(await tiles().count()).toBe(0)
    await files.deliver()
    expect(await page.locator('.chat-notice').count()).toBe(0)
    await expect.poll(() => box().evaluate((it) => it === document.activeElement)).toBe(true)
  })
})

describe('limits', () => {
  it('[ATT-8][ATT-14][TOA-27] ten files go with a message; for more, a notice shows the limit', async () => {
    await adaOpens()
    await picks(...Array.from({ length: 50 }, (_, i) => text(`${i}.txt`)))
    await notice("You've reached the maximum number of files").waitFor()
    await expect.poll(() => tiles().count()).toBe(10)
    expect(await page.locator('.chat-notice').count()).toBe(1)
    await page.getByRole('button', { name: 'Remove 3.txt' }).click()
    await picks(text('eleven.txt'))
    await tile('eleven.txt').waitFor()
    await expect.poll(() => tiles().count()).toBe(10)
  })

  it('[ATT-6][ATT-13][TOA-24] a file over 100 MB is not sent; its size and the limit are in the language of the reader', async () => {
    await adaOpens({ language: 'en' })
    await brings('drop', [['film.bin', 'application/x-film', 110_100_480]])
    await expect
      .poll(() => stateOf('film.bin').textContent())
      .toBe('File is too large: 105 MB, maximum upload size is 100 MB')
    expect(files.asked).toEqual([])

    await adaOpens({ settings: { file_upload_config: { size_limit: 1_536 } }, language: 'de' })
    await page.getByRole('button', { name: 'Dateien anhängen' }).waitFor()
    await picks(text('plan.txt', 'x'.repeat(2_560)))
    await expect
      .poll(() => stateOf('plan.txt').textContent())
      .toBe('Die Datei ist zu groß: 2,5 kB, erlaubt sind höchstens 1,5 kB')
    expect(files.asked).toEqual([])
  })

  it('[ATT-7][ATT-15][TOA-25] a type that the app blocks is refused, and every type is accepted if it blocks none', async () => {
    await adaOpens({ settings: { file_upload_config: { blocked_mime_types: ['text/plain'] } } })
    await picks(text('plan.txt'))
    await expect.poll(() => stateOf('plan.txt').textContent()).toBe('Upload type: "text/plain" is not allowed')
    await page.locator('[aria-live=assertive]').getByText('Upload type: "text/plain" is not allowed').waitFor()
    expect(await tile('plan.txt').getByRole('button', { name: /again/ }).count()).toBe(0)
    expect(files.asked).toEqual([])
    await picks({ name: 'run.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') })
    await expect.poll(() => stateOf('run.exe').textContent()).toBe('2 bytes')
  })

  it('[ATT-10][TOA-26][PERM-5] a user who may not upload has no button, and gets a notice when files are pasted or dropped', async () => {
    for (const half of ['upload-file', 'create-attachment']) {
      await adaOpens({ capabilities: ['read-events', 'send-message', half] })
      expect(await page.getByRole('button', { name: /^Attach files|^Record/ }).count()).toBe(0)
      await brings('paste', [['lake.png', 'image/png']])
      await notice('Missing permissions to upload the attachment').waitFor()
      expect([await tiles().count(), files.asked]).toEqual([0, []])
    }
    await brings('dragenter', [['lake.png', 'image/png']])
    await page.getByText('Not allowed here').waitFor()
    await brings('drop', [['lake.png', 'image/png']])
    expect(await page.getByText('Not allowed here').isVisible()).toBe(false)
    expect(await tiles().count()).toBe(0)
  })

  it('[ATT-18] checks for permission, number, type and size, in this order', async () => {
    const config = { size_limit: 10, blocked_mime_types: ['text/html'] }
    await adaOpens({ settings: { file_upload_config: config } })
    const wrong = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<p>too much</p>') }
    await picks(wrong)
    await expect.poll(() => stateOf('page.html').textContent()).toBe('Upload type: "text/html" is not allowed')
    await picks(text('long.txt', 'x'.repeat(11)))
    await expect.poll(() => stateOf('long.txt').textContent()).toMatch(/^File is too large: 11 bytes/)
    await picks(...Array.from({ length: 10 }, (_, i) => text(`${i}.txt`)))
    await tile('9.txt').waitFor()
    await picks({ ...wrong, name: 'other.html' })
    await notice("You've reached the maximum number of files").waitFor()
    await expect.poll(() => tile('other.html').count()).toBe(0)

    await adaOpens({ settings: { file_upload_config: config }, capabilities: ['read-events', 'send-message'] })
    await brings('paste', [['page.html', 'text/html', 20]])
    await notice('Missing permissions to upload the attachment').waitFor()
  })
})

describe('other ways in', () => {
  it('[ATT-11] files dropped anywhere on the conversation are attached, and an overlay announces that before', async () => {
    await adaOpens()
    await brings('dragenter', [['lake.png', 'image/png']])
    await page.getByText('Drop files here to attach them for Bo Lindqvist').waitFor()
    await brings('drop', [['lake.png', 'image/png']])
    await tile('lake.png').waitFor()
    expect(await page.getByText('Drop files here to attach them for').isVisible()).toBe(false)
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('a pasted picture is attached; pasted text that also comes as a picture stays text', async () => {
    await adaOpens()
    await brings('paste', [['image.png', 'image/png']])
    await tile('image.png').waitFor()
    await brings('paste', [['table.png', 'image/png']], 'a table')
    expect(await tiles().count()).toBe(1)
  })

  it('the picture of pasted text is offered, and replaces it', async () => {
    await adaOpens()
    await box().fill('Look: a table\nof two lines')
    await brings('paste', [['table.png', 'image/png']], 'a table\r\nof two lines')
    await page.getByRole('button', { name: 'Keep text only' }).click()
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await page.getByRole('button', { name: 'Paste as image' }).count()).toBe(0)
    await brings('paste', [['table.png', 'image/png']], 'a table\r\nof two lines')
    await page.getByRole('button', { name: 'Paste as image' }).click()
    await tile('table.png').waitFor()
    expect(await box().inputValue()).toBe('Look: ')
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
    // After the text is removed there is nothing to offer.
    await box().fill('a table')
    await brings('paste', [['table.png', 'image/png']], 'a table')
    await page.getByRole('button', { name: 'Paste as image' }).waitFor()
    await box().fill('')
    await page.getByRole('button', { name: 'Paste as image' }).waitFor({ state: 'detached' })
  })

  it('a phone offers its camera, and has it behind one button beside the text', async () => {
    await opens({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
    await adaOpens()
    const add = page.getByRole('button', { name: 'Add to the message' })
    const attach = page.getByRole('button', { name: 'Attach files' })
    await add.tap()
    await attach.waitFor()
    expect(await focusedLabel()).toBe('Attach files')
    await page.keyboard.press('Escape')
    await attach.waitFor({ state: 'hidden' })
    expect(await focusedLabel()).toBe('Add to the message')

    await add.tap()
    await attach.waitFor()
    await box().tap()
    await attach.waitFor({ state: 'hidden' })
    expect((await box().boundingBox())!.width).toBeGreaterThan(250)

    await add.tap()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).tap(),
    ])
    await attach.waitFor({ state: 'hidden' })
    expect(await focusedLabel()).toBe('Add to the message')
    await chooser.setFiles([picture('lake.png')])
    await tile('lake.png').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('Alt+Shift+A opens the picker from the text box', async () => {
    await adaOpens()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), box().press('Alt+Shift+A')])
    expect(chooser.isMultiple()).toBe(true)
  })

  it('an invalid picture, and a malicious name of 5,000 letters, break nothing', async () => {
    await adaOpens()
    await picks(
      { ...picture('broken.png'), buffer: Buffer.from('no picture') },
      text(`${'w'.repeat(5_000)}\u202Egpj.exe`),
    )
    await expect.poll(() => tiles().count()).toBe(2)
    await tile('broken.png').locator('svg').first().waitFor()
    const { width } = (await tiles().last().boundingBox())!
    expect(width).toBeLessThan(400)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})

describe('by keyboard', () => {
  it('the files are one tab stop: arrows move, Delete removes one, and the focus is never lost', async () => {
    await adaOpens()
    await picks(text('a.txt'), text('b.txt'), text('c.txt'))
    await expect.poll(() => stateOf('c.txt').textContent()).toBe('5 bytes')
    await page.getByRole('button', { name: 'Attach files' }).focus()
    await page.keyboard.press('Shift+Tab')
    expect(await focusedLabel()).toBe('Remove a.txt')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Delete')
    expect(await focusedLabel()).toBe('Remove c.txt')
    await page.keyboard.press('Delete')
    expect(await focusedLabel()).toBe('Remove a.txt')
    await page.keyboard.press('Delete')
    expect(await tiles().count()).toBe(0)
    expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('they are reordered by keys, by a button and by dragging, and are sent in that order', async () => {
    await adaOpens()
    await picks(text('a.txt'), text('b.txt'), text('c.txt'))
    await expect.poll(() => stateOf('c.txt').textContent()).toBe('5 bytes')
    const order = () =>
      tiles().evaluateAll((all) => all.map((one) => /[abc](?=\.txt)/.exec(one.textContent!)![0]).join(''))
    await page.getByRole('button', { name: 'Remove a.txt' }).focus()
    await page.keyboard.press('Control+ArrowLeft')
    await page.keyboard.press('Control+ArrowRight')
    expect([await order(), await focusedLabel()]).toEqual(['bac', 'Remove a.txt'])
    await page.locator('[aria-live=polite]').getByText('a.txt, 2 of 3', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Move c.txt forward' }).click()
    await page.getByRole('button', { name: 'Move c.txt forward' }).click()
    expect([await order(), await focusedLabel()]).toEqual(['cba', 'Remove c.txt'])
    await tile('a.txt').dragTo(tile('c.txt'))
    await expect.poll(order).toBe('acb')
    await box().press('Enter')
    await expect
      .poll(async () =>
        (await sent()).map(({ attachments }) => attachments?.map((one) => (one as { title: string }).title)),
      )
      .toEqual([['a.txt', 'c.txt', 'b.txt']])
  })

  for (const theme of ['light', 'dark'] as const)
    it(`keeps nobody out, in the ${theme} theme`, async () => {
      await adaOpens({ theme, settings: { file_upload_config: { blocked_mime_types: ['text/plain'] } } })
      await picks(picture('lake.png'), text('plan.txt'))
      await expect.poll(() => tile('plan.txt').getAttribute('data-status')).toBe('blocked')
      expect(await axeFinds(page, '.chat-composer')).toEqual([])
    })
})
