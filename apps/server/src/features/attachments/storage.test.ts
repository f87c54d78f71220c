import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { openStorage } from './storage.ts'
import { aForm, aPicture, uploads } from './testing/some-files.ts'

let folder = ''
let bucket: S3rver
const urls = { disk: '', s3: '' }
const env: Record<string, string> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-storage-'))
  bucket = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await bucket.run()
  urls.disk = `file:${join(folder, 'disk')}`
  urls.s3 = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files/chat`
  env.FILES_URL = urls.s3
})
afterAll(async () => {
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

for (const kind of ['disk', 's3'] as const)
  describe(`files kept by ${kind}`, () => {
    const aFile = async (words: string) => {
      const path = join(folder, `arriving-${Math.random()}`)
      await writeFile(path, words)
      return path
    }

    it('are stored, read whole and in part, and deleted', async () => {
      const storage = await openStorage(urls[kind])
      const path = await aFile('0123456789')
      await storage.keep('Aa-name_1', path, 'text/plain')
      assert.equal(existsSync(path), false)
      assert.equal(await text(await storage.read('Aa-name_1')), '0123456789')
      assert.equal(await text(await storage.read('Aa-name_1', { start: 2, end: 4 })), '234')
      await storage.remove(['Aa-name_1', 'never-there'])
      await assert.rejects(storage.read('Aa-name_1'), { code: 16 })
    })

    it('can be replaced by a new version', async () => {
      const storage = await openStorage(urls[kind])
      for (const words of ['first', 'second']) await storage.keep('Bb-name', await aFile(words), 'text/plain')
      assert.equal(await text(await storage.read('Bb-name')), 'second')
    })
  })

it('a storage with wrong credentials does not reveal the secret', async () => {
  const storage = await openStorage(urls.s3.replace('S3RVER:', 'stranger:'))
  const path = join(folder, 'arriving')
  await writeFile(path, 'a')
  await assert.rejects(storage.keep('Cc-name', path, 'text/plain'), /answered PUT with 403/)
  assert.equal(existsSync(path), true)
})

onEveryStorage((fixture) => {
  it('uploads are stored in S3, served in part, resized and deleted there', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const bytes = await aPicture(500, 500)
    const { file, thumb_url } = await uploads(ada, room, 'image', aForm('a.png', 'image/png', bytes))
    assert.deepEqual(Buffer.from(await (await fetch(file)).arrayBuffer()), bytes)
    const part = await fetch(file, { headers: { Range: 'bytes=1-3' } })
    assert.deepEqual([part.status, await part.text()], [206, 'PNG'])
    for (let i = 0; i < 2; i++) assert.equal((await fetch(thumb_url)).status, 200)
    await ada.does('DELETE', `/channels/${room.replace(':', '/')}/image`, { query: { url: file } })
    assert.equal((await fetch(thumb_url)).status, 404)
    const id = new URL(file).pathname.split('/')[2]!
    const { storage } = fixture.nodes[0]!.server.files
    for (const name of [id, `${id}.480x480-clip`]) await assert.rejects(storage.read(name), { code: 16 })
  })
}, env)
