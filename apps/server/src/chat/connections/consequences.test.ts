/** What a commit means to a node that has nothing to do with its app. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onTwoNodes } from '../../testing/fixture.ts'
import { consequences } from './consequences.ts'

onTwoNodes((fixture) => {
  it('a changed channel or user of an app that a node never loaded means nothing to it, and fails nothing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const cid = await appServer.opens([ada])
    const [here, elsewhere] = fixture.nodes.map(({ server }) => server)
    const { id } = appServer.app
    const channel = await here!.channels.get(id, cid)
    const user = await here!.users.get(id, 'ada')
    assert.equal(elsewhere!.apps.loaded(id), undefined)
    await consequences.channelChanged(elsewhere!, channel!)
    await consequences.userChanged(elsewhere!, user!, { veiled: false, ranked: true })
    assert.equal(elsewhere!.apps.loaded(id), undefined)
  })
})
