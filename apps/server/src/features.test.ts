/** The core knows no feature: a server without one starts, refuses its calls, and chats on. */
import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type RunningServer, startServer } from './app.ts'
import { foundApp } from './chat/apps/found-app.ts'
import { core, features } from './features.ts'
import { readSettings } from './platform/settings.ts'
import { eventually } from './testing/eventually.ts'
import { FakeClock } from './testing/fake-clock.ts'
import { AppServer, path } from './testing/test-user.ts'

const removable = features.filter((feature) => !core.includes(feature))

for (const removed of removable)
  describe(`without ${removed.name}`, () => {
    let node: RunningServer
    const clock = new FakeClock()
    beforeAll(async () => {
      const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'error', LINK_PREVIEWS: 'off' })
      node = await startServer({ ...settings, port: 0 }, clock, { features: features.filter((one) => one !== removed) })
    })
    afterAll(() => node.stop())

    it('two users chat, and the calls of the feature are unknown', async () => {
      const app = await foundApp(node.server.database, { key: 'key', secret: 'secret' }, 0)
      const appServer = new AppServer(node.url, app, clock)
      await appServer.createUsers('ada', 'bo')
      const [ada, bo] = [appServer.user('ada', node.url), appServer.user('bo', node.url)]
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      const { id } = await ada.sends(room, 'Hello')
      await bo.receives('message.new', ({ message }) => message.id === id)
      await bo.sends(room, 'Hello, too', { parent_id: id })
      await bo.reads(room)
      const state = await ada.does('POST', `${path(room)}/query`, { body: { state: true } })
      assert.deepEqual(
        state.messages.map(({ text, reply_count }: { text: string; reply_count: number }) => [text, reply_count]),
        [['Hello', 1]],
      )
      assert.equal((await appServer.does('GET', '/app')).app.name, app.name)
      const { task_id } = await appServer.does('POST', '/users/delete', {
        body: { user_ids: ['bo'], user: 'hard', messages: 'hard', conversations: 'hard', files: true },
      })
      const isDeleted = async () => (await appServer.does('GET', `/tasks/${task_id}`)).status === 'completed'
      await eventually(isDeleted, 'the user is deleted')

      for (const { method, path } of removed.endpoints ?? []) {
        const { status, body } = await appServer.call(method, path.replaceAll(/:\w+/g, 'any'))
        assert.equal(status, 404, path)
        assert.match(body.message, new RegExp(`there is no ${method} `), path)
      }
    })
  })
