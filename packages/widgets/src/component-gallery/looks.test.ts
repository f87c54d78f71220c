import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { standsStill } from '../../../../scripts/axe.ts'
import { outOfPlace } from '../../../../scripts/out-of-place.ts'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import { pseudo } from '../testing/pseudo-locale.ts'
import type { Look } from './story.tsx'

const kinds = ['empty', 'typical', 'tooMuch', 'error'] as const

const ROOM = { viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' } as const
/** Only texts of the catalogues, with no hard-coded text in between. */
const OURS = '^⟦[^aceiostu]*⟧$'
const source = join(import.meta.dirname, '..')

let browser: FixtureBrowser
let page: Page
let leave: () => Promise<void>
beforeAll(async () => {
  browser = await aBrowserOn('story.html', import.meta.dirname, pseudo)
}, 120_000)
afterAll(() => browser.close())
afterEach(() => leave())

async function opens(options: BrowserContextOptions = {}) {
  ;({ page, leave } = await browser.open({ ...ROOM, ...options }))
}

async function show(look: Look) {
  await page.evaluate((look) => window.gallery.show(look), look)
  await settles()
}

/** Until the component has stopped changing, and lazy parts are loaded. */
async function settles() {
  await page.evaluate(async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 60))
    const places = ['file', 'audio', 'video', 'picture'].map((kind) => `.chat-${kind}:empty`).join()
    const isFetching = () => document.querySelector(places) !== null
    for (let before = ''; before !== document.body.innerHTML || isFetching(); await pause())
      before = document.body.innerHTML
  })
  await standsStill(page)
}

/** Checks of the rendered text and look of every example. */
async function foundInStories(
  look: Omit<Look, 'component' | 'kind'>,
  find: () => Promise<readonly string[]>,
  looked: readonly Look['kind'][] = kinds,
) {
  const found: unknown[] = []
  for (const { component, has } of await page.evaluate(() => window.gallery.stories()))
    for (const kind of has.filter((kind) => looked.includes(kind))) {
      await show({ component, kind, ...look })
      const faults = await find()
      if (faults.length > 0) found.push({ component, kind, faults })
    }
  return found
}

describe('every example', { timeout: 600_000 }, () => {
  it('contains only texts of the catalogues', async () => {
    await opens()
    // The example of extremes consists of random text.
    expect(await foundInStories({}, wordsOfNobody, ['empty', 'typical', 'error'])).toEqual([])
  })

  for (const [name, options, prepare] of [
    ['in a language 40 % longer', {}, async () => {}],
    ['in the room of a phone', { viewport: { width: 320, height: 800 } }, async () => {}],
    ['with letters twice as large', {}, largeLetters],
  ] as const)
    for (const dir of ['ltr', 'rtl'] as const)
      it(`has room for its words ${name}, ${dir === 'rtl' ? 'right to left' : 'left to right'}`, async () => {
        await opens(options)
        await prepare()
        expect(await foundInStories({ dir }, () => outOfPlace(page, OURS))).toEqual([])
      })

  it('gives each paragraph that people write its own direction, read or typed', async () => {
    await opens()
    const others = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[dir="auto"], .chat-text p, textarea, input')]
          .filter((element) => !element.matches('[type="checkbox"], [type="radio"], [type="range"], [type="file"]'))
          .filter((element) => getComputedStyle(element).unicodeBidi !== 'plaintext')
          .map((element) => `${element.tagName} ${element.className}`),
      )
    expect(await foundInStories({}, others)).toEqual([])
  })

  it('does not move with reduced motion', async () => {
    await opens()
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState }) => playState === 'running')
          .map(({ effect }) => ((effect as KeyframeEffect).target as Element).className),
      )
    expect(await foundInStories({}, moving)).toEqual([])
  })
})

describe('in the forced colours of a contrast theme', () => {
  const drawn = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((it) => {
        const { outlineStyle, outlineWidth, borderTopWidth, borderTopStyle, fontWeight } = getComputedStyle(it)
        return {
          outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
          border: borderTopStyle === 'none' ? 0 : Number.parseFloat(borderTopWidth),
          weight: Number(fontWeight),
        }
      })

  it('open, unread and focused rows are distinct in the list', async () => {
    await opens({ forcedColors: 'active' })
    await show({ component: 'ChannelList', kind: 'typical' })
    const others = '.chat-channel-row:not([data-active], [data-unread])'
    expect((await drawn('.chat-channel-row[data-active]')).outline).toBeGreaterThan((await drawn(others)).outline)
    expect((await drawn('.chat-badge')).border).toBeGreaterThan(0)
    expect((await drawn('.chat-channel-row[data-unread] .chat-channel-name')).weight).toBeGreaterThan(
      (await drawn(`${others} .chat-channel-name`)).weight,
    )
    await page.locator(others).first().focus()
    await page.keyboard.press('ArrowDown')
    expect((await drawn('.chat-channel-row:focus')).outline).toBeGreaterThanOrEqual(2)
  })

  it('bubbles have an edge, and own bubbles another than those of others', async () => {
    await opens({ forcedColors: 'active' })
    await show({ component: 'MessageList', kind: 'typical' })
    const theirs = await drawn('.chat-message:not([data-own]) .chat-bubble')
    expect(theirs.border).toBeGreaterThan(0)
    expect((await drawn('.chat-message[data-own] .chat-bubble')).border).toBeGreaterThan(theirs.border)
  })

  it('pressed buttons differ from the others', async () => {
    await opens({ forcedColors: 'active' })
    await show({ component: 'SearchPane', kind: 'typical' })
    expect((await drawn('.chat-filter[aria-pressed=true]')).border).toBeGreaterThan(
      (await drawn('.chat-filter[aria-pressed=false]')).border,
    )
  })
})

async function largeLetters() {
  await page.addStyleTag({ content: ':root { font-size: 200% }' })
}

/** Texts of the examples themselves: names, messages, addresses. */
const told = new Set(
  globSync(['**/*.stories.tsx', 'component-gallery/*.ts*', 'testing/*.ts*'], { cwd: source })
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .flatMap((text) => text.match(/'[^'\n]*'|`[^`]*`|>[^<>{}]+</g) ?? [])
    .flatMap(wordsOf),
)
/** Texts of `Intl` and of the emoji's own catalogue. */
const known = new Set([
  ...Array.from({ length: 366 }, (_, day) => new Date(2024, 0, 1 + day)).flatMap((date) =>
    (['long', 'short'] as const).flatMap((style) =>
      // An example adds Swedish texts.
      ['en', 'sv'].flatMap((language) => wordsOf(date.toLocaleDateString(language, { month: style, weekday: style }))),
    ),
  ),
  ...wordsOf('för sedan minuter timme timmar dag dagar veckor månad månader igår förrgår och'),
  ...wordsOf('today yesterday ago minute hour day week month year minutes hours days weeks months years and'),
  // Labels of keys, the names of languages, and React Aria's own close button of a layer.
  ...wordsOf(
    'Ctrl Shift Enter Del Esc Alt Home End Tab Deutsch English Español Français Italiano Nederlands Português Brasil',
  ),
  ...wordsOf('Türkçe dismiss code'),
  ...wordsOf(readFileSync(join(source, 'emoji/names/emoji.json'), 'utf8')),
])

function wordsOf(text: string): string[] {
  return (text.match(/[A-Za-z]{3,}/g) ?? []).map((word) => word.toLowerCase())
}

/** Texts that are in no catalogue and not in the example. */
async function wordsOfNobody(): Promise<string[]> {
  const said = await page.evaluate(() => {
    const attributes = [
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'aria-roledescription',
      'title',
      'alt',
      'placeholder',
    ]
    const texts: string[] = []
    for (const element of document.querySelectorAll('body, body *')) {
      if (element.closest('script, style')) continue
      for (const name of attributes) texts.push(element.getAttribute(name) ?? '')
      // A file's name is rendered in two parts, and whole in its title.
      if (element.closest('.chat-file-name')) continue
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '')
    }
    return texts
  })
  return said.filter((text) => {
    // The text for support is the server's.
    const outside = text.replaceAll(/⟦[^⟧]*⟧|^error (code|HTTP).*/g, ' ')
    return wordsOf(outside).some((word) => !told.has(word) && !known.has(word))
  })
}
