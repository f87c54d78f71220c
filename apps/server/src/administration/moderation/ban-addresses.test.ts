import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const home = { 'x-forwarded-for': '203.0.113.7' }
const elsewhere = { 'x-forwarded-for': '198.51.100.1' }
const bans = (appServer: AppServer, fields: object = {}) =>
  appServer.does('POST', '/moderation/ban', {
    body: { target_user_id: 'bo', user_id: 'ada', ip_ban: true, ...fields },
  })
const lifts = (appServer: AppServer) => appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo' } })
/** The error code of the refusal, or the message. */
const says = async (who: TestUser, room: string, headers: Record<string, string>) => {
  const body = { message: { text: 'Hello' } }
  const answer = await who.call('POST', `${path(room)}/message`, { body, headers })
  return answer.body.code ?? answer.body.message
}

onEveryTransport(
  (fixture) => {
    it('[MOD-1] no user can write from a banned network, not even under another name, until the ban is lifted', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      await bo.connects({ headers: home })
      await bans(appServer)
      await bo.receives('user.banned')
      await eventually(async () => (await says(cleo, room, home)) === 17, 'the other node knows of the ban')
      assert.equal((await says(cleo, room, elsewhere)).user.id, 'cleo')
      assert.equal(await says(bo, room, elsewhere), 17)
      const { me } = await cleo.connects({ headers: home })
      assert.equal(me.banned, false)
      assert.equal((await cleo.opensChannel(room)).messages.length, 1)

      await lifts(appServer)
      await bo.receives('user.unbanned')
      await eventually(async () => (await says(cleo, room, home)) !== 17, 'the other node knows that it is over')
    })
  },
  { TRUSTED_PROXIES: '127.0.0.1' },
)

onEveryStorage(
  (fixture) => {
    it('[MOD-17] a user on a banned network can read, but not write, react, vote, upload or create a channel', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      const mine = await cleo.sends(room, 'before')
      // A request is enough, no socket is needed.
      await bo.does('POST', `${path(room)}/query`, { body: { state: true }, headers: home })
      await eventually(async () => {
        await bans(appServer)
        return (await says(cleo, room, home)) === 17
      }, 'it is written where bo was')
      const headers = home
      const form = () => {
        const data = new FormData()
        data.set('file', new Blob(['x'], { type: 'text/plain' }), 'x.txt')
        return data
      }
      await cleo.does('POST', `${path(room)}/query`, { body: { state: true }, headers })
      await cleo.does('POST', `${path(room)}/read`, { body: {}, headers })
      const reaction = { reaction: { type: 'love' } }
      await cleo.isRefused(17, 'POST', `/messages/${mine.id}/reaction`, { body: reaction, headers })
      await cleo.isRefused(17, 'POST', `/messages/${mine.id}`, { body: { message: { text: 'x' } }, headers })
      await cleo.isRefused(17, 'PUT', `/messages/${mine.id}`, { body: { set: { text: 'x' } }, headers })
      await cleo.isRefused(17, 'POST', `${path(room)}/file`, { form: form(), headers })
      await cleo.isRefused(17, 'POST', '/uploads/file', { form: form(), headers })
      await cleo.isRefused(17, 'POST', '/polls', { body: { name: 'Tea?' }, headers })
      await cleo.isRefused(17, 'POST', '/channels/messaging/new/query', { body: {}, headers })
      await cleo.isRefused(17, 'POST', `${path(room)}/event`, { body: { event: { type: 'wave' } }, headers })
      assert.deepEqual(
        (await ada.opensChannel(room)).messages.map(({ text, user }) => [text, user.id, user.banned]),
        [['before', 'cleo', false]],
      )
    })

    it('[MOD-2] a ban by address ends when the ban expires, or is replaced by another one', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      await bo.connects({ headers: home })
      await bans(appServer, { timeout: 1 })
      assert.equal(await says(cleo, room, home), 17)
      fixture.clock.advance(61_000)
      assert.equal((await says(cleo, room, home)).user.id, 'cleo')
      await bans(appServer)
      assert.equal(await says(cleo, room, home), 17)
      await bans(appServer, { ip_ban: false })
      assert.equal((await says(cleo, room, home)).user.id, 'cleo')
      assert.equal(await says(bo, room, elsewhere), 17)
    })

    it('a ban by address ends when its target is deleted', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      await bo.connects({ headers: home })
      await bans(appServer)
      assert.equal(await says(cleo, room, home), 17)
      await appServer.does('DELETE', '/users/bo', { query: { hard_delete: 'true' } })
      await eventually(async () => (await says(cleo, room, home)) !== 17, 'nobody is banned there')
    })

    it('[MOD-4] messages from a shadow-banned network are seen by their author alone', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      await bo.connects({ headers: home })
      await bans(appServer, { shadow: true })
      assert.equal((await says(cleo, room, home)).shadowed, false)
      assert.equal((await cleo.opensChannel(room)).messages.length, 1)
      assert.equal((await ada.opensChannel(room)).messages.length, 0)
    })

    it('only recent networks are banned, and an IPv6 network is a whole /64', async () => {
      const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
      const room = await appServer.opens([ada, bo, cleo])
      await bo.connects({ headers: elsewhere })
      await bo.leaves()
      const DAY_MS = 86_400_000
      fixture.clock.advance(31 * DAY_MS)
      await eventually(async () => {
        fixture.clock.advance(3_600_000)
        await bo.connects({ headers: { 'x-forwarded-for': '2001:db8:1:2::7' } })
        await bo.leaves()
        await bans(appServer)
        return (await says(cleo, room, elsewhere)) !== 17
      }, 'the old place is forgotten')
      assert.equal(await says(cleo, room, { 'x-forwarded-for': '2001:db8:1:2:9:9:9:9' }), 17)
      assert.equal((await says(cleo, room, { 'x-forwarded-for': '2001:db8:1:3::7' })).user.id, 'cleo')
    })

    it('a ban by address needs a ban in the whole app, and does not affect another app', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const other = await fixture.createApp('cleo')
      const room = await appServer.opens([ada, bo])
      await appServer.isRefused(4, 'POST', '/moderation/ban', {
        body: { target_user_id: 'bo', user_id: 'ada', channel_cid: room, ip_ban: true },
      })
      await bo.connects({ headers: home })
      await bans(appServer)
      const elsewhere = await other.appServer.opens([other.cleo])
      assert.equal((await says(other.cleo, elsewhere, home)).user.id, 'cleo')
    })
  },
  { TRUSTED_PROXIES: '127.0.0.1' },
)

onEveryStorage((fixture) => {
  it('without a trusted proxy, forged forwarding headers do not avoid the ban', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await bo.connects({ headers: home })
    await bans(appServer)
    assert.equal(await says(cleo, room, elsewhere), 17)
    assert.equal(
      (await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'x', user_id: 'ada' } } }))
        .message.text,
      'x',
    )
  })
})
