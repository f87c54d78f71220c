import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(async (opened) => {
  page = opened
})

/** Bo writes German; the chat server has a translation service unless disabled. */
async function boWritesGerman({ translates = true, refused = false, theme = 'light' as 'light' | 'dark' } = {}) {
  await page.evaluate(
    ([translates, refused, theme]) =>
      window.kitFixture.start({ open: 'bo', theme }, (server) => {
        server.translates = translates
        if (refused) server.refusals.set('POST /translate', { status: 400, code: 4 })
      }),
    [translates, refused, theme] as const,
  )
  await page.waitForSelector('.chat-scroll')
  return page.evaluate(() => {
    const { server, bo } = window.kitFixture
    return server().says('bo', { ...bo, language: 'de' }, 'Guten Morgen')
  })
}
const row = (id: string) => page.locator(`[data-key="${id}"]`)
const action = () => page.getByRole('menuitem', { name: 'Translate', exact: true })

async function opensMenuOf(id: string) {
  await row(id).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy text' }).waitFor()
}
async function translates(id: string) {
  await opensMenuOf(id)
  await action().click()
}

describe('a message in another language', () => {
  it('is shown in the reader’s on request, is marked, and can be shown in the original again', async () => {
    const id = await boWritesGerman()
    await translates(id)
    await row(id).getByText('Guten Morgen (en)', { exact: true }).waitFor()
    await row(id).getByText('Translated from German').waitFor()
    expect(await row(id).locator('.chat-text').getAttribute('lang')).toBe('en')
    await page.locator('[aria-live=polite]').getByText('Translation: Guten Morgen (en)').waitFor()
    await expect.poll(() => row(id).evaluate((it) => it === document.activeElement)).toBe(true)

    await page.keyboard.press('Enter')
    const original = row(id).getByRole('button', { name: 'Show original' })
    while (!(await original.evaluate((it) => it === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await row(id).getByText('Guten Morgen', { exact: true }).waitFor()
    expect(await row(id).locator('.chat-text').getAttribute('lang')).toBe('de')
    await row(id).getByRole('button', { name: 'Show translation' }).press('Enter')
    await row(id).getByText('Guten Morgen (en)', { exact: true }).waitFor()
    expect(await page.evaluate(() => window.kitFixture.calls('/translate').length)).toBe(1)
  })

  it('shows the original after an edit, which removes the translation', async () => {
    const id = await boWritesGerman()
    await translates(id)
    await row(id).getByText('Guten Morgen (en)', { exact: true }).waitFor()
    await page.evaluate((id) => window.kitFixture.server().edits(id, { text: 'Guten Abend', i18n: {} }), id)
    await row(id).getByText('Guten Abend', { exact: true }).waitFor()
    expect(await row(id).locator('.chat-translated').count()).toBe(0)
  })

  it('stays as it is when translation fails, with a notice', async () => {
    const id = await boWritesGerman({ refused: true })
    await translates(id)
    await page.getByText('The message could not be translated').first().waitFor()
    await row(id).getByText('Guten Morgen', { exact: true }).waitFor()
  })

  it('has no such action without a translation service, nor for texts in the reader’s language or by the reader', async () => {
    const id = await boWritesGerman({ translates: false })
    await opensMenuOf(id)
    await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/app').length)).toBeGreaterThan(0)
    expect(await action().count()).toBe(0)
    await page.keyboard.press('Escape')

    await boWritesGerman()
    const others = await page.evaluate(() => {
      const { server, ada, bo } = window.kitFixture
      return [server().says('bo', { ...bo, language: 'en' }, 'Good morning'), server().says('bo', ada, 'Moin')]
    })
    const known = await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      return server().says('bo', { ...bo, language: 'de' }, 'Hallo')
    })
    await opensMenuOf(known)
    await action().waitFor()
    await page.keyboard.press('Escape')
    for (const id of others) {
      await opensMenuOf(id)
      expect(await action().count()).toBe(0)
      await page.keyboard.press('Escape')
    }
  })

  it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (theme) => {
    const id = await boWritesGerman({ theme })
    await translates(id)
    await row(id).getByText('Translated from German').waitFor()
    await standsStill(page)
    expect(await axeFinds(page)).toEqual([])
  })
})
