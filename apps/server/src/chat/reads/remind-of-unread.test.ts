import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { readSettings } from '../../platform/settings.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { foundApp } from '../apps/found-app.ts'

const REMINDER = 'user.unread_message_reminder'
const INTERVAL_MS = 300_000
/** Reminders come this much late at most. */
const LOOK_MS = 15_000
const LATE_MS = INTERVAL_MS + 2 * LOOK_MS

const listener = new Listener()

type Place = { clock: FakeClock; nodes: readonly RunningServer[] }

const databaseOf = ({ nodes }: Place) => nodes[0]!.server.database.read
const nextLook = async (place: Place, { app }: AppServer) =>
  databaseOf(place)
    .selectFrom('due')
    .select('at')
    .where('app', '=', app.id)
    .where('kind', '=', 'unread_reminders')
    .executeTakeFirst()

/** Subscribes the app's own server to unread reminders. */
async function listens(place: Place, appServer: AppServer, settings: object = {}) {
  await appServer.does('PUT', '/channeltypes/messaging', { body: { reminders: true } })
  const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all`, event_types: [REMINDER] }
  await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook], ...settings } })
  await eventually(async () => (await nextLook(place, appServer)) !== undefined, 'the app is looked at')
}

/** Advances the clock, then waits until all webhooks are delivered. */
async function passes(place: Place, appServer: AppServer, ms: number) {
  place.clock.advance(ms)
  const isLookedAt = async () => ((await nextLook(place, appServer))?.at ?? 0) > place.clock.micros()
  await eventually(isLookedAt, 'the app was looked at')
  const unpublishedError = databaseOf(place).selectFrom('tasks').select('id').where('app', '=', appServer.app.id)
  const isTold = async () => (await unpublishedError.where('kind', '=', 'tell_hook').execute()).length === 0
  await eventually(isTold, 'everything is told')
}

/** The users reminded, each with the number of messages per channel. */
const reminded = () =>
  listener.of(REMINDER).map(({ event }) => {
    const channels = Object.entries<{ messages: object[] }>(event.channels)
    return [event.user.id, Object.fromEntries(channels.map(([cid, { messages }]) => [cid, messages.length]))]
  })

onEveryTransport((fixture) => {
  it('a user with old unread messages is reminded once, until there is a newer message', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await listens(fixture, appServer)
    const room = await appServer.opens([ada, bo, cy], { name: 'Tea' })
    for (let i = 1; i <= 6; i++) await ada.sends(room, `cup ${i}`)
    await cy.reads(room)

    await passes(fixture, appServer, INTERVAL_MS - 4 * LOOK_MS)
    assert.deepEqual(reminded(), [])
    await bo.connects()
    const heard: string[] = []
    for (let look = 1; look <= 6; look++) {
      await passes(fixture, appServer, LOOK_MS)
      heard.push(...(await bo.receivedTypes()))
    }
    assert.ok(!heard.includes(REMINDER))

    const { user, channels, created_at } = (await listener.receives(REMINDER)).event
    assert.deepEqual(reminded(), [['bo', { [room]: 5 }]])
    assert.ok(Date.parse(created_at) <= fixture.clock.now())
    assert.deepEqual([user.name, user.online, user.total_unread_count], ['Bo', true, 6])
    const { channel, messages } = channels[room]
    assert.deepEqual([channel.cid, channel.name, channel.created_by.id], [room, 'Tea', 'ada'])
    const members = channel.members.map((member: { user: { id: string } }) => member.user.id)
    assert.deepEqual(members.sort(), ['ada', 'bo', 'cy'])
    const said = messages.map((message: { text: string; user: { id: string } }) => [message.text, message.user.id])
    assert.deepEqual(
      said,
      [6, 5, 4, 3, 2].map((i) => [`cup ${i}`, 'ada']),
    )

    await passes(fixture, appServer, LATE_MS)
    await passes(fixture, appServer, 86_400_000)
    assert.equal(reminded().length, 1)

    await ada.sends(room, 'one more cup')
    await cy.sends(room, 'with milk')
    await passes(fixture, appServer, LATE_MS)
    const again = reminded().slice(1)
    assert.deepEqual(again.sort(), [
      ['ada', { [room]: 1 }],
      ['bo', { [room]: 5 }],
    ])
    await bo.reads(room)
    await passes(fixture, appServer, LATE_MS)
    assert.equal(reminded().length, 3)
  })

  it('a reminder includes the messages sent up to it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await listens(fixture, appServer)
    const room = await appServer.opens([ada, bo])
    for (const text of ['a', 'b', 'c']) {
      await ada.sends(room, text)
      await passes(fixture, appServer, INTERVAL_MS / 3)
    }
    await passes(fixture, appServer, LOOK_MS)
    assert.deepEqual(reminded(), [['bo', { [room]: 3 }]])
    await passes(fixture, appServer, LATE_MS)
    assert.equal(reminded().length, 1)
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('one reminder names up to ten channels, those with the newest messages', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await listens(fixture, appServer)
    const rooms: string[] = []
    for (let i = 0; i < 12; i++) rooms.push(await appServer.opens([ada, bo]))
    for (const room of rooms) {
      await ada.sends(room, 'hello')
      fixture.clock.advance(1)
    }
    await passes(fixture, appServer, LATE_MS)
    assert.deepEqual(reminded(), [['bo', Object.fromEntries(rooms.slice(2).map((room) => [room, 1]))]])
  })

  it('members who muted, are banned, gone, or have nothing unread are not reminded', async () => {
    const names = ['ada', 'bo', 'cy', 'di', 'ed', 'flo', 'gus', 'hal', 'ivy', 'jo'] as const
    const { appServer, ...people } = await fixture.createApp(...names)
    await listens(fixture, appServer)
    const { ada, bo, cy, di, ed, flo, gus, hal, ivy, jo } = people
    const room = await appServer.opens([ada, bo, cy, di, ed, flo, gus, hal, jo])
    await cy.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await di.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    await appServer.does('POST', path(room), { body: { invites: ['ivy'] } })
    await ivy.does('POST', path(room), { body: { reject_invite: true } })
    const { id } = await ada.sends(room, 'hello')
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: ed.id, banned_by_id: 'ada' } })
    const ban = { target_user_id: flo.id, banned_by_id: 'ada', channel_cid: room }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    await appServer.does('POST', `/users/${gus.id}/deactivate`, { body: {} })
    await appServer.does('DELETE', `/users/${hal.id}`)
    await jo.does('DELETE', `/messages/${id}`, { query: { delete_for_me: 'true' } })

    await passes(fixture, appServer, LATE_MS)

    assert.deepEqual(reminded(), [[bo.id, { [room]: 1 }]])
  })

  it('a reminder covers only messages to all members, or to the user', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await listens(fixture, appServer)
    const [gone, replied, silent, whispered, system] = await Promise.all(
      Array.from({ length: 5 }, () => appServer.opens([ada, bo, cy])),
    )
    const { id } = await ada.sends(gone!, 'hello')
    await ada.does('DELETE', `/messages/${id}`)
    const { id: parent_id } = await ada.sends(replied!, 'a topic')
    await bo.reads(replied!)
    await cy.reads(replied!)
    await ada.sends(replied!, 'a reply', { parent_id })
    await ada.sends(silent!, 'psst', { silent: true })
    const says = (room: string, message: object) =>
      appServer.does('POST', `${path(room)}/message`, { body: { message: { ...message, user_id: 'ada' } } })
    await says(whispered!, { text: 'for Cy', restricted_visibility: ['cy'] })
    await says(system!, { text: 'Ada changed the name', type: 'system' })

    await passes(fixture, appServer, LATE_MS)

    assert.deepEqual(reminded().sort(), [
      ['bo', { [system!]: 1 }],
      ['cy', { [system!]: 1, [whispered!]: 1 }],
    ])
  })

  it('no reminders are sent for larger channels or other channel types', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await listens(fixture, appServer, { reminders_max_members: 2 })
    await appServer.does('PUT', '/channeltypes/livestream', { body: { reminders: true, read_events: false } })
    const three = await appServer.opens([ada, bo, cy])
    const two = await appServer.opens([ada, bo])
    const team = await appServer.opens([ada, bo], {}, 'team')
    const stream = await appServer.opens([ada, bo], {}, 'livestream')
    for (const room of [three, team, stream, two]) await ada.sends(room, 'hello')
    await passes(fixture, appServer, LATE_MS)
    assert.deepEqual(reminded(), [['bo', { [two]: 1 }]])
  })

  it('no reminders are sent for a type whose name differs only in case from one with reminders', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await listens(fixture, appServer)
    await appServer.does('POST', '/channeltypes', { body: { name: 'Messaging' } })
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo], {}, 'Messaging')]
    for (const room of rooms)
      await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Tea', user_id: 'ada' } } })
    await passes(fixture, appServer, LATE_MS)
    assert.deepEqual(reminded(), [['bo', { [rooms[0]!]: 1 }]])
  })

  it('an app gets no reminders after turning them off, and gets them sooner with a shorter interval', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await listens(fixture, appServer)
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'hello')
    await appServer.does('PATCH', '/app', { body: { reminders_interval: 60 } })
    await passes(fixture, appServer, 60_000 + 2 * LOOK_MS)
    assert.deepEqual(reminded(), [['bo', { [room]: 1 }]])

    await appServer.does('PUT', '/channeltypes/messaging', { body: { reminders: false } })
    await ada.sends(room, 'hello again')
    fixture.clock.advance(LATE_MS)
    await eventually(async () => (await nextLook(fixture, appServer)) === undefined, 'nobody looks at it')
    for (const table of ['unread_reminders', 'unread_looks'] as const) {
      const left = await databaseOf(fixture)
        .selectFrom(table)
        .select('at')
        .where('app', '=', appServer.app.id)
        .execute()
      assert.deepEqual(left, [], table)
    }
    assert.equal(reminded().length, 1)
  })

  it('messages beyond the limit of one check are covered by the next ones', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await listens(fixture, appServer)
    const [first, last] = [await appServer.opens([ada, bo]), await appServer.opens([ada, cy])]
    await ada.sends(first, 'hello')
    const { write, dialect } = fixture.nodes[0]!.server.database
    const elsewhere = { app: appServer.app.id, cid: 'messaging:gone', type: 'message.new', body: '{}' }
    const at = fixture.clock.micros()
    const posts = Array.from({ length: 600 }, (_, i) => ({
      ...elsewhere,
      ...{ seq: i + 1, at: at + i + 1, user_id: null, users_json: null, except_id: null },
    }))
    await dialect.insertRows(write, 'events', posts)
    fixture.clock.advance(1_000)
    await ada.sends(last, 'hello')
    await passes(fixture, appServer, LATE_MS)
    assert.deepEqual(reminded(), [
      ['bo', { [first]: 1 }],
      ['cy', { [last]: 1 }],
    ])
    const [one, other] = listener.of(REMINDER).map(({ event }) => Date.parse(event.created_at))
    assert.ok(one! < other!)
  })

  it('reminding many users costs as many queries as reminding one', async () => {
    const { appServer, ...people } = await fixture.createApp('ada', 'bo', 'cy', 'di', 'ed')
    await listens(fixture, appServer)
    const [ada, ...others] = Object.values<TestUser>(people)
    const rooms = await Promise.all(others.map((other) => appServer.opens([ada!, other])))
    rooms.push(await appServer.opens([ada!, ...others]))
    const queriesFor = async (said: readonly string[]) => {
      for (const room of said) await ada!.sends(room, 'hello')
      const { users, channels } = fixture.nodes[0]!.server
      users.clear()
      channels.clear()
      const texts = await statementsUntil(() => passes(fixture, appServer, LATE_MS))
      return texts.filter((text) => /^(select|with)/.test(text))
    }
    const one = await queriesFor(rooms.slice(0, 1))
    assert.equal(reminded().length, 1)
    const all = await queriesFor(rooms)
    assert.equal(reminded().length, 1 + others.length)
    assert.equal(all.length, one.length, all.join('\n'))
  })
}, allowLoopback)

it('a user is reminded once of messages left unread while no server ran, when one starts', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'unread-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const clock = new FakeClock()
  const settings = readSettings({
    ...{ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: `sqlite:${join(dir, 'chat.sqlite')}`, ...allowLoopback },
  })
  const before = await startServer(settings, clock)
  const app = await foundApp(before.server.database, { key: 'key', secret: 'a secret of the story' }, 0)
  const appServer = new AppServer(before.url, app, clock)
  await appServer.createUsers('ada', 'bo')
  await listens({ clock, nodes: [before] }, appServer)
  const [ada, bo] = [appServer.user('ada'), appServer.user('bo')]
  const room = await appServer.opens([ada, bo])
  await ada.sends(room, 'hello')
  await before.stop()
  clock.advance(86_400_000)

  for (let start = 1; start <= 2; start++) {
    const server = await startServer(settings, clock)
    await passes({ clock, nodes: [server] }, appServer, LATE_MS)
    await server.stop()
    assert.deepEqual(reminded(), [['bo', { [room]: 1 }]])
  }
})
