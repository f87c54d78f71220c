import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../app.ts'
import { foundApp } from '../apps/found-app.ts'
import { readSettings } from '../settings.ts'
import { AppServer } from '../testing/person.ts'
import { StoryClock } from '../testing/story-clock.ts'

/** A translation service that shouts, and knows no Klingon. */
async function aTranslator() {
  const asked: { q: string; target: string; api_key?: string }[] = []
  const service = createServer((request, answer) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { q, target, api_key } = JSON.parse(body)
      asked.push({ q, target, api_key })
      if (target === 'tlh') answer.writeHead(400).end('{}')
      else answer.end(JSON.stringify({ translatedText: `${target}: ${q}!`, detectedLanguage: { language: 'en' } }))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    service.close()
  })
  return { asked, url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` }
}

it('[MSG-15] a message is said in other languages, which is kept and told', async () => {
  const { asked, url } = await aTranslator()
  const clock = new StoryClock()
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' }
  const running = await startServer(readSettings({ ...env, TRANSLATION_URL: url, TRANSLATION_KEY: 'k' }), clock)
  onTestFinished(() => running.stop())
  const app = await foundApp(running.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const company = new AppServer(running.url, app, clock)
  await company.hires('ada', 'bo', 'cy')
  const [ada, bo, cy] = [company.person('ada'), company.person('bo'), company.person('cy')]
  const room = await company.opens([ada, bo])
  const { id } = await ada.says(room, 'Tea')
  await ada.watches(room)
  const says = async (language: string) =>
    (await bo.does('POST', `/messages/${id}/translate`, { body: { language } })).message.i18n

  assert.deepEqual(await says('fr'), { language: 'en', fr_text: 'fr: Tea!' })
  assert.deepEqual((await ada.hears('message.updated')).message.i18n, { language: 'en', fr_text: 'fr: Tea!' })
  assert.deepEqual(await says('de'), { language: 'en', fr_text: 'fr: Tea!', de_text: 'de: Tea!' })
  assert.deepEqual((await ada.opensChannel(room)).messages[0]!.i18n, await says('fr'))
  await says('en')
  assert.deepEqual(asked, [
    { q: 'Tea', target: 'fr', api_key: 'k' },
    { q: 'Tea', target: 'de', api_key: 'k' },
  ])

  await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Milk' } } })
  assert.deepEqual(await says('fr'), { language: 'en', fr_text: 'fr: Milk!' })
  const refused = (body: object) => bo.isRefused(4, 'POST', `/messages/${id}/translate`, { body })
  await refused({ language: 'tlh' })
  await refused({ language: '../etc' })
  await cy.isRefused(16, 'POST', `/messages/${id}/translate`, { body: { language: 'fr' } })
  await ada.does('DELETE', `/messages/${id}`)
  await refused({ language: 'fr' })
})
