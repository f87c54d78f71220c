import { afterEach, expect, it, vi } from 'vitest'
import { channelBetweenPages, inOnePage, remember, remembered } from './browser-memory.ts'

afterEach(() => vi.unstubAllGlobals())

/** A storage of the browser, with parts that fail. */
function aStorage(failing: Partial<Storage> = {}): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    ...failing,
  } as Storage
}
const refuses = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
const isFull = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

const places = [
  ['device', 'localStorage'],
  ['tab', 'sessionStorage'],
] as const

it.each(places)('the %s remembers a value, and forgets it', (lasting, global) => {
  vi.stubGlobal(global, aStorage())
  remember('size', { inline: 400 }, lasting)
  expect(remembered('size', lasting)).toEqual({ inline: 400 })
  remember('size', undefined, lasting)
  expect(remembered('size', lasting)).toBe(undefined)
})

it.each(
  places.flatMap(([lasting, global]) => [
    [lasting, 'is missing', global, undefined] as const,
    [lasting, 'refuses', global, aStorage({ getItem: refuses, setItem: refuses, removeItem: refuses })] as const,
    [lasting, 'is full', global, aStorage({ setItem: isFull })] as const,
  ]),
)('a value lasts as long as the page if the storage of the %s %s', (lasting, how, global, storage) => {
  const name = `size ${lasting} ${how}`
  vi.stubGlobal(global, storage)
  expect(remembered(name, lasting)).toBe(undefined)
  remember(name, { inline: 400 }, lasting)
  expect(remembered(name, lasting)).toEqual({ inline: 400 })
  remember(name, undefined, lasting)
  expect(remembered(name, lasting)).toBe(undefined)
})

it.each(['{', 'start', 'null', ''])('what cannot be read counts as absent: %j', (text) => {
  vi.stubGlobal('localStorage', aStorage({ getItem: () => text }))
  expect(remembered('size')).toBe(undefined)
})

it('a browser without channels between pages has none', () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  expect(channelBetweenPages('parley.chat.ada')).toBe(undefined)
})

it.each([
  ['without locks', {}],
  ['that refuses locks', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } }],
  ['that throws', { locks: { request: refuses } }],
])('in a browser %s each page works for itself', async (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  await new Promise<void>((ran) => inOnePage('ada', new AbortController().signal, ran))
})

it('what no longer is wanted is not run', async () => {
  const end = new AbortController()
  end.abort()
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(end.signal.reason) } })
  const run = vi.fn()
  inOnePage('ada', end.signal, run)
  await Promise.resolve()
  await Promise.resolve()
  expect(run).not.toHaveBeenCalled()
})
