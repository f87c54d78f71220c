import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { readSettings } from '../../platform/settings.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { AppServer } from '../../testing/test-user.ts'
import { BuiltInGifs } from './built-in-gifs.ts'
import { type Gif, renditions } from './gifs.ts'
import catalog from './pictures/catalog.json' with { type: 'json' }

onEveryTransport((fixture) => {
  it('[MSG-16] [CMD-5] [CMD-11] only the sender sees the preview, shuffles it, and sends it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const phone = ada.device(fixture.nodes.at(-1)!.url)
    await ada.watches(room)
    await phone.watches(room)
    await bo.watches(room)

    const preview = await ada.sends(room, '/giphy cats', { id: 'gif-1' })
    assert.deepEqual(
      [preview.id, preview.type, preview.text, preview.command, preview.args],
      ['gif-1', 'ephemeral', '/giphy cats', 'giphy', 'cats'],
    )
    const [shown] = preview.attachments
    assert.deepEqual([preview.attachments.length, shown?.type, shown?.title], [1, 'giphy', 'cats'])
    assert.deepEqual(
      actionsOf(preview).map(({ name, text, style, type, value }) => [name, text, style, type, value]),
      [
        ['image_action', 'Send', 'primary', 'button', 'send'],
        ['image_action', 'Shuffle', 'default', 'button', 'shuffle'],
        ['image_action', 'Cancel', 'default', 'button', 'cancel'],
      ],
    )
    const seen = await phone.receives('message.new')
    assert.deepEqual([seen.message.id, seen.message.type], ['gif-1', 'ephemeral'])
    assert.equal((await ada.opensChannel(room)).messages.length, 0)
    await bo.isRefused(16, 'POST', '/messages/gif-1/action', { body: choice('send') })
    await ada.isRefused(16, 'GET', '/messages/gif-1')

    const other = await phone.does('POST', '/messages/gif-1/action', { body: choice('shuffle') })
    assert.deepEqual([other.message.id, other.message.type], ['gif-1', 'ephemeral'])
    assert.notEqual(other.message.attachments[0].thumb_url, shown?.thumb_url)
    assert.deepEqual((await phone.receives('message.updated')).message.attachments, other.message.attachments)

    const { message } = await phone.does('POST', '/messages/gif-1/action', { body: choice('send') })
    assert.deepEqual([message.id, message.type, message.command, message.args], ['gif-1', 'regular', 'giphy', 'cats'])
    assert.equal(message.attachments[0].thumb_url, other.message.attachments[0].thumb_url)
    assert.equal('actions' in message.attachments[0], false)
    const heard = await bo.receives('message.new')
    assert.deepEqual([heard.message.id, heard.message.type], ['gif-1', 'regular'])
    const others = (await bo.receivedTypes()).filter((type) => type.startsWith('message.'))
    assert.deepEqual(others, [])
    const [stored] = (await bo.opensChannel(room)).messages
    assert.deepEqual([stored?.command, stored?.args, stored?.attachments], ['giphy', 'cats', message.attachments])
    await ada.isRefused(4, 'POST', '/messages/gif-1/action', { body: choice('send') })
  })

  it('[CMD-11] a cancelled preview is removed on all connections', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const phone = ada.device(fixture.nodes.at(-1)!.url)
    await phone.watches(room)
    const { id } = await ada.sends(room, '/giphy')
    const answer = await ada.does('POST', `/messages/${id}/action`, { body: choice('cancel') })
    assert.equal('message' in answer, false)
    const gone = await phone.receives('message.deleted')
    assert.deepEqual([gone.message.id, gone.hard_delete], [id, true])
    await ada.isRefused(16, 'POST', `/messages/${id}/action`, { body: choice('send') })
  })
})

onEveryStorage((fixture) => {
  it('[CMD-11] a repeated request gets the same answer, and another message keeps its id', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const first = await ada.sends(room, '/giphy sun', { id: 'gif-2' })
    const again = await ada.sends(room, '/giphy sun', { id: 'gif-2' })
    assert.deepEqual([again.attachments, again.created_at], [first.attachments, first.created_at])
    await bo.isRefused(4, 'POST', `/channels/${room.replace(':', '/')}/message`, {
      body: { message: { id: 'gif-2', text: '/giphy rain' } },
    })
    await bo.sends(room, 'Hello', { id: 'plain' })
    await ada.isRefused(4, 'POST', `/channels/${room.replace(':', '/')}/message`, {
      body: { message: { id: 'plain', text: '/giphy rain' } },
    })
  })

  it('[CMD-11] a preview stays in its thread, keeps its text and attachments, and expires after an hour', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id: parent_id } = await ada.sends(room, 'Lunch?')
    const preview = await ada.sends(room, '/giphy thanks', { parent_id, mood: 'good' })
    assert.deepEqual([preview.parent_id, preview.mood], [parent_id, 'good'])
    fixture.clock.advance(3_599_000)
    const { message } = await ada.does('POST', `/messages/${preview.id}/action`, { body: choice('send') })
    assert.deepEqual([message.type, message.parent_id, message.mood], ['reply', parent_id, 'good'])

    const late = await ada.sends(room, '/giphy thanks')
    fixture.clock.advance(3_601_000)
    await ada.isRefused(16, 'POST', `/messages/${late.id}/action`, { body: choice('send') })
  })

  it('[CMD-11] slow mode, bans and freezing apply to commands and to the messages they send', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const at = `/channels/${room.replace(':', '/')}`
    const { id } = await bo.sends(room, '/giphy hello')
    await appServer.does('POST', at, { body: { data: { frozen: true } } })
    const unsent = await bo.does('POST', `/messages/${id}/action`, { body: choice('send') })
    assert.equal(unsent.message.type, 'error')
    assert.equal((await bo.sends(room, '/giphy hello')).type, 'error')
    await appServer.does('POST', at, { body: { data: { frozen: false, cooldown: 30 } } })
    await bo.does('POST', `/messages/${id}/action`, { body: choice('send') })
    await bo.isRefused(60, 'POST', `${at}/message`, { body: { message: { text: '/giphy hello' } } })
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', type: 'messaging', id: room.slice(10), banned_by_id: 'ada' },
    })
    await bo.isRefused(17, 'POST', `${at}/message`, { body: { message: { text: '/giphy hello' } } })
  })

  it('[CMD-11] an unknown action is refused, and the attachments are not trusted', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, '/giphy', { attachments: [{ giphy: 5, actions: [] }] })
    for (const form_data of [{}, { image_action: 'explode' }, { image_action: 5 }, { other: 'send' }])
      await ada.isRefused(4, 'POST', `/messages/${id}/action`, { body: { form_data } })
    for (const body of [{}, { form_data: 'send' }, { form_data: ['send'] }])
      await ada.isRefused(4, 'POST', `/messages/${id}/action`, { body })
    const plain = await ada.sends(room, 'Hello')
    await ada.isRefused(4, 'POST', `/messages/${plain.id}/action`, { body: choice('send') })
  })

  it('a command added by an edit is only text', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Hello')
    const { message } = await ada.does('POST', `/messages/${id}`, { body: { message: { text: '/giphy cats' } } })
    assert.deepEqual([message.type, message.text, message.attachments], ['regular', '/giphy cats', []])
  })

  it('[CMD-11] the animations are served publicly, and cacheable for ever', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const preview = await ada.sends(await appServer.opens([ada]), '/giphy coffee')
    const { giphy } = preview.attachments[0] as unknown as Gif
    for (const name of renditions) {
      const { url, width, height, size } = giphy[name]
      const answer = await fetch(url)
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.equal(bytes.subarray(0, 6).toString(), 'GIF89a')
      assert.deepEqual(
        [String(bytes.readUInt16LE(6)), String(bytes.readUInt16LE(8)), String(bytes.length)],
        [width, height, size],
      )
      assert.equal(answer.headers.get('content-type'), 'image/gif')
      assert.match(answer.headers.get('cache-control')!, /immutable/)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
    for (const name of ['catalog.json', '..%2Fgifs.ts', 'cat.gif', '__proto__'])
      assert.equal((await fetch(`${ada.url}/gifs/${name}`)).status, 404)
  })
})

describe('the built-in animations', () => {
  const gifs = new BuiltInGifs(() => 'https://chat.example.com')

  it('[CMD-5] match the query, also in the singular, or are random', async () => {
    for (const [words, name] of [
      ['cats', 'cat'],
      ['Good NIGHT', 'moon'],
      ['I love it', 'heart'],
      ['hugs & kisses', 'heart'],
    ] as const)
      assert.match((await gifs.find(words, undefined))!.title_link, new RegExp(`/${name}-`), words)
    const titles = new Set<string>()
    for (let i = 0; i < 60; i++) titles.add((await gifs.find('quux', undefined))!.title)
    assert.ok(titles.size > 3)
  })

  it('[CMD-11] change on every shuffle', async () => {
    let shown: string | undefined
    for (let i = 0; i < 30; i++) {
      const next: Gif = (await gifs.find('cat', shown))!
      assert.notEqual(next.title_link, shown)
      shown = next.title_link
    }
  })

  it('are small enough to include', () => {
    const bytes = catalog.flatMap(({ whole, downsampled, still }) => [whole.size, downsampled.size, still.size])
    assert.ok(bytes.reduce((sum, size) => sum + size) < 400_000)
  })
})

describe('an external gif service', () => {
  let running: RunningServer
  const asked: URL[] = []
  let answer: { status?: number; body: string } = { body: '' }
  const giphy = createServer((request, response) => {
    asked.push(new URL(request.url!, 'http://giphy'))
    response.writeHead(answer.status ?? 200)
    response.end(answer.body)
  })
  const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }
  beforeAll(async () => {
    await new Promise<void>((resolve) => giphy.listen(0, '127.0.0.1', resolve))
    const { port } = giphy.address() as AddressInfo
    const gif = { GIF_SERVICE: 'giphy', GIPHY_KEY: 'leaf', GIPHY_URL: `http://127.0.0.1:${port}` }
    running = await serverWith({ ...key, ...gif })
  })
  afterAll(async () => {
    await running.stop()
    await new Promise((resolve) => giphy.close(resolve))
  })

  it('[CMD-5] [CMD-11] GIPHY is asked for one, and its sizes are shown', async () => {
    const { ada, room } = await atHome(running, 'ada')
    const file = (name: string) => ({
      url: `https://media.giphy.example/${name}.gif`,
      width: '200',
      height: '113',
      mp4: 'x',
    })
    const images = Object.fromEntries([...renditions, 'looping'].map((name) => [name, file(name)]))
    images.looping = {} as never
    answer = { body: JSON.stringify({ data: { title: 'A cat', url: 'https://giphy.example/cat', images }, meta: {} }) }
    const preview = await ada.sends(room, '/giphy zoë & friends')
    const [attachment] = preview.attachments as unknown as [Gif & { title: string; fallback: string }]
    assert.deepEqual(
      [attachment.title, attachment.fallback, attachment.title_link],
      ['zoë & friends', 'A cat', 'https://giphy.example/cat'],
    )
    assert.deepEqual(Object.keys(attachment.giphy), [...renditions])
    assert.deepEqual(attachment.giphy.fixed_height, {
      url: 'https://media.giphy.example/fixed_height.gif',
      width: '200',
      height: '113',
      size: '',
      frames: '',
    })
    const { pathname, searchParams } = asked.at(-1)!
    assert.deepEqual(
      [pathname, ...searchParams.entries()],
      ['/v1/gifs/random', ['api_key', 'leaf'], ['rating', 'g'], ['tag', 'zoë & friends']],
    )
  })

  it('[CMD-11] after an invalid answer the sender gets "nothing found"', async () => {
    const { ada, room } = await atHome(running, 'bo')
    const bad = [
      { body: '' },
      { body: 'null' },
      { body: '{"data":[]}' },
      { body: '{"data":{"url":"javascript:alert(1)","images":{}}}' },
      { body: JSON.stringify({ data: { url: 'https://giphy.example', images: { original: { url: 'https://x' } } } }) },
      { body: '{}', status: 401 },
      { body: `"${'x'.repeat(300_000)}"` },
    ]
    for (const one of bad) {
      answer = one
      const { type, text, attachments } = await ada.sends(room, '/giphy cats')
      assert.deepEqual([type, attachments.length], ['error', 0])
      assert.match(text, /No gif was found/)
    }
    assert.ok(asked.length >= bad.length)
  })
})

describe('without a gif service', () => {
  it('[CMD-11] the sender gets an error', async () => {
    const running = await serverWith({ API_KEY: 'tea', API_SECRET: 'a secret that is long', GIF_SERVICE: 'off' })
    try {
      const { ada, room } = await atHome(running, 'ada')
      const { type, text } = await ada.sends(room, '/giphy cats')
      assert.deepEqual([type, text], ['error', 'No gif service is set up on this server.'])
    } finally {
      await running.stop()
    }
  })
})

function serverWith(env: Record<string, string>): Promise<RunningServer> {
  const quiet = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:' }
  return startServer({ ...readSettings({ ...quiet, ...env }), port: 0 }, new FakeClock())
}

async function atHome({ url, server }: RunningServer, id: string) {
  const app = (await server.apps.byKey('tea'))!
  const appServer = new AppServer(url, { ...app, created_at: 0, settings_json: '{}' }, new FakeClock())
  await appServer.createUsers(id)
  const ada = appServer.user(id)
  return { ada, room: await appServer.opens([ada]) }
}

function choice(image_action: string) {
  return { form_data: { image_action } }
}

interface Action {
  name: string
  text: string
  style: string
  type: string
  value: string
}

function actionsOf({ attachments }: { attachments: readonly object[] }): Action[] {
  return (attachments[0] as { actions: Action[] }).actions
}
