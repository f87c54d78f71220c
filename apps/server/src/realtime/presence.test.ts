import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import type { Person } from '../testing/person.ts'
import { onEveryStorage, onEveryTransport, type Stage } from '../testing/stage.ts'

/** What somebody is told of another person’s comings and goings. */
const hearsOf = async (person: Person, id: string) =>
  (await person.hears('user.presence.changed', (event) => event.user.id === id)).user

const hasHeardOf = async (person: Person, id: string) =>
  (await person.hasHeard()).filter((event) => event.type === 'user.presence.changed' && event.user.id === id)

const follows = async (person: Person, id: string) => {
  if (!person.connectionId) await person.connects()
  const payload = JSON.stringify({ filter_conditions: { id }, presence: true })
  return (await person.does('GET', '/users', { query: { payload } })).users[0]
}

/** Closes the socket, and waits until the servers know. */
async function leaves(stage: Stage, person: Person) {
  await person.leaves()
  const isGone = () => stage.nodes.every(({ server }) => server.hub.connectionsOf(person.app.id, person.id) === 0)
  await eventually(isGone, `${person.id} is gone`)
}

onEveryTransport((stage) => {
  it('who follows somebody hears them come, and go five seconds after the last device', async () => {
    const { ada, bo } = await stage.company('ada', 'bo')
    assert.equal((await follows(ada, 'bo')).online, false)

    await bo.connects()
    const here = await hearsOf(ada, 'bo')
    assert.equal(here.online, true)
    assert.equal(typeof here.last_active, 'string')
    assert.equal((await follows(ada, 'bo')).online, true)

    await leaves(stage, bo)
    stage.clock.advance(5_000)
    assert.equal((await hearsOf(ada, 'bo')).online, false)
    assert.equal((await follows(ada, 'bo')).online, false)
  })

  it('a short absence, or another device, is no news', async () => {
    const { ada, bo } = await stage.company('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await hearsOf(ada, 'bo')

    await leaves(stage, bo)
    stage.clock.advance(4_000)
    await bo.connects()
    await bo.device().connects()
    stage.clock.advance(5_000)
    assert.equal((await follows(ada, 'bo')).online, true)
    assert.deepEqual(await hasHeardOf(ada, 'bo'), [])
  })
})

onEveryStorage((stage) => {
  it('a channel query follows its members, and only when it asks to', async () => {
    const { ada, bo, cleo, company } = await stage.company('ada', 'bo', 'cleo')
    const room = await company.opens([ada, bo, cleo])
    await ada.watches(room)
    await cleo.watches(room)
    await ada.opensChannel(room, { presence: true })
    await bo.connects()
    assert.equal((await hearsOf(ada, 'bo')).online, true)
    assert.deepEqual(await hasHeardOf(cleo, 'bo'), [])
  })

  it('a query of several channels follows the members it gives', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await company.opens([ada, bo])
    await ada.connects()
    const body = { filter_conditions: { members: { $in: ['ada'] } }, presence: true, state: true }
    await ada.does('POST', '/channels', { body })
    await bo.connects()
    assert.equal((await hearsOf(ada, 'bo')).online, true)
  })

  it('nobody sees an invisible person come', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const room = await company.opens([ada, bo])
    await follows(ada, 'bo')
    const { me } = await bo.connects({ details: { invisible: true } })
    assert.equal(me.invisible, true)
    const seen = await follows(ada, 'bo')
    assert.deepEqual([seen.online, seen.invisible, seen.last_active], [false, undefined, undefined])
    const { members } = await ada.opensChannel(room)
    assert.equal(members.find((member) => member.user_id === 'bo')?.user.online, false)
    const { users } = await company.does('GET', '/users', { query: { payload: '{"filter_conditions":{"id":"bo"}}' } })
    assert.equal(users[0].invisible, true)
    assert.deepEqual(await hasHeardOf(ada, 'bo'), [])
  })

  it('becoming invisible looks like leaving, and visible like coming', async () => {
    const { ada, bo } = await stage.company('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    assert.equal((await hearsOf(ada, 'bo')).online, true)
    const setInvisible = (invisible: boolean) =>
      bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { invisible } }] } })

    await setInvisible(true)
    const gone = await hearsOf(ada, 'bo')
    assert.deepEqual([gone.online, gone.invisible], [false, undefined])
    await setInvisible(false)
    assert.equal((await hearsOf(ada, 'bo')).online, true)
    await setInvisible(false)
    assert.deepEqual(await hasHeardOf(ada, 'bo'), [])
  })

  it('another status is news of somebody who is there, and the same one is none', async () => {
    const { ada, bo } = await stage.company('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await hearsOf(ada, 'bo')
    const say = (set: object) => bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set }] } })
    await say({ status: 'busy' })
    assert.equal((await hearsOf(ada, 'bo')).status, 'busy')
    await say({ status: 'busy', mood: 'fine' })
    assert.deepEqual(await hasHeardOf(ada, 'bo'), [])

    // A database may keep the parts of it in another order.
    const lunch = { text: 'lunch', sign: '🍜', at: 12 }
    await say({ status: lunch })
    assert.deepEqual((await hearsOf(ada, 'bo')).status, lunch)
    await say({ status: lunch })
    assert.deepEqual(await hasHeardOf(ada, 'bo'), [])
  })

  it('[USR-18] who follows somebody hears of their new name', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    await follows(ada, 'bo')
    await bo.connects()
    await company.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bob' } }] } })
    for (const person of [ada, bo]) {
      const { user } = await person.hears('user.updated', (event) => event.user.id === 'bo')
      assert.equal(user.name, 'Bob')
      assert.equal('privacy_settings' in user, false)
    }
  })

  it('a single channel query follows ten members at most', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
    const { company, ...people } = await stage.company(...names)
    const all = Object.values(people) as Person[]
    const room = await company.opens(all)
    const [ada, second] = all as [Person, Person]
    await ada.watches(room)
    await ada.opensChannel(room, { presence: true })
    const last = all.at(-1)!
    await second.connects()
    await last.connects()
    await hearsOf(ada, second.id)
    assert.deepEqual(await hasHeardOf(ada, last.id), [])
  })

  it('last_active is written when somebody comes with another device, too', async () => {
    const { ada } = await stage.company('ada')
    await ada.connects()
    const first = ada.me.last_active!
    stage.clock.advance(1_000)

    const phone = ada.device()
    await phone.connects()

    assert.ok(phone.me.last_active! > first)
  })

  it('last_active is written when somebody comes, and every quarter of an hour while they stay', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    await ada.connects()
    const lastActive = async () => (await ada.opensChannel(room)).members[0]!.user.last_active ?? ''
    await eventually(async () => (await lastActive()) !== '', 'coming was written')
    /** The client says all along that it is there, until it is written anew. */
    const writtenAfter = async (before: string) => {
      for (let seconds = 0; seconds < 20 * 60; seconds += 50) {
        await ada.hasHeard()
        stage.clock.advance(50_000)
        await ada.hears('health.check')
        for (const { server } of stage.nodes) await server.commit.drained()
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
