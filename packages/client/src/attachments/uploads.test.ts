import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { aConnectedWorld, Refusal, settle } from '../testing/fake-server.ts'
import { type RealServer, startRealServer } from '../testing/real-server.ts'
import { aChannel, ada, aMessage } from '../testing/wire.ts'
import { type Upload, Uploads } from './uploads.ts'

const FILE = '/channels/messaging/tea/file'
const IMAGE = '/channels/messaging/tea/image'
const SEND = '/channels/messaging/tea/message'

const can = ['upload-file', 'create-attachment', 'read-events']

async function adaInTea(settings: Record<string, unknown> = {}, capabilities = can) {
  const world = await aConnectedWorld()
  world.server.answers('GET', '/app', { app: settings })
  world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel({ own_capabilities: capabilities }))
  world.server.answers('POST', FILE, { file: 'https://files/one' })
  world.server.answers('POST', IMAGE, {
    file: 'https://files/pic',
    thumb_url: 'https://files/small',
    original_width: 4,
    original_height: 3,
  })
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const uploads = new Uploads(tea, systemClock)
  const states = () => uploads.snapshot().map(({ status }) => status)
  return { ...world, tea, uploads, states }
}

const text = (name: string, size = 3) => new File(['x'.repeat(size)], name, { type: 'text/plain' })
const picture = (name: string) => new File(['png'], name, { type: 'image/png' })

describe('a file’s description and preparation before the upload', () => {
  it('[ATT-19] the description is sent with the file, whenever it is given', async () => {
    const { server, uploads } = await adaInTea()
    const held = server.holds('POST', IMAGE)
    const adding = uploads.add([picture('a.png')])
    await settle()
    const { id } = uploads.snapshot()[0]!
    uploads.describe(id, { alt_text: 'A lake' })
    await held.give({ file: 'https://files/pic' })
    await adding
    assert.equal(uploads.finished()[0]?.alt_text, 'A lake')
    uploads.describe(id, { alt_text: 'A lake at dusk' })
    assert.equal(uploads.finished()[0]?.alt_text, 'A lake at dusk')
    uploads.describe(id, { alt_text: undefined })
    assert.equal('alt_text' in uploads.finished()[0]!, false)
  })

  it('[ATT-20] preparation replaces the file, and the new size counts; a file that fails it is uploaded unchanged', async () => {
    const { server, uploads, states } = await adaInTea({ file_upload_config: { size_limit: 4 } })
    const shorter = async (file: File) => {
      if (file.name === 'odd.txt') throw new Error('odd')
      return new File(['y'], file.name, { type: file.type })
    }
    await uploads.add([text('long.txt', 9), text('odd.txt', 2), text('odd.txt', 9)], {}, shorter)
    assert.deepEqual(states(), ['finished', 'finished', 'blocked'])
    const sent = server.callsTo('POST', FILE).map(({ body }) => body.get('file') as File)
    assert.deepEqual(await Promise.all(sent.map((file) => file.text())), ['y', 'xx'])
    assert.equal(uploads.snapshot()[0]?.file.size, 1)
  })
})

describe('the app’s upload limits', () => {
  it('are queried again when there was no answer', async () => {
    const { server, uploads, states } = await adaInTea({ file_upload_config: { size_limit: 4 } })
    server.answers('GET', '/app', new Refusal(9, 429, 'too many requests'))
    await uploads.add([text('long.txt', 9)])
    server.answers('GET', '/app', { app: { file_upload_config: { size_limit: 4 } } })
    await uploads.add([text('longer.txt', 10)])
    assert.deepEqual(states(), ['finished', 'blocked'])
  })

  it('are not queried after sign-out: the file has failed', async () => {
    const { client, uploads, states } = await adaInTea()
    await client.disconnectUser()
    await uploads.add([text('a.txt')])
    assert.deepEqual(states(), ['failed'])
  })
})

it('an upload ends when its author signs out', async () => {
  const { client, server, uploads, states } = await adaInTea()
  server.holds('POST', FILE)
  const adding = uploads.add([text('a.txt')])
  await settle()
  assert.deepEqual(states(), ['uploading'])
  await client.disconnectUser()
  await adding
  const [upload] = uploads.snapshot()
  assert.equal(upload?.status === 'failed' && upload.error.code, 'ERR_CANCELED')
})

describe('a file', () => {
  it('[ATT-1] [HTTP-18] is uploaded as a form, without a timeout', async () => {
    const { server, tea, clock } = await adaInTea()
    const held = server.holds('POST', FILE)
    const percents: number[] = []
    const sending = tea.sendFile(text('notes.txt'), undefined, undefined, undefined, {
      onUploadProgress: (percent) => percents.push(percent),
    })
    await settle()
    clock.advance(60_000)
    await held.give({ file: 'https://files/one' })
    assert.equal((await sending).file, 'https://files/one')
    const [call] = server.callsTo('POST', FILE)
    const file = call?.body.get('file') as File
    assert.deepEqual([file.name, file.type, await file.text()], ['notes.txt', 'text/plain', 'xxx'])
    assert.equal(call?.headers['Content-Type'], undefined)
    assert.deepEqual(percents, [100])
  })

  it('[ATT-2] that is an image may be requested in other sizes', async () => {
    const { server, tea } = await adaInTea()
    await tea.sendImage(picture('a.png'), 'b.png', 'image/png', { id: 'bo' }, { upload_sizes: [{ width: 10 }] })
    const [call] = server.callsTo('POST', IMAGE)
    assert.deepEqual(
      [call?.body.get('file').name, call?.body.get('user'), call?.body.get('upload_sizes')],
      ['b.png', '{"id":"bo"}', '[{"width":10}]'],
    )
  })

  it('may be bytes, a stream, or a React Native file', async () => {
    const { server, tea } = await adaInTea()
    const stream = new Response('streamed').body as ReadableStream
    await tea.sendFile(new TextEncoder().encode('bytes'), 'b.txt', 'text/plain')
    await tea.sendFile(stream, 's.txt')
    const sent = server.callsTo('POST', FILE).map(({ body }) => body.get('file') as File)
    assert.deepEqual(await Promise.all(sent.map(async (file) => [file.name, file.type, await file.text()])), [
      ['b.txt', 'text/plain', 'bytes'],
      ['s.txt', 'application/octet-stream', 'streamed'],
    ])
  })

  it('[ATT-3] [ATT-4] is deleted by its URL', async () => {
    const { server, tea } = await adaInTea()
    await tea.deleteFile('https://files/one?Expires=1')
    await tea.deleteImage('https://files/pic')
    assert.equal(server.callsTo('DELETE', FILE)[0]?.query.url, 'https://files/one?Expires=1')
    assert.equal(server.callsTo('DELETE', IMAGE)[0]?.query.url, 'https://files/pic')
  })

  it('is aborted with its signal', async () => {
    const { server, tea } = await adaInTea()
    server.holds('POST', FILE)
    const giveUp = new AbortController()
    const sending = tea.sendFile(text('a.txt'), undefined, undefined, undefined, { signal: giveUp.signal })
    await settle()
    giveUp.abort()
    await assert.rejects(sending, { code: 'ERR_CANCELED' })
  })
})

describe('in a browser', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'XMLHttpRequest')
  })

  /** The part of `XMLHttpRequest` that the upload uses. */
  class FakeRequest {
    static last: FakeRequest
    upload = { onprogress: (_: object) => {} }
    onload = () => {}
    onerror = () => {}
    onabort = () => {}
    headers: Record<string, string> = {}
    status = 201
    responseText = '{"file":"https://files/one","duration":"1ms"}'
    body: unknown
    url = ''
    constructor() {
      FakeRequest.last = this
    }
    open(_: string, url: string) {
      this.url = url
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value
    }
    getAllResponseHeaders() {
      return 'content-type: application/json\r\nX-RateLimit-Limit: 5\r\n'
    }
    send(body: unknown) {
      this.body = body
    }
    abort() {
      this.onabort()
    }
  }

  async function uploading() {
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest })
    const { tea } = await adaInTea()
    const percents: number[] = []
    const giveUp = new AbortController()
    const onUploadProgress = (percent: number) => percents.push(percent)
    const sending = tea.sendFile(text('a.txt'), undefined, undefined, undefined, {
      onUploadProgress,
      signal: giveUp.signal,
    })
    await settle()
    return { sending, percents, giveUp, request: FakeRequest.last }
  }

  it('reports its progress in whole percents, and 100 only with the answer', async () => {
    const { sending, percents, request } = await uploading()
    for (const loaded of [0, 333, 1_000]) request.upload.onprogress({ lengthComputable: true, loaded, total: 1_000 })
    assert.deepEqual(percents, [0, 33, 99])
    request.onload()
    assert.equal((await sending).file, 'https://files/one')
    assert.deepEqual(percents, [0, 33, 99, 100])
    assert.ok(request.body instanceof FormData)
    assert.ok(request.headers.authorization)
    assert.match(request.url, /api_key=key/)
  })

  it('reports a refusal, a broken connection and an abort', async () => {
    const refused = await uploading()
    Object.assign(refused.request, {
      status: 413,
      responseText: JSON.stringify(new Refusal(22, 413, 'too large').body),
    })
    refused.request.onload()
    await assert.rejects(refused.sending, { code: 22, rateLimit: { limit: 5, remaining: 0, reset: 0 } })
    const broken = await uploading()
    broken.request.onerror()
    await assert.rejects(broken.sending, { code: 'ERR_NETWORK' })
    const ended = await uploading()
    ended.giveUp.abort()
    await assert.rejects(ended.sending, { code: 'ERR_CANCELED' })
  })
})

describe('the files of a message', () => {
  it('become attachments', async () => {
    const { uploads, states } = await adaInTea()
    await uploads.add([text('notes.txt'), picture('a.png'), new File(['m'], 'm.mp4', { type: 'video/mp4' })])
    assert.deepEqual(states(), ['finished', 'finished', 'finished'])
    assert.deepEqual(uploads.finished(), [
      { type: 'file', asset_url: 'https://files/one', title: 'notes.txt', mime_type: 'text/plain', file_size: 3 },
      {
        type: 'image',
        image_url: 'https://files/pic',
        thumb_url: 'https://files/small',
        fallback: 'a.png',
        mime_type: 'image/png',
        file_size: 3,
        original_width: 4,
        original_height: 3,
      },
      { type: 'video', asset_url: 'https://files/one', title: 'm.mp4', mime_type: 'video/mp4', file_size: 1 },
    ])
  })

  it('are checked for permission, number, type and size, in this order', async () => {
    const limits = { size_limit: 1_536, blocked_file_extensions: ['exe'], allowed_mime_types: ['text/*'] }
    const { uploads, server } = await adaInTea({ file_upload_config: limits })
    await uploads.add(Array.from({ length: 10 }, (_, i) => text(`${i}.txt`)))
    await uploads.add([text('one.too.many', 2_000)])
    const [first] = uploads.snapshot()
    uploads.remove(first!.id)
    uploads.remove(uploads.snapshot().at(-1)!.id)
    await uploads.add([text('evil.EXE', 2_000)])
    await uploads.add([new File(['x'], 'x.bin', { type: 'application/x-bin' })])
    await uploads.add([new File(['x'], 'setup.exe')])
    await uploads.add([text('long.txt', 2_000_000)])
    const refused = uploads.snapshot().flatMap((upload) => (upload.status === 'blocked' ? [upload.error.message] : []))
    assert.deepEqual(refused, [
      'Upload type: "text/plain" is not allowed',
      'Upload type: "application/x-bin" is not allowed',
      'Upload type: ".exe" is not allowed',
      'File is too large: 1.9 MB, maximum upload size is 1.5 kB',
    ])
    assert.equal(server.callsTo('POST', FILE).length, 10)
    const long = uploads.snapshot().at(-1)
    assert.equal(long?.status === 'blocked' && long.limit, 1_536)
    const { uploads: others, states } = await adaInTea({ file_upload_config: limits })
    await others.add([text('full.txt', 1_536), text('over.txt', 1_537)])
    assert.deepEqual(states(), ['finished', 'blocked'])

    // A file that no message may carry is not uploaded.
    for (const capabilities of [['read-events'], ['create-attachment'], ['upload-file']]) {
      const { uploads: bare } = await adaInTea({ file_upload_config: limits }, capabilities)
      await bare.add([text('evil.exe', 2_000)])
      const [refusal] = bare.snapshot()
      assert.ok(refusal?.status === 'blocked', capabilities.join())
      assert.equal(refusal.error.message, 'Missing permissions to upload the attachment')
    }
  })

  it('[ATT-15] as images have eight types, and a blocked type stays blocked though it is allowed, too', async () => {
    const { uploads } = await adaInTea()
    const types = ['bmp', 'gif', 'jpeg', 'png', 'webp', 'heic', 'heif', 'svg+xml', 'tiff', 'avif']
    await uploads.add(types.map((type) => new File(['x'], `x.${type}`, { type: `image/${type}` })))
    const images = uploads.snapshot().flatMap(({ kind, file }) => (kind === 'image' ? [file.type] : []))
    assert.deepEqual(
      images,
      types.slice(0, 8).map((type) => `image/${type}`),
    )

    const file_upload_config = {
      allowed_mime_types: ['text/*'],
      blocked_mime_types: ['text/html'],
      allowed_file_extensions: ['txt', '.html', 'md'],
      blocked_file_extensions: ['.md'],
    }
    const { uploads: narrow, states } = await adaInTea({ file_upload_config })
    const files = [
      ['a.TXT', 'text/plain'],
      ['b.html', 'text/html'],
      ['c.md', 'text/plain'],
      ['d.csv', 'text/csv'],
    ] as const
    await narrow.add(files.map(([name, type]) => new File(['x'], name, { type })))
    assert.deepEqual(states(), ['finished', 'blocked', 'blocked', 'blocked'])
  })

  it('beyond the tenth are blocked', async () => {
    const { uploads, states } = await adaInTea()
    await uploads.add(Array.from({ length: 11 }, (_, i) => text(`${i}.txt`)))
    assert.deepEqual(states(), [...Array(10).fill('finished'), 'blocked'])
    const last = uploads.snapshot().at(-1)
    assert.ok(last?.status === 'blocked')
    assert.equal(last.error.message, "You've reached the maximum number of files")
  })

  it('are retried after a broken connection, with growing delays, and then fail', async () => {
    const { server, tea } = await adaInTea()
    const clock = new FakeClock()
    const uploads = new Uploads(tea, clock)
    const states = () => uploads.snapshot().map(({ status }) => status)
    const breaksOff = () => Promise.reject(new TypeError('fetch failed'))
    const tries = () => server.callsTo('POST', FILE).length
    server.answers('POST', FILE, breaksOff)
    const adding = uploads.add([text('a.txt')])
    await settle()
    assert.deepEqual([states(), tries()], [['pending'], 1])
    clock.advance(999)
    await settle()
    assert.equal(tries(), 1)
    for (const ms of [1, 3_000, 9_000]) {
      clock.advance(ms)
      await settle()
    }
    await adding
    assert.deepEqual([states(), tries()], [['failed'], 4])

    const again = uploads.retry(uploads.snapshot()[0]!.id)
    await settle()
    server.answers('POST', FILE, { file: 'https://files/one' })
    clock.advance(1_000)
    await again
    assert.deepEqual([states(), tries()], [['finished'], 6])

    server.answers('POST', FILE, breaksOff)
    const third = uploads.add([text('b.txt')])
    await settle()
    uploads.remove(uploads.snapshot()[1]!.id)
    clock.advance(60_000)
    await third
    assert.equal(tries(), 7)
  })

  it('can be retried, and removed during the upload', async () => {
    const { server, uploads, states } = await adaInTea()
    server.answers('POST', FILE, new Refusal(-1, 500, 'disk full'))
    await uploads.add([text('a.txt')])
    assert.deepEqual(states(), ['failed'])
    assert.throws(() => uploads.finished(), { message: 'Wait until all attachments have uploaded' })
    server.answers('POST', FILE, { file: 'https://files/one' })
    await uploads.retry(uploads.snapshot()[0]!.id)
    assert.deepEqual(states(), ['finished'])
    server.holds('POST', FILE)
    const adding = uploads.add([text('b.txt')])
    await settle()
    assert.deepEqual(states(), ['finished', 'uploading'])
    uploads.remove(uploads.snapshot()[1]!.id)
    await adding
    assert.deepEqual(states(), ['finished'])
  })

  it('keep their other fields when retried, and keep the audio type that every browser plays', async () => {
    const { server, uploads } = await adaInTea()
    server.answers('POST', FILE, new Refusal(-1, 500, 'disk full'))
    const voice = new File(['a'], 'v.webm', { type: 'audio/webm' })
    await uploads.add([voice], { type: 'voiceRecording', duration: 4 })
    server.answers('POST', FILE, { file: 'https://files/v', rendition_url: 'https://files/v?as=mp3' })
    await uploads.retry(uploads.snapshot()[0]!.id)
    assert.deepEqual(uploads.finished(), [
      {
        type: 'voiceRecording',
        asset_url: 'https://files/v',
        rendition_url: 'https://files/v?as=mp3',
        title: 'v.webm',
        mime_type: 'audio/webm',
        file_size: 1,
        duration: 4,
      },
    ])
  })

  it('are uploaded three at a time; a removed one makes room for the next', async () => {
    const { server, uploads, states } = await adaInTea()
    const held = server.holds('POST', FILE)
    const adding = uploads.add(Array.from({ length: 5 }, (_, i) => text(`${i}.txt`)))
    await settle()
    assert.deepEqual(states(), ['uploading', 'uploading', 'uploading', 'pending', 'pending'])
    uploads.remove(uploads.snapshot()[3]!.id)
    uploads.remove(uploads.snapshot()[0]!.id)
    await settle()
    assert.deepEqual(states(), ['uploading', 'uploading', 'uploading'])
    while (states().includes('uploading')) {
      await held.give({ file: 'https://files/one' })
      await settle()
    }
    await adding
    assert.deepEqual(states(), ['finished', 'finished', 'finished'])
  })

  it('are sent with the text, once all are uploaded', async () => {
    const { server, tea } = await adaInTea()
    server.answers('POST', SEND, ({ body }) => ({ message: aMessage(body.message.id, { ...body.message, user: ada }) }))
    const { composer } = tea
    const held = server.holds('POST', IMAGE)
    const attaching = composer.attach([picture('a.png')])
    await settle()
    assert.equal(composer.isEmpty, false)
    composer.setText('look')
    await assert.rejects(composer.send(), {
      code: 'CLIENT_UPLOADS_UNFINISHED',
      message: 'Wait until all attachments have uploaded',
    })
    assert.equal(composer.snapshot().text, 'look')
    await held.give({ file: 'https://files/pic' })
    await attaching
    const sent = await composer.send()
    assert.equal(sent?.attachments[0]?.image_url, 'https://files/pic')
    assert.equal(server.callsTo('POST', SEND)[0]?.body.message.attachments[0].type, 'image')
    assert.deepEqual([composer.isEmpty, composer.snapshot().uploads], [true, []])
  })

  it('are retried and removed through the composer', async () => {
    const { server, tea } = await adaInTea()
    const { composer } = tea
    const states = () => composer.snapshot().uploads.map(({ status }) => status)
    server.answers('POST', FILE, () => new Refusal(-1, 500, 'later'))
    await composer.attach([text('a.txt')])
    const [{ id }] = composer.snapshot().uploads as [Upload]
    assert.deepEqual(states(), ['failed'])
    server.answers('POST', FILE, { file: 'https://files/one' })
    await composer.retry(id)
    assert.deepEqual(states(), ['finished'])
    composer.remove(id)
    assert.deepEqual([states(), composer.isEmpty], [[], true])
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('[ATT-1] [ATT-2] [ATT-3] [ATT-4] files and images are uploaded, sent and deleted', async () => {
    await server.company.upsertUsers([{ id: 'ada' }])
    await server.company.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada'] }).create()
    const tea = (await server.connects('ada')).channel('messaging', 'tea')
    await tea.watch()
    const { file } = await tea.sendFile(text('notes.txt'))
    assert.equal(await (await fetch(file)).text(), 'xxx')
    const gif = Uint8Array.from(atob('R0lGODlhAQABAAAAACwAAAAAAQABAAA='), (letter) => letter.charCodeAt(0))
    const { file: image } = await tea.sendImage(gif, 'dot.gif', 'image/gif')
    const sent = await tea.send({
      text: 'both',
      attachments: [
        { type: 'image', image_url: image },
        { type: 'file', asset_url: file },
      ],
    })
    assert.equal(sent.attachments.length, 2)
    await tea.deleteFile(file)
    await tea.deleteImage(image)
    assert.notEqual((await fetch(file)).status, 200)
  })
})
