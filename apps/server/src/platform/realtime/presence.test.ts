import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import type { TestUser } from '../../testing/test-user.ts'

/** The presence events of another user. */
const receivesOf = async (testUser: TestUser, id: string) =>
  (await testUser.receives('user.presence.changed', (event) => event.user.id === id)).user

const receivedOf = async (testUser: TestUser, id: string) =>
  (await testUser.received()).filter((event) => event.type === 'user.presence.changed' && event.user.id === id)

const follows = async (testUser: TestUser, id: string) => {
  if (!testUser.connectionId) await testUser.connects()
  const payload = JSON.stringify({ filter_conditions: { id }, presence: true })
  return (await testUser.does('GET', '/users', { query: { payload } })).users[0]
}

/** Closes the socket, and waits until the servers know. */
async function leaves(fixture: Fixture, testUser: TestUser) {
  await testUser.leaves()
  const isGone = () => fixture.nodes.every(({ server }) => server.hub.connectionsOf(testUser.app.id, testUser.id) === 0)
  await eventually(isGone, `${testUser.id} is gone`)
}

onEveryTransport((fixture) => {
  it('a follower receives online at once, and offline five seconds after the last device', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    assert.equal((await follows(ada, 'bo')).online, false)

    await bo.connects()
    const here = await receivesOf(ada, 'bo')
    assert.equal(here.online, true)
    assert.equal(typeof here.last_active, 'string')
    assert.equal((await follows(ada, 'bo')).online, true)

    await leaves(fixture, bo)
    fixture.clock.advance(5_000)
    assert.equal((await receivesOf(ada, 'bo')).online, false)
    assert.equal((await follows(ada, 'bo')).online, false)
  })

  it('a short absence, or another device, is no news', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await receivesOf(ada, 'bo')

    await leaves(fixture, bo)
    fixture.clock.advance(4_000)
    await bo.connects()
    await bo.device().connects()
    fixture.clock.advance(5_000)
    assert.equal((await follows(ada, 'bo')).online, true)
    assert.deepEqual(await receivedOf(ada, 'bo'), [])
  })
})

onEveryStorage((fixture) => {
  it('a channel query follows its members, and only when it asks to', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await ada.watches(room)
    await cleo.watches(room)
    await ada.opensChannel(room, { presence: true })
    await bo.connects()
    assert.equal((await receivesOf(ada, 'bo')).online, true)
    assert.deepEqual(await receivedOf(cleo, 'bo'), [])
  })

  it('a query of several channels follows the members it gives', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.opens([ada, bo])
    await ada.connects()
    const body = { filter_conditions: { members: { $in: ['ada'] } }, presence: true, state: true }
    await ada.does('POST', '/channels', { body })
    await bo.connects()
    assert.equal((await receivesOf(ada, 'bo')).online, true)
  })

  it('an invisible user does not come online for others', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await follows(ada, 'bo')
    const { me } = await bo.connects({ details: { invisible: true } })
    assert.equal(me.invisible, true)
    const seen = await follows(ada, 'bo')
    assert.deepEqual([seen.online, seen.invisible, seen.last_active], [false, undefined, undefined])
    const { members } = await ada.opensChannel(room)
    assert.equal(members.find((member) => member.user_id === 'bo')?.user.online, false)
    const { users } = await appServer.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"bo"}}' } })
    assert.equal(users[0].invisible, true)
    assert.deepEqual(await receivedOf(ada, 'bo'), [])
  })

  it('becoming invisible looks like leaving, and visible like coming', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    assert.equal((await receivesOf(ada, 'bo')).online, true)
    const setInvisible = (invisible: boolean) =>
      bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { invisible } }] } })

    await setInvisible(true)
    const gone = await receivesOf(ada, 'bo')
    assert.deepEqual([gone.online, gone.invisible], [false, undefined])
    await setInvisible(false)
    assert.equal((await receivesOf(ada, 'bo')).online, true)
    await setInvisible(false)
    assert.deepEqual(await receivedOf(ada, 'bo'), [])
  })

  it('a new status of an online user is published, and the same one is not', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await receivesOf(ada, 'bo')
    const update = (set: object) => bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set }] } })
    await update({ status: 'busy' })
    assert.equal((await receivesOf(ada, 'bo')).status, 'busy')
    await update({ status: 'busy', mood: 'fine' })
    assert.deepEqual(await receivedOf(ada, 'bo'), [])

    // A database may keep the parts of it in another order.
    const lunch = { text: 'lunch', sign: '🍜', at: 12 }
    await update({ status: lunch })
    assert.deepEqual((await receivesOf(ada, 'bo')).status, lunch)
    await update({ status: lunch })
    assert.deepEqual(await receivedOf(ada, 'bo'), [])
  })

  it('[USR-18] a follower receives the new name of a user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bob' } }] } })
    for (const testUser of [ada, bo]) {
      const { user } = await testUser.receives('user.updated', (event) => event.user.id === 'bo')
      assert.equal(user.name, 'Bob')
      assert.equal('privacy_settings' in user, false)
    }
  })

  it('a single channel query follows ten members at most', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
    const { appServer, ...people } = await fixture.createApp(...names)
    const all = Object.values(people) as TestUser[]
    const room = await appServer.opens(all)
    const [ada, second] = all as [TestUser, TestUser]
    await ada.watches(room)
    await ada.opensChannel(room, { presence: true })
    const last = all.at(-1)!
    await second.connects()
    await last.connects()
    await receivesOf(ada, second.id)
    assert.deepEqual(await receivedOf(ada, last.id), [])
  })

  it('last_active is written when a user connects another device, too', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.connects()
    const first = ada.me.last_active!
    fixture.clock.advance(1_000)

    const phone = ada.device()
    await phone.connects()

    assert.ok(phone.me.last_active! > first)
  })

  it('last_active is written when a user connects, and every quarter of an hour while they stay', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.connects()
    const lastActive = async () => (await ada.opensChannel(room)).members[0]!.user.last_active ?? ''
    await eventually(async () => (await lastActive()) !== '', 'coming was written')
    /** The client keeps sending health checks until it is written again. */
    const writtenAfter = async (before: string) => {
      for (let seconds = 0; seconds < 20 * 60; seconds += 50) {
        await ada.received()
        fixture.clock.advance(50_000)
        await ada.receives('health.check')
        for (const { server } of fixture.nodes) await server.commit.drained()
        const at = await lastActive()
        if (at > before) return at
      }
      return assert.fail('staying was not written')
    }
    // The quarters of an hour are those of the server.
    const first = await writtenAfter(await lastActive())
    const minutes = (Date.parse(await writtenAfter(first)) - Date.parse(first)) / 60_000
    // A write may come a step or two of the clock after it was begun.
    assert.ok(Math.abs(minutes - 15) < 2.5, `written after ${minutes} minutes`)
  })
})
