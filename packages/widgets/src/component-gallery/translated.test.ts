import { expect, it } from 'vitest'
import { aBrowserOn } from '../testing/browser.ts'
import { translatePage } from '../testing/translated-page.ts'

it('every example goes on in a page that the browser translates', { timeout: 300_000 }, async () => {
  const browser = await aBrowserOn('story.html', import.meta.dirname)
  const { page, problems, leave } = await browser.open({ viewport: { width: 1000, height: 800 } })
  await page.addInitScript(translatePage)
  await page.reload()
  await page.waitForSelector('html[data-ready]')
  /** Until the component has stopped changing. */
  const settles = () =>
    page.evaluate(async () => {
      const pause = () => new Promise((resolve) => setTimeout(resolve, 60))
      for (let before = ''; before !== document.body.innerHTML; await pause()) before = document.body.innerHTML
    })

  const faults: unknown[] = []
  for (const { component, has } of await page.evaluate(() => window.gallery.stories()))
    for (const kind of has) {
      const known = problems().length
      await page.evaluate((look) => window.gallery.show(look), { component, kind })
      await settles()
      // Another language changes every text, where it stands and beside what.
      await page.evaluate((look) => window.gallery.change(look), { component, kind, language: 'de' })
      await settles()
      await page.evaluate(() => window.gallery.clear())
      if (problems().length > known) faults.push({ component, kind, problems: problems().slice(known) })
    }
  expect(faults).toEqual([])
  await leave()
  await browser.close()
})
