import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { firstLink } from '@parley/protocol/text/plain-text'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest'
import type { Surroundings } from '../../app.ts'
import type { OutboundResponse } from '../../platform/outbound/outbound-fetch.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { readPreview } from './read-preview.ts'

/** Fake external pages; each test sets their content. */
let pages: Record<string, (request: IncomingMessage, answer: ServerResponse) => void> = {}
let visits: string[] = []
let web: Server
let site = ''
const env: Record<string, string> = { LINK_PREVIEWS: 'on' }
const around: Surroundings = {}

beforeAll(async () => {
  web = createServer((request, answer) => {
    visits.push(request.url!)
    const page = pages[request.url!.split('?')[0]!]
    if (page) page(request, answer)
    else answer.writeHead(404).end()
  })
  await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening))
  const { port } = web.address() as AddressInfo
  site = `http://127.0.0.1:${port}`
  around.neighbours = [`127.0.0.1:${port}`]
})
beforeEach(() => {
  visits = []
  pages = {
    '/tea': (_, answer) =>
      answer.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<html><head>
        <title>Tea</title><meta property="og:title" content="All about tea"><meta property="og:image" content="/tea.png">
        <meta property="og:description" content="Leaves &amp; water"><meta property="og:site_name" content="Teahouse">
        </head><body>`),
    '/mute': (_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hi'),
  }
})
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

/** Every test uses addresses of its own, since previews are cached. */
let count = 0
const fresh = (page: string) => `${site}${page}?${++count}`

const preview = (url: string) => ({
  og_scrape_url: url,
  title_link: url,
  type: 'image',
  title: 'All about tea',
  text: 'Leaves & water',
  author_name: 'Teahouse',
  author_link: site,
  image_url: `${site}/tea.png`,
  thumb_url: `${site}/tea.png`,
})

onEveryTransport(
  (fixture) => {
    it('a message with a link carries the preview of its first one, for all readers', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      const url = fresh('/tea')

      const sent = await ada.sends(room, `Look: ${url}, or ${fresh('/mute')}.`, { attachments: [{ type: 'mine' }] })

      assert.deepEqual(sent.attachments, [{ type: 'mine' }, preview(url)])
      assert.deepEqual((await bo.receives('message.new')).message.attachments, sent.attachments)
      assert.deepEqual((await bo.opensChannel(room)).messages[0]!.attachments, sent.attachments)
      assert.equal(visits.length, 1)
    })

    it('if the app is set so, the preview follows the message', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await appServer.does('PATCH', '/app', { body: { async_url_enrich_enabled: true } })
      await bo.watches(room)
      const url = fresh('/tea')

      const sent = await ada.sends(room, url)

      assert.deepEqual(sent.attachments, [])
      const { message } = await bo.receives('message.updated')
      assert.deepEqual([message.id, message.attachments], [sent.id, [preview(url)]])
      assert.equal(message.message_text_updated_at, undefined)
      assert.deepEqual((await bo.opensChannel(room)).messages[0]!.attachments, [preview(url)])
    })
  },
  env,
  around,
)

onEveryStorage(
  (fixture) => {
    it('a slow page does not delay the message: its preview follows', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      await ada.watches(room)
      const url = fresh('/slow')
      const asked = Promise.withResolvers<() => void>()
      pages['/slow'] = (request, answer) => asked.resolve(() => pages['/tea']!(request, answer))

      const saying = ada.sends(room, url)
      const answerNow = await asked.promise
      fixture.clock.advance(2_000)
      assert.deepEqual((await saying).attachments, [])

      answerNow()
      assert.deepEqual((await ada.receives('message.updated')).message.attachments, [preview(url)])
    })

    it('a message edited or deleted meanwhile gets no late preview', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      await appServer.does('PATCH', '/app', { body: { async_url_enrich_enabled: true } })
      const answers: (() => void)[] = []
      pages['/slow'] = (request, answer) => void answers.push(() => pages['/tea']!(request, answer))
      const edited = await ada.sends(room, fresh('/slow'))
      const deleted = await ada.sends(room, fresh('/slow'))
      await eventually(() => answers.length === 2, 'both pages were asked')
      await ada.does('PUT', `/messages/${edited.id}`, { body: { set: { text: 'never mind' } } })
      await ada.does('DELETE', `/messages/${deleted.id}`)
      await ada.watches(room)
      for (const answerNow of answers) answerNow()
      // A later preview that does arrive shows that those had time to.
      await ada.sends(room, fresh('/tea'))
      const told = (await ada.receives('message.updated')).message
      assert.equal(told.attachments.length, 1)
      const { messages } = await ada.opensChannel(room)
      assert.deepEqual(
        messages.map(({ attachments }) => attachments.length),
        [0, 0, 1],
      )
    })

    it('no page is read without a link, or if the sender wants no preview', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const url = fresh('/tea')
      await ada.sends(room, 'tea, example.com, http://')
      const { message } = await ada.does('POST', `/channels/${room.replace(':', '/')}/message`, {
        body: { message: { text: url }, skip_enrich_url: true },
      })
      assert.deepEqual(message.attachments, [])
      await ada.does('PUT', `/messages/${message.id}`, { body: { set: { text: `${url} !` }, skip_enrich_url: true } })
      const stream = await appServer.opens([ada], {}, 'livestream')
      assert.deepEqual((await ada.sends(stream, url)).attachments, [])
      assert.deepEqual(visits, [])
      const own = { og_scrape_url: url, title: 'As I see it' }
      assert.deepEqual((await ada.sends(room, url, { attachments: [own] })).attachments, [own])
    })

    it('an edit adds the preview of a new link, and removes that of a removed link', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const [first, second] = [fresh('/tea'), fresh('/tea')]
      const { id } = await ada.sends(room, first, { attachments: [{ type: 'mine' }] })
      const edit = async (method: 'POST' | 'PUT', body: object) =>
        (await ada.does(method, `/messages/${id}`, { body })).message.attachments

      assert.deepEqual(await edit('PUT', { set: { text: `now ${second}` } }), [{ type: 'mine' }, preview(second)])
      assert.deepEqual(await edit('PUT', { set: { note: 'no text' } }), [{ type: 'mine' }, preview(second)])
      assert.deepEqual(await edit('PUT', { set: { text: 'no link' } }), [{ type: 'mine' }])
      assert.deepEqual(await edit('POST', { message: { text: first } }), [preview(first)])
      // A client that removes the preview from an unchanged text does not want it.
      assert.deepEqual(await edit('POST', { message: { text: first, attachments: [] } }), [])
      assert.deepEqual(await edit('PUT', { set: { text: 'no link', attachments: [preview(first)] } }), [])
      await ada.isRefused(4, 'POST', `/messages/${id}`, { body: { message: { text: '' } } })
      // A link that is in code now is drawn as one no longer.
      assert.deepEqual(await edit('PUT', { set: { text: `see ${second}` } }), [preview(second)])
      assert.deepEqual(await edit('PUT', { set: { text: `as \`${second}\`` } }), [])
      // Nor is there one whose address is only the beginning of another.
      assert.deepEqual(await edit('PUT', { set: { text: `see ${second}` } }), [preview(second)])
      const longer = await edit('PUT', { set: { text: `see ${second}&more` } })
      assert.ok(longer.every((one: { og_scrape_url?: string }) => one.og_scrape_url !== second))
    })

    it('many posts of the same link read its page once', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const url = fresh('/tea')
      const said = await Promise.all([ada, bo, ada, bo].map((testUser) => testUser.sends(room, url)))
      assert.ok(said.every(({ attachments }) => attachments.length === 1))
      assert.equal(visits.length, 1)
      fixture.clock.advance(3_600_000)
      await ada.sends(room, url)
      assert.equal(visits.length, 2)
    })

    it('[ATT-5] a user composing a message gets the preview of a link', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const url = fresh('/tea')
      const { duration, ...answer } = await ada.does('GET', '/og', { query: { url } })
      assert.deepEqual(answer, preview(url))
      assert.match(duration, /ms$/)
      assert.equal((await appServer.does('GET', '/og', { query: { url } })).title, 'All about tea')
    })

    it('[ATT-5] an invalid link is refused, and an unreachable, empty or private page has no preview', async () => {
      const { ada } = await fixture.createApp('ada')
      for (const url of [undefined, '', 'tea', 'ftp://example.com/', 'javascript:alert(1)', 'file:///etc/passwd'])
        await ada.isRefused(4, 'GET', '/og', { query: { url } })
      pages['/elsewhere'] = (_, answer) => answer.writeHead(302, { Location: 'http://169.254.169.254/' }).end()
      const others = ['http://169.254.169.254/', 'http://localhost:1/', 'http://[::1]/', 'http://10.0.0.1/']
      for (const url of [fresh('/none'), fresh('/mute'), fresh('/elsewhere'), ...others])
        await ada.isRefused(16, 'GET', '/og', { query: { url } })
    })
  },
  env,
  around,
)

const allowed: Record<string, string> = { LINK_PREVIEWS: 'on' }
beforeAll(() => {
  // Every host of this machine, as an operator allows it for webhooks.
  allowed.ALLOWED_PRIVATE_HOSTS = `127.0.0.1,localhost,127.0.0.1:${new URL(site).port},[::1]`
})

onEveryStorage((fixture) => {
  it('[ATT-21] previews cannot reach private hosts that webhooks may reach', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const own = fixture.nodes[0]!.server.publicUrl
    const { port } = new URL(site)
    const urls = [fresh('/tea'), `http://localhost:${port}/tea`, `http://[::1]:${port}/tea`, `${own}/health`, own]
    for (const url of urls) {
      assert.deepEqual((await ada.sends(room, url)).attachments, [], url)
      for (const caller of [ada, appServer]) await caller.isRefused(16, 'GET', '/og', { query: { url } })
    }
    assert.deepEqual(visits, [])
  })
}, allowed)

onEveryStorage((fixture) => {
  it('an operator can turn previews off', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const url = fresh('/tea')
    assert.deepEqual((await ada.sends(room, url)).attachments, [])
    await ada.isRefused(16, 'GET', '/og', { query: { url } })
    assert.deepEqual(visits, [])
  })
})

describe('the metadata of a page', () => {
  const read = (html: string | Buffer, type = 'text/html', url = 'https://tea.example/leaves/green') => {
    const answer: OutboundResponse = { url, status: 200, headers: { 'content-type': type }, body: Buffer.from(html) }
    return readPreview('https://tea.example/', answer)
  }

  it('is read from its head, in every common form', () => {
    assert.deepEqual(
      read('<title> Green \n tea </title><meta name=description content="Hot"><link rel="icon" href="/i">'),
      {
        og_scrape_url: 'https://tea.example/',
        title_link: 'https://tea.example/',
        title: 'Green tea',
        text: 'Hot',
        author_name: 'tea.example',
        author_link: 'https://tea.example',
        author_icon: 'https://tea.example/i',
      },
    )
    const film =
      read(`<meta property="og:title" content="A film"><meta property="og:video" content="https://v.example/1.mp4">
      <meta property="og:image" content="small.png"><meta property="og:image:width" content="640">
      <meta property="og:image:height" content="0x10"><meta name="twitter:title" content="Not this">`)!
    assert.deepEqual(
      [film.type, film.asset_url, film.image_url, film.original_width, film.original_height, film.title],
      ['video', 'https://v.example/1.mp4', 'https://tea.example/leaves/small.png', 640, undefined, 'A film'],
    )
    assert.equal(read('<meta property="og:type" content="music.song"><title>A song</title>')!.type, 'audio')
  })

  it('is its type, if it is not HTML', () => {
    const url = 'https://tea.example/'
    assert.equal(read('', 'image/png')!.image_url, url)
    assert.deepEqual([read('', 'video/mp4')!.type, read('', 'audio/mpeg')!.asset_url], ['video', url])
    for (const type of ['image/svg+xml', 'application/pdf', 'application/json', ''])
      assert.equal(read('{}', type), undefined)
  })

  it('can be in other charsets', () => {
    const latin = Buffer.from('<meta charset="iso-8859-1"><title>Caf\xe9</title>', 'latin1')
    assert.equal(read(latin)!.title, 'Café')
    assert.equal(
      read(Buffer.from('<title>Caf\xe9</title>', 'latin1'), 'text/html; charset=windows-1252')!.title,
      'Café',
    )
    assert.equal(read('<title>Café</title>', 'text/html; charset=martian')!.title, 'Café')
  })

  it('is decoded by its byte order mark, whatever the server and the page say', () => {
    const page = '\uFEFF<meta charset="windows-1252"><title>Café</title>'
    const bigEndian = Buffer.from(page, 'utf16le').swap16()
    for (const body of [Buffer.from(page), Buffer.from(page, 'utf16le'), bigEndian])
      for (const type of ['text/html', 'text/html; charset=iso-8859-1']) assert.equal(read(body, type)!.title, 'Café')
  })

  it('contains only http(s) addresses', () => {
    const page = read(`<title>a</title><meta property="og:image" content="javascript:alert(1)">
      <meta property="og:video" content="data:text/html,x"><link rel=icon href="file:///etc/passwd">`)!
    assert.deepEqual([page.image_url, page.asset_url, page.author_icon], [undefined, undefined, undefined])
  })

  it('fits into an attachment, however long it is', () => {
    const part = fc.uint16Array({ maxLength: 2_000 }).map((codes) => String.fromCharCode(...codes))
    const address = fc
      .uint16Array({ maxLength: 80 })
      .map((codes) => `https://i.example/${encodeURIComponent(String.fromCharCode(...codes).toWellFormed())}`)
    fc.assert(
      fc.property(part, part, address, (title, text, image) => {
        const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
        const html = `<meta property="og:title" content="${escaped(title)}"><meta name="description" content="${escaped(text)}">
          <meta property="og:image" content="${escaped(image)}"><link rel=icon href="${'/i'.repeat(240)}">`
        const found = read(html)
        assert.ok(!found || Buffer.byteLength(JSON.stringify(found)) <= 4_500)
        assert.ok(!found || JSON.stringify(found).isWellFormed())
      }),
      { numRuns: 20 },
    )
  })
})

describe('the first link of a text', () => {
  it('ends where readers expect', () => {
    const link = (text: string) => firstLink(text)
    assert.equal(link('see https://a.example/b.'), 'https://a.example/b')
    assert.equal(link('(https://a.example/b)'), 'https://a.example/b')
    assert.equal(link('https://a.example/b_(c)'), 'https://a.example/b_(c)')
    assert.equal(link('**https://a.example**!'), 'https://a.example')
    assert.equal(link('<https://a.example/?a=1&b=2#c>'), 'https://a.example/?a=1&b=2#c')
    assert.equal(link('HTTPS://A.example'), 'HTTPS://A.example')
    assert.equal(link('http://one.example https://two.example'), 'http://one.example')
    for (const none of [
      '',
      'a.example',
      'ftp://a.example',
      'http://',
      'https://[',
      `https://a.example/${'a'.repeat(1_000)}`,
    ])
      assert.equal(link(none), undefined, none)
  })
})
