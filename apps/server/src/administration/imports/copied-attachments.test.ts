import assert from 'node:assert/strict'
import { it } from 'vitest'
import { aPicture } from '../../features/attachments/testing/some-files.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { OtherServer } from '../../testing/other-server.ts'
import { begins, fileOf, imports, type Line, over } from './testing/importing.ts'

/** Arrives in many chunks. */
const recording = Buffer.from('tea '.repeat(500_000))

const elsewhere = new OtherServer(async (request, response) => {
  if (request.url === '/tea.txt') return void response.setHeader('Content-Type', 'text/plain').end(recording)
  if (request.url !== '/teapot.png') return void response.writeHead(404).end()
  response.setHeader('Content-Type', 'image/png')
  response.end(await aPicture(40, 30))
})

const message = (attachments: object[]): Line[] => [
  ['user', { id: 'dan' }],
  ['channel', { type: 'messaging', id: 'tea', created_by: 'dan' }],
  ['member', { channel_type: 'messaging', channel_id: 'tea', user_id: 'dan' }],
  ['message', { id: 'm1', type: 'regular', user: 'dan', channel_type: 'messaging', channel_id: 'tea', attachments }],
]

onEveryStorage(
  (fixture) => {
    it('attachments are copied if they ask for it, and stay as they are otherwise', async () => {
      const { appServer } = await fixture.createApp()
      const image_url = `${elsewhere.url}/teapot.png`
      const picture = { type: 'image', image_url }
      await imports(appServer, message([{ ...picture, thumb_url: image_url, migrate_resources: true }, picture]))
      const [copied, linked] = (await appServer.does('GET', '/messages/m1')).message.attachments
      assert.match(copied.image_url, /\/files\/[\w-]{27}\/teapot\.png\?/)
      assert.deepEqual([copied.thumb_url, copied.migrate_resources], [copied.image_url, undefined])
      assert.equal(linked.image_url, image_url)
      const answer = await fetch(copied.image_url)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
    })

    it('a file that arrives in many chunks is copied whole', async () => {
      const { appServer } = await fixture.createApp()
      const asset_url = `${elsewhere.url}/tea.txt`
      await imports(appServer, message([{ type: 'file', asset_url, migrate_resources: true }]))
      const [copied] = (await appServer.does('GET', '/messages/m1')).message.attachments
      const bytes = Buffer.from(await (await fetch(copied.asset_url)).arrayBuffer())
      assert.equal(bytes.equals(recording), true)
    })

    it('[IMP-5] no file is copied for an existing message that stays as it is', async () => {
      const { appServer } = await fixture.createApp()
      await imports(appServer, message([]))
      const gone = message([{ type: 'image', image_url: `${elsewhere.url}/nowhere.png`, migrate_resources: true }])
      const later: Line = ['message', { ...gone[3]![1], id: 'm2', text: 'And more', attachments: [] }]
      await imports(appServer, [...gone, later], { mode: 'insert' })
      assert.deepEqual((await appServer.does('GET', '/messages/m1')).message.attachments, [])
      assert.equal((await appServer.does('GET', '/messages/m2')).message.text, 'And more')
    })

    it('a failed copy fails the import, and private hosts cannot be reached', async () => {
      const { appServer } = await fixture.createApp()
      for (const image_url of [`${elsewhere.url}/nowhere.png`, 'http://10.0.0.1/x.png', 'file:///etc/passwd', 'x']) {
        const lines = message([{ type: 'image', image_url, migrate_resources: true }])
        const task = await over(appServer, (await begins(appServer, fileOf(lines))).id)
        assert.equal(task.state, 'import_failed')
        assert.match(task.result!.errors[0]!.error, /cannot be copied/)
        const { status } = await appServer.does('GET', `/tasks/${task.id}`)
        assert.equal(status, 'failed')
      }
      await appServer.isRefused(16, 'GET', '/messages/m1')
    })
  },
  {},
  { neighbours: ['127.0.0.1'] },
)
