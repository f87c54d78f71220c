import { FakeClock } from '@parley/client/testing'
import { expect, it } from 'vitest'
import { CatalogueLoader, type ReadCatalogue } from './load-catalogue.ts'

function aLoader(catalogues: Record<string, ReadCatalogue>) {
  const clock = new FakeClock()
  const logged: string[] = []
  const loader = new CatalogueLoader({ catalogues, clock, log: (problem) => logged.push(problem) })
  return { loader, clock, logged }
}

/** Lets all pending promise callbacks run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

const german = { retry: ['Erneut versuchen'] }

it('[I18N-6][I18N-7] logs a language that is not registered once, and falls back to English', async () => {
  const { loader, logged } = aLoader({})
  expect(await loader.load('tr')).toBeUndefined()
  expect(await loader.load('tr')).toBeUndefined()
  expect(logged).toEqual(['The language "tr" is not registered; English is shown.'])
})

it('loads a language once, however often it is requested', async () => {
  let reads = 0
  const { loader } = aLoader({
    async de() {
      reads += 1
      return { default: german }
    },
  })
  expect(await Promise.all([loader.load('de'), loader.load('de')])).toEqual([german, german])
  expect(reads).toBe(1)
})

it('[I18N-8][I18N-9] tries a failed load again up to five times, 350 ms apart', async () => {
  const readAt: number[] = []
  const { loader, clock } = aLoader({
    async de() {
      readAt.push(clock.now())
      throw new Error('offline')
    },
  })
  void loader.load('de')
  for (let tick = 0; tick < 20; tick++) {
    await settle()
    clock.advance(175)
  }
  expect(readAt).toHaveLength(6)
  expect(readAt.slice(1).map((at, try_) => at - readAt[try_]!)).toEqual([350, 350, 350, 350, 350])
})

it('[I18N-8] takes the first try that works', async () => {
  let reads = 0
  const { loader, clock } = aLoader({
    async de() {
      reads += 1
      if (reads < 4) throw new Error('offline')
      return { default: german }
    },
  })
  const loaded = loader.load('de')
  for (let tick = 0; tick < 5; tick++) {
    await settle()
    clock.advance(350)
  }
  expect(await loaded).toEqual(german)
  expect(reads).toBe(4)
})

it('[I18N-11] falls back to English after the fifth failed retry, and logs it once', async () => {
  const { loader, clock, logged } = aLoader({ de: () => Promise.reject(new Error('offline')) })
  const loaded = loader.load('de')
  for (let tick = 0; tick < 8; tick++) {
    await settle()
    clock.advance(350)
  }
  expect(await loaded).toBeUndefined()
  expect(await loader.load('de')).toBeUndefined()
  expect(logged).toHaveLength(1)
})

it('[I18N-10] loads at most ten catalogues at a time', async () => {
  const finish: (() => void)[] = []
  let running = 0
  let most = 0
  const read: ReadCatalogue = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running -= 1
    return { default: {} }
  }
  const names = Array.from({ length: 14 }, (_, n) => `l${n}`)
  const { loader } = aLoader(Object.fromEntries(names.map((name) => [name, read])))
  const loads = Promise.all(names.map((name) => loader.load(name)))
  await settle()
  expect(running).toBe(10)
  while (finish.length > 0) {
    finish.shift()?.()
    await settle()
  }
  await loads
  expect(most).toBe(10)
})
