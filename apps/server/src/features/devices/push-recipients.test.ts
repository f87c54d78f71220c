import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { PUSHED_TO_ALL } from './push-recipients.ts'

const listener = new Listener()

const listens = (appServer: AppServer, push_recipients: string, settings: object = {}) => {
  const event_hooks = [
    { hook_type: 'webhook', webhook_url: `${listener.url}/push`, event_types: ['message.new'], push_recipients },
  ]
  return appServer.does('PATCH', '/app', { body: { event_hooks, ...settings } })
}

/** Whom a message is pushed to. */
async function pushed(author: TestUser, room: string, fields: object = {}, options: object = {}): Promise<string[]> {
  const count = listener.of('message.new').length
  await author.does('POST', `${path(room)}/message`, { body: { message: { text: 'hello', ...fields }, ...options } })
  return (await listener.receives('message.new', count + 1)).event.push_recipients.toSorted()
}

onEveryTransport((fixture) => {
  it('a message is pushed to members who are away and want it, and to nobody when it says so', async () => {
    const { ada, bo, cy, dee, eve, fay, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dee', 'eve', 'fay')
    const room = await appServer.opens([ada, bo, cy, dee, eve])
    await listens(appServer, 'offline')
    await cy.connects()
    await dee.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await eve.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    await fay.connects()

    assert.deepEqual(await pushed(ada, room), ['bo'], 'neither who is here, nor who mutes, nor a stranger')
    assert.deepEqual(await pushed(bo, room), ['ada', 'eve'])
    assert.deepEqual(await pushed(ada, room, { silent: true }), [])
    assert.deepEqual(await pushed(ada, room, {}, { skip_push: true }), [])
    const quiet = listener.of('message.new').at(-1)!.event
    assert.equal(quiet.skip_push, true)

    await listens(appServer, 'all')
    assert.deepEqual(await pushed(ada, room), ['bo', 'cy'])
    await listens(appServer, 'all', { push_config: { offline_only: true } })
    assert.deepEqual(await pushed(ada, room), ['bo'])
    await appServer.does('POST', '/users/bo/deactivate', { body: {} })
    assert.deepEqual(await pushed(ada, room), [])
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('[DEV-11] [READ-27] a message is not pushed to those who have left the team of its channel', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await listens(appServer, 'all', { multi_tenant_enabled: true })
    const teams = (id: string, ...all: string[]) =>
      appServer.does('POST', '/users', { body: { users: { [id]: { id, teams: all } } } })
    for (const id of ['ada', 'bo', 'cy']) await teams(id, 'red')
    const room = await appServer.opens([ada, bo, cy], { team: 'red' })
    assert.deepEqual(await pushed(ada, room), ['bo', 'cy'])
    await teams('cy', 'blue')
    assert.deepEqual(await pushed(ada, room), ['bo'])
    await teams('cy', 'red', 'blue')
    assert.deepEqual(await pushed(ada, room), ['bo', 'cy'])
  })

  it('those who are named are told of a reply, and no others of what is not for them', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await listens(appServer, 'offline')
    const { id: parent_id } = await bo.sends(room, 'Lunch?')
    await listener.receives('message.new')

    assert.deepEqual(await pushed(ada, room, { parent_id }), ['bo'])
    assert.deepEqual(await pushed(ada, room, { parent_id, mentioned_users: ['cy'] }), ['bo', 'cy'])
    assert.deepEqual(await pushed(ada, room, { parent_id, show_in_channel: true }), ['bo', 'cy'])
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { grants: { channel_member: ['read-channel', 'create-message', 'create-restricted-visibility-message'] } },
    })
    assert.deepEqual(await pushed(ada, room, { restricted_visibility: ['cy'] }), ['cy'])
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'ada', shadow: true, banned_by_id: 'bo' },
    })
    assert.deepEqual(await pushed(ada, room), [])
    await appServer.does('PUT', '/channeltypes/messaging', { body: { push_notifications: false } })
    assert.deepEqual(await pushed(bo, room), [])
  })

  it('a channel says what is pushed to those who say nothing themselves, and its type where it does not', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await listens(appServer, 'offline')
    const type = (body: object) => appServer.does('PUT', '/channeltypes/messaging', { body })
    const channel = (config_overrides: object) =>
      appServer.does('PATCH', path(room), { body: { set: { config_overrides } } })
    await cy.does('POST', '/push_preferences', { body: { preferences: [{ chat_level: 'all' }] } })

    await type({ push_level: 'mentions' })
    assert.deepEqual(await pushed(ada, room), ['cy'])
    assert.deepEqual(await pushed(ada, room, { mentioned_users: ['bo'] }), ['bo', 'cy'])
    await channel({ push_level: 'all' })
    assert.deepEqual(await pushed(ada, room), ['bo', 'cy'])
    await channel({ push_level: 'none' })
    assert.deepEqual(await pushed(ada, room, { mentioned_users: ['bo'] }), ['cy'])
    await channel({})
    await type({ push_level: null, chat_preferences: { default_preference: 'none', direct_mentions: 'all' } })
    assert.deepEqual(await pushed(ada, room), [])
    assert.deepEqual(await pushed(ada, room, { mentioned_users: ['bo'] }), ['bo'])
    await appServer.isRefused(4, 'PUT', '/channeltypes/messaging', {
      body: { chat_preferences: { default_preference: 'some' } },
    })
  })

  it('a pending message that nobody is to be notified of stays so when it is committed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await listens(appServer, 'offline')
    for (const skip_push of [true, false]) {
      const message = { id: `skip-${skip_push}-${room}`, text: 'hello', user_id: 'ada' }
      await appServer.does('POST', `${path(room)}/message`, { body: { message, pending: true, skip_push } })
      await appServer.does('POST', `/messages/${message.id}/commit`)
    }
    await listener.receives('message.new', 2)
    assert.deepEqual(
      listener.of('message.new').map(({ event }) => [event.message.id, event.push_recipients]),
      [
        [`skip-true-${room}`, []],
        [`skip-false-${room}`, ['bo']],
      ],
    )
  })

  it('three hundred members cost as many statements as ten', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const ids = Array.from({ length: 299 }, (_, i) => `guest-${i}`)
    for (let from = 0; from < ids.length; from += 100) await appServer.createUsers(...ids.slice(from, from + 100))
    const guests = ids.map((id) => appServer.user(id))
    const small = await appServer.opens([ada, ...guests.slice(0, 9)])
    const large = await appServer.opens([ada, ...guests.slice(0, 99)])
    for (let from = 99; from < ids.length; from += 100)
      await appServer.does('POST', path(large), { body: { add_members: ids.slice(from, from + 100) } })
    await listens(appServer, 'offline')

    const { users } = fixture.nodes[0]!.server
    const statements = async (room: string) => {
      users.clear()
      let recipients: unknown[] = []
      const texts = await statementsUntil(async () => {
        recipients = await pushed(ada, room)
      })
      return { texts, recipients }
    }
    // Whoever asks first looks up what others know by then.
    for (const room of [small, large]) await statements(room)
    const few = await statements(small)
    const many = await statements(large)
    assert.deepEqual([few.recipients.length, many.recipients.length], [9, 299])
    expect(many.texts.length, many.texts.join('\n')).toBe(few.texts.length)
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('in a channel of very many a message is pushed to those it names alone', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await listens(appServer, 'offline')
    const { database } = fixture.nodes[0]!.server
    const rows = await database.read.selectFrom('members').selectAll().where('cid', '=', room).execute()
    const others = Array.from({ length: PUSHED_TO_ALL }, (_, i) => ({ ...rows[0]!, user_id: `other-${i}` }))
    await database.dialect.insertRows(database.write, 'members', others)
    await database.write
      .updateTable('channels')
      .set({ member_count: PUSHED_TO_ALL + 3 })
      .where('cid', '=', room)
      .execute()
    fixture.nodes[0]!.server.channels.clear()
    assert.deepEqual(await pushed(ada, room), [])
    assert.deepEqual(await pushed(ada, room, { mentioned_users: ['bo'] }), ['bo'])
  })
}, allowLoopback)
