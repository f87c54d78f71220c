import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path } from '../../testing/test-user.ts'
import { FileLinks } from './file-links.ts'
import { aForm, aPicture, html, svg, uploads } from './testing/some-files.ts'

const DAY_MS = 24 * 3_600_000

onEveryTransport((fixture) => {
  it('[ATT-16] an address expires after 14 days, and a reader of the message then gets a new one', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { file } = await uploads(ada, room, 'file', aForm('plan.txt', 'text/plain', Buffer.from('the plan')))
    const life = Number(new URL(file).searchParams.get('Expires')) - fixture.clock.now() / 1000
    assert.ok(life > 12.9 * 86_400 && life <= 14 * 86_400, `it lives ${life / 86_400} days`)
    const sent = await ada.sends(room, 'Here', { attachments: [{ type: 'file', asset_url: file }], copy: file })
    const quoting = await bo.sends(room, 'This one?', { quoted_message_id: sent.id })

    fixture.clock.advance(15 * DAY_MS)
    assert.equal((await fetch(file)).status, 403)

    const { messages } = await bo.opensChannel(room)
    for (const fresh of [
      messages[0]!.attachments[0]!.asset_url,
      (messages[0] as { copy?: unknown }).copy,
      messages[1]!.quoted_message!.attachments[0]!.asset_url,
      (await bo.does('GET', `/messages/${quoting.id}`)).message.quoted_message.attachments[0].asset_url,
    ]) {
      assert.notEqual(fresh, file)
      assert.equal(await (await fetch(fresh as string)).text(), 'the plan')
    }

    // An event about an old message also carries a valid address.
    await ada.watches(room)
    await bo.does('POST', `/messages/${sent.id}/reaction`, { body: { reaction: { type: 'like' } } })
    const told = await ada.receives('reaction.new')
    assert.equal(await (await fetch(told.message.attachments[0].asset_url)).text(), 'the plan')
    const seen = await ada.opensChannel(room)
    assert.deepEqual(told.message.attachments, seen.messages[0]!.attachments)
  })

  it('[ATT-16] avatars of users and channels stay valid whenever they are read', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const form = aForm('me.png', 'image/png', await aPicture(10, 10))
    const { file } = await ada.does('POST', '/uploads/image', { form })
    await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada', image: file } } } })
    const room = await appServer.opens([ada], { image: `${file}&w=64&h=64` })
    fixture.clock.advance(20 * DAY_MS)
    const { channel, members } = await ada.opensChannel(room)
    assert.match(channel.image as string, /&w=64&h=64$/)
    const { me } = await ada.connects()
    for (const url of [channel.image, members[0]!.user!.image, me.image])
      assert.equal((await fetch(url as string)).status, 200)
  })
})

onEveryStorage((fixture) => {
  it('[ATT-16] an address is renewed with any file name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const name of ['Bo’s plan.txt', "Bo's plan (1)!.txt", `${'会'.repeat(100)}.txt`, `${'🙂'.repeat(120)}.txt`]) {
      const { file } = await uploads(ada, room, 'file', aForm(name, 'text/plain', Buffer.from('the plan')))
      const { id } = await ada.sends(room, 'Here', { attachments: [{ type: 'file', asset_url: file }] })
      fixture.clock.advance(15 * DAY_MS)
      const { message } = await ada.does('GET', `/messages/${id}`)
      assert.equal(await (await fetch(message.attachments[0].asset_url)).text(), 'the plan', name)
    }
  })

  it('[ATT-3] [ATT-4] a file deleted while it is requested answers as missing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { storage } = fixture.nodes[0]!.server.files
    const plan = await uploads(ada, room, 'file', aForm('plan.txt', 'text/plain', Buffer.from('the plan')))
    const picture = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(60, 60)))
    for (const [kind, file, behind] of [
      ['file', plan.file, ''],
      ['image', picture.file, '&w=10'],
    ]) {
      justBefore(storage, 'read', () => ada.does('DELETE', `${path(room)}/${kind}`, { query: { url: file } }))
      const answer = await fetch(`${file}${behind}`)
      assert.deepEqual([answer.status, (await answer.json()).code], [404, 16])
      assert.equal(answer.headers.get('cache-control'), null)
    }
  })

  it('[ATT-16] the app can set the lifetime of an address', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('PATCH', '/app', { body: { cdn_expiration_seconds: 60 } })
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    assert.equal((await fetch(file)).status, 200)
    fixture.clock.advance(61_000)
    const refusal = await fetch(file)
    assert.deepEqual([refusal.status, (await refusal.json()).code], [403, 17])
    await appServer.does('PATCH', '/app', { body: { cdn_expiration_seconds: 0 } })
    const usual = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    fixture.clock.advance(DAY_MS)
    assert.equal((await fetch(usual.file)).status, 200)
  })

  it('a changed or forged address does not open a file', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    const url = new URL(file)
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url)
      change(other)
      return other
    }
    const expires = Number(url.searchParams.get('Expires'))
    const forged = new FileLinks('another key', () => ada.url)
    for (const wrong of [
      changed((other) => other.searchParams.set('Expires', String(expires + 1))),
      changed((other) => other.searchParams.delete('Signature')),
      changed((other) => other.searchParams.set('Signature', '')),
      changed((other) => other.searchParams.set('Signature', 'ü'.repeat(43))),
      changed((other) => {
        other.search = ''
      }),
      changed((other) => {
        other.pathname = other.pathname.replace(/.\/a\.txt$/, 'x/a.txt')
      }),
      forged.linkTo(ada.app.id, { id: url.pathname.split('/')[2]!, name: 'a.txt' }, 1_209_600, fixture.clock.now()),
    ])
      assert.equal((await fetch(wrong)).status, 403, String(wrong))
    // The file name in the address does not matter.
    assert.equal(
      (await fetch(changed((other) => (other.pathname = other.pathname.replace('a.txt', 'b.txt'))))).status,
      200,
    )
  })

  it('files that could hold scripts are only downloaded, and cannot be sniffed or run', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const kinds: [name: string, type: string, bytes: Buffer, given: string, place: string][] = [
      ['a.svg', 'image/svg+xml', svg, 'image/svg+xml', 'attachment'],
      ['a.html', 'text/html', html, 'text/html; charset=utf-8', 'attachment'],
      ['a.txt', 'text/plain', Buffer.from('a'), 'text/plain; charset=utf-8', 'attachment'],
      ['a.js', 'text/javascript', Buffer.from('alert(1)'), 'text/javascript; charset=utf-8', 'attachment'],
      ['a', 'application/x-anything', Buffer.from('a'), 'application/octet-stream', 'attachment'],
      ['a.png', 'image/png', await aPicture(8, 8), 'image/png', 'inline'],
    ]
    for (const [name, type, bytes, given, place] of kinds) {
      const { file } = await uploads(ada, room, 'file', aForm(name, type, bytes))
      for (const method of ['GET', 'HEAD']) {
        const { headers } = await fetch(file, { method })
        assert.equal(headers.get('content-type'), given, name)
        assert.equal(headers.get('content-disposition')!.split(';')[0], place, name)
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.match(headers.get('content-security-policy')!, /default-src 'none'.*; sandbox$/)
        assert.equal(headers.get('content-length'), String(bytes.length))
        assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      }
    }
  })

  it('a file name cannot break out of its header', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a"; x="日本 (1)\'*.txt', 'text/plain', Buffer.from('a')))
    const header = (await fetch(file)).headers.get('content-disposition')!
    assert.match(header, /^attachment; filename="[\w .;=()'-]*\.txt"; filename\*=UTF-8''[\w.%~-]+$/)
    assert.ok(decodeURIComponent(header.split("''")[1]!).includes('日本 (1)'))
  })

  it('byte ranges of a file are served', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('0123456789')))
    const get = async (headers: Record<string, string>) => {
      const answer = await fetch(file, { headers })
      return [answer.status, await answer.text(), answer.headers.get('content-range')]
    }
    const tag = (await fetch(file)).headers.get('etag')!
    assert.deepEqual(await get({ Range: 'bytes=2-4' }), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await get({ Range: 'bytes=7-' }), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await get({ Range: 'bytes=7-1000' }), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await get({ Range: 'bytes=-3' }), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await get({ Range: 'bytes=-30' }), [206, '0123456789', 'bytes 0-9/10'])
    for (const allowLoopback of ['bytes=10-', 'bytes=99-100', 'bytes=-0'])
      assert.deepEqual(await get({ Range: allowLoopback }), [416, '', 'bytes */10'], allowLoopback)
    for (const senseless of ['bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=a-b', 'bytes=1'])
      assert.deepEqual(await get({ Range: senseless }), [200, '0123456789', null], senseless)
    assert.deepEqual(await get({ Range: 'bytes=0-0', 'If-Range': tag }), [206, '0', 'bytes 0-0/10'])
    assert.deepEqual(await get({ Range: 'bytes=0-0', 'If-Range': '"another"' }), [200, '0123456789', null])
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
      assert.deepEqual(await get({ 'If-None-Match': known }), [304, '', null], known)
    assert.deepEqual(await get({ 'If-None-Match': '"another"' }), [200, '0123456789', null])
    const empty = await uploads(ada, room, 'file', aForm('empty', 'text/plain', Buffer.alloc(0)))
    assert.equal(await (await fetch(empty.file)).text(), '')
  })

  it('a picture is served in the requested size', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(400, 200)))
    const sizeOf = async (parameters: string) => {
      const answer = await fetch(file + parameters)
      assert.equal(answer.status, 200, parameters)
      const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      assert.equal(answer.headers.get('content-type'), `image/${format}`)
      return `${width}x${height}`
    }
    assert.equal(await sizeOf('&w=100'), '100x50')
    assert.equal(await sizeOf('&h=100'), '200x100')
    assert.equal(await sizeOf('&w=100&h=100'), '100x50')
    assert.equal(await sizeOf('&w=100&h=100&resize=clip'), '100x50')
    assert.equal(await sizeOf('&w=100&h=100&resize=crop&crop=left'), '100x100')
    assert.equal(await sizeOf('&w=100&h=100&resize=scale'), '100x100')
    assert.equal(await sizeOf('&w=100&h=100&resize=fill'), '100x100')
    assert.equal(await sizeOf('&w=4000'), '400x200')
    assert.equal(await sizeOf(''), '400x200')
    const first = await fetch(`${file}&w=100`)
    const again = await fetch(`${file}&w=100`, { headers: { 'If-None-Match': first.headers.get('etag')! } })
    assert.equal(again.status, 304)
    assert.notEqual(first.headers.get('etag'), (await fetch(file)).headers.get('etag'))
    for (const wrong of [
      '&w=0',
      '&w=-1',
      '&w=a',
      '&w=5000',
      '&h=1.5',
      '&w=10&resize=melt',
      '&w=10&crop=middle',
      '&as=wav',
    ]) {
      const answer = await fetch(file + wrong)
      assert.deepEqual([answer.status, (await answer.json()).code], [400, 4], wrong)
    }
  })

  it('requests for many sizes, or repeated ones, create few variants', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(300, 300)))
    const kept = async () => {
      const folder = fixture.nodes[0]!.server.settings.filesUrl.slice('file:'.length)
      const id = new URL(file).pathname.split('/')[2]!
      return (await readdir(join(folder, id.slice(0, 2)))).filter((name) => name.startsWith(`${id}.`)).length
    }
    const same = await Promise.all(Array.from({ length: 20 }, () => fetch(`${file}&w=20`)))
    assert.ok(same.every(({ status }) => status === 200))
    assert.equal(await kept(), 1)
    for (let w = 1; w <= 30; w++) assert.equal((await fetch(`${file}&w=${w}`)).status, 200)
    assert.equal(await kept(), 16)
  })

  it('concurrent requests for many sizes create few variants', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(300, 300)))
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => fetch(`${file}&w=${i + 1}`)))
    assert.ok(all.every(({ status }) => status === 200))
    const id = new URL(file).pathname.split('/')[2]!
    const { read } = fixture.nodes[0]!.server.database
    const rows = await read.selectFrom('file_variants').select('variant').where('file_id', '=', id).execute()
    // The few that run at the same time do not count each other.
    assert.ok(rows.length >= 16 && rows.length <= 17, `${rows.length} were kept`)
  })

  it('a picture that cannot be resized is served as it is', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const cut = (await aPicture(100, 100)).subarray(0, 60)
    for (const [name, type, bytes] of [
      ['a.svg', 'image/svg+xml', svg],
      ['broken.png', 'image/png', cut],
      ['a.txt', 'text/plain', Buffer.from('a')],
    ] as const) {
      const { file } = await uploads(ada, room, 'file', aForm(name, type, bytes))
      const answer = await fetch(`${file}&w=10`)
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes, name)
    }
  })

  it('without a sound program no converted sound is offered', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const answer = await uploads(ada, room, 'file', aForm('voice.webm', 'audio/webm', voice))
    assert.equal(answer.rendition_url, undefined)
    assert.equal((await fetch(`${answer.file}&as=mp3`)).status, 404)
  })
})

describe('with a sound program', () => {
  let folder = ''
  const env: Record<string, string> = {}
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-sound-'))
    env.FFMPEG = join(folder, 'ffmpeg')
    // A fake ffmpeg: it records its arguments and copies its input.
    const program = `#!/bin/sh
echo "$@" >> ${folder}/calls
input=; previous=
for last in "$@"; do [ "$previous" = -i ] && input="$last"; previous="$last"; done
grep -q BROKEN "$input" && exit 1
{ printf 'mp3 of '; cat "$input"; } > "$last"
`
    await writeFile(env.FFMPEG, program)
    await chmod(env.FFMPEG, 0o755)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  onEveryStorage((fixture) => {
    it('a voice message gets an MP3, which every browser plays, made on the first request', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const calls = async () => (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').length
      const before = await calls()
      const { rendition_url, file } = await uploads(ada, room, 'file', aForm('voice.webm', 'audio/webm', voice))
      assert.equal(await calls(), before)

      const answer = await fetch(rendition_url)
      assert.equal(answer.headers.get('content-type'), 'audio/mpeg')
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.concat([Buffer.from('mp3 of '), voice]))
      assert.equal((await fetch(rendition_url, { headers: { Range: 'bytes=0-2' } })).status, 206)
      assert.equal(await calls(), before + 1)
      const called = (await readFile(join(folder, 'calls'), 'utf8')).split('\n').at(-2)!
      assert.match(called, /-protocol_whitelist file -f matroska -i \S+ .*-t 600 .*-f mp3 -fs 20971520/)

      await ada.does('DELETE', `${path(room)}/file`, { query: { url: file } })
      assert.equal((await fetch(rendition_url)).status, 404)
    })

    it('unreadable sound, and other files, have no MP3', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const broken = Buffer.concat([voice, Buffer.from('BROKEN')])
      const { rendition_url } = await uploads(ada, room, 'file', aForm('voice.webm', 'audio/webm', broken))
      assert.equal((await fetch(rendition_url)).status, 404)
      for (const [name, type, bytes] of [
        ['a.txt', 'text/plain', Buffer.from('#EXTM3U\nhttp://169.254.169.254/')],
        ['a.mp3', 'audio/mpeg', Buffer.from('ID3\u0004\0\0\0\0\0\0')],
      ] as const)
        assert.equal((await uploads(ada, room, 'file', aForm(name, type, bytes))).rendition_url, undefined, name)
    })
  }, env)
})

describe('addresses in a text', () => {
  const links = new FileLinks('key', () => 'https://chat.example/base/')
  const file = { id: 'a'.repeat(27), name: 'a b.txt' }
  const lifetime = 14 * 86_400
  const today = Date.UTC(2030, 0, 1, 12)

  it('are renewed anywhere, keep their parameters, and move to the server’s current address', () => {
    const old = new FileLinks('key', () => 'http://localhost:3100').linkTo('app', file, lifetime, 0)
    const fresh = links.linkTo('app', file, lifetime, today)
    assert.match(fresh, /^https:\/\/chat\.example\/base\/files\/a{27}\/a%20b\.txt\?Expires=\d+&Signature=[\w-]{43}$/)
    const text = JSON.stringify({ a: old, b: [`${old}&w=10`], c: `see ${old} and ${old}.`, d: 'nothing' })
    const renewed = JSON.stringify({ a: fresh, b: [`${fresh}&w=10`], c: `see ${fresh} and ${fresh}.`, d: 'nothing' })
    assert.equal(links.renewed('app', text, lifetime, today), renewed)
    assert.equal(links.renewed('app', renewed, lifetime, today), renewed)
    assert.equal(links.endOf(file.id, Object.fromEntries(new URL(fresh).searchParams))! > today, true)
  })

  it('stay the same for a while, so that browsers can cache pictures', () => {
    assert.equal(links.linkTo('app', file, lifetime, today), links.linkTo('app', file, lifetime, today + 3_600_000))
    assert.notEqual(links.linkTo('app', file, lifetime, today), links.linkTo('app', file, lifetime, today + DAY_MS))
  })

  it('of other servers are not changed', () => {
    for (const text of [
      'https://elsewhere.example/files/report.pdf?Expires=1&Signature=x',
      `https://elsewhere.example/files/${'a'.repeat(27)}/a.txt`,
      `/files/${'a'.repeat(27)}/a.txt?Expires=1&Signature=${'b'.repeat(43)}`,
      'nothing at all',
    ])
      assert.equal(links.renewed('app', text, lifetime, today), text)
  })

  it.each([
    `${'https://'.repeat(20_000)}/files/${'http://a/files/'.repeat(20_000)}`,
    `${'http://'.repeat(42)}/files/${file.id}/`.repeat(3_000),
    `${'http://'.repeat(42)}'/files/${file.id}/a?Expires=1&Signature=${'s'.repeat(43)}`.repeat(2_000),
  ])('are looked for in little time, whatever the text: %.60s…', (text) => {
    const times = Array.from({ length: 3 }, () => {
      const start = performance.now()
      assert.equal(links.renewed('app', text, lifetime, today), text)
      return performance.now() - start
    })
    assert.ok(Math.min(...times) < 100, `${text.length} letters took ${times.join(', ')} ms`)
  })
})

const voice = Buffer.concat([
  Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
  Buffer.alloc(64),
])
