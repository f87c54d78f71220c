import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'
import { addTexts, type Texts } from './add-texts.ts'
import { chooseLanguage } from './languages.ts'

let page: Page
aKitPage(
  async (opened) => {
    page = opened
    await page.evaluate(() => {
      const warnings: string[] = []
      Object.assign(window, { warnings })
      console.warn = (text: string) => void warnings.push(text)
    })
  },
  { locale: 'sv-SE' },
)
const warnings = () => page.evaluate(() => (window as unknown as { warnings: string[] }).warnings)

const add = (language: string, texts: Record<string, string>) =>
  page.evaluate(([language, texts]) => window.kitFixture.addTexts(language, texts), [language, texts] as const)
const chat = () => page.locator('.chat')
async function adaOpens(options: { language?: string; preferences?: boolean } = {}) {
  await page.evaluate((options) => window.kitFixture.start({ open: 'racks', ...options }), options)
  await page.waitForSelector('.chat-scroll-row')
}

describe('custom texts', () => {
  it('[interface.md 5] override those of the kit in an open chat, keep the draft, and can be removed', async () => {
    await adaOpens()
    await page.getByRole('textbox').fill('Half a thought')
    await page.evaluate(() => {
      const takeBack = window.kitFixture.addTexts('en', { 'composer.send': 'Post it' })
      Object.assign(window, { takeBack })
    })
    await page.getByRole('button', { name: 'Post it' }).waitFor()
    expect(await page.getByRole('textbox').inputValue()).toBe('Half a thought')
    await page.evaluate(() => (window as unknown as { takeBack: () => void }).takeBack())
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  })

  it('are for one language, and later ones override earlier ones', async () => {
    await add('en', { 'composer.send': 'Post it' })
    await adaOpens({ language: 'de' })
    await page.getByRole('button', { name: 'Senden' }).waitFor()
    await add('de', { 'composer.send': 'Ab damit' })
    await add('de', { 'composer.send': 'Los' })
    await page.getByRole('button', { name: 'Los', exact: true }).waitFor()
  })

  it('reach lazy chunks', async () => {
    await adaOpens()
    await add('en', {
      'pins.title': 'On the wall',
      'pins.button': '{count, plural, one {# on the wall} other {# there}}',
    })
    await page.getByRole('button', { name: '1 on the wall' }).click()
    await page.getByRole('complementary', { name: 'On the wall' }).waitFor()
  })
})

describe('a further language', () => {
  const swedish = {
    'composer.send': 'Skicka',
    'header.membersOnline': '{count, plural, one {# medlem} other {# medlemmar}}',
  }

  it('[interface.md 5] is used where it is requested; missing texts are in English', async () => {
    await add('sv', swedish)
    await add('en', { 'channels.label': 'Orders' })
    await adaOpens({ language: 'sv' })
    await page.getByRole('button', { name: 'Skicka' }).waitFor()
    expect(await chat().getAttribute('lang')).toBe('sv')
    await page.getByText(/\d medlemmar/).waitFor()
    await page.getByRole('navigation', { name: 'Orders' }).waitFor()
    // Data that the kit has per language is in English.
    await page.getByRole('textbox').fill(':grinning')
    await page
      .getByRole('option', { name: /grinning face/ })
      .first()
      .waitFor()
  })

  it('is used for a browser that requests it, once it is added', async () => {
    await adaOpens({ language: '' })
    expect(await chat().getAttribute('lang')).toBe('en')
    await add('sv', swedish)
    await page.getByRole('button', { name: 'Skicka' }).waitFor()
  })

  it('can be chosen in the preferences, and is kept after a reload', async () => {
    await add('sv', swedish)
    await adaOpens({ preferences: true })
    await page.getByRole('button', { name: 'Chat preferences' }).click()
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption({ label: 'Svenska' })
    await expect.poll(() => chat().getAttribute('lang')).toBe('sv')
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await adaOpens()
    expect(await chat().getAttribute('lang')).not.toBe('de')
    await add('sv', swedish)
    await expect.poll(() => chat().getAttribute('lang')).toBe('sv')
  })

  it('is chosen by its whole tag, or by the first two letters of the browser', () => {
    expect(chooseLanguage('zh-Hant', 'de', ['zh-Hant'])).toBe('zh-Hant')
    expect(chooseLanguage(undefined, 'sv-SE', ['sv'])).toBe('sv')
    expect(chooseLanguage('sv', 'fr')).toBe('fr')
  })
})

describe('an invalid text', () => {
  it('[interface.md 5] is replaced by the kit’s own, and logged', async () => {
    await add('en', {
      'composer.send': 'Send {what}',
      'header.membersOnline': '{count, plural, one {# head}}',
      'channels.label': '   ',
      'pins.button': '{count, date} pins',
      'no.such.text': 'Hm',
    })
    await adaOpens()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.getByText(/\d members/).waitFor()
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor()
    await page.getByRole('button', { name: '1 pinned message' }).waitFor()
    expect((await warnings()).map((text) => text.replace(' in "en" is left out', ''))).toEqual([
      'The text of "composer.send": nobody fills in {what}.',
      'The text of "header.membersOnline": {count} has no case "other".',
      'The text of "channels.label": it says nothing.',
      'The text of "pins.button": {count} cannot be a date.',
      'The text of "no.such.text": the kit has no text of this name.',
    ])
  })

  it('uses "other" for a missing plural form, and logs that', async () => {
    await add('ru', { 'header.membersOnline': '{count, plural, one {# глава} other {# главы}}' })
    await adaOpens({ language: 'ru' })
    await page.getByText(/\d главы/).waitFor()
    expect(await warnings()).toEqual([
      'The text of "header.membersOnline" in "ru" has no form for few and many; "other" is taken.',
    ])
  })

  it('is left out also if the language is invalid, or the text is not a string', () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => {})
    addTexts('no language at all', { 'composer.send': 'Hm' })()
    addTexts('sv', { 'composer.send': 7 } as unknown as Texts)()
    expect(logged.mock.calls.map(([text]) => text)).toEqual([
      '"no language at all" is not the tag of a language; its texts are left out.',
      'The text of "composer.send" in "sv" is left out: it says nothing.',
    ])
    logged.mockRestore()
  })
})
