import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it, vi } from 'vitest'
import { ChatClient } from './server.ts'
import { PretendServer } from './testing/pretend-server.ts'
import { aChannel, ada, aMessage } from './testing/wire.ts'

function aServerClient() {
  const server = new PretendServer()
  const client = new ChatClient('key', 'secret', { baseURL: 'https://chat.example.com', fetch: server.fetch })
  return { client, server }
}

/** The claims of a token, once its signature is right. */
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

  it('makes a channel in somebody’s name, and posts for somebody', async () => {
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

  it('acts for a user where the call says so', async () => {
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
