/** What server libraries of the newer generation do on their first day, at the paths and in the shapes of v2. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { WebSocket } from 'ws'
import { endpoints } from '../../operations.ts'
import { onEveryStorage, onSqlite } from '../../testing/fixture.ts'
import { v2PathsOf } from './v2-paths.ts'

const page = readFileSync(new URL('../../../../../docs/wire/v2-endpoints.md', import.meta.url), 'utf8')
/** `GET /api/v2/app`: each one that the page says is answered. */
const [answeredPart, missingPart] = page.split('## Not answered')
const rowsOf = (part: string) =>
  [...part.matchAll(/^\| (GET|POST|PUT|PATCH|DELETE) \| `([^`]+)` \|/gm)].map(([, method, path]) => ({
    method: method!,
    path: path!,
  }))

onEveryStorage((fixture) => {
  describe('a server library of v2', () => {
    it('[HTTP-34] [HTTP-35] makes users, a channel and messages, and reads what it wrote', async () => {
      const { appServer } = await fixture.createApp()
      const users = {
        ada: { id: 'ada', name: 'Ada', custom: { shop: 'Lyon' } },
        bo: { id: 'bo', role: 'admin' },
      }
      const made = await appServer.does('POST', '/api/v2/users', { body: { users } })
      assert.deepEqual(
        [made.users.ada.name, made.users.ada.custom, made.users.bo.custom],
        ['Ada', { shop: 'Lyon' }, {}],
      )
      assert.equal('shop' in made.users.ada, false)

      const room = '/api/v2/chat/channels/messaging/tea'
      const data = {
        created_by_id: 'ada',
        members: [{ user_id: 'ada', custom: { seat: 4 } }, 'bo'],
        custom: { name: 'Tea' },
      }
      const state = await appServer.does('POST', `${room}/query`, { body: { data } })
      assert.deepEqual([state.channel.custom, state.channel.name, state.members.length], [{ name: 'Tea' }, 'Tea', 2])
      const seats = state.members.map(({ custom }: { custom: object }) => custom)
      assert.deepEqual(
        seats.toSorted((a: object, b: object) => Object.keys(b).length - Object.keys(a).length),
        [{ seat: 4 }, {}],
      )

      const body = {
        message: {
          text: 'hi',
          user_id: 'ada',
          custom: { mood: 'calm' },
          attachments: [{ type: 'tea', custom: { leaf: 'green' } }],
        },
      }
      const { message } = await appServer.does('POST', `${room}/message`, { body })
      assert.deepEqual([message.custom, message.attachments[0].custom], [{ mood: 'calm' }, { leaf: 'green' }])
      assert.equal(message.user.custom.shop, 'Lyon')

      // The same in v1: there is one stored shape.
      const flat = (await appServer.does('GET', `/messages/${message.id}`)).message
      assert.deepEqual([flat.mood, flat.attachments[0].leaf, flat.user.shop], ['calm', 'green', 'Lyon'])

      const patch = { set: { custom: { mood: 'merry' } }, unset: ['custom.gone'], user_id: 'ada' }
      const edited = await appServer.does('PUT', `/api/v2/chat/messages/${message.id}`, { body: patch })
      assert.deepEqual(edited.message.custom, { mood: 'merry' })

      const filter_conditions = { 'custom.name': 'Tea', members: { $in: ['ada'] } }
      const { channels } = await appServer.does('POST', '/api/v2/chat/channels', {
        body: { filter_conditions, sort: [{ field: 'custom.name', direction: -1 }], user_id: 'ada', state: true },
      })
      assert.deepEqual(
        channels.map(({ channel, messages }: { channel: { cid: string }; messages: { custom: object }[] }) => [
          channel.cid,
          messages[0]!.custom,
        ]),
        [['messaging:tea', { mood: 'merry' }]],
      )
    })

    it('[HTTP-34] gets the state of a channel without asking for it, and without it when it asks so', async () => {
      const { appServer } = await fixture.createApp('ada')
      const data = { created_by_id: 'ada', members: ['ada'] }
      for (const prefix of ['/api/v2', '/api/v2/chat']) {
        const { members } = await appServer.does('POST', `${prefix}/channels/messaging/tea/query`, { body: { data } })
        assert.equal(members.length, 1, prefix)
      }
      const without = { body: { data, state: false } }
      const { messages } = await appServer.does('POST', '/api/v2/chat/channels/messaging/tea/query', without)
      assert.deepEqual(messages, [])
      const v1 = await appServer.does('POST', '/channels/messaging/tea/query', { body: { data } })
      assert.deepEqual(v1.members, [])
    })

    it('[HTTP-36] reads and writes times in nanoseconds if it is one that does, and pages by them', async () => {
      const { appServer } = await fixture.createApp('ada')
      const room = '/api/v2/chat/channels/messaging/tea'
      const headers = { 'X-Stream-Client': 'getstream-python-3.0' }
      await appServer.does('POST', `${room}/query`, { body: { data: { created_by_id: 'ada' } } })
      const ids = []
      for (const text of ['one', 'two', 'three']) {
        const body = { message: { text, user_id: 'ada' } }
        ids.push((await appServer.does('POST', `${room}/message`, { body, headers })).message.id)
      }
      const read = await appServer.does('GET', `/api/v2/chat/messages/${ids[1]}`, { headers })
      assert.equal(typeof read.message.created_at, 'number')
      const iso = await appServer.does('GET', `/api/v2/chat/messages/${ids[1]}`)
      assert.equal(Math.round(read.message.created_at / 1e6), Date.parse(iso.message.created_at))

      const older = { messages: { limit: 5, created_at_before: read.message.created_at } }
      const { messages } = await appServer.does('POST', `${room}/query`, { body: older, headers })
      assert.deepEqual(
        messages.map(({ text }: { text: string }) => text),
        ['one'],
      )
      const refusal = await appServer.isRefused(4, 'POST', `${room}/query`, {
        body: { messages: { created_at_before: 12 } },
        headers,
      })
      assert.deepEqual(Object.keys(refusal.exception_fields), ['messages.created_at_before'])
    })

    it('[HTTP-34] is refused as in v1: by rules, by schemas, and without a right', async () => {
      const { ada, appServer } = await fixture.createApp('ada', 'bo')
      await appServer.isRefused(16, 'GET', '/api/v2/chat/messages/none')
      const wrong = { message: { text: 4, user_id: 'ada', custom: {} } }
      await appServer.does('POST', '/api/v2/chat/channels/messaging/tea/query', {
        body: { data: { created_by_id: 'bo' } },
      })
      const refusal = await appServer.isRefused(4, 'POST', '/api/v2/chat/channels/messaging/tea/message', {
        body: wrong,
      })
      assert.deepEqual(Object.keys(refusal.exception_fields), ['message.text'])
      await ada.isRefused(17, 'PATCH', '/api/v2/app', { body: { custom_action_handler_url: 'https://example.com' } })
      await ada.isRefused(17, 'POST', '/api/v2/chat/channels/messaging/tea/message', {
        body: { message: { text: 'hi' } },
      })
      const big = { message: { text: 'hi', user_id: 'bo', custom: { note: 'x'.repeat(6_000) } } }
      await appServer.isRefused(22, 'POST', '/api/v2/chat/channels/messaging/tea/message', { body: big })
    })
  })
})

onSqlite((fixture) => {
  describe('the paths of v2', () => {
    it('[HTTP-34] are those that the page lists, each at an endpoint of v1 or its own', async () => {
      const answered = new Set(
        endpoints.flatMap(({ method, path }) => [path, ...v2PathsOf(path)].map((one) => `${method} ${plain(one)}`)),
      )
      const rows = rowsOf(answeredPart!)
      assert.ok(rows.length > 160, `${rows.length}`)
      assert.deepEqual(
        rows.map(({ method, path }) => `${method} ${plain(path)}`).filter((call) => !answered.has(call)),
        [],
      )
      // What the page calls missing is missing.
      const { appServer } = await fixture.createApp()
      for (const { method, path } of rowsOf(missingPart!)) {
        const { status, body } = await appServer.call(method, path.replace(/\{(\w+)\}/g, '$1'), {})
        assert.deepEqual([status, body?.code], [404, 16], `${method} ${path}`)
      }
    })

    it('[HTTP-34] open sockets as well', async () => {
      const { ada } = await fixture.createApp('ada')
      for (const prefix of ['/api/v2', '/api/v2/chat']) {
        const url = new URL(`${ada.url.replace(/^http/, 'ws')}${prefix}/connect`)
        const query = {
          json: '{"user_id":"ada"}',
          api_key: ada.app.key,
          authorization: ada.token,
          'stream-auth-type': 'jwt',
        }
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
        const socket = new WebSocket(url)
        const [frame] = await once(socket, 'message')
        assert.equal(JSON.parse(String(frame)).me.id, 'ada')
        socket.close()
      }
    })

    it('[HTTP-34] are described with their shapes, on a page of their own', async () => {
      const { appServer } = await fixture.createApp()
      const text = await (await fetch(`${appServer.url}/docs/v2/json`)).text()
      const { paths, components } = JSON.parse(text)
      assert.ok(paths['/api/v2/chat/channels/{type}/{id}/message'].post)
      assert.equal(paths['/channels/{type}/{id}/message'], undefined)
      assert.equal(components.schemas.User.properties.custom.type, 'object')
      assert.doesNotMatch(text, /x-custom/)
      const v1 = await (await fetch(`${appServer.url}/docs/json`)).json()
      assert.ok(v1.paths['/channels/{type}/{id}/message'].post)
      assert.equal(v1.components.schemas.User.additionalProperties, true)
      for (const at of ['/docs', '/docs/v2']) assert.match(await (await fetch(appServer.url + at)).text(), /swagger-ui/)
    })
  })
})

function plain(path: string): string {
  return path.replace(/:\w+|\{\w+\}/g, '{}')
}
