import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AppServer, path } from '../../testing/test-user.ts'
import { readSettings } from '../settings.ts'

/** A fake translation service that answers in capitals, knows no Klingon, and can be made to wait. */
async function aTranslator() {
  let ready = Promise.resolve()
  const holds = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ready = promise
    return resolve
  }
  const asked: { q: string; target: string; api_key?: string }[] = []
  const service = createServer((request, answer) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', async () => {
      const { q, target, api_key } = JSON.parse(body)
      asked.push({ q, target, api_key })
      await ready
      if (target === 'tlh') answer.writeHead(400).end('{}')
      else answer.end(JSON.stringify({ translatedText: `${target}: ${q}!`, detectedLanguage: { language: 'en' } }))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    service.close()
  })
  return { asked, holds, url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` }
}

/** An app whose server has a translation service. */
async function anApp() {
  const { asked, holds, url } = await aTranslator()
  const clock = new FakeClock()
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' }
  const running = await startServer(readSettings({ ...env, TRANSLATION_URL: url, TRANSLATION_KEY: 'k' }), clock)
  onTestFinished(() => running.stop())
  const app = await foundApp(running.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(running.url, app, clock)
  await appServer.createUsers('ada', 'bo', 'cy')
  return {
    asked,
    holds,
    clock,
    appServer,
    ada: appServer.user('ada'),
    bo: appServer.user('bo'),
    cy: appServer.user('cy'),
  }
}

/** The number of translations in the app's usage. */
async function translations(appServer: AppServer): Promise<number> {
  // Only an app with teams has a list of their usage.
  await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
  return (await appServer.does('POST', '/stats/team_usage', { body: {} })).teams[0].translations_daily.total
}

it('[MSG-15] a message is translated, and the translation is stored and published', async () => {
  const { asked, appServer, ada, bo, cy } = await anApp()
  const room = await appServer.opens([ada, bo])
  const { id } = await ada.sends(room, 'Tea')
  await ada.watches(room)
  assert.equal((await ada.does('GET', '/app')).translation_enabled, true)
  const says = async (language: string) =>
    (await bo.does('POST', `/messages/${id}/translate`, { body: { language } })).message.i18n

  assert.deepEqual(await says('fr'), { language: 'en', fr_text: 'fr: Tea!' })
  assert.deepEqual((await ada.receives('message.updated')).message.i18n, { language: 'en', fr_text: 'fr: Tea!' })
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
  assert.equal(await translations(appServer), 3)
})

it('[AUTH-20] an anonymous user cannot request a translation, which is stored for all', async () => {
  const { asked, appServer, ada } = await anApp()
  const stream = await appServer.opens([ada], {}, 'livestream')
  const { id } = await ada.sends(stream, 'Tea')
  const passer = appServer.user('!anon')
  passer.token = ''

  await passer.isRefused(17, 'POST', `/messages/${id}/translate`, { body: { language: 'fr' } })

  assert.deepEqual([asked, (await ada.opensChannel(stream)).messages[0]!.i18n], [[], undefined])
  await appServer.does('POST', `/messages/${id}/translate`, { body: { language: 'fr' } })
})

it('[MSG-15] no message is translated in a channel deleted meanwhile', async () => {
  const { asked, holds, appServer, ada } = await anApp()
  const room = await appServer.opens([ada])
  const { id } = await ada.sends(room, 'Tea')
  const goOn = holds()
  const refused = ada.isRefused(16, 'POST', `/messages/${id}/translate`, { body: { language: 'fr' } })
  await eventually(() => asked.length > 0, 'the tea is to be translated')
  await appServer.does('DELETE', path(room))
  goOn()
  await refused
})

it('with automatic translation every message is translated into the channel’s language, and again after an edit', async () => {
  const { asked, appServer, ada, bo } = await anApp()
  const room = await appServer.opens([ada, bo], { auto_translation_enabled: true, auto_translation_language: 'fr' })
  const { channel } = await bo.watches(room)
  assert.deepEqual([channel.auto_translation_enabled, channel.auto_translation_language], [true, 'fr'])

  const { id, i18n } = await ada.sends(room, 'Tea')
  assert.deepEqual(i18n, { language: 'en', fr_text: 'fr: Tea!' })
  assert.deepEqual((await bo.receives('message.new')).message.i18n, i18n)
  await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Milk' } } })
  assert.deepEqual((await bo.receives('message.updated')).message.i18n, { language: 'en', fr_text: 'fr: Milk!' })
  await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
  await ada.does('POST', `/messages/${id}`, { body: { message: { text: 'Milk', sugar: 1 } } })
  assert.deepEqual((await bo.opensChannel(room)).messages[0]!.i18n, { language: 'en', fr_text: 'fr: Milk!' })
  const said = await appServer.does('POST', `${path(room)}/message`, {
    body: { message: { text: 'Cake', user_id: 'bo', i18n: { language: 'en', fr_text: 'Gâteau' } } },
  })
  assert.equal(said.message.i18n.fr_text, 'Gâteau')
  assert.deepEqual(
    asked.map(({ q }) => q),
    ['Tea', 'Milk'],
  )

  const patch = (set: object) => appServer.does('PATCH', path(room), { body: { set } })
  await patch({ auto_translation_language: 'tlh' })
  assert.equal((await ada.sends(room, 'Nobody can say this')).i18n, undefined)
  await patch({ auto_translation_enabled: false })
  assert.equal((await ada.sends(room, 'Nobody says this')).i18n, undefined)
  await ada.isRefused(4, 'PATCH', path(room), { body: { set: { auto_translation_language: '../etc' } } })
  assert.equal(await translations(appServer), 2)
})

it('a channel without a language uses those of its members, and the app’s if enabled', async () => {
  const { appServer, ada, bo, cy } = await anApp()
  const speaks = (id: string, language: string) =>
    appServer.does('PATCH', '/users', { body: { users: [{ id, set: { language } }] } })
  await speaks('ada', 'en')
  await speaks('bo', 'de')
  await speaks('cy', 'it')
  const room = await appServer.opens([ada, bo, cy])
  assert.equal((await ada.sends(room, 'Tea')).i18n, undefined)

  await appServer.does('PATCH', '/app', { body: { auto_translation_enabled: true } })
  assert.deepEqual((await ada.sends(room, 'Tea')).i18n, { language: 'en', de_text: 'de: Tea!', it_text: 'it: Tea!' })
})

it('a late translation follows, unless the text has changed meanwhile', async () => {
  const { asked, holds, clock, appServer, ada, bo } = await anApp()
  const room = await appServer.opens([ada, bo], { auto_translation_enabled: true, auto_translation_language: 'fr' })
  await bo.watches(room)
  const sends = async (text: string) => {
    const answer = ada.sends(room, text)
    await eventually(() => asked.some(({ q }) => q === text), `${text} is to be translated`)
    clock.advance(2_000)
    return answer
  }

  let goOn = holds()
  const tea = await sends('Tea')
  assert.equal(tea.i18n, undefined)
  goOn()
  assert.equal((await bo.receives('message.updated')).message.i18n.fr_text, 'fr: Tea!')

  goOn = holds()
  const milk = await sends('Milk')
  await ada.does('DELETE', `/messages/${milk.id}`)
  goOn()
  const cake = await ada.sends(room, 'Cake')
  assert.equal(cake.i18n?.fr_text, 'fr: Cake!')
  assert.deepEqual((await bo.receivedTypes()).slice(-2), ['message.deleted', 'message.new'])
})
