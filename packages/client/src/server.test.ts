import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, vi } from 'vitest'
import { ChatClient } from './server.ts'
import { FakeServer } from './testing/fake-server.ts'
import { aChannel, ada, aMessage } from './testing/wire.ts'

function aServerClient() {
  const server = new FakeServer()
  const client = new ChatClient('key', 'secret', { baseURL: 'https://chat.example.com', fetch: server.fetch })
  return { client, server }
}

/** The claims of a token with a valid signature. */
function claims(token: string, secret = 'secret') {
  const [header, payload, signature] = token.split('.') as [string, string, string]
  assert.equal(signature, createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'))
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), { alg: 'HS256', typ: 'JWT' })
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

describe('the client with the secret', () => {
  it('[AUTH-1] makes tokens for users', () => {
    const { client } = aServerClient()
    assert.deepEqual(claims(client.createToken('ada')), { user_id: 'ada' })
    const token = client.createToken('ada', 1_900_000_000, 1_800_000_000, { team: 'red', user_id: 'not me' })
    assert.deepEqual(claims(token), { user_id: 'ada', exp: 1_900_000_000, iat: 1_800_000_000, team: 'red' })
  })

  it('[AUTH-6] makes none without a user id, which the server would refuse on every call', () => {
    const { client } = aServerClient()
    for (const nobody of ['', undefined, null])
      assert.throws(() => client.createToken(nobody as string), { code: 'CLIENT_USER_ID_MISSING' })
  })

  it('[AUTH-2] makes none in a browser, where it does not even load', async () => {
    const { client } = aServerClient()
    const message = "Tokens can only be created on the server, with the application's secret"
    vi.stubGlobal('window', { document: {} })
    try {
      assert.throws(() => client.createToken('ada'), { message, code: 'CLIENT_SERVER_ONLY' })
      vi.resetModules()
      await assert.rejects(import('./server.ts'), { message })
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('[AUTH-1] needs a secret', () => {
    const options = { baseURL: 'https://chat.example.com' }
    for (const secret of ['', undefined])
      assert.throws(() => new ChatClient('key', secret as string, options), { code: 'CLIENT_SERVER_ONLY' })
  })

  it('[AUTH-12] [CON-19] signs its own calls as the server', async () => {
    const { client, server } = aServerClient()
    await client.upsertUsers([{ id: 'ada', role: 'admin' }])
    const [call] = server.calls
    assert.deepEqual(claims(call?.headers.Authorization ?? ''), { server: true })
    assert.equal(call?.headers['stream-auth-type'], 'jwt')
    assert.deepEqual(call?.query, { api_key: 'key' })
  })

  it('creates a channel in a user’s name, and posts for a user', async () => {
    const { client, server } = aServerClient()
    server.answers('POST', '/channels/messaging/tea/query', () => aChannel())
    server.answers('POST', '/channels/messaging/tea/message', { message: aMessage('m1', { user: ada }) })
    const tea = client.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada', 'bo'], name: 'Tea' })
    await tea.create()
    assert.deepEqual(server.calls[0]?.body, {
      state: false,
      watch: false,
      presence: false,
      data: { created_by_id: 'ada', members: ['ada', 'bo'], name: 'Tea' },
    })
    await tea.sendMessage({ text: 'hi', user_id: 'ada' })
    assert.deepEqual(server.calls[1]?.body, { message: { text: 'hi', user_id: 'ada' } })
    await tea.markRead({ user_id: 'bo' })
    assert.deepEqual(server.calls[2]?.body, { user_id: 'bo' })
  })

  it('acts for a user if the call names one', async () => {
    const { client, server } = aServerClient()
    await client.partialUpdateMessage('m1', { set: { text: 'x' } }, 'ada')
    await client.updateMessage({ id: 'm1', text: 'x' }, { id: 'ada' })
    await client.getUnreadCount('ada')
    assert.deepEqual(server.calls[0]?.body, { set: { text: 'x' }, user_id: 'ada' })
    assert.deepEqual(server.calls[1]?.body, { message: { id: 'm1', text: 'x', user: { id: 'ada' } } })
    assert.deepEqual(server.calls[2]?.query, { api_key: 'key', user_id: 'ada' })
  })

  it('never connects and never watches', async () => {
    const { client, server } = aServerClient()
    const refusal = {
      code: 'CLIENT_SERVER_SIDE_DOES_NOT_CONNECT',
      message: 'A client with a secret does not connect; make a token with createToken and connect with @parley/client',
    }
    await assert.rejects(client.connectUser(), refusal)
    await assert.rejects(client.connectAnonymousUser(), refusal)
    await assert.rejects(client.openConnection(), refusal)
    server.answers('POST', '/channels', { channels: [aChannel()] })
    const [tea] = await client.queryChannels({}, [], { user_id: 'ada' })
    assert.equal(server.calls[0]?.body.watch, false)
    assert.equal(tea?.countUnread(), 0, 'nobody reads with it')
    // Programs written for user clients request it anyway.
    server.answers('POST', '/channels/messaging/tea/query', () => aChannel())
    server.answers('POST', '/threads', { threads: [] })
    await client.queryChannels({}, [], { watch: true, presence: true })
    await tea?.watch({ presence: true })
    await client.queryThreads({ watch: true })
    await client.queryUsers({}, [], { presence: true })
    const asked = server.calls.slice(1).map(({ body, query }) => body ?? JSON.parse(query.payload ?? ''))
    assert.deepEqual(
      asked.map(({ watch, presence }) => Boolean(watch || presence)),
      [false, false, false, false],
    )
    await tea?.stopWatching()
    await tea?.sendEvent({ type: 'typing.start', user_id: 'ada' })
    await client.disconnectUser()
    await client.getAppSettings()
  })

  it('names a development token', () => {
    const [header, payload, signature] = aServerClient().client.devToken('ada').split('.')
    assert.deepEqual(JSON.parse(atob(header ?? '')), { alg: 'HS256', typ: 'JWT' })
    assert.deepEqual(JSON.parse(atob(payload ?? '')), { user_id: 'ada' })
    assert.equal(signature, 'devtoken')
  })
})

describe('calls that need the secret', () => {
  /** The request of one call: method, path, query and body. */
  async function sent(call: (client: ChatClient) => Promise<unknown>) {
    const { client, server } = aServerClient()
    await call(client)
    const [{ method, path, query, body }] = server.calls as [FakeServer['calls'][number]]
    const { api_key: _, ...own } = query
    return [method, path, own, body]
  }

  it('[SET-2] updateAppSettings', async () => {
    const call = sent((client) => client.updateAppSettings({ name: 'Tea house' }))
    assert.deepEqual(await call, ['PATCH', '/app', {}, { name: 'Tea house' }])
  })

  it('[SET-3] getRateLimits', async () => {
    const call = sent((client) => client.getRateLimits({ serverSide: true, endpoints: ['SendMessage', 'Ban'] }))
    assert.deepEqual(await call, [
      'GET',
      '/rate_limits',
      { server_side: 'true', endpoints: 'SendMessage,Ban' },
      undefined,
    ])
    const games = await sent((client) => client.getRateLimits({ unity: true, flutter: true }))
    assert.deepEqual(games, ['GET', '/rate_limits', { unity: 'true', flutter: 'true' }, undefined])
  })

  it('[AUTH-13] tokens are revoked before a date, which must not be empty', async () => {
    const at = '2026-01-05T09:00:00.000Z'
    const revoke_tokens_issued_before = at
    assert.deepEqual((await sent((client) => client.revokeTokens(new Date(at))))[3], { revoke_tokens_issued_before })
    assert.deepEqual((await sent((client) => client.revokeTokens(null)))[3], { revoke_tokens_issued_before: null })
    const users = [{ id: 'ada', set: { revoke_tokens_issued_before } }]
    assert.deepEqual(await sent((client) => client.revokeUserToken('ada', at)), ['PATCH', '/users', {}, { users }])
    const message = "The revocation date can't be a blank string; pass a date, or null to undo"
    for (const blank of ['', '  ']) {
      const { client, server } = aServerClient()
      await assert.rejects(client.revokeTokens(blank), { message, code: 'CLIENT_REVOCATION_DATE' })
      await assert.rejects(client.revokeUserToken('ada', blank), { message })
      assert.equal(server.calls.length, 0)
    }
  })

  it('[READ-6] getUnreadCountBatch', async () => {
    const call = sent((client) => client.getUnreadCountBatch(['ada', 'bo']))
    assert.deepEqual(await call, ['POST', '/unread_batch', {}, { user_ids: ['ada', 'bo'] }])
  })

  it('[USR-6] deleteUser', async () => {
    const call = sent((client) => client.deleteUser('ada', { hard_delete: true }))
    assert.deepEqual(await call, ['DELETE', '/users/ada', { hard_delete: 'true' }, undefined])
  })

  it('acts for the user named last', async () => {
    const body = { blocked_user_id: 'bo', user_id: 'ada' }
    assert.deepEqual(await sent((client) => client.blockUser('bo', 'ada')), ['POST', '/users/block', {}, body])
    assert.deepEqual(await sent((client) => client.unBlockUser('bo', 'ada')), ['POST', '/users/unblock', {}, body])
    const asAda = { user_id: 'ada' }
    const option = await sent((client) => client.getPollOption('p1', 'o1', 'ada'))
    assert.deepEqual(option, ['GET', '/polls/p1/options/o1', asAda, undefined])
    const live = await sent((client) => client.getSharedLocations('ada'))
    assert.deepEqual(live, ['GET', '/users/live_locations', asAda, undefined])
  })

  it('[USR-7] deleteUsers', async () => {
    const options = { user: 'hard', messages: 'hard', conversations: 'hard' } as const
    const call = sent((client) => client.deleteUsers(['ada'], options))
    assert.deepEqual(await call, ['POST', '/users/delete', {}, { user_ids: ['ada'], ...options }])
  })

  const refused = async (options: object, message: string) => {
    const { client, server } = aServerClient()
    await assert.rejects(client.deleteUsers(['ada'], options as never), { message, code: 'CLIENT_DELETE_OPTION' })
    assert.equal(server.calls.length, 0)
  }
  it('[USR-8] [USR-9] [USR-10] accepts every value of its options', async () => {
    for (const options of [
      { user: 'soft', messages: 'soft', conversations: 'soft' },
      { user: 'pruning', messages: 'pruning' },
    ] as const) {
      const call = sent((client) => client.deleteUsers(['ada'], options))
      assert.deepEqual((await call)[3], { user_ids: ['ada'], ...options })
    }
  })
  it('[USR-8] refuses another way to delete a user', async () => {
    await refused({ user: 'gone' }, 'deleteUsers: "user" must be one of soft, hard, pruning')
    await refused({}, 'deleteUsers: "user" must be one of soft, hard, pruning')
  })
  it('[USR-9] refuses another way to delete their messages', () =>
    refused({ user: 'soft', messages: 'all' }, 'deleteUsers: "messages" must be one of soft, hard, pruning'))
  it('[USR-10] refuses another way to delete their channels', () =>
    refused({ user: 'soft', conversations: 'pruning' }, 'deleteUsers: "conversations" must be one of soft, hard'))

  it('[USR-11] restoreUsers', async () => {
    assert.deepEqual(await sent((client) => client.restoreUsers(['ada'])), [
      'POST',
      '/users/restore',
      {},
      { user_ids: ['ada'] },
    ])
  })

  it('[USR-12] deactivateUser', async () => {
    const call = sent((client) => client.deactivateUser('ada', { mark_messages_deleted: true }))
    assert.deepEqual(await call, ['POST', '/users/ada/deactivate', {}, { mark_messages_deleted: true }])
  })

  it('[USR-13] reactivateUser', async () => {
    const call = sent((client) => client.reactivateUser('ada', { name: 'Ada again' }))
    assert.deepEqual(await call, ['POST', '/users/ada/reactivate', {}, { name: 'Ada again' }])
  })

  it('[MSG-14] undeleteMessage', async () => {
    const call = sent((client) => client.undeleteMessage('m1', 'ada'))
    assert.deepEqual(await call, ['POST', '/messages/m1/undelete', {}, { undeleted_by: 'ada' }])
    const refusal = { code: 'CLIENT_MESSAGE_ID_MISSING', message: 'A message id is needed to undelete a message' }
    await assert.rejects(aServerClient().client.undeleteMessage('', 'ada'), refusal)
    await assert.rejects(aServerClient().client.undeleteMessage('m1', ''), refusal)
  })
})
