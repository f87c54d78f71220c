import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const box = () => page.getByRole('textbox', { name: /^Message/ })
const stands = (text: string) => expect.poll(() => box().inputValue()).toBe(text)

async function adaWrites({ smileys }: { smileys: boolean }) {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo', preferences: true }))
  await page.waitForSelector('.chat-scroll')
  if (smileys) {
    await page.getByRole('button', { name: 'Preferences' }).click()
    const wish = page.getByRole('switch', { name: 'Turn smileys such as :) into emoji' })
    expect(await wish.isChecked()).toBe(false)
    await wish.check()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await box().focus()
}
/** Key by key, each after the effect of the one before. */
async function types(text: string) {
  for (const key of text) {
    await page.keyboard.type(key)
    await page.evaluate(() => new Promise((done) => setTimeout(done)))
  }
}
const comes = () =>
  page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /smileys/.test(name)))

describe('smileys', () => {
  it('stay as typed unless the preference is on', async () => {
    await adaWrites({ smileys: false })
    await types('Fine :) and you :D ')
    await stands('Fine :) and you :D ')
  })

  it('become emoji, those that end with a letter with the space behind them', async () => {
    await adaWrites({ smileys: true })
    await types('Fine')
    await comes()
    await types(' :)')
    await stands('Fine 🙂')
    await types(' and you :D')
    await stands('Fine 🙂 and you :D')
    await types(' <3 :-(')
    await stands('Fine 🙂 and you 😃 ❤️ 🙁')
    expect(await box().evaluate((it: HTMLTextAreaElement) => it.selectionStart === it.value.length)).toBe(true)
  })

  it('are restored by one Backspace, or by undo, and stay then', async () => {
    await adaWrites({ smileys: true })
    await types('Fine')
    await comes()
    await types(' :)')
    await stands('Fine 🙂')
    await page.keyboard.press('Backspace')
    await stands('Fine :)')
    await types(' :D ')
    await stands('Fine :) 😃 ')
    await page.keyboard.press('ControlOrMeta+z')
    await stands('Fine :) :D ')
    await page.keyboard.press('Backspace')
    await stands('Fine :) :D')
    await types('own')
    await stands('Fine :) :Down')
  })

  it('are not replaced in code, in links, within words, nor in pasted text', async () => {
    await adaWrites({ smileys: true })
    await types('x')
    await comes()
    await types(' `a :) b` http://example.com/:) a:) ')
    await stands('x `a :) b` http://example.com/:) a:) ')
    await box().fill('')
    await types('```')
    await page.keyboard.press('Shift+Enter')
    await types('a :) ')
    await stands('```\na :) ')
    await box().fill('pasted :)')
    await types('!')
    await stands('pasted :)!')
  })
})
