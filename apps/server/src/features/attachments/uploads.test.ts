import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'
import { deleteFilesOf } from './delete-file.ts'
import { cleanName } from './file-names.ts'
import { typeOfFile } from './file-type.ts'
import { aForm, aPicture, elf, html, pdf, svg, uploads } from './testing/some-files.ts'

const MB = 1_048_576

onEveryStorage((fixture) => {
  it('[ATT-1] a file is uploaded to a channel, and readable by anyone with its address', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])

    const answer = await uploads(ada, room, 'file', aForm('Plan für Bo.pdf', 'application/pdf', pdf))

    assert.deepEqual(Object.keys(answer).sort(), ['duration', 'file'])
    const given = await fetch(answer.file)
    assert.equal(given.status, 200)
    assert.deepEqual(Buffer.from(await given.arrayBuffer()), pdf)
    assert.equal(given.headers.get('content-type'), 'application/pdf')
    assert.match(
      given.headers.get('content-disposition')!,
      /^attachment; .*filename\*=UTF-8''Plan%20f%C3%BCr%20Bo.pdf$/,
    )
  })

  it('[ATT-2] the answer to an uploaded image has its size and the address of smaller ones', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const form = aForm('sea.png', 'image/png', await aPicture(1200, 600))
    form.set('upload_sizes', JSON.stringify([{ width: 50, height: 50, resize: 'crop', crop: 'top' }]))

    const answer = await uploads(ada, room, 'image', form)

    assert.deepEqual([answer.original_width, answer.original_height], [1200, 600])
    assert.equal((await fetch(answer.file)).headers.get('content-type'), 'image/png')
    const thumb = await sharp(await bytesOf(answer.thumb_url)).metadata()
    assert.deepEqual([thumb.width, thumb.height], [480, 240])
    const { url, ...size } = answer.upload_sizes[0]!
    assert.deepEqual(size, { width: 50, height: 50, resize: 'crop', crop: 'top' })
    const small = await sharp(await bytesOf(url)).metadata()
    assert.deepEqual([small.width, small.height], [50, 50])
  })

  it('a rotated picture is measured and resized upright', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const turned = await sharp(await aPicture(800, 400))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const answer = await uploads(ada, room, 'image', aForm('turned.jpg', 'image/jpeg', turned))
    assert.deepEqual([answer.original_width, answer.original_height], [400, 800])
    const thumb = await sharp(await bytesOf(answer.thumb_url)).metadata()
    assert.deepEqual([thumb.width, thumb.height, thumb.exif], [240, 480, undefined])
  })

  it('[ATT-3] [ATT-4] the uploader of a file or image can delete it, and then it is gone', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([bo, ada])
    const before = await namesIn(fixture)
    for (const kind of ['file', 'image'] as const) {
      const { file, thumb_url } = await uploads(ada, room, kind, aForm('a.png', 'image/png', await aPicture(600, 600)))
      assert.equal((await fetch(thumb_url)).status, 200)
      const target = `${path(room)}/${kind}`
      await ada.isRefused(16, 'DELETE', target.replace(kind, kind === 'file' ? 'image' : 'file'), {
        query: { url: file },
      })

      await ada.does('DELETE', target, { query: { url: file } })

      for (const url of [file, thumb_url]) assert.equal((await fetch(url)).status, 404)
      await ada.isRefused(16, 'DELETE', target, { query: { url: file } })
      assert.deepEqual(await namesIn(fixture), before)
    }
  })

  it('other users cannot delete it, nor find it through another channel; a moderator and the server can', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const other = await appServer.opens([bo, cy])
    const upload = async () => (await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))).file

    const url = await upload()
    await bo.isRefused(17, 'DELETE', `${path(room)}/file`, { query: { url } })
    await cy.isRefused(17, 'DELETE', `${path(room)}/file`, { query: { url } })
    await bo.isRefused(16, 'DELETE', `${path(other)}/file`, { query: { url } })
    await ada.isRefused(16, 'DELETE', '/uploads/file', { query: { url } })
    await ada.isRefused(4, 'DELETE', `${path(room)}/file`)
    await ada.isRefused(16, 'DELETE', `${path(room)}/file`, { query: { url: 'https://elsewhere.example/files/1' } })
    await appServer.does('DELETE', `${path(room)}/file`, { query: { url } })

    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    await bo.does('DELETE', `${path(room)}/file`, { query: { url: await upload() } })
  })

  it('[ATT-10] without the right to upload, an upload is refused before its body is read', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const before = await namesIn(fixture)
    const form = () => aForm('a.txt', 'text/plain', Buffer.alloc(MB, 'a'))
    const target = `${path(room)}/file`

    assert.match((await cy.isRefused(17, 'POST', target, { form: form() })).message, /ReadChannel/)
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', type: 'messaging', id: room.split(':')[1] },
    })
    await bo.isRefused(17, 'POST', target, { form: form() })
    const nobody = appServer.user('nobody')
    nobody.token = ''
    await nobody.isRefused(17, 'POST', target, { form: form(), query: { user_id: undefined } })
    await nobody.isRefused(17, 'POST', '/uploads/file', { form: form(), query: { user_id: undefined } })
    await ada.isRefused(16, 'POST', '/channels/messaging/none/file', { form: form() })
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('[ATT-10] a guest can upload only where guests may write', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const answer = await ada.does('POST', '/guest', { body: { user: { id: 'han' } } })
    const han = appServer.user(answer.user.id)
    han.token = answer.access_token
    const form = () => aForm('a.txt', 'text/plain', Buffer.from('a'))
    const show = await appServer.opens([ada], {}, 'livestream')
    await han.isRefused(17, 'POST', `${path(show)}/file`, { form: form() })
    const shop = await appServer.opens([ada, han], {}, 'commerce')
    const { file } = await uploads(han, shop, 'file', form())
    await han.does('DELETE', `${path(shop)}/file`, { query: { url: file } })
  })

  it('[ATT-10] a channel type without uploads refuses them with its own code', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('POST', '/channeltypes', { body: { name: 'words', uploads: false } })
    const room = await appServer.opens([ada], {}, 'words')
    await ada.isRefused(19, 'POST', `${path(room)}/file`, { form: aForm('a.txt', 'text/plain', Buffer.from('a')) })
  })

  it('server side a form field names the owner', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const form = aForm('a.txt', 'text/plain', Buffer.from('a'))
    await appServer.isRefused(4, 'POST', `${path(room)}/file`, { form })
    form.set('user', JSON.stringify({ id: 'nobody' }))
    await appServer.isRefused(4, 'POST', `${path(room)}/file`, { form })
    form.set('user', '{')
    await appServer.isRefused(4, 'POST', `${path(room)}/file`, { form })
    form.set('user', JSON.stringify({ id: 'ada' }))
    const { file } = await appServer.does('POST', `${path(room)}/file`, { form })
    await ada.does('DELETE', `${path(room)}/file`, { query: { url: file } })
  })

  it('standalone files belong to their uploader', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    for (const kind of ['file', 'image'] as const) {
      const form = aForm('me.png', 'image/png', await aPicture(10, 10))
      const { file } = await ada.does('POST', `/uploads/${kind}`, { form })
      assert.equal((await fetch(file)).status, 200)
      await bo.isRefused(17, 'DELETE', `/uploads/${kind}`, { query: { url: file } })
      await ada.does('DELETE', `/uploads/${kind}`, { query: { url: file } })
      assert.equal((await fetch(file)).status, 404)
    }
    const form = aForm('me.png', 'image/png', await aPicture(10, 10))
    form.set('user', JSON.stringify({ id: 'ada' }))
    const { file } = await appServer.does('POST', '/uploads/image', { form })
    await ada.does('DELETE', '/uploads/image', { query: { url: file } })
  })

  it('[ATT-6] [ATT-13] a file one byte over 100 MB is too large, and the error names both sizes', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    const target = `${path(room)}/file`
    const large = async (bytes: number) => {
      const { body, type } = await rawForm(aForm('a', 'application/octet-stream', Buffer.alloc(bytes)))
      const zipped = gzipSync(body, { level: 1 })
      return (await post(ada, target, zipped, { 'Content-Type': type, 'Content-Encoding': 'gzip' })).json()
    }
    const refusal = await large(100 * MB + 1)
    assert.deepEqual([refusal.code, refusal.StatusCode], [22, 413])
    assert.match(refusal.message, /File is too large: .*100 MB, maximum upload size is 100 MB/)
    const { file } = await large(100 * MB)
    assert.equal((await fetch(file, { method: 'HEAD' })).headers.get('content-length'), String(100 * MB))
    await ada.does('DELETE', target, { query: { url: file } })
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('[ATT-6] [ATT-13] the app can lower the limit, but not raise it', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('PATCH', '/app', { body: { file_upload_config: { size_limit: 2048 } } })
    const form = (bytes: number) => aForm('a.txt', 'text/plain', Buffer.alloc(bytes, 'a'))
    await uploads(ada, room, 'file', form(2048))
    const refusal = await ada.isRefused(22, 'POST', `${path(room)}/file`, { form: form(3072) })
    assert.match(refusal.message, /File is too large: 3 KB, maximum upload size is 2 KB/)
    const large = await ada.isRefused(22, 'POST', `${path(room)}/file`, { form: form(5 * MB) })
    assert.match(large.message, /File is too large: 5 MB, maximum upload size is 2 KB/)
    await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(60, 60)))
  })

  it('[ATT-7] [ATT-15] the app can allow or block types and extensions, and blocked wins', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const config = (file_upload_config: object) => appServer.does('PATCH', '/app', { body: { file_upload_config } })
    const target = `${path(room)}/file`
    const refused = async (form: FormData) => {
      const { message } = await ada.isRefused(4, 'POST', target, { form })
      assert.match(message, /File type \S+ is not supported/)
    }
    const text = () => aForm('Notes.TXT', 'text/plain', Buffer.from('hello'))
    const paper = () => aForm('paper.pdf', 'application/pdf', pdf)

    await config({ size_limit: 0, allowed_file_extensions: ['.txt', 'tar.gz'] })
    await uploads(ada, room, 'file', text())
    await uploads(ada, room, 'file', aForm('all.tar.gz', 'application/gzip', gzipSync('a')))
    await refused(aForm('all.gz', 'application/gzip', gzipSync('a')))
    await refused(paper())

    await config({ size_limit: 0, allowed_mime_types: ['text/*'] })
    await uploads(ada, room, 'file', text())
    await refused(paper())
    // The detected type counts, not the claimed one.
    await refused(aForm('paper', 'text/plain', Buffer.concat([pdf, Buffer.alloc(1)])))

    await config({ size_limit: 0, blocked_mime_types: ['application/pdf'], allowed_mime_types: ['application/pdf'] })
    await refused(paper())
    await config({ size_limit: 0, blocked_file_extensions: ['pdf'] })
    await refused(paper())
    await uploads(ada, room, 'file', text())
  })

  it('[ATT-7] [ATT-15] only images are accepted as images', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const picture = await aPicture(20, 20)
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const bytes = await sharp(picture).toFormat(format).toBuffer()
      await uploads(ada, room, 'image', aForm(`a.${format}`, `image/${format}`, bytes))
    }
    await uploads(ada, room, 'image', aForm('a.bmp', 'image/bmp', bmp))
    await uploads(ada, room, 'image', aForm('a.heic', 'image/heic', heic))
    await uploads(ada, room, 'image', aForm('a.heif', 'image/heif', heif))
    await uploads(ada, room, 'image', aForm('a.svg', 'image/svg+xml', svg))
    const others: [name: string, type: string, bytes: Buffer][] = [
      ['a.tiff', 'image/tiff', await sharp(picture).tiff().toBuffer()],
      ['a.pdf', 'application/pdf', pdf],
      ['a.txt', 'text/plain', Buffer.from('a')],
      ['a.png', 'image/png', html],
      ['a.png', 'image/png', Buffer.from('not a picture')],
      ['a.png', 'image/png', Buffer.alloc(0)],
      ['a', 'application/octet-stream', elf],
    ]
    for (const [name, type, bytes] of others)
      await ada.isRefused(4, 'POST', `${path(room)}/image`, { form: aForm(name, type, bytes) })
  })

  it('[ATT-7] a file that contradicts its type is refused everywhere', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    const lies: [name: string, type: string, bytes: Buffer][] = [
      ['holiday.jpg', 'application/octet-stream', elf],
      ['holiday.jpg', 'image/jpeg', html],
      ['invoice.pdf', 'application/pdf', elf],
      ['invoice.pdf', 'application/octet-stream', html],
      ['song.mp3', 'audio/mpeg', html],
      ['film.mp4', 'video/mp4', pdf],
      ['invoice.pdf', 'application/pdf', Buffer.concat([html, pdf])],
      ['invoice.pdf', 'application/pdf', Buffer.concat([elf, pdf])],
    ]
    for (const [name, type, bytes] of lies)
      await ada.isRefused(4, 'POST', `${path(room)}/file`, { form: aForm(name, type, bytes) })
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('[ATT-7] what is no danger is taken as a file, and what is not recognised is only downloaded', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const eps = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\nshowpage\n')
    const emf = Buffer.concat([Buffer.from([1, 0, 0, 0, 0x6c, 0, 0, 0]), Buffer.alloc(32), Buffer.from(' EMF')])
    const files: [name: string, said: string, bytes: Buffer, given: string][] = [
      [
        'scan.pdf',
        'application/pdf',
        Buffer.concat([Buffer.from('Content-Type: application/pdf\r\n'), pdf]),
        'application/pdf',
      ],
      ['scan.pdf', '', Buffer.concat([Buffer.from('@PJL ENTER LANGUAGE\n'), pdf]), 'application/pdf'],
      ['plan.dxf', 'image/vnd.dxf', Buffer.from('0\nSECTION\n2\nHEADER\n'), 'application/octet-stream'],
      ['logo.eps', 'image/x-eps', eps, 'application/eps'],
      ['logo.eps', 'application/postscript', eps, 'application/eps'],
      ['chart.emf', 'image/x-emf', emf, 'application/octet-stream'],
      ['chart.wmf', 'image/wmf', Buffer.from('d7cdc69a0000', 'hex'), 'application/octet-stream'],
      ['part.dwg', 'image/vnd.dwg', Buffer.from('AC1032\0\0'), 'image/vnd.dwg'],
      ['broken.jpg', 'image/jpeg', Buffer.from('not a picture'), 'application/octet-stream'],
      ['main.ts', 'video/mp2t', Buffer.from('export const a = 1\n'), 'application/octet-stream'],
    ]
    for (const [name, said, bytes, type] of files) {
      const { file } = await uploads(ada, room, 'file', aForm(name, said, bytes))
      const given = await fetch(file)
      assert.deepEqual(Buffer.from(await given.arrayBuffer()), bytes, name)
      assert.equal(given.headers.get('content-type'), type, `${name} ${said}`)
      assert.match(given.headers.get('content-disposition')!, /^attachment; /, name)
    }
  })

  it('a polyglot file is served as the harmless type, and its scripts do not run', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const gif = await sharp(await aPicture(8, 8))
      .gif()
      .toBuffer()
    const both = Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')])
    const { file } = await uploads(ada, room, 'file', aForm('a.html', 'text/html', both))
    const given = await fetch(file)
    assert.equal(given.headers.get('content-type'), 'image/gif')
    assert.equal(given.headers.get('x-content-type-options'), 'nosniff')
    assert.match(given.headers.get('content-security-policy')!, /default-src 'none'.*sandbox$/)
  })

  it('[ATT-14] a message takes thirty attachments and not one more', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    const attachments = Array.from({ length: 30 }, (_, i) => ({ type: 'file', asset_url: file, title: `${i}` }))
    const { id } = await ada.sends(room, '', { attachments })
    assert.equal((await ada.opensChannel(room)).messages[0]!.attachments.length, 30)
    await ada.does('POST', `/messages/${id}`, { body: { message: { text: 'as many', attachments } } })
    const more = [...attachments, { type: 'file', asset_url: file }]
    const body = { message: { text: 'too many', attachments: more } }
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body })
    await ada.isRefused(4, 'POST', `/messages/${id}`, { body })
    await ada.isRefused(4, 'PUT', `/messages/${id}`, { body: { set: { attachments: more } } })
  })

  it('the uploads of a user can be deleted with the user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const form = () => aForm('a.txt', 'text/plain', Buffer.from('a'))
    const kept = await uploads(bo, room, 'file', form())
    const gone = [await uploads(ada, room, 'file', form()), await ada.does('POST', '/uploads/file', { form: form() })]
    await deleteFilesOf(fixture.nodes[0]!.server, appServer.app.id, 'ada')
    for (const { file } of gone) assert.equal((await fetch(file)).status, 404)
    assert.equal((await fetch(kept.file)).status, 200)
  })

  it('a failed deletion in the storage can be retried', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { server } = fixture.nodes[0]!
    const { storage } = server.files
    const { file } = await uploads(ada, room, 'file', aForm('diary.txt', 'text/plain', Buffer.from('dear diary')))
    const id = new URL(file).pathname.split('/')[2]!
    storage.remove = () => Promise.reject(new Error('the storage is away'))
    await assert.rejects(deleteFilesOf(server, appServer.app.id, 'ada'), /the storage is away/)
    Reflect.deleteProperty(storage, 'remove')

    await deleteFilesOf(server, appServer.app.id, 'ada')
    assert.equal((await fetch(file)).status, 404)
    await assert.rejects(storage.read(id), 'its bytes are gone')
  })

  it('a picture that would exhaust the viewer’s memory is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const bomb = hugePng(30_000, 30_000)
    assert.ok(bomb.length < 4_000_000)
    const refusal = await ada.isRefused(4, 'POST', `${path(room)}/image`, {
      form: aForm('bomb.png', 'image/png', bomb),
    })
    assert.match(refusal.message, /30000 × 30000 pixels/)
    // Large, but valid: it is stored, and never resized here.
    const answer = await uploads(ada, room, 'image', aForm('big.png', 'image/png', hugePng(9_000, 4_000)))
    assert.equal(answer.thumb_url, undefined)
    assert.equal((await bytesOf(`${answer.file}&w=100`)).length, hugePng(9_000, 4_000).length)
  })

  it('a compressed body counts with its decompressed size', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    await appServer.does('PATCH', '/app', { body: { file_upload_config: { size_limit: MB } } })
    const { body, type } = await rawForm(aForm('zeros', 'application/octet-stream', Buffer.alloc(50 * MB)))
    const zipped = gzipSync(body)
    assert.ok(zipped.length < MB)
    const answer = await post(ada, `${path(room)}/file`, zipped, { 'Content-Type': type, 'Content-Encoding': 'gzip' })
    assert.equal((await answer.json()).code, 22)
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('a body with a wrong content encoding is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const body of [Buffer.from('not zipped'), gzipSync('cut off').subarray(0, 15)]) {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Encoding': 'gzip' }
      const answer = await post(ada, `${path(room)}/file`, body, headers)
      assert.deepEqual([answer.status, (await answer.json()).code], [400, 4])
    }
  })

  it('a body that is no form, or has no file, is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    const target = `${path(room)}/file`
    const without = new FormData()
    without.set('file', 'only text')
    const twice = aForm('a.txt', 'text/plain', Buffer.from('one'))
    twice.append('file', new Blob(['two']), 'b.txt')
    const besides = new FormData()
    besides.set('another', new Blob(['another']), 'c.txt')
    besides.set('file', new Blob(['mine']), 'd.txt')
    await ada.isRefused(4, 'POST', target, { form: without })
    await ada.isRefused(4, 'POST', target, { body: { file: 'a' } })
    await ada.isRefused(4, 'POST', target)
    const sizes = aForm('a.png', 'image/png', await aPicture(9, 9))
    for (const wrong of ['{', '{}', '[{"width":0}]', '[{"resize":"melt"}]', '[{"width":100000}]']) {
      sizes.set('upload_sizes', wrong)
      await ada.isRefused(4, 'POST', `${path(room)}/image`, { form: sizes })
    }
    const boundaryless = await post(ada, target, Buffer.from('a'), { 'Content-Type': 'multipart/form-data' })
    assert.equal((await boundaryless.json()).code, 4)
    const broken = await post(ada, target, Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; fi'), {
      'Content-Type': 'multipart/form-data; boundary=x',
    })
    assert.equal((await broken.json()).code, 4)
    // Of two files the first is stored, and parts with unknown names are ignored.
    for (const [form, content] of [
      [twice, 'one'],
      [besides, 'mine'],
    ] as const) {
      const { file } = await uploads(ada, room, 'file', form)
      assert.equal(String(await bytesOf(file)), content)
      assert.equal((await namesIn(fixture)).length, before.length + 1)
      await ada.does('DELETE', target, { query: { url: file } })
    }
  })

  it('arbitrary bytes get an answer, and refused ones leave nothing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    const line = fc.constantFrom(
      '--x\r\n',
      '--x--\r\n',
      '\r\n',
      'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n',
      'Content-Disposition: form-data; name="user"\r\n',
      'Content-Disposition: form-data; name="__proto__"\r\n',
      'Content-Disposition: attachment\r\n',
      'Content-Type: text/plain\r\n',
      'Content-Type: multipart/mixed; boundary=y\r\n',
      'Content-Transfer-Encoding: base64\r\n',
    )
    const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array).toString('latin1'))
    const body = fc
      .array(fc.oneof(line, bytes), { maxLength: 12 })
      .map((parts) => Buffer.from(parts.join(''), 'latin1'))
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await post(ada, `${path(room)}/file`, sent, {
          'Content-Type': 'multipart/form-data; boundary=x',
        })
        const { file, code } = await answer.json()
        if (answer.status === 201) await ada.does('DELETE', `${path(room)}/file`, { query: { url: file } })
        else assert.deepEqual([answer.status, code], [400, 4], sent.toString('latin1'))
      }),
      { numRuns: 60 },
    )
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('a name of ten megabytes, or with a path in it, does no harm', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const target = `${path(room)}/file`
    const long = await post(
      ada,
      target,
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="file"; filename="${'a'.repeat(10 * MB)}.txt"\r\n\r\na\r\n--x--\r\n`,
      ),
      { 'Content-Type': 'multipart/form-data; boundary=x' },
    )
    assert.ok((await long.json()).file.length < 400)
    for (const name of ['../../../../etc/passwd', '..\\..\\windows\\system.ini', '/etc/passwd', '....//....//passwd']) {
      const { file } = await uploads(ada, room, 'file', aForm(name, 'text/plain', Buffer.from('mine')))
      assert.equal(String(await bytesOf(file)), 'mine')
      assert.doesNotMatch((await fetch(file)).headers.get('content-disposition')!, /[/\\]|\.\./)
    }
  })

  it('an interrupted upload leaves nothing behind', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const before = await namesIn(fixture)
    const socket = await startsUpload(ada, room)
    await eventually(async () => (await passingIn(fixture)).length === 1, 'the upload is under way')
    socket.destroy()
    await eventually(async () => (await passingIn(fixture)).length === 0, 'nothing is left of the upload')
    assert.deepEqual(await namesIn(fixture), before)
  })

  it('an upload that is too slow is aborted', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const socket = await startsUpload(ada, room)
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    await eventually(async () => (await passingIn(fixture)).length === 1, 'the upload is under way')
    fixture.clock.advance(30_000)
    socket.write('a little more')
    await eventually(async () => (await passingIn(fixture)).length === 1, 'the first look found enough')
    fixture.clock.advance(30_000)
    await eventually(() => answer.includes('HTTP/1.1 408'), 'the refusal')
    assert.match(answer, /"code":23/)
    assert.deepEqual(await passingIn(fixture), [])
    // A client that keeps sending is disconnected.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    fixture.clock.advance(10_000)
    await closed
  })
})

describe('file names', () => {
  it('lose misleading characters, and keep their extension', () => {
    assert.equal(cleanName('../a/b\\Plan.pdf'), 'Plan.pdf')
    assert.equal(cleanName(' .htaccess'), 'htaccess')
    assert.equal(cleanName('photo\u202Egpj.exe'), 'photogpj.exe')
    assert.equal(cleanName('a\r\nSet-Cookie: x=1.txt'), 'aSet-Cookie_ x=1.txt')
    assert.equal(cleanName(`${'🦜'.repeat(500)}.tar.gz`), `${'🦜'.repeat(100)}.gz`)
    for (const nothing of [undefined, '', '.', '..', '...', '/', '\u0000']) assert.equal(cleanName(nothing), 'file')
  })

  it('are valid names of one file, for any input', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the name must not contain these.
    const wrong = /[\\/\u0000-\u001f\u202a-\u202e]|^\.|\.$/
    fc.assert(
      fc.property(fc.uint16Array({ maxLength: 300 }), (codes) => {
        const clean = cleanName(String.fromCharCode(...codes))
        assert.ok(clean.length > 0 && [...clean].length <= 117, clean)
        assert.doesNotMatch(clean, wrong)
        assert.equal(cleanName(clean), clean)
        assert.doesNotThrow(() => encodeURIComponent(clean))
      }),
    )
  })
})

describe('file types', () => {
  it('are detected for arbitrary bytes without an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 500 }),
        fc.constantFrom('image/png', 'text/plain', 'a'),
        async (b, said) => {
          const type = await typeOfFile(Buffer.from(b), said, 'name.bin')
          assert.match(type ?? 'none/none', /^[\w.+-]+\/[\w.+-]+$/)
        },
      ),
    )
  })

  it('follow the content, and the claimed type where the content does not tell', async () => {
    const of = (bytes: Buffer | string, said: string, name = 'file') => typeOfFile(Buffer.from(bytes), said, name)
    assert.equal(await of('<?xml version="1.0"?><!-- a --><svg xmlns="">', 'image/svg+xml'), 'image/svg+xml')
    assert.equal(await of('<!DOCTYPE svg PUBLIC "x" "y"><svg>', 'application/octet-stream'), 'image/svg+xml')
    assert.equal(await of('\uFEFF  <!doctype html><p>', 'text/plain'), 'text/html')
    assert.equal(await of('BM are two letters', 'text/plain'), 'text/plain')
    assert.equal(await of('a,b', 'text/csv'), 'text/csv')
    assert.equal(await of('unknown', 'application/x-secret'), 'application/octet-stream')
    assert.equal(await of(webm, 'audio/webm', 'voice.webm'), 'audio/webm')
    assert.equal(await of(webm, 'application/octet-stream', 'voice.webm'), 'video/webm')
    assert.equal(await of('strange sound', 'audio/x-strange'), 'application/octet-stream')
    assert.equal(await of(`${'<!--'.repeat(16_000)}`, 'text/plain'), 'text/plain')
  })
})

const bmp = Buffer.concat([
  Buffer.from('BM'),
  Buffer.from([70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40]),
  Buffer.alloc(57),
])
const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)])
const heif = Buffer.from(heic.toString('latin1').replaceAll('heic', 'mif1'), 'latin1')
const webm = Buffer.concat([
  Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
  Buffer.alloc(64),
])

/** A handmade picture of one colour: a header that promises pixels, and compressed empty rows. */
function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const row = Buffer.alloc(1 + Math.ceil(width / 8))
  const zlib = Buffer.concat([Buffer.from([0x78, 0x9c]), deflateRawSync(Buffer.concat(Array(height).fill(row)))])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', zlib),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
}

async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, url)
  return Buffer.from(await answer.arrayBuffer())
}

async function rawForm(form: FormData): Promise<{ body: Buffer; type: string }> {
  const request = new Request('http://nowhere', { method: 'POST', body: form })
  return { body: Buffer.from(await request.arrayBuffer()), type: request.headers.get('content-type')! }
}

function post(testUser: TestUser, target: string, body: Buffer, headers: Record<string, string>): Promise<Response> {
  const url = `${testUser.url}${target}?api_key=${testUser.app.key}&user_id=${testUser.id}`
  return fetch(url, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { Authorization: testUser.token, ...headers },
  })
}

/** Sends the beginning of an upload of a megabyte. */
async function startsUpload(testUser: TestUser, room: string) {
  const { hostname, port } = new URL(testUser.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const lines = [
    `POST ${path(room)}/file?api_key=${testUser.app.key}&user_id=${testUser.id} HTTP/1.1`,
    'Host: chat',
    `Authorization: ${testUser.token}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${MB}`,
    '',
    '--x',
    'Content-Disposition: form-data; name="file"; filename="a.txt"',
    'Content-Type: text/plain',
    '',
    'a'.repeat(50_000),
  ]
  socket.write(lines.join('\r\n'))
  return socket
}

/** The files in the storage of the test server, and those in transit. */
async function namesIn(fixture: Fixture): Promise<string[]> {
  const folder = fixture.nodes[0]!.server.settings.filesUrl.slice('file:'.length)
  const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return all.filter((entry) => entry.isFile()).map(({ name }) => name)
}

function passingIn(fixture: Fixture): Promise<string[]> {
  return readdir(fixture.nodes[0]!.server.files.passing).catch(() => [])
}
