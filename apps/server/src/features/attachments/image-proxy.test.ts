import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import type { Surroundings } from '../../app.ts'
import { publicPolicy } from '../../platform/outbound/outbound-fetch.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { OtherServer } from '../../testing/other-server.ts'
import { path } from '../../testing/test-user.ts'
import { ImageAddresses } from './image-addresses.ts'
import { ImageProxy } from './image-proxy.ts'
import { aForm, aPicture, html, pdf, svg, uploads } from './testing/some-files.ts'

/** The sender's host, which tries to learn who views the image. */
let visits: string[] = []
let pictures: Record<string, (request: IncomingMessage, answer: ServerResponse) => void> = {}
const spy = new OtherServer((request, answer) => {
  visits.push(request.url!)
  const picture = pictures[request.url!.split('?')[0]!]
  if (picture) picture(request, answer)
  else answer.writeHead(404).end()
})
let count = 0
const fresh = (file: string) => `${spy.url}${file}?${++count}`
const gives = (type: string, bytes: Buffer) => (_: IncomingMessage, answer: ServerResponse) =>
  void answer.writeHead(200, { 'Content-Type': type, 'Set-Cookie': 'spy=1' }).end(bytes)
beforeEach(async () => {
  visits = []
  pictures = { '/a.png': gives('image/png', await aPicture(40, 30)) }
})

const env = { IMAGE_PROXY: 'on', LINK_PREVIEWS: 'on' }
const around: Surroundings = { neighbours: ['127.0.0.1'] }
/** Addresses of the spy host in an answer that a client would load. */
const shown = (given: unknown): string[] =>
  [...JSON.stringify(given).matchAll(/"(?:image|image_url|thumb_url|author_icon|footer_icon|url)":"([^"]+)"/g)].map(
    (found) => found[1]!,
  )

onEveryTransport(
  (fixture) => {
    it('[ATT-24] no image shown to clients leads to its sender’s host, in any field', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await ada.watches(room)
      const image = fresh('/a.png')
      const giphy = { fixed_height: { url: image, width: '9', height: '9' }, original: { note: '}"{', url: image } }
      pictures['/page'] = (_, answer) =>
        answer
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end('<title>Tea</title><link rel=icon href=/i.png><meta property="og:image" content="/a.png">')

      await bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image } }] } })
      await appServer.does('PATCH', path(room), { body: { set: { image } } })
      const attachments = [
        {
          type: 'image',
          image_url: image,
          thumb_url: ` //${new URL(image).host}/a.png `,
          author_icon: image,
          footer_icon: image,
        },
        { type: 'giphy', thumb_url: image, giphy },
        { type: 'mine', image_url: image.replace('http:', 'HTTP:\\') },
      ]
      const sent = await bo.sends(room, `${spy.url}/page?${++count}`, { attachments, image })
      const quoting = await ada.sends(room, 'This?', { quoted_message_id: sent.id })
      await bo.does('POST', `/messages/${sent.id}/pin`, { body: {} }).catch(() => {})
      await ada.sends(room, 'A reply', { parent_id: sent.id })

      const given: Record<string, unknown> = {
        'what the sender is answered': sent,
        'an event': await ada.receives('message.new', ({ message }) => message.id === sent.id),
        'a message': await ada.does('GET', `/messages/${sent.id}`),
        'a quoting one': await ada.does('GET', `/messages/${quoting.id}`),
        'a channel': await ada.opensChannel(room),
        'the same channel, kept': await ada.opensChannel(room),
        'the list of channels': await ada.does('POST', '/channels', {
          body: { filter_conditions: { cid: room }, state: true },
        }),
        'a thread': await ada.does('GET', `/threads/${sent.id}`),
        people: await ada.does('GET', '/users', {
          query: { payload: JSON.stringify({ filter_conditions: { id: 'bo' } }) },
        }),
        'a preview': await ada.does('GET', '/og', { query: { url: `${spy.url}/page?${++count}` } }),
        'who connects': await bo.device().connects(),
      }
      for (const [where, what] of Object.entries(given)) {
        const addresses = shown(what)
        assert.ok(addresses.length > 0, where)
        for (const address of addresses)
          assert.ok(
            address.startsWith(`${ada.url.replace(/\d+$/, '')}`) && address.includes('/images/'),
            `${where}: ${address}`,
          )
      }
      visits = []
      for (const address of new Set(Object.values(given).flatMap(shown))) {
        const answer = await fetch(address)
        if (!address.includes(encodeURIComponent('/i.png'))) assert.equal(answer.status, 200, address)
      }
      assert.ok(visits.length > 0 && visits.length < 8, 'the proxy asks once for each')
      // The app's own server gets the original addresses.
      assert.ok(
        shown((await appServer.does('GET', `/messages/${sent.id}`)).message.attachments[0]).every(
          (url) => !url.includes('/images/'),
        ),
      )
    })

    it('[ATT-24] proxy addresses sent back are stored as the originals', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const image = fresh('/a.png')
      const { id } = await bo.sends(room, 'Look', {
        attachments: [{ type: 'image', image_url: image, thumb_url: image }],
      })
      for (let i = 0; i < 2; i++) {
        const { message } = await bo.does('GET', `/messages/${id}`)
        const text = `see ${message.attachments[0].image_url} ${i}`
        await bo.does('POST', `/messages/${id}`, { body: { message: { text, attachments: message.attachments } } })
        const { message: kept } = await appServer.does('GET', `/messages/${id}`)
        assert.deepEqual(kept.attachments[0], { type: 'image', image_url: image, thumb_url: image })
        assert.equal(kept.text, `see ${image} ${i}`)
      }
    })
  },
  env,
  around,
)

onEveryStorage(
  (fixture) => {
    it('[ATT-24] own files, relative addresses and data URLs stay as they are', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const { file } = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(40, 30)))
      for (const image_url of [file, '/pictures/ada.webp', 'data:image/png;base64,AAAA', 'blob:x', 'picture.png', '']) {
        const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url }] })
        assert.equal(sent.attachments[0]!.image_url, image_url)
      }
    })

    it('[ATT-25] a changed or forged address shows nothing, so the proxy cannot be abused', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url: fresh('/a.png') }] })
      const address = sent.attachments[0]!.image_url!
      assert.equal((await fetch(address)).status, 200)
      visits = []
      const changed = new URL(address)
      changed.searchParams.set('url', fresh('/a.png'))
      const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
      const signature = new URL(file).searchParams.get('Signature')
      const base = new URL(address).origin
      for (const wrong of [
        changed.href,
        address.replace(/images\/./, 'images/_'),
        `${base}/images/${'A'.repeat(43)}?url=${encodeURIComponent(fresh('/a.png'))}`,
        `${base}/images/${signature}?url=${encodeURIComponent(fresh('/a.png'))}`,
        `${base}/images/x`,
        `${base}/images/%C3%BC?url=x`,
      ]) {
        const answer = await fetch(wrong)
        assert.deepEqual([answer.status, (await answer.json()).code], [403, 17], wrong)
      }
      assert.deepEqual(visits, [])
    })

    it('[ATT-25] files that are no images, too large, or on a private network are not served', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const large = Buffer.concat([await aPicture(10, 10), Buffer.alloc(10 * 1_048_576)])
      const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      pictures = {
        '/svg': gives('image/png', svg),
        '/svg2': gives('image/svg+xml', Buffer.concat([Buffer.from('<?xml version="1.0"?><!-- x -->'), svg])),
        '/html': gives('image/png', html),
        '/pdf': gives('image/png', pdf),
        '/text': gives('image/png', Buffer.from('hello')),
        '/cut': gives('image/png', (await aPicture(100, 100)).subarray(0, 20)),
        '/empty': gives('image/png', Buffer.alloc(0)),
        '/large': gives('image/png', large),
        '/bomb': gives('image/png', bomb),
        '/inside': (_, answer) => answer.writeHead(302, { Location: 'http://169.254.169.254/a.png' }).end(),
        '/file': (_, answer) => answer.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
        '/broken': (request) => request.socket.destroy(),
        '/failing': (_, answer) => answer.writeHead(500).end('secret'),
        '/round': (_, answer) => answer.writeHead(302, { Location: '/round' }).end(),
      }
      const inside = ['http://10.0.0.1/a.png', 'http://[::1]/a.png', `${ada.url}/files/x/y`, 'http://no.invalid/a.png']
      const urls = [
        ...Object.keys(pictures).map((file) => `${spy.url}${file}`),
        ...inside.filter((url) => !url.startsWith(ada.url)),
      ]
      for (const image_url of [...urls, `${spy.url}/nowhere`]) {
        const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url }] })
        const answer = await fetch(sent.attachments[0]!.image_url!)
        assert.deepEqual([answer.status, (await answer.json()).code], [404, 16], image_url)
        assert.match(answer.headers.get('cache-control')!, /max-age=300/)
      }
      // A host that failed repeatedly is not asked again.
      visits = []
      const again = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url: `${spy.url}/failing` }] })
      assert.equal((await fetch(again.attachments[0]!.image_url!)).status, 404)
      assert.deepEqual(visits, [])
      fixture.clock.advance(301_000)
      await fetch(again.attachments[0]!.image_url!)
      assert.deepEqual(visits, ['/failing'])
    })

    it('[ATT-25] an image is served with its detected type, and without its host’s headers', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const picture = sharp(await aPicture(20, 10))
      for (const format of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const) {
        const bytes = await picture.clone().toFormat(format).toBuffer()
        pictures['/x'] = gives('text/html', bytes)
        const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url: fresh('/x') }] })
        const address = sent.attachments[0]!.image_url!
        const answer = await fetch(address)
        assert.equal(answer.status, 200, format)
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes)
        const { headers } = answer
        assert.equal(headers.get('content-type'), `image/${format}`)
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
        assert.match(headers.get('content-disposition')!, /^inline; filename="picture\.\w+"$/)
        assert.equal(headers.get('cache-control'), 'private, max-age=86400')
        assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
        assert.equal(headers.get('set-cookie'), null)
        const known = await fetch(address, { headers: { 'If-None-Match': headers.get('etag')! } })
        assert.equal(known.status, 304)
        assert.equal((await fetch(address, { method: 'HEAD' })).status, 200)
      }
    })

    it('[ATT-25] a host learns nothing of the viewers, and is asked once a day however many there are', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      let asked: IncomingMessage['headers'] = {}
      const bytes = await aPicture(20, 10)
      pictures['/a.png'] = (request, answer) => {
        asked = request.headers
        gives('image/png', bytes)(request, answer)
      }
      const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url: fresh('/a.png') }] })
      const address = sent.attachments[0]!.image_url!
      const headers = {
        Cookie: 'me=1',
        Referer: 'https://secret.example',
        'User-Agent': 'mine',
        'X-Forwarded-For': '1.2.3.4',
      }
      const all = await Promise.all(Array.from({ length: 20 }, () => fetch(address, { headers })))
      assert.ok(all.every(({ status }) => status === 200))
      assert.equal(visits.length, 1)
      assert.deepEqual([asked.cookie, asked.referer, asked['x-forwarded-for']], [undefined, undefined, undefined])
      assert.match(asked['user-agent']!, /Parley/)
      fixture.clock.advance(25 * 3_600_000)
      await fetch(address)
      assert.equal(visits.length, 2)
    })
  },
  env,
  around,
)

onEveryStorage((fixture) => {
  it('[ATT-24] without the proxy every address stays as it was sent', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const image_url = fresh('/a.png')
    const sent = await ada.sends(room, 'Look', { attachments: [{ type: 'image', image_url }] })
    assert.equal(sent.attachments[0]!.image_url, image_url)
    assert.equal((await fetch(`${ada.url}/images/${'A'.repeat(43)}?url=x`)).status, 404)
  })
})

describe('the image cache', () => {
  const clock = new FakeClock()
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-images-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const addresses = new ImageAddresses('key', () => 'https://chat.example')
  const opens = (name: string, cacheBytes: number) =>
    ImageProxy.open(
      { folder: join(folder, name), cacheBytes },
      addresses,
      publicPolicy(clock, () => 'https://chat.example', ['127.0.0.1']),
    )

  it('[ATT-25] stays below its size limit, and evicts the least recently used images', async () => {
    const bytes = await sharp({
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer()
    pictures['/noise'] = gives('image/png', bytes)
    const proxy = await opens('full', bytes.length * 3 + 10)
    const urls = Array.from({ length: 4 }, () => fresh('/noise'))
    for (const url of urls.slice(0, 3)) await proxy.get(url, 'me')
    await proxy.get(urls[0]!, 'me')
    await proxy.get(urls[3]!, 'me')
    assert.equal((await readdir(join(folder, 'full'))).length, 3)
    visits = []
    for (const url of [urls[0]!, urls[2]!, urls[3]!]) await proxy.get(url, 'me')
    assert.deepEqual(visits, [])
    await proxy.get(urls[1]!, 'me')
    assert.equal(visits.length, 1)
  })

  it('[ATT-25] survives a restart, and an emptied folder', async () => {
    const url = fresh('/a.png')
    await (await opens('kept', 1_000_000)).get(url, 'me')
    visits = []
    const again = await opens('kept', 1_000_000)
    const found = await again.get(url, 'me')
    assert.deepEqual([visits, found!.type], [[], 'image/png'])
    await again.forget(found!.name)
    await again.get(url, 'me')
    assert.equal(visits.length, 1)
    // A smaller limit holds fewer.
    await opens('kept', 1)
    assert.deepEqual(await readdir(join(folder, 'kept')), [])
  })

  it('[ATT-25] limits the fetches per minute for one network address', async () => {
    const proxy = await opens('limited', 10_000_000)
    pictures['/a.png'] = (_, answer) => answer.writeHead(404).end()
    for (let i = 0; i < 300; i++) await proxy.get(fresh('/a.png'), 'me')
    await assert.rejects(proxy.get(fresh('/a.png'), 'me'), { kind: 'RateLimitError' })
    assert.equal(await proxy.get(fresh('/a.png'), 'somebody else'), undefined)
    clock.advance(60_000)
    assert.equal(await proxy.get(fresh('/a.png'), 'me'), undefined)
  })
})

describe('image addresses in a text', () => {
  const addresses = new ImageAddresses('key', () => 'https://chat.example/base')

  it.each([
    ['{"text":"\\"image_url\\":\\"http://spy.example/a.png\\""}'],
    ['{"image_url":"https://chat.example/base/files/x"}'],
    ['{"title_link":"http://spy.example/","asset_url":"http://spy.example/a.mp4","url":"http://spy.example/"}'],
    ['{"giphy":{"a":{"url":"x"}},"url":"http://spy.example/"}'],
    ['{"image":{"image":5},"giphy":"http://spy.example"}'],
  ])('are left alone where they are none: %s', (text) => assert.equal(addresses.toProxy(text), text))

  it('are replaced and restored, with any characters', () => {
    for (const url of [
      'http://spy.example/a%20b.png',
      'http://spy.example/a\'(1)!*,.png?x=1&y="2"#z',
      'https://spy.example/日本.png',
      'http://u:p@spy.example/a',
      'http://spy.example/\\u0022\ud800.png',
      'http://xn--e1afmkfd.example/',
    ])
      for (const text of [
        JSON.stringify({ image: url }),
        `{"giphy":{"a":{"url":${JSON.stringify(url)}}},"image":"x"}`,
      ]) {
        const led = addresses.toProxy(text)
        assert.ok(!led.includes('"http://spy') && !led.includes('"https://spy'), led)
        const address = /"(https:\/\/chat[^"]+)"/.exec(led)![1]!
        const back = JSON.parse(addresses.fromProxy(led)) as object
        const href = new URL(url)
        href.hash = href.username = href.password = ''
        assert.ok(JSON.stringify(back).includes(JSON.stringify(href.href)), JSON.stringify(back))
        assert.equal(
          addresses.isSigned(new URL(address).searchParams.get('url')!, address.split('/')[5]!.split('?')[0]!),
          true,
        )
        // A proxy address is not proxied again.
        assert.equal(addresses.toProxy(led), led)
      }
  })

  it.each([
    `"image":"${'\\"'.repeat(400_000)}`,
    '"giphy":{'.repeat(50_000),
    `${'http://'.repeat(100_000)}/images/${'a'.repeat(43)}?url=x`,
    `/images/${'a'.repeat(43)}?url=${'%41'.repeat(200_000)}`,
    '"image":"'.repeat(80_000),
  ])('are looked for in little time, whatever the text: %.40s…', (text) => {
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now()
      addresses.fromProxy(addresses.toProxy(text))
      return performance.now() - start
    })
    // A busy machine takes ten times as long; quadratic search takes a thousand times.
    assert.ok(Math.min(...times) < 3_000, `${text.length} letters took ${times.join(', ')} ms`)
  })
})
