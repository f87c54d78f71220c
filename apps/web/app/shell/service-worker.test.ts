import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'

const program = readFileSync(new URL('../../public/service-worker.js', import.meta.url), 'utf8')

it('a built file is served though there is no space to cache it', async () => {
  const cache = { match: async () => undefined, put: () => Promise.reject(new Error('QuotaExceededError')) }
  const listeners = new Map<string, (event: object) => void>()
  runInNewContext(program, {
    URL,
    self: { addEventListener: (name: string, heard: (event: object) => void) => listeners.set(name, heard) },
    location: { origin: 'http://localhost' },
    caches: { open: async () => cache },
    fetch: async () => new Response('built'),
  })
  const request = new Request('http://localhost/assets/page.js')
  const answer = await new Promise<Response>((respondWith) => listeners.get('fetch')!({ request, respondWith }))
  expect(await answer.text()).toBe('built')
})
