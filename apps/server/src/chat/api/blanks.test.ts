/** Clients in some languages cannot omit a field: they send null or an empty string. */
import assert from 'node:assert/strict'
import { BLANK } from '@parley/protocol/wire'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { it } from 'vitest'
import { endpoints } from '../../operations.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { type AppServer, path } from '../../testing/test-user.ts'

interface Shape {
  properties?: Record<string, TSchema>
  required?: readonly string[]
}

/** The optional fields of an object, except those whose absence would widen the operation [HTTP-29]. */
const optional = (schema: TSchema): [name: string, shape: TSchema][] => {
  const { properties = {}, required = [] } = schema as Shape
  return Object.entries(properties).filter(
    ([name, shape]) => !required.includes(name) && (shape as { [BLANK]?: string })[BLANK] !== 'never',
  )
}

onEveryStorage((fixture) => {
  it('[HTTP-21] an optional field may be null at every endpoint', async () => {
    const { appServer } = await fixture.createApp('ada')
    const nulls = (schema: TSchema) => Object.fromEntries(optional(schema).map(([name]) => [name, null]))
    for (const { method, path: at, body, payload } of endpoints) {
      const said = body ?? payload
      if (!said || at === '/app') continue
      const call = body
        ? { body: { ...nulls(body), ...inner(body, nulls) } }
        : { query: { payload: JSON.stringify(nulls(payload)) } }
      const { body: answer } = await appServer.call(method, at, call)
      const refused = Object.values((answer?.exception_fields ?? {}) as Record<string, string>)
      assert.deepEqual(
        refused.filter((text) => text.includes('but got null')),
        [],
        `${method} ${at} ${JSON.stringify(answer)}`,
      )
    }
  })

  it('[HTTP-21] an optional field may be an empty string where that is not a valid value', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const empty = { id: '', type: '', parent_id: '', quoted_message_id: '', poll_id: '', pin_expires: '', user_id: '' }
    const message = await ada.sends(room, 'Hello', empty)
    assert.match(message.id, /^[0-9a-f-]{36}$/)
    assert.equal((await ada.sends(room, 'Hello again', { ...empty, id: null, type: null })).type, 'regular')
    await ada.does('POST', `${path(room)}/read`, { body: { message_id: '', thread_id: '' } })
    await ada.does('POST', '/polls', { body: { name: 'Lunch?', id: '', voting_visibility: '', options: [] } })
    await ada.does('POST', '/drafts/query', { body: { next: '', prev: null, sort: [] } })
    const payload = { type: 'messaging', id: room.split(':')[1], filter_conditions: null, created_at_after: '' }
    const { members } = await ada.does('GET', '/members', { query: { payload: JSON.stringify(payload) } })
    assert.equal(members.length, 1)
    await ada.does('GET', `/messages/${message.id}/replies`, { query: { limit: '', id_lt: '', sort: '' } })
    await appServer.does('DELETE', `/messages/${message.id}`, { query: { hard: '', deleted_by: '' } })
    const { users } = await appServer.does('POST', '/users', {
      body: { users: { cy: { id: 'cy', role: '', teams: null } } },
    })
    assert.deepEqual([users.cy.role, users.cy.teams], ['user', []])
    const channel_role = null
    const data = { created_by_id: 'ada', members: [{ user_id: 'bo', channel_role }], team: null, cooldown: null }
    await appServer.does('POST', '/channels/messaging/blank/query', { body: { data, messages: null, members: null } })
    // Custom fields keep the value that was sent.
    assert.deepEqual((await ada.sends(room, 'Bye', { mood: null, place: '' })).place, '')
    await ada.isRefused(4, 'POST', '/channels', { body: { filter_conditions: { type: { $in: null } } } })
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: null } })
  })

  it('[HTTP-21] an empty user id is absent in the query, and where a client connects', async () => {
    const { ada } = await fixture.createApp('ada', 'bo')
    await ada.does('GET', '/app', { query: { user_id: '', connection_id: '' } })
    const json = JSON.stringify({ user_id: '', user_details: { id: 'ada' } })
    assert.equal((await ada.connects({ query: { json } })).type, 'health.check')
    // A user who is named must still be the caller.
    await ada.isRefused(5, 'GET', '/app', { query: { user_id: 'bo' } })
  })

  it('[HTTP-21] a body or a payload may be null as a whole', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const call of ['read', 'hide', 'show']) await ada.does('POST', `${path(room)}/${call}`, { body: 'null' })
    await ada.does('GET', '/users', { query: { payload: 'null' } })
    const { exception_fields } = await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: 'null' })
    assert.deepEqual(exception_fields, { message: 'message is a required field' })
  })

  it('[HTTP-24] an object without fields may be an empty list, as PHP sends it', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const data = { created_by_id: 'ada', members: ['ada', 'bo'], config_overrides: [] }
    await appServer.does('POST', '/channels/messaging/php/query', {
      body: { data, state: true, messages: [], members: [] },
    })
    for (const place of ['query', 'hide', 'show', 'read']) {
      await ada.does('POST', `/channels/messaging/php/${place}`, { body: [] })
      await ada.does('POST', `/channels/messaging/php/${place}`, { body: { data: [] } })
    }
    await appServer.does('POST', '/channels/messaging/php/truncate', { body: [] })
    await ada.does('POST', '/channels/read', { body: { read_by_channel: [] } })
    await appServer.does('POST', '/channels/messaging/php', { body: { data: [] } })
    await appServer.does('PATCH', '/channels/messaging/php', { body: { set: [], unset: ['mood'] } })
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants: [] } })
    await appServer.does('POST', '/users/bo/deactivate', { body: [] })
    const users = { ada: { id: 'ada', privacy_settings: [], teams: [], moods: [] } }
    const answer = await appServer.does('POST', '/users', { body: { users } })
    assert.deepEqual(answer.users.ada.moods, [], 'a custom field is what it is')
    await ada.isRefused(4, 'POST', '/channels', { body: { filter_conditions: [] } })
  })

  it('[HTTP-28] a list of ids may contain objects, so that a client can send a message back as received', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const named = (message: { mentioned_users: { id: string }[] }) => message.mentioned_users.map(({ id }) => id)
    const sent = await ada.sends(room, 'Hello @bo', { mentioned_users: [{ id: 'bo', name: 'Bo' }] })
    assert.deepEqual(named(sent), ['bo'])
    const body = { message: { ...sent, text: 'Hello again @bo' } }
    assert.deepEqual(named((await ada.does('POST', `/messages/${sent.id}`, { body })).message), ['bo'])
    const set = { mentioned_users: [...sent.mentioned_users, 'ada'] }
    assert.deepEqual(named((await ada.does('PUT', `/messages/${sent.id}`, { body: { set } })).message), ['bo', 'ada'])
    await ada.does('POST', `${path(room)}/draft`, { body: { message: { ...sent, text: 'Later' } } })
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: { text: 'x', mentioned_users: [{}] } } })
    await appServer.does('POST', path(room), { body: { remove_members: [{ id: 'bo', name: 'Bo' }] } })
    await bo.isRefused(17, 'POST', `${path(room)}/query`)
  })

  it('a sort has a short form', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const name of ['Lunch?', 'Dinner?']) await ada.does('POST', '/polls', { body: { name } })
    const names = async (sort: unknown) => {
      const { polls } = await ada.does('POST', '/polls/query', { body: { sort } })
      return (polls as { name: string }[]).map(({ name }) => name)
    }
    for (const sort of [[{ name: 1 }], { name: 1 }, { field: 'name', direction: 1 }, { name: 1, id: -1 }])
      assert.deepEqual(await names(sort), ['Dinner?', 'Lunch?'])
    assert.deepEqual(await names([{ name: -1 }]), ['Lunch?', 'Dinner?'])
    const wrong = await ada.isRefused(4, 'POST', '/polls/query', { body: { sort: [{ name: 'up' }] } })
    assert.deepEqual(Object.keys(wrong.exception_fields), ['sort.0.direction'])
    await ada.isRefused(4, 'POST', '/polls/query', { body: { sort: 'name' } })
    // A custom field with that name keeps its value.
    assert.deepEqual((await ada.does('POST', '/polls', { body: { name: 'Tea?', sort: { a: 1 } } })).poll.sort, { a: 1 })
  })

  it('[HTTP-21] a path may end in a slash', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.does('POST', '/channels/', { body: {} })
    assert.deepEqual((await ada.does('GET', '/devices/')).devices, [])
  })

  const named = async (appServer: AppServer, id: string) => {
    const payload = JSON.stringify({ filter_conditions: { id } })
    const { users } = await appServer.does('GET', '/users', { query: { payload } })
    return users[0]
  }

  it('a user object sent by the app’s server creates or updates the user', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const says = (message: object) => appServer.does('POST', `${path(room)}/message`, { body: { message } })
    const sent = await says({ id: 'one', text: 'Hello', user: { id: 'dee', name: 'Dee', role: 'admin', mood: 'calm' } })
    const { name, role, mood } = sent.message.user
    assert.deepEqual([name, role, mood], ['Dee', 'admin', 'calm'])
    await says({ text: 'Hello', user_id: 'eve' })
    assert.equal((await named(appServer, 'eve')).role, 'user')

    const before = (await named(appServer, 'dee')).updated_at
    fixture.clock.advance(10)
    await says({
      text: 'Hello again',
      user: { id: 'dee', name: 'Dee', online: true, updated_at: '0001-01-01T00:00:00Z' },
    })
    assert.equal((await named(appServer, 'dee')).updated_at, before)
    const reaction = { type: 'love', user: { id: 'dee', name: 'Dora' } }
    await appServer.does('POST', '/messages/one/reaction', { body: { reaction } })
    assert.deepEqual([(await named(appServer, 'dee')).name, (await named(appServer, 'dee')).mood], ['Dora', 'calm'])
    const event = { type: 'typing.start', user: { id: 'ada' } }
    assert.equal((await appServer.does('POST', `${path(room)}/event`, { body: { event } })).event.user.id, 'ada')

    await appServer.isRefused(4, 'POST', '/messages/one/reaction', {
      body: { reaction: { type: 'wow', user_id: 'fay' } },
    })
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'x', user: { id: 'no such id!', name: 'x' } } },
    })
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'x', user: { id: 'hal', role: 'no such role' } } },
    })
    assert.equal(await named(appServer, 'hal'), undefined)
    // A client acts as its own user.
    await ada.sends(room, 'Me', { user: { id: 'gus', name: 'Gus' } })
    assert.equal(await named(appServer, 'gus'), undefined)
  })
})

/** The same for an object’s required objects. */
function inner(schema: TSchema, make: (schema: TSchema) => object): object {
  const { properties = {}, required = [] } = schema as Shape
  const objects = required.filter((name) => (properties[name] as Shape).properties !== undefined)
  return Object.fromEntries(
    objects.map((name) => [name, { ...(Value.Create(properties[name]!) as object), ...make(properties[name]!) }]),
  )
}
