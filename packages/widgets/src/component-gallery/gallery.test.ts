import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { outlineOf } from '../../../../scripts/outline.ts'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import { MORNING } from '../testing/working-day.ts'
import type { Look } from './story.tsx'

const source = join(import.meta.dirname, '..')
const { exports: doors }: { exports: Record<string, string> } = JSON.parse(
  readFileSync(join(source, '../package.json'), 'utf8'),
)

/** The exported components of the package: capitalised exports of a `.tsx` file. */
const exported = Object.values(doors)
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('/testing/'))
  .flatMap((file) => {
    const door = readFileSync(join(source, '..', file), 'utf8')
    const passedOn = [...door.matchAll(/export \{([^}]+)\} from '[^']+\.tsx'/g)].flatMap(([, names]) =>
      names!.split(','),
    )
    const own = file.endsWith('.tsx') ? [...door.matchAll(/^export function (\w+)/gm)].map(([, name]) => name!) : []
    return [...passedOn, ...own]
  })
  .map((name) => name.trim())
  .filter((name) => /^[A-Z]\w+$/.test(name))

/** Components that render only with content or a capability; they conform in another example. */
const shownIn: Record<string, Look['kind']> = { ConnectionBanner: 'error' }

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
let leave: () => Promise<void>

beforeAll(async () => {
  browser = await aBrowserOn('story.html', import.meta.dirname)
}, 120_000)
afterAll(() => browser.close())
beforeEach(async () => {
  ;({ page, problems, leave } = await browser.open({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' }))
})
afterEach(() => leave())

const stories = () => page.evaluate(() => window.gallery.stories())
const show = (look: Look, options = {}) =>
  page.evaluate(([look, options]) => window.gallery.show(look, options), [look, options] as const)

/** Until the component has stopped changing. */
async function settles() {
  await page.evaluate(async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 60))
    for (let before = ''; before !== document.body.innerHTML; await pause()) before = document.body.innerHTML
  })
}

it('every component of the kit has examples, or a reason for having none', async () => {
  const told = (await stories()).map(({ component }) => component)
  expect(exported.length).toBeGreaterThan(10)
  expect(exported.filter((component) => !told.includes(component))).toEqual([])
  expect(exported).toEqual(expect.arrayContaining(['ChannelPane', 'Carousel', 'CarouselNext']))
  for (const { component, has } of await stories())
    expect({ component, has }).toMatchObject({ has: expect.arrayContaining(['typical']) })
})

it('every file of examples is in the gallery', async () => {
  const files = globSync('**/*.stories.tsx', { cwd: source })
  const named = files.flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/component: '(\w+)'/g)].map(([, name]) => name),
  )
  expect((await stories()).map(({ component }) => component).toSorted()).toEqual(named.toSorted())
})

/** The example of extremes repeats the same content. */
const outlined: readonly Look['kind'][] = ['empty', 'typical', 'error']
/** It is the whole chat in other colours. */
const ofLooksAlone = ['BrandColours']

it.skipIf(process.env.TEST_DAY === 'machine')(
  'every component has the documented structure, in every state',
  { timeout: 300_000 },
  async () => {
    // Outlines name minutes, and drawing them all takes some: the examples are made, and looked at, at one instant.
    await page.clock.setFixedTime(MORNING)
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    for (const { component, has } of await stories()) {
      if (ofLooksAlone.includes(component)) continue
      const outlines: string[] = []
      for (const kind of has.filter((kind) => outlined.includes(kind))) {
        await show({ component, kind })
        await settles()
        outlines.push(`${kind}\n${outlineOf(await page.evaluate(() => document.querySelector('.story')!.innerHTML))}`)
      }
      await expect(outlines.join('\n')).toMatchFileSnapshot(`outlines/${component}.txt`)
    }
    expect(problems()).toEqual([])
  },
)

describe('every example is accessible', () => {
  for (const [name, look] of [
    ['light', { theme: 'light', dir: 'ltr' }],
    ['dark, right to left', { theme: 'dark', dir: 'rtl' }],
  ] as const)
    it(name, { timeout: 600_000 }, async () => {
      const found: unknown[] = []
      for (const { component, has } of await stories())
        for (const kind of has) {
          await show({ component, kind, ...look })
          await settles()
          const faults = await axeFinds(page, '#root')
          if (faults.length > 0) found.push({ component, kind, faults })
        }
      expect(found).toEqual([])
      expect(problems()).toEqual([])
    })
})

describe('every component', () => {
  it('takes a ref, a class name, styles and attributes, and leaks nothing', { timeout: 300_000 }, async () => {
    // React's own listeners are added with its first root.
    await show({ component: 'Chat', kind: 'typical' })
    await settles()
    await page.evaluate(() => window.gallery.clear())
    await page.evaluate(countListeners)
    const found: unknown[] = []
    for (const component of exported) {
      const before = await page.evaluate(() => window.listening())
      await show({ component, kind: shownIn[component] ?? 'typical' }, { conforming: true })
      // A lost connection is announced after five seconds.
      await page.waitForFunction(() => window.gallery.given(), undefined, { timeout: 20_000 }).catch(() => {})
      const got = await page.evaluate(() => {
        const element = window.gallery.given()
        return (
          element && {
            ownClass: /(^| )chat/.test(element.className),
            className: element.classList.contains('given-class'),
            style: element.style.getPropertyValue('--given'),
            data: element.dataset.given,
            title: element.title,
            connected: element.isConnected,
          }
        )
      })
      await page.evaluate(() => window.gallery.clear())
      await settles()
      const left = await page.evaluate(() => ({
        ref: window.gallery.given(),
        page: document.querySelectorAll('#root > *, [data-given]').length,
        listening: window.listening(),
      }))
      const wanted = { ownClass: true, className: true, style: '1', data: 'yes', title: 'Given title', connected: true }
      const clean = { ref: null, page: 0, listening: before }
      if (JSON.stringify([got, left]) !== JSON.stringify([wanted, clean])) found.push({ component, got, left, before })
    }
    expect(found).toEqual([])
  })
})

declare global {
  interface Window {
    listening: () => Record<string, number>
  }
}

/** From now on the page counts the listeners on the window, the document and the body, and the running intervals. */
function countListeners() {
  const counts: Record<string, number> = {}
  for (const target of [window, document, document.body]) {
    const { addEventListener, removeEventListener } = target
    const known = new Map<string, Set<unknown>>()
    const of = (type: string) => known.get(type) ?? known.set(type, new Set()).get(type)!
    const count = (type: string) => {
      counts[`${target.constructor.name} ${type}`] = of(type).size
    }
    target.addEventListener = (...given: Parameters<Window['addEventListener']>) => {
      const [type, listener, options] = given
      of(type).add(listener)
      count(type)
      const { signal } = typeof options === 'object' ? options : {}
      signal?.addEventListener('abort', () => {
        of(type).delete(listener)
        count(type)
      })
      addEventListener.apply(target, given)
    }
    target.removeEventListener = (...given: Parameters<Window['removeEventListener']>) => {
      of(given[0]).delete(given[1])
      count(given[0])
      removeEventListener.apply(target, given)
    }
  }
  const intervals = new Set<unknown>()
  const { setInterval, clearInterval } = window
  window.setInterval = ((...given: Parameters<typeof setInterval>) => {
    const id = setInterval(...given)
    intervals.add(id)
    counts.intervals = intervals.size
    return id
  }) as typeof setInterval
  window.clearInterval = (id) => {
    intervals.delete(id)
    counts.intervals = intervals.size
    clearInterval(id)
  }
  window.listening = () =>
    Object.fromEntries(
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .sort(),
    )
}
