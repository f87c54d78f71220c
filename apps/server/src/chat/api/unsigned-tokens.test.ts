/**
 * Tokens without a valid signature, sent at every place a token may have: the app's server is trusted by its signature
 * alone, whatever the app's settings for signatures of users.
 * @see messaging.md 1.4
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { type AppServer, sign, type TestUser } from '../../testing/test-user.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tokens with these claims and an invalid signature. */
function forgeries(secret: string, claims: object): Record<string, string> {
  const hs256 = { alg: 'HS256', typ: 'JWT' }
  const of = (header: object, signature: string) => `${part(header)}.${part(claims)}.${signature}`
  const signed = sign(secret, claims).split('.')[2]!
  return {
    'a development token': of(hs256, 'devtoken'),
    'no signature': of(hs256, ''),
    'another secret': sign('somebody else’s secret', claims),
    'the signature of other claims': of(hs256, sign(secret, { user_id: 'ada' }).split('.')[2]!),
    'an empty secret': sign(' ', claims),
    'no algorithm': of({ alg: 'none', typ: 'JWT' }, ''),
    'no algorithm, spelled otherwise': of({ alg: 'nOnE', typ: 'JWT' }, ''),
    'no algorithm, with a signature': of({ alg: 'none', typ: 'JWT' }, signed),
    'no algorithm named': of({ typ: 'JWT' }, signed),
    'another algorithm': `${of({ alg: 'HS512', typ: 'JWT' }, '')}${createHmac('sha512', secret)
      .update(`${part({ alg: 'HS512', typ: 'JWT' })}.${part(claims)}`)
      .digest('base64url')}`,
    'an algorithm with two keys': of({ alg: 'RS256', typ: 'JWT' }, signed),
    'a key of its own': of({ ...hs256, jwk: { kty: 'oct', k: 'AAAA' }, kid: '../../dev/null' }, 'AAAA'),
  }
}

const serverClaims: Record<string, object> = {
  server: { server: true },
  'server and a user': { server: true, user_id: 'ada' },
  'server as a word': { server: 'true', user_id: 'ada' },
  'server and a role': { server: true, user_id: 'ada', role: 'admin' },
}
/** Claims that do not make a server token. */
const userClaims: Record<string, object> = {
  'server as another word': { server: 'TRUE', user_id: 'ada' },
  'server as a number': { server: 1, user_id: 'ada' },
  'server as a list': { server: [true], user_id: 'ada' },
  'a role': { user_id: 'ada', role: 'admin', user_role: 'admin', admin: true, scopes: ['*'] },
}

/** The places of a token. @returns the error code, 0 where the caller was accepted as the app's server */
const places: Record<string, (ada: TestUser, token: string) => Promise<number>> = {
  header: (ada, token) => code(ada, token, 'GET', '/roles'),
  'header with Bearer': (ada, token) => code(ada, `Bearer ${token}`, 'GET', '/roles'),
  'header with another type': (ada, token) =>
    code(ada, token, 'GET', '/roles', { headers: { 'stream-auth-type': 'server' } }),
  'header of a nameless caller': (ada, token) =>
    code(ada, token, 'GET', '/roles', { headers: { 'stream-auth-type': 'anonymous' } }),
  'a write': (ada, token) => code(ada, token, 'PATCH', '/app', { body: { enforce_unique_usernames: 'app' } }),
  'a role for oneself': (ada, token) =>
    code(ada, token, 'POST', '/users', { body: { users: { ada: { id: 'ada', role: 'admin' } } } }),
  'on behalf of somebody': (ada, token) =>
    code(ada, token, 'PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Eve' } }], user_id: 'bo' } }),
  query: (ada, token) => code(ada, '', 'GET', '/roles', { query: { authorization: token, 'stream-auth-type': 'jwt' } }),
  upload: (ada, token) => {
    const form = new FormData()
    form.append('file', new Blob(['words']), 'words.txt')
    return code(ada, token, 'POST', '/uploads/file', { form, query: { user_id: 'bo' } })
  },
  'a file': (ada, token) => code(ada, token, 'DELETE', '/uploads/file', { query: { url: '/files/x', user_id: 'bo' } }),
  'long poll': (ada, token) =>
    code(ada, token, 'GET', '/longpoll', { query: { connection_id: 'nobody', user_id: undefined } }),
}

async function code(ada: TestUser, token: string, method: string, path: string, options: object = {}): Promise<number> {
  const device = ada.device()
  device.token = token
  const query = { user_id: undefined, ...(options as { query?: object }).query }
  const { status, body } = await device.call(method, path, { ...options, query })
  return status < 300 ? 0 : body.code
}

async function sockets(ada: TestUser, token: string): Promise<number[]> {
  const inQuery = await ada.device().connects({ token })
  const inHeader = await ada.device().connects({ query: { authorization: '' }, headers: { authorization: token } })
  const polled = await ada.device().call('GET', '/longpoll', {
    query: { json: '{}', user_id: undefined },
    headers: { Authorization: token },
  })
  return [inQuery.error?.code ?? 0, inHeader.error?.code ?? 0, polled.body.code ?? 0]
}

const state = async (appServer: AppServer) => {
  const users = await appServer.does('GET', '/users', {
    query: { payload: JSON.stringify({ filter_conditions: {}, sort: [{ field: 'id', direction: 1 }] }) },
  })
  const app = await appServer.does('GET', '/app')
  return JSON.stringify([users.users, app.app]).replaceAll(/"(last_active|online)":("[^"]*"|true|false)/g, '')
}

onEveryStorage((fixture) => {
  for (const disable_auth_checks of [false, true])
    it(`[AUTH-12] [AUTH-22] nobody is taken for the app’s server without its signature, ${disable_auth_checks ? 'where signatures of users are not looked at' : 'anywhere'}`, async () => {
      const { ada, appServer } = await fixture.createApp('ada', 'bo')
      await appServer.does('PATCH', '/app', { body: { disable_auth_checks } })
      const before = await state(appServer)
      const wrong: string[] = []
      let tried = 0
      for (const [what, claims] of Object.entries(serverClaims))
        for (const [how, token] of Object.entries(forgeries(ada.app.secret, claims))) {
          for (const [where, asks] of Object.entries(places)) {
            tried += 1
            const answered = await asks(ada, token)
            // A call ignores a token in its URL: the caller is unauthenticated.
            const isRefused = answered === 5 || answered === 43 || (where === 'query' && answered === 17)
            if (!isRefused) wrong.push(`${what}, ${how}, ${where}: ${answered}`)
          }
          for (const answered of await sockets(ada, token)) {
            tried += 1
            if (answered !== 5 && answered !== 43) wrong.push(`${what}, ${how}, socket: ${answered}`)
          }
        }
      for (const [what, claims] of Object.entries(userClaims))
        for (const [where, asks] of Object.entries(places)) {
          if (where === 'upload' || where === 'long poll') continue
          for (const token of [sign(ada.app.secret, claims), ...Object.values(forgeries(ada.app.secret, claims))]) {
            tried += 1
            if ((await asks(ada, token)) === 0) wrong.push(`${what}, ${where}: let in`)
          }
        }
      for (const where of ['header', 'header with Bearer', 'header with another type'] as const)
        assert.equal(await places[where]!(ada, appServer.token), 0, `the server’s own token in the ${where}`)
      console.info(`unsigned tokens: ${tried} tries`)
      assert.deepEqual(wrong, [])
      assert.equal(await state(appServer), before)
    }, 120_000)

  it('[AUTH-22] without auth checks a caller may act as any user, with that user’s rights only', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { disable_auth_checks: true } })
    const room = await appServer.opens([appServer.user('bo')])
    const tries = appServer.user('bo')
    const { 'a development token': own, ...others } = forgeries(ada.app.secret, { user_id: 'bo', role: 'admin' })
    tries.token = own!
    assert.equal((await tries.connects()).me.role, 'user')
    await tries.sends(room, 'Hello')
    await tries.isRefused(17, 'GET', '/roles')
    await tries.isRefused(5, 'GET', '/app', { query: { user_id: 'ada' } })
    for (const [how, token] of Object.entries(others)) {
      tries.token = token
      const isAllowed = ['no signature', 'another secret', 'the signature of other claims', 'an empty secret']
      const { status } = await tries.call('GET', '/app')
      assert.equal(status, [...isAllowed, 'a key of its own'].includes(how) ? 200 : 401, how)
    }
  })
})
