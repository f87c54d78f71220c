/** What an app's server has set up counts on every node as soon as it has the answer [administration.md 0.2]. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { onTwoNodes } from '../../testing/fixture.ts'
import { AppCache } from './app-cache.ts'
import { appById, setSettings } from './app-store.ts'

/** Writes and reads, each on the other node than the one before. */
const TURNS = 10
/** Queries that keep the other node from reloading at once. */
const BUSY_WITH = 40

onTwoNodes((fixture) => {
  it('[SET-9] settings, commands, channel types and roles are in effect on the other node once the answer is there', async () => {
    const { appServer } = await fixture.createApp()
    const nodes = fixture.nodes.map((node) => ({ node, caller: appServer.at(node) }))
    for (const { node } of nodes) await node.server.apps.byId(appServer.app.id)
    await appServer.does('POST', '/channeltypes', { body: { name: 'desk' } })
    for (let turn = 0; turn < TURNS; turn++) {
      const { caller: writer } = nodes[turn % 2]!
      const { caller: reader, node } = nodes[(turn + 1) % 2]!
      const { read } = node.server.database
      for (let i = 0; i < BUSY_WITH; i++) void appById(read, appServer.app.id)
      await writer.does('PATCH', '/app', { body: { cdn_expiration_seconds: 100 + turn } })
      assert.equal((await reader.does('GET', '/app')).app.cdn_expiration_seconds, 100 + turn)
      await writer.does('PUT', '/channeltypes/desk', { body: { max_message_length: 100 + turn } })
      assert.equal((await reader.does('GET', '/channeltypes/desk')).max_message_length, 100 + turn)
      await writer.does('POST', '/commands', { body: { name: `wave${turn}`, description: 'waves' } })
      assert.equal((await reader.does('GET', `/commands/wave${turn}`)).name, `wave${turn}`)
      await writer.does('POST', '/roles', { body: { name: `role${turn}` } })
      const { roles } = await reader.does('GET', '/roles')
      assert.ok(roles.some(({ name }: { name: string }) => name === `role${turn}`))
    }
  })

  it('[SET-9] a node that loads an app while it changes has the new settings', async () => {
    const { appServer } = await fixture.createApp()
    const { id, key } = appServer.app
    const [{ read }, { write }] = fixture.nodes.map(({ server }) => server.database) as [Database, Database]
    let isFirst = true
    const meanwhile = read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!isFirst) return result
        isFirst = false
        // The node hears of a change before it has the app: it must not keep what it has read.
        await setSettings(write, id, JSON.stringify({ cdn_expiration_seconds: 200 }))
        await apps.reload(id)
        return result
      },
    })
    const apps = new AppCache(meanwhile, () => {})
    await apps.byKey(key)
    assert.equal((await apps.byKey(key))?.settings.cdn_expiration_seconds, 200)
  })
})
