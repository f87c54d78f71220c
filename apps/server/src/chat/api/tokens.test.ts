import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { it } from 'vitest'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import { path, sign, type TestUser } from '../../testing/test-user.ts'
import { foundApp } from '../apps/found-app.ts'

/** Tries a call and a socket with a token; returns the code and message of the error, which are the same. */
async function refusal(testUser: TestUser, token: string) {
  const device = testUser.device()
  device.token = token
  const { status, body } = await device.call('GET', '/app')
  const frame = await device.connects()
  assert.equal(frame.type, 'connection.error')
  assert.deepEqual([frame.error.code, frame.error.StatusCode], [body.code, status])
  return { code: body.code as number, status, detail: /"(.*)"$/.exec(body.message)?.[1] ?? '' }
}

const seconds = (fixture: Fixture, ahead: number) => Math.floor(fixture.clock.now() / 1000) + ahead

onEveryStorage((fixture) => {
  it('[HTTP-19] a user token authenticates calls and sockets, with the Bearer prefix too', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.does('GET', '/app')
    await ada.does('GET', '/app', { headers: { Authorization: `Bearer ${ada.token}` } })
    assert.equal((await ada.connects({ token: `Bearer ${ada.token}` })).type, 'health.check')
  })

  it('[AUTH-19] a server token has server: true, also as a string, and no other value', async () => {
    const { appServer } = await fixture.createApp('ada')
    const changesApp = async (claims: object, secret = appServer.app.secret) => {
      const caller = appServer.at(appServer)
      caller.token = sign(secret, claims)
      return (await caller.call('PATCH', '/app', { body: {} })).body.code
    }
    for (const server of [true, 'true']) assert.equal(await changesApp({ server }), undefined, JSON.stringify(server))
    for (const server of ['TRUE', 'false', '1', 'yes', '', 1, [true], { true: true }, null, false])
      assert.equal(await changesApp({ server }), 5, JSON.stringify(server))
    // A user token stays one, whatever else it claims; an unsigned token is never a server token.
    const asUser = await changesApp({ user_id: 'ada' })
    assert.notEqual(asUser, undefined)
    assert.equal(await changesApp({ user_id: 'ada', server: 'yes' }), asUser)
    assert.equal(await changesApp({ server: 'true' }, 'another-secret-of-somebody'), 43)
  })

  it('[AUTH-19] [ERR-19] an expired token is refused with 40', async () => {
    const { ada } = await fixture.createApp('ada')
    const { code, status, detail } = await refusal(
      ada,
      sign(ada.app.secret, { user_id: 'ada', exp: seconds(fixture, -1) }),
    )
    assert.deepEqual([code, status], [40, 401])
    assert.match(detail, /^JWTAuth error: token is expired/)
  })

  it('[AUTH-19] [ERR-20] [ERR-21] a token of the future is refused with 41 or 42, with five seconds of tolerance', async () => {
    const { ada } = await fixture.createApp('ada')
    const notBefore = (ahead: number) => sign(ada.app.secret, { user_id: 'ada', nbf: seconds(fixture, ahead) })
    const issued = (ahead: number) => sign(ada.app.secret, { user_id: 'ada', iat: seconds(fixture, ahead) })
    // Real time passes while a token is sent.
    assert.equal((await refusal(ada, notBefore(10))).code, 41)
    assert.equal((await refusal(ada, issued(10))).code, 42)
    for (const token of [notBefore(4), issued(4)]) {
      const device = ada.device()
      device.token = token
      await device.does('GET', '/app')
    }
  })

  it('[AUTH-19] the times of a token may be fractions or text, and mean the same', async () => {
    const { ada } = await fixture.createApp('ada')
    const codeOf = async (claims: object) => {
      const device = ada.device()
      device.token = sign(ada.app.secret, { user_id: 'ada', ...claims })
      return (await device.call('GET', '/app')).body.code
    }
    const now = seconds(fixture, 0)
    for (const time of [now + 60.5, `${now + 60}`, `${now + 60.5}`]) {
      assert.equal(await codeOf({ exp: time, iat: `${now}` }), undefined, JSON.stringify(time))
      assert.deepEqual([await codeOf({ nbf: time }), await codeOf({ iat: time })], [41, 42], JSON.stringify(time))
    }
    for (const time of [now - 60.5, `${now - 60}`, '0']) assert.equal(await codeOf({ exp: time }), 40)
    // An end that cannot be read must not be none.
    for (const exp of [
      '',
      ' ',
      'never',
      `${now + 60} `,
      '1e99',
      '-1',
      '0x7fffffffffff',
      '9'.repeat(400),
      true,
      [now + 60],
    ])
      assert.equal(await codeOf({ exp }), 5, JSON.stringify(exp))
  })

  it('[AUTH-1] [AUTH-19] [ERR-22] a token signed with another secret is refused with 43', async () => {
    const { ada } = await fixture.createApp('ada')
    const { code, status } = await refusal(ada, sign('somebody else’s secret', { user_id: 'ada' }))
    assert.deepEqual([code, status], [43, 401])
  })

  it('[ERR-22] a formerly valid token is refused with 43 once a node knows the app’s new secret', async () => {
    const { ada } = await fixture.createApp('ada')
    const { database, apps } = fixture.nodes[0]!.server
    await ada.does('GET', '/app')
    // Another node starts with the new secret; this one finds it when it reloads the app.
    await foundApp(database, { key: ada.app.key, secret: 'another secret' }, 0)
    await apps.reload(ada.app.id)
    assert.equal((await refusal(ada, ada.token)).code, 43)
  })

  it('[ERR-32] a malformed token is refused with 5', async () => {
    const { ada } = await fixture.createApp('ada')
    const { secret } = ada.app
    const [head, claims] = sign(secret, { user_id: 'ada' }).split('.')
    const wrong = {
      'not three parts': 'token',
      'no user': sign(secret, {}),
      'no text for a user': sign(secret, { user_id: 7 }),
      'a user without a name': sign(secret, { user_id: '' }),
      'a time that is none': sign(secret, { user_id: 'ada', exp: 'tomorrow' }),
      'claims that are no object': sign(secret, [] as object),
      unsigned: sign(secret, { user_id: 'ada' }, { alg: 'none', typ: 'JWT' }).replace(/[^.]*$/, ''),
      'another algorithm': hs512(secret, { user_id: 'ada' }),
      'no signature': `${head}.${claims}.`,
    }
    for (const [what, token] of Object.entries(wrong))
      assert.ok([5, 43].includes((await refusal(ada, token)).code), what)
    assert.equal((await refusal(ada, wrong['not three parts'])).code, 5)
    assert.equal((await refusal(ada, wrong['no user'])).code, 5)
    assert.equal((await refusal(ada, wrong.unsigned)).code, 5)
    assert.equal((await refusal(ada, wrong['another algorithm'])).code, 5)

    // No database has a user with that id; the caller need not send a user id.
    const nobody = ada.device()
    nobody.token = sign(secret, { user_id: 'a\0da' })
    await nobody.isRefused(5, 'GET', '/app', { query: { user_id: undefined } })
    assert.equal((await nobody.connects({ query: { json: '{}' } })).error.code, 5)
  })

  it('[AUTH-6] a token is valid for its own user only', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    const refused = await ada.isRefused(5, 'GET', '/app', { query: { user_id: 'bo' } })
    assert.equal(refused.StatusCode, 401)
    const frame = await bo.device().connects({ token: ada.token })
    assert.equal(frame.error.code, 5)
  })

  it('[AUTH-6] another user’s id is the first error of a token', async () => {
    const { ada } = await fixture.createApp('ada')
    const expired = sign(ada.app.secret, { user_id: 'bo', exp: seconds(fixture, -1) })
    const forged = sign('somebody else’s secret', {})
    assert.equal((await refusal(ada, expired)).code, 5)
    assert.equal((await refusal(ada, forged)).code, 5)
  })

  it('[HTTP-19] [ERR-5] an unknown api key is refused with 2', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const key of ['nobody', undefined, '']) {
      const refused = await ada.isRefused(2, 'GET', '/app', { query: { api_key: key } })
      assert.equal(refused.StatusCode, 401)
      assert.equal(refused.message, 'GetApp failed with error: "api_key not valid"')
    }
    const frame = await ada.connects({ query: { api_key: 'nobody' } })
    assert.equal(frame.error.code, 2)
  })

  it('a token of one app is invalid in another', async () => {
    const { ada } = await fixture.createApp('ada')
    const other = await fixture.createApp('ada')
    const stranger = other.ada.device()
    stranger.token = ada.token
    await stranger.isRefused(43, 'GET', '/app')
  })

  it('a user who never connected cannot make calls yet', async () => {
    const { appServer } = await fixture.createApp('ada')
    const bo = appServer.user('bo')
    await bo.isRefused(5, 'GET', '/app')
    await bo.connects()
    await bo.does('GET', '/app')
  })

  it('[AUTH-14] a revocation ends every token issued before it, and null undoes it', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const second = seconds(fixture, 0)
    const dated = (ahead: number) => sign(ada.app.secret, { user_id: 'ada', iat: second + ahead })
    const revoke = (at: string | null) =>
      appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { revoke_tokens_issued_before: at } }] } })
    const now = new Date(second * 1000).toISOString()

    const { users } = await revoke(now)
    assert.equal(users.ada.revoke_tokens_issued_before, now.replace('.000', ''))
    assert.equal((await refusal(ada, ada.token)).code, 40)
    assert.equal((await refusal(ada, dated(-1))).code, 40)
    const device = ada.device()
    device.token = dated(0)
    await device.does('GET', '/app')

    await revoke(null)
    await ada.does('GET', '/app')
  })

  it('[AUTH-13] a blank date revokes nothing and is refused', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    for (const at of ['', '  ', 'soon', 5]) {
      await appServer.isRefused(4, 'PATCH', '/users', {
        body: { users: [{ id: 'ada', set: { revoke_tokens_issued_before: at } }] },
      })
      await appServer.isRefused(4, 'PATCH', '/app', { body: { revoke_tokens_issued_before: at } })
    }
    await ada.does('GET', '/app')
  })

  it('only the app’s server revokes tokens', async () => {
    const { ada } = await fixture.createApp('ada')
    const set = { revoke_tokens_issued_before: new Date(fixture.clock.now() + 60_000).toISOString() }
    await ada.call('PATCH', '/users', { body: { users: [{ id: 'ada', set }] } })
    await ada.does('GET', '/app')
  })

  it('[AUTH-10] [AUTH-11] a guest gets a unique id and a token', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const visitor = appServer.user('nobody')
    visitor.token = ''
    const answer = await visitor.does('POST', '/guest', {
      body: { user: { id: 'han', name: 'Han', role: 'admin' } },
      query: { user_id: undefined },
    })
    assert.match(answer.user.id, /^guest-[0-9a-f-]{36}-han$/)
    assert.deepEqual([answer.user.name, answer.user.role], ['Han', 'guest'])

    const guest = appServer.user(answer.user.id)
    guest.token = answer.access_token
    assert.equal((await guest.connects()).me.role, 'guest')
    const room = await appServer.opens([ada])
    await guest.isRefused(17, 'POST', `/channels/messaging/${room.split(':')[1]}/query`, { body: {} })
    const { exception_fields } = await visitor.isRefused(4, 'POST', '/guest', { body: { user: { id: 'no spaces' } } })
    assert.match(exception_fields['user.id'], /^user id "no spaces" must have 1 to 255 of /)
    await visitor.isRefused(4, 'POST', '/guest', { body: {} })
  })

  it('[AUTH-9] [AUTH-20] [CON-19] an anonymous user reads and watches public channels, and never writes', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const stream = await appServer.opens([ada], {}, 'livestream')
    const closed = await appServer.opens([ada])
    const passer = appServer.user('!anon')
    passer.token = ''
    const first = await passer.connects({ details: {} })
    assert.match(first.me.id, /^!anon/)
    assert.equal(first.me.role, 'anonymous')
    const other = appServer.user('!anon')
    other.token = ''
    assert.notEqual((await other.connects()).me.id, first.me.id)

    const state = await passer.watches(stream)
    assert.equal(state.watcher_count, 1)
    assert.deepEqual(state.watchers, [])
    await ada.sends(stream, 'Hello everybody')
    assert.equal((await passer.receives('message.new')).message.text, 'Hello everybody')

    await passer.isRefused(17, 'POST', `${path(stream)}/message`, { body: { message: { text: 'Hi' } } })
    await passer.isRefused(17, 'POST', `${path(closed)}/query`, { body: {} })
    await passer.isRefused(17, 'POST', '/channels/livestream/mine/query', { body: {} })
    await passer.isRefused(17, 'POST', '/users', { body: { users: { ada: { id: 'ada', name: 'Nobody' } } } })
    await passer.isRefused(17, 'GET', '/users')
  })

  it('[AUTH-20] an anonymous user writes nothing, whatever their role is granted', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const writing = ['create-message', 'create-reaction', 'send-custom-event', 'create-channel', 'flag-message']
    const anonymous = ['read-channel', 'upload-attachment', ...writing]
    await appServer.does('PUT', '/channeltypes/livestream', { body: { grants: { anonymous } } })
    await appServer.does('PATCH', '/app', {
      body: { grants: { anonymous: ['create-poll', 'flag-user', 'mute-user'] } },
    })
    const stream = await appServer.opens([ada], {}, 'livestream')
    const { id } = await ada.sends(stream, 'Hello everybody')
    const passer = appServer.user('!anon')
    passer.token = ''
    const { channel } = await passer.watches(stream)
    assert.equal(channel.own_capabilities?.includes('send-message'), false)
    for (const [at, body] of [
      [`${path(stream)}/message`, { message: { text: 'Hi' } }],
      [`/messages/${id}/reaction`, { reaction: { type: 'love' } }],
      [`${path(stream)}/event`, { event: { type: 'wave' } }],
      ['/channels/livestream/mine/query', {}],
      ['/moderation/flag', { target_message_id: id }],
      ['/moderation/mute', { target_id: 'ada' }],
      ['/polls', { name: 'Lunch?' }],
    ] as const)
      await passer.isRefused(17, 'POST', at, { body })
  })
})

function hs512(secret: string, claims: object) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS512', typ: 'JWT' })}.${part(claims)}`
  return `${content}.${createHmac('sha512', secret).update(content).digest('base64url')}`
}
