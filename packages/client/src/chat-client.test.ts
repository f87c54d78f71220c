import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ChatClient } from './chat-client.ts'
import type { ChannelStateAnswer, OwnUser } from './shapes.ts'
import { aConnectedWorld, aWorld, type FakeServer, Refusal, settle } from './testing/fake-server.ts'
import {
  aChannel,
  ada,
  aMember,
  aMessage,
  anEvent,
  aThread,
  aUser,
  bo,
  me,
  messages,
  posted,
  replies,
} from './testing/wire.ts'
import { developmentToken } from './token.ts'

const token = developmentToken('ada')
/** The type of an event that no application has declared; typed programs listen to it only among all events. */
const UNDECLARED = 'application.event' as never

/** Ada, connected, with the channel `messaging:tea` watched. */
async function adaInTea(answer: Partial<ChannelStateAnswer> = {}, options: { own?: OwnUser } = {}) {
  const world = await aConnectedWorld(options)
  world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel({}, answer))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  return { ...world, tea }
}

/** The connection is lost and restored. */
async function reconnect({ server, clock }: { server: FakeServer; clock: { advance(ms: number): void } }) {
  server.socket.breaks()
  clock.advance(250)
  await settle()
  server.socket.confirms(me(ada), `c${server.sockets.length}`)
  await settle()
}

describe('connecting a user', () => {
  it('[AUTH-7] needs an id', async () => {
    const { client } = aWorld()
    const refusal = { code: 'CLIENT_USER_ID_MISSING', message: 'connectUser needs a user object with an id' }
    await assert.rejects(client.connectUser({} as never, token), refusal)
    await assert.rejects(client.connectUser(undefined as never, token), refusal)
  })

  it('[AUTH-8] [AUTH-21] refuses a second user until the first is disconnected', async () => {
    const { client, server } = await aConnectedWorld()
    const refusal = {
      code: 'CLIENT_OTHER_USER_CONNECTED',
      message: 'Another user is connected. Call disconnectUser() first',
    }
    await assert.rejects(client.connectUser({ id: 'bo' }, developmentToken('bo')), refusal)
    await assert.rejects(client.connectAnonymousUser(), refusal)
    await assert.rejects(client.setGuestUser({ id: 'cy' }), refusal)
    void client.disconnectUser()
    const bos = client.connectUser({ id: 'bo' }, developmentToken('bo'))
    await settle()
    server.socket.confirms(me(bo))
    assert.equal((await bos).id, 'bo')
  })

  it('[AUTH-21] gives the same user the pending connection', async () => {
    const { client, server } = aWorld()
    const connecting = [client.connectUser({ id: 'ada' }, token), client.connectUser({ id: 'ada' }, token)]
    await settle()
    assert.equal(server.sockets.length, 1)
    server.socket.confirms()
    assert.equal(await connecting[0], await connecting[1])
    await client.connectUser({ id: 'ada' }, token)
    assert.equal(server.sockets.length, 1)
  })

  it('sends the user’s fields once: a new connection does not undo later changes', async () => {
    const { client, server } = aWorld()
    const told = () => JSON.parse(server.socket.url.searchParams.get('json') ?? '').user_details
    const fields = { id: 'ada', name: 'Ada', color: 'red' }
    const connecting = client.connectUser(fields, token)
    await settle()
    assert.deepEqual(told(), fields)
    server.socket.confirms(me(aUser('ada', { color: 'red' })))
    await connecting
    await client.closeConnection()
    const opening = client.openConnection()
    await settle()
    assert.deepEqual(told(), { id: 'ada' })
    server.socket.confirms(me(aUser('ada', { name: 'Ada Lovelace' })))
    await opening
    assert.deepEqual([client.user?.name, client.user?.color], ['Ada Lovelace', undefined])
  })

  it('opens a second socket only after the first has closed, when a React effect runs twice', async () => {
    const { client, server } = aWorld()
    const first = assert.rejects(client.connectUser({ id: 'ada' }, token))
    void client.disconnectUser()
    const second = client.connectUser({ id: 'ada' }, token)
    await settle()
    await first
    assert.equal(server.sockets.length, 1)
    server.socket.confirms()
    assert.equal((await second).id, 'ada')
  })

  it('that is aborted leaves nothing behind, and the next user in the same turn gets a connection of their own', async () => {
    const { client, server } = aWorld()
    const giveUp = new AbortController()
    const { signal } = giveUp
    const first = assert.rejects(client.connectUser({ id: 'ada' }, token, { signal }), { code: 'ERR_CANCELED' })
    await settle()
    const [left] = server.sockets
    giveUp.abort()
    assert.equal(client.user, undefined)
    const second = client.connectUser({ id: 'ada' }, token)
    await first
    await settle()
    assert.notEqual(server.socket, left)
    server.socket.confirms()
    assert.equal((await second).id, 'ada')
    giveUp.abort()
    await assert.rejects(client.connectUser({ id: 'ada' }, token, { signal }), { code: 'ERR_CANCELED' })
    assert.equal(client.userID, 'ada', 'whose connection it is')
  })

  it('that is opened again can be aborted as well, and stays closed then', async () => {
    const { client, server } = await aConnectedWorld()
    await client.closeConnection()
    const giveUp = new AbortController()
    const { signal } = giveUp
    const opening = assert.rejects(client.openConnection({ signal }), { code: 'ERR_CANCELED' })
    await settle()
    const sharing = client.openConnection()
    const alsoGivenUp = assert.rejects(client.openConnection({ signal }), { code: 'ERR_CANCELED' })
    const refused = assert.rejects(sharing, { code: 'CLIENT_CONNECTION_CLOSED' })
    giveUp.abort()
    await Promise.all([opening, alsoGivenUp, refused])
    assert.deepEqual([client.userID, client.connection.snapshot().at], ['ada', 'closed'])
    assert.notEqual(server.socket.closedWith, undefined)
    await assert.rejects(client.openConnection({ signal }), { code: 'ERR_CANCELED' })
    const again = client.openConnection()
    await settle()
    server.socket.confirms()
    await again
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('[AUTH-9] [CON-19] anonymous users come without a token', async () => {
    const { client, server } = aWorld()
    const connecting = client.connectAnonymousUser()
    await settle()
    const query = Object.fromEntries(server.socket.url.searchParams)
    assert.deepEqual([query.authorization, query['stream-auth-type']], ['', 'anonymous'])
    server.socket.confirms(me(aUser('!anon-7')))
    assert.equal((await connecting).id, '!anon-7')
    await client.getAppSettings()
    const [call] = server.callsTo('GET', '/app')
    assert.equal(call?.headers['stream-auth-type'], 'anonymous')
    assert.equal(call?.query.user_id, undefined)
  })

  it('[AUTH-10] [AUTH-11] guests are created by POST /guest and connect with the token of the answer', async () => {
    const { client, server } = aWorld()
    const guest = aUser('guest-1-cy')
    server.answers('POST', '/guest', { user: guest, access_token: developmentToken('guest-1-cy') })
    const connecting = client.setGuestUser({ id: 'cy', name: 'Cy' })
    await settle()
    const [call] = server.callsTo('POST', '/guest')
    assert.deepEqual(call?.body, { user: { id: 'cy', name: 'Cy' } })
    assert.equal(call?.headers['stream-auth-type'], 'anonymous')
    server.socket.confirms(me(guest))
    await connecting
    assert.equal(client.userID, 'guest-1-cy')
    assert.equal(server.socket.url.searchParams.get('stream-auth-type'), 'jwt')
  })

  it('leaves no guest behind who was still being created at the sign-out', async () => {
    const { client, server } = aWorld()
    const held = server.holds('POST', '/guest')
    const connecting = assert.rejects(client.setGuestUser({ id: 'cy' }), { code: 'CLIENT_CONNECTION_CLOSED' })
    await settle()
    void client.disconnectUser()
    await held.give({ user: aUser('guest-1-cy'), access_token: developmentToken('guest-1-cy') })
    await connecting
    assert.deepEqual([client.userID, server.sockets.length], [undefined, 0])
  })

  it('takes another token of the same user if the connection ended with the previous one', async () => {
    const { client, server, tea } = await adaInTea()
    server.socket.refuses(40)
    assert.equal(client.connection.snapshot().at, 'closed')
    const fresh = `${token}-fresh`
    const connecting = client.connectUser({ id: 'ada' }, fresh)
    await settle()
    assert.equal(server.socket.url.searchParams.get('authorization'), fresh)
    server.socket.confirms()
    await connecting
    assert.equal(client.channel('messaging', 'tea'), tea)
    await client.closeConnection()
    const again = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.confirms()
    await again
    assert.equal(server.socket.url.searchParams.get('authorization'), fresh, 'one that was good is kept')
  })

  it('[AUTH-6] refuses another user’s token before any call', async () => {
    const { client, server } = aWorld()
    await assert.rejects(client.connectUser({ id: 'ada' }, developmentToken('bo')), { code: 'CLIENT_TOKEN_USER' })
    await assert.rejects(
      client.connectUser({ id: 'ada' }, async () => developmentToken('bo')),
      { code: 'CLIENT_TOKEN_USER' },
    )
    assert.deepEqual([server.sockets.length, server.calls.length, client.userID], [0, 0, undefined])
  })

  it('names the right entry point for a secret, and the missing argument', () => {
    assert.throws(() => new ChatClient('key', 'secret' as never), { code: 'CLIENT_WRONG_ENTRY' })
    assert.throws(() => new ChatClient('key', {} as never), { code: 'CLIENT_BASE_URL_MISSING' })
  })

  it('[ERR-33] leaves no channel usable after disconnectUser', async () => {
    const { client, tea } = await adaInTea()
    client.disconnectUser()
    const refusal = {
      message: "You can't use a channel after client.disconnect() was called",
      code: 'CLIENT_CHANNEL_DISCONNECTED',
    }
    for (const use of [
      () => tea.watch(),
      () => tea.sendMessage({ text: 'hi' }),
      () => tea.send({ text: 'hi' }),
      () => tea.markRead(),
    ])
      await assert.rejects(async () => use(), refusal)
    assert.equal(client.userID, undefined)
    assert.deepEqual(client.unread.snapshot(), { total: 0, channels: 0 })
    await tea.keystroke()
  })
})

describe('signing out', () => {
  it('leaves nothing of an anonymous user to the next user', async () => {
    const { client, server, clock } = aWorld()
    const connecting = client.connectAnonymousUser()
    await settle()
    server.socket.confirms(me(aUser('!anon-7'), { total_unread_count: 3, unread_channels: 2 }))
    await connecting
    const tea = client.channel('messaging', 'tea')
    server.socket.breaks()
    clock.advance(5_000)
    assert.equal(client.online.snapshot(), false)
    void client.disconnectUser()
    assert.deepEqual([client.clientID, client.online.snapshot()], ['', true])
    assert.deepEqual(client.unread.snapshot(), { total: 0, channels: 0 })
    const next = client.connectUser({ id: 'ada' }, token)
    await settle()
    assert.equal(server.socket.url.searchParams.get('stream-auth-type'), 'jwt')
    server.socket.confirms()
    await next
    assert.notEqual(client.channel('messaging', 'tea'), tea)
  })

  it('ignores channel lists that arrive later', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({}, [], { watch: false })
    await settle()
    void client.disconnectUser()
    await held.give({ channels: [aChannel({ id: 'cake' })] })
    assert.deepEqual(await asking, [])
  })

  it('gives no thread to the next user', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', '/threads', { threads: [] })
    await client.queryThreads()
    const held = server.holds('POST', '/threads')
    const asking = assert.rejects(client.queryThreads(), { code: 'CLIENT_NO_USER' })
    await settle()
    void client.disconnectUser()
    const connecting = client.connectUser({ id: 'bo' }, developmentToken('bo'))
    await settle()
    server.socket.confirms(me(bo), 'c2')
    await connecting
    await held.give({ threads: [aThread('p1', replies('p1', 1, 3))] })
    await asking
    assert.deepEqual(client.channel('messaging', 'tea').state.threads, {})
  })
})

describe('listening', () => {
  it('updates the state first, then calls the client’s listeners, then the channel’s', async () => {
    const { client, server, tea } = await adaInTea()
    const heard: string[] = []
    tea.on('message.new', () => heard.push(`channel, typed, ${tea.state.messages.length}`))
    client.on(() => heard.push(`client, every, ${tea.state.messages.length}`))
    client.on('message.new', () => heard.push(`client, typed, ${tea.state.messages.length}`))
    tea.on(() => heard.push('channel, every'))
    server.socket.says(posted(aMessage('m1')))
    assert.deepEqual(heard, ['client, typed, 1', 'client, every, 1', 'channel, typed, 1', 'channel, every'])
  })

  it('adds the time of arrival, and delivers unknown events unchanged', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const heard: unknown[] = []
    client.on(UNDECLARED, (event: unknown) => heard.push(event))
    server.socket.says({ type: UNDECLARED, colour: 'green' })
    assert.deepEqual(heard, [{ type: UNDECLARED, colour: 'green', received_at: new Date(clock.now()) }])
  })

  it('continues after a listener that throws, and after one that unsubscribes', async () => {
    const problems: unknown[] = []
    const { client, server } = await aConnectedWorld({ logger: (_, __, details) => problems.push(details) })
    const heard: string[] = []
    const failure = new Error('broken listener')
    client.on(UNDECLARED, () => {
      throw failure
    })
    const first = client.on(UNDECLARED, () => {
      heard.push('first')
      second.unsubscribe()
    })
    const second = client.on(UNDECLARED, () => heard.push('second'))
    server.socket.says({ type: UNDECLARED })
    server.socket.says({ type: UNDECLARED })
    assert.deepEqual(heard, ['first', 'second', 'first'])
    assert.ok(problems.includes(failure))
    first.unsubscribe()
    server.socket.says({ type: UNDECLARED })
    assert.equal(heard.length, 3)
  })

  it('ends for one subscription only, though another has the same function', async () => {
    const { client, server } = await aConnectedWorld()
    let heard = 0
    const hear = () => heard++
    const first = client.on(UNDECLARED, hear)
    client.on(UNDECLARED, hear)
    first.unsubscribe()
    first.unsubscribe()
    server.socket.says({ type: UNDECLARED })
    assert.equal(heard, 1)
  })

  it('ends with off, for the client and for a channel', async () => {
    const { client, server, tea } = await adaInTea()
    const heard: string[] = []
    const hear = ({ type }: { type: string }) => heard.push(type)
    for (const one of [client, tea]) {
      one.on(hear)
      one.on('message.new', hear)
      one.off(hear)
    }
    server.socket.says(posted(aMessage('m1')))
    assert.equal(heard.length, 2, 'what listens to one type goes on')
    for (const one of [client, tea]) one.off('message.new', hear)
    server.socket.says(posted(aMessage('m2')))
    assert.equal(heard.length, 2)
  })

  it('lets the listeners of a deletion still use the channel, and removes it afterwards', async () => {
    for (const type of [
      'channel.deleted',
      'notification.channel_deleted',
      'notification.removed_from_channel',
    ] as const) {
      const { client, server, tea } = await adaInTea()
      let name: unknown
      tea.on(type, () => {
        name = tea.getConfig()?.name
      })
      server.socket.says({ type, cid: 'messaging:tea', channel: {}, member: aMember(ada), user: ada })
      assert.equal(name, 'messaging')
      assert.equal(tea.disconnected, true)
      assert.notEqual(client.channel('messaging', 'tea'), tea)
    }
  })

  it('an event for a channel that is not active creates none', async () => {
    const { client, server } = await aConnectedWorld()
    const heard: string[] = []
    client.on((event) => heard.push(event.type))
    server.socket.says({ ...posted(aMessage('m1')), type: 'notification.message_new' })
    assert.deepEqual(heard, ['notification.message_new'])
  })
})

describe('the own user', () => {
  it('takes unread totals from every event that has them, 0 included', async () => {
    const { client, server } = await aConnectedWorld({ own: me(ada, { total_unread_count: 5, unread_channels: 2 }) })
    assert.deepEqual(client.unread.snapshot(), { total: 5, channels: 2 })
    const seen: unknown[] = []
    client.unread.subscribe(() => seen.push(client.unread.snapshot()))
    server.socket.says({
      type: 'notification.message_new',
      cid: 'messaging:x',
      total_unread_count: 6,
      unread_channels: 3,
    })
    server.socket.says({ type: 'message.new', cid: 'messaging:x', message: aMessage('m') })
    server.socket.says({ type: 'notification.mark_read', total_unread_count: 0, unread_channels: 0 })
    assert.deepEqual(seen, [
      { total: 6, channels: 3 },
      { total: 0, channels: 0 },
    ])
    assert.equal(client.user?.unread_count, 0)
  })

  it('has the muted users and channels', async () => {
    const { client, server, tea } = await adaInTea()
    server.socket.says(posted(aMessage('m1')))
    assert.equal(tea.countUnread(), 1)
    const mute = { user: ada, target: bo, created_at: '2026-01-05T09:00:00Z', updated_at: '' }
    server.socket.says({ type: 'notification.mutes_updated', me: me(ada, { mutes: [mute] }) })
    assert.deepEqual(client.mutedUsers, [mute])
    server.socket.says(posted(aMessage('m2', { minute: 1 })))
    assert.equal(tea.countUnread(), 1, 'muted people do not count [READ-11]')
    const channelMute = {
      user: ada,
      channel: { cid: 'messaging:tea' },
      created_at: '2026-01-05T09:00:00Z',
      updated_at: '',
    }
    server.socket.says({ type: 'notification.channel_mutes_updated', me: me(ada, { channel_mutes: [channelMute] }) })
    assert.equal(tea.countUnread(), 0, 'a channel muted now shows no number')
    assert.deepEqual(tea.muteStatus(), { muted: true, createdAt: new Date('2026-01-05T09:00:00Z'), expiresAt: null })
    assert.equal(tea.data.muted, true)
    server.socket.says({ type: 'notification.channel_mutes_updated', me: me(ada, { channel_mutes: [] }) })
    assert.equal(tea.data.muted, undefined)
  })

  it('ignores an expired mute', async () => {
    const mute = {
      user: ada,
      channel: { cid: 'messaging:tea' },
      created_at: '',
      updated_at: '',
      expires: '2026-01-05T09:10:00Z',
    }
    const { server, clock, tea } = await adaInTea({}, { own: me(ada, { channel_mutes: [mute] }) })
    server.socket.says(posted(aMessage('m1')))
    assert.equal(tea.countUnread(), 0)
    clock.advance(20_000)
    server.socket.says({ type: 'health.check', connection_id: 'c1' })
    for (let minute = 0; minute < 30; minute++) {
      clock.advance(20_000)
      server.socket.says({ type: 'health.check', connection_id: 'c1' })
    }
    server.socket.says(posted(aMessage('m2', { minute: 1 })))
    assert.equal(tea.countUnread(), 1)
  })

  it('[READ-15] has read every channel when all are marked read', async () => {
    const { server, tea } = await adaInTea()
    server.socket.says(posted(aMessage('m1')))
    const read = { cid: undefined, user: ada, total_unread_count: 1, unread_channels: 1 }
    server.socket.says(anEvent('notification.mark_read', { ...read, cid: 'messaging:coffee' }))
    server.socket.says(anEvent('notification.mark_read', read))
    assert.equal(tea.countUnread(), 1)
    server.socket.says(anEvent('notification.mark_read', { ...read, total_unread_count: 0, unread_channels: 0 }))
    assert.equal(tea.countUnread(), 0)
  })

  it('when an event without a channel deletes all of a user’s messages, they are deleted in every channel', async () => {
    const { server, tea } = await adaInTea({ messages: [aMessage('m1'), aMessage('m2', { minute: 1, user: ada })] })
    const gone = { type: 'user.messages.deleted', user: bo, hard_delete: true, created_at: '2026-01-05T09:00:00Z' }
    server.socket.says({ ...gone, cid: 'messaging:coffee' })
    assert.equal(tea.state.messages.length, 2)
    server.socket.says(gone)
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m2'],
    )
  })

  it('[USR-18] follows the changes of users in every channel and of the own user', async () => {
    const { client, server, tea } = await adaInTea({ messages: [aMessage('m1')] })
    server.socket.says({ type: 'user.updated', user: aUser('bo', { name: 'Robert' }) })
    assert.equal(tea.state.members.bo?.user.name, 'Robert')
    assert.equal(tea.state.messages[0]?.user.name, 'Robert')
    server.socket.says({
      type: 'user.presence.changed',
      user: aUser('ada', { online: false, last_active: '2026-01-05T09:00:00Z' }),
    })
    assert.deepEqual([client.user?.online, client.user?.last_active], [false, '2026-01-05T09:00:00Z'])
    assert.deepEqual(client.mutedUsers, [], 'what only the own user has stays')
    server.socket.says({ type: 'user.updated', user: aUser('ada', { name: 'Ada L.' }) })
    assert.equal(client.user?.name, 'Ada L.')
    server.socket.says({ type: 'user.presence.changed', user: aUser('bo', { online: false }) })
    assert.equal(tea.state.members.bo?.user.online, false)
    const deleted_at = '2026-01-05T09:30:00Z'
    const gone = { user: aUser('bo', { deleted_at }), created_at: deleted_at }
    server.socket.says({ type: 'user.deleted', ...gone, mark_messages_deleted: true, hard_delete: false })
    assert.deepEqual([tea.state.members.bo?.user.deleted_at, tea.state.messages[0]?.type], [deleted_at, 'deleted'])
  })

  it('[USR-18] loses own fields that were unset, and keeps the private ones', async () => {
    const muted = { user: ada, target: bo, created_at: '2026-01-05T09:00:00Z', updated_at: '2026-01-05T09:00:00Z' }
    const own = me(aUser('ada', { color: 'red', image: 'https://example.com/ada' }), {
      mutes: [muted],
      unread_channels: 1,
    })
    const { client, server } = await aConnectedWorld({ own })
    server.socket.says({ type: 'user.updated', user: ada })
    const { color, image, ...others } = client.user!
    assert.deepEqual([color, image], [undefined, undefined])
    assert.deepEqual(others, me(ada, { mutes: [muted], unread_channels: 1 }))
  })
})

describe('channels by name', () => {
  it('need a user', () => {
    assert.throws(() => aWorld().client.channel('messaging', 'tea'), { code: 'CLIENT_NO_USER' })
  })

  it('[CHN-5] [CHN-4] refuse a bad type', async () => {
    const { client } = await aConnectedWorld()
    const message = 'Invalid chat type mess aging, letters, numbers and "_-" are allowed'
    assert.throws(() => client.channel('mess aging', 'tea'), { message, code: 'CLIENT_CHANNEL_TYPE' })
    for (const type of ['tea!', 'té', 'a.b', ' tea', 'tea\n'])
      assert.throws(() => client.channel(type, 'tea'), { code: 'CLIENT_CHANNEL_TYPE' })
    assert.equal(client.channel('Team_2-b', 'tea').cid, 'Team_2-b:tea')
  })

  it('[CHN-7] [CHN-6] refuse a bad id', async () => {
    const { client } = await aConnectedWorld()
    const message = 'Invalid chat id te a, letters, numbers and "!-_" are allowed'
    assert.throws(() => client.channel('messaging', 'te a'), { message, code: 'CLIENT_CHANNEL_ID' })
    for (const id of ['té', 'a.b', ' tea', 'tea\n', 'a/b'])
      assert.throws(() => client.channel('messaging', id), { code: 'CLIENT_CHANNEL_ID' })
    assert.equal(client.channel('messaging', '!members-X_1').cid, 'messaging:!members-X_1')
  })

  it('[CHN-8] refuse a colon in type and id', async () => {
    const { client } = await aConnectedWorld()
    assert.throws(() => client.channel('a:b', 'tea'), { message: 'Channel type a:b can\'t contain ":"' })
    assert.throws(() => client.channel('messaging', 'a:b'), { message: 'Channel id a:b can\'t contain ":"' })
  })

  it('are the same object every time, and take the given data', async () => {
    const { client } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea', { name: 'Tea' })
    assert.equal(client.channel('messaging', 'tea', { image: 'cup.png' }), tea)
    assert.deepEqual(tea.data, { name: 'Tea', image: 'cup.png' })
  })

  it('are created with all requested data, whenever it was given', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', '/channels/messaging/tea/query', aChannel())
    client.channel('messaging', 'tea')
    const tea = client.channel('messaging', 'tea', { name: 'Tea', members: ['ada', 'bo'] })
    await tea.create()
    const [call] = server.callsTo('POST', '/channels/messaging/tea/query')
    assert.deepEqual(call?.body.data, { name: 'Tea', members: ['ada', 'bo'] })
  })

  it('[CHN-11] [CHN-57] without an id are identified by their members, in any order, and need one', async () => {
    const { client, server } = await aConnectedWorld()
    assert.throws(() => client.channel('messaging', { members: [] }), { code: 'CLIENT_MEMBERS_MISSING' })
    const alone = client.channel('messaging', { members: ['ada'] })
    assert.equal(client.channel('messaging', { members: ['ada'] }), alone)
    const pair = client.channel('messaging', { members: ['bo', 'ada'] })
    assert.equal(client.channel('messaging', null, { members: ['ada', 'bo'] }), pair)
    const heard: string[] = []
    pair.on('message.new', () => heard.push('new'))

    server.answers('POST', '/channels/messaging/query', () => aChannel({ id: '!members-77' }))
    await pair.watch()
    assert.deepEqual(server.callsTo('POST', '/channels/messaging/query')[0]?.body.data, { members: ['bo', 'ada'] })
    assert.equal(pair.cid, 'messaging:!members-77')
    assert.equal(client.channel('messaging', '!members-77'), pair)
    assert.equal(client.channel('messaging', { members: ['ada', 'bo'] }), pair)
    server.socket.says({ ...posted(aMessage('m1')), cid: 'messaging:!members-77' })
    assert.deepEqual(heard, ['new'], 'who listened before goes on hearing')
  })

  it('identified by members are known by their name once created, and keep events that came meanwhile', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', '/channels/messaging/query')
    const pair = client.channel('messaging', { members: ['bo', 'ada'] })
    const creating = pair.create({ state: true })
    await settle()
    server.socket.says(posted(aMessage('m1'), { cid: 'messaging:!members-77' }))
    await held.give(aChannel({ id: '!members-77' }))
    await creating
    assert.equal(client.channel('messaging', '!members-77'), pair)
    assert.equal(pair.lastMessage()?.id, 'm1')
    assert.notEqual(client.channel('team', { members: ['bo', 'ada'] }), pair)
  })

  it('that a list returns while they are being created are the same object', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', '/channels/messaging/query')
    const pair = client.channel('messaging', { members: ['bo', 'ada'] })
    const watching = pair.watch()
    await settle()
    server.answers('POST', '/channels', { channels: [aChannel({ id: '!members-77' })] })
    const [listed] = await client.queryChannels({})
    assert.equal(listed, pair)
    assert.equal(client.channel('messaging', '!members-77'), pair)
    await held.give(aChannel({ id: '!members-77' }))
    await watching
    server.socket.says(posted(aMessage('m1'), { cid: 'messaging:!members-77' }))
    assert.equal(pair.lastMessage()?.id, 'm1')
    server.answers('POST', '/channels', { channels: [aChannel({ id: 'lunch' })] })
    const three = client.channel('messaging', { members: ['ada', 'bo'] })
    assert.notEqual((await client.queryChannels({}))[0], three, 'a channel with a name of its own is no conversation')
  })

  it('[CHN-9] without id and members cannot be used', async () => {
    const { client } = await aConnectedWorld()
    const nameless = client.channel('messaging')
    const refusal = { message: 'channel id is not defined', code: 'CLIENT_CHANNEL_ID_MISSING' }
    await assert.rejects(nameless.watch(), refusal)
    await assert.rejects(nameless.sendMessage({ text: 'hi' }), refusal)
    await assert.rejects(nameless.search('tea'), refusal)
  })
})

describe('querying channels', () => {
  it('[CHN-13] gives the same channels, updated and in the server’s order', async () => {
    const { client, server, tea } = await adaInTea()
    server.answers('POST', '/channels', {
      channels: [aChannel({ id: 'cake' }), aChannel({ name: 'Green tea' }, { messages: [aMessage('m1')] })],
    })
    const found = await client.queryChannels({ members: { $in: ['ada'] } }, { last_message_at: -1 }, { limit: 5 })
    assert.deepEqual(
      found.map(({ id }) => id),
      ['cake', 'tea'],
    )
    assert.equal(found[1], tea)
    assert.equal(tea.data.name, 'Green tea')
    assert.ok(found.every((channel) => channel.initialized))
    assert.deepEqual(server.callsTo('POST', '/channels')[0]?.body, {
      filter_conditions: { members: { $in: ['ada'] } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      state: true,
      watch: true,
      presence: false,
      limit: 5,
      message_limit: 25,
      member_limit: 100,
    })
  })

  it('without state leaves the state of known channels unchanged', async () => {
    const { client, server, tea } = await adaInTea({ messages: [aMessage('m1')] })
    const bare = aChannel({ name: 'Coffee' }, { messages: [], members: [], read: [], membership: undefined })
    server.answers('POST', '/channels', { channels: [bare] })
    await client.queryChannels({}, [], { state: false })
    assert.equal(tea.data.name, 'Coffee')
    assert.deepEqual([tea.state.messages.length, Object.keys(tea.state.members)], [1, ['ada', 'bo']])
  })

  it('keeps events that arrived while the answer was on its way', async () => {
    const { client, server, tea } = await adaInTea()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    server.socket.says(posted(aMessage('m1')))
    await held.give({ channels: [aChannel()] })
    await asking
    assert.equal(tea.state.messages.length, 1)
  })

  it('keeps events that arrived meanwhile for a new channel', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    server.socket.says(posted(aMessage('m2', { minute: 2 })))
    server.socket.says(posted(aMessage('m3', { minute: 3 }), { cid: 'messaging:cake' }))
    await held.give({ channels: [aChannel({}, { messages: [aMessage('m1')] })] })
    const [tea] = await asking
    assert.deepEqual([tea?.state.messages.map(({ id }) => id), tea?.countUnread()], [['m1', 'm2'], 1])
  })

  it('counts as unread what arrived after Ada had read elsewhere, when the answer includes both', async () => {
    const { client, server, tea } = await adaInTea()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    const [m2, created_at] = [aMessage('m2', { minute: 2 }), '2026-01-05T08:01:30.000001Z']
    for (const type of ['message.read', 'notification.mark_read'])
      server.socket.says(anEvent(type, { user: ada, created_at }))
    server.socket.says(posted(m2))
    const read = [{ user: ada, last_read: created_at, unread_messages: 1 }]
    await held.give({ channels: [aChannel({}, { messages: [aMessage('m1'), m2], read })] })
    await asking
    assert.equal(tea.countUnread(), 1)
  })

  it('counts as unread what arrived last, however often Ada had read elsewhere before', async () => {
    const { client, server, tea } = await adaInTea()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    const at = (minute: number) => `2026-01-05T08:0${minute}:30.000001Z`
    for (const minute of [2, 3]) {
      server.socket.says(anEvent('message.read', { user: ada, created_at: at(minute - 1) }))
      server.socket.says(posted(aMessage(`m${minute}`, { minute })))
    }
    const read = [{ user: ada, last_read: at(2), unread_messages: 1 }]
    await held.give({ channels: [aChannel({}, { messages: messages(1, 3), read })] })
    await asking
    assert.equal(tea.countUnread(), 1)
  })

  it('does not count messages that were deleted for good meanwhile', async () => {
    const { client, server, tea } = await adaInTea()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    server.socket.says(anEvent('message.deleted', { message: aMessage('m1'), hard_delete: true }))
    const read = [{ user: ada, last_read: '2026-01-05T08:00:00Z', unread_messages: 1 }]
    await held.give({ channels: [aChannel({}, { messages: [aMessage('m1')], read })] })
    await asking
    assert.deepEqual([tea.state.messages, tea.countUnread()], [[], 0])
  })

  it('[CHN-59] uses a predefined filter by its name', async () => {
    const { client, server } = await adaInTea()
    server.answers('POST', '/channels', { channels: [] })
    const named = { predefined_filter: 'mine', filter_values: { user: 'ada' }, sort_values: { field: 'name' } }
    await client.queryChannels({}, [], named)
    const { predefined_filter, filter_values, sort_values } = server.callsTo('POST', '/channels')[0]?.body ?? {}
    assert.deepEqual({ predefined_filter, filter_values, sort_values }, named)
  })

  it('[LIM-2] never requests more than 100 messages', async () => {
    const { client, server, tea } = await adaInTea()
    server.answers('POST', '/channels', { channels: [] })
    await client.queryChannels({}, [], { message_limit: 300 })
    assert.equal(server.callsTo('POST', '/channels')[0]?.body.message_limit, 100)
    server.answers('GET', '/messages/m1/replies', { messages: [] })
    await tea.query({ messages: { limit: 300 } })
    await tea.getReplies('m1', { limit: 300 })
    assert.equal(server.callsTo('POST', '/channels/messaging/tea/query').at(-1)?.body.messages.limit, 100)
    assert.equal(server.callsTo('GET', '/messages/m1/replies')[0]?.query.limit, '100')
  })

  it('waits for the connection when it watches', async () => {
    const { client, server } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    server.answers('POST', '/channels', { channels: [] })
    const asking = client.queryChannels({})
    await settle()
    assert.equal(server.calls.length, 0)
    server.socket.confirms()
    await connecting
    await asking
    assert.equal(server.callsTo('POST', '/channels')[0]?.query.connection_id, 'c1')
  })

  it('queries again when the connection that would watch is lost', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    await reconnect({ server, clock })
    server.answers('POST', '/channels', { channels: [aChannel()] })
    await held.give({ channels: [] })
    assert.deepEqual(
      (await asking).map(({ id }) => id),
      ['tea'],
    )
  })

  it('leaves the channels in skipInitialization unchanged', async () => {
    const { client, server, tea } = await adaInTea()
    server.answers('POST', '/channels', { channels: [aChannel({ name: 'Coffee' })] })
    const [found] = await client.queryChannels({}, [], {}, { skipInitialization: ['messaging:tea'] })
    assert.deepEqual([found, tea.data.name], [tea, 'Tea'])
  })

  it('can be aborted while there is no connection', async () => {
    const { client, server } = await aConnectedWorld()
    server.socket.breaks()
    const giveUp = new AbortController()
    const { signal } = giveUp
    const asking = [
      client.queryChannels({}, [], {}, {}, { signal }),
      client.channel('messaging', 'tea').watch({}, { signal }),
      client.queryThreads({}, { signal }),
    ].map((call) => assert.rejects(call, { code: 'ERR_CANCELED' }))
    await settle()
    giveUp.abort()
    await Promise.all(asking)
    assert.equal(server.calls.length, 0)
  })

  it('does not restore a channel that Ada was removed from while it was queried', async () => {
    const { client, server, tea } = await adaInTea()
    const held = server.holds('POST', '/channels')
    const asking = client.queryChannels({})
    await settle()
    server.socket.says({ type: 'notification.removed_from_channel', cid: 'messaging:tea', member: aMember(ada) })
    await held.give({ channels: [aChannel({ id: 'cake' }), aChannel()] })
    assert.deepEqual(
      (await asking).map(({ id }) => id),
      ['cake'],
    )
    assert.equal(tea.disconnected, true)
  })

  it('accepts every notation of a sort', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', '/channels', { channels: [] })
    const sorts = [{ a: 1 }, [{ a: 1 }], [{ field: 'a', direction: 1 }]] as const
    for (const sort of sorts) await client.queryChannels({}, sort)
    for (const call of server.callsTo('POST', '/channels'))
      assert.deepEqual(call.body.sort, [{ field: 'a', direction: 1 }])
  })
})

describe('recovering after a reconnect', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      aChannel({ id: `c${i}`, last_message_at: new Date(Date.UTC(2026, 0, 5, 8, i)).toISOString() }),
    )

  async function adaWith(count: number) {
    const world = await aConnectedWorld()
    const all = list(count)
    world.server.answers('POST', '/channels', ({ body }) => {
      const cids: string[] | undefined = body.filter_conditions.cid?.$in
      return { channels: cids ? all.filter(({ channel }) => cids.includes(channel.cid)).slice(0, 30) : all }
    })
    const channels = await world.client.queryChannels({})
    world.server.calls.length = 0
    return { ...world, channels }
  }

  it('[CON-14] [CON-15] reloads the 30 channels with the newest messages', async () => {
    const world = await adaWith(40)
    await reconnect(world)
    const [call] = world.server.callsTo('POST', '/channels')
    assert.equal(call?.body.limit, 30)
    assert.deepEqual(call?.body.sort, [{ field: 'last_message_at', direction: -1 }])
    const newest = Array.from({ length: 30 }, (_, i) => `messaging:c${39 - i}`)
    assert.deepEqual(call?.body.filter_conditions, { cid: { $in: newest } })
    assert.equal(call?.query.connection_id, 'c2')
  })

  it('[CON-23] marks the rest stale and reloads it in further pages, one per second, open channels first', async () => {
    const world = await adaWith(70)
    const open = world.channels.find(({ id }) => id === 'c3')!
    open.subscribe(() => {})
    const pages = (): string[][] =>
      world.server.callsTo('POST', '/channels').map(({ body }) => body.filter_conditions.cid.$in)
    await reconnect(world)
    assert.equal(open.initialized, false, 'the server does not watch it')
    for (const sizes of [[30], [30, 30], [30, 30, 10]]) {
      assert.deepEqual(
        pages().map(({ length }) => length),
        sizes,
      )
      world.clock.advance(999)
      await settle()
      assert.equal(pages().length, sizes.length)
      world.clock.advance(1)
      await settle()
    }
    assert.equal(pages()[1]?.[0], 'messaging:c3')
    assert.ok(world.channels.every((channel) => channel.initialized))
  })

  it('[CON-23] a channel that the application opens before its turn still gets what it missed', async () => {
    const world = await adaWith(40)
    const open = world.channels.find(({ id }) => id === 'c3')!
    open.subscribe(() => {})
    const { cid } = open
    for (let i = 0; i < 30; i++) world.server.socket.says(posted(aMessage(`old${i}`), { cid }))
    await reconnect(world)
    const page = aChannel({ id: 'c3' }, { messages: messages(5, 29) })
    world.server.answers('POST', '/channels/messaging/c3/query', page)
    await open.watch()
    world.server.answers('POST', '/channels', { channels: [page] })
    world.server.answers('POST', '/sync', { events: messages(1, 29).map((message) => posted(message, { cid })) })
    world.clock.advance(1_000)
    await settle()
    assert.deepEqual([open.state.messages.length, open.state.sets.length], [30 + 29, 1])
  })

  it('[CON-24] notifies its listeners once, after the first page', async () => {
    const world = await adaWith(50)
    let told = 0
    world.client.on('connection.recovered', () => told++)
    await reconnect(world)
    assert.equal(told, 1)
    world.clock.advance(5_000)
    await settle()
    assert.equal(told, 1)
  })

  it('keeps presence for channels that requested it', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const asked = () => server.callsTo('POST', '/channels').map(({ body }) => body.presence)
    const channels = list(2)
    server.answers('POST', '/channels', { channels })
    server.answers('POST', '/channels/messaging/c1/query', channels[1]!)
    await client.queryChannels({})
    await reconnect({ server, clock })
    assert.deepEqual(asked(), [false, false])
    await client.channel('messaging', 'c1').watch({ presence: true })
    await reconnect({ server, clock })
    assert.deepEqual(asked(), [false, false, true])
    await client.queryChannels({}, [], { presence: true })
    await reconnect({ server, clock })
    assert.deepEqual(asked(), [false, false, true, true, true])
  })

  /** Ada has paged back to the beginning of a channel with forty messages; a page has the newest of them. */
  async function adaPagedBack() {
    const world = await adaInTea({ messages: messages(16, 40) })
    const path = '/channels/messaging/tea/query'
    world.server.answers('POST', path, () => aChannel({}, { messages: messages(1, 15) }))
    await world.tea.loadOlder()
    assert.equal(world.tea.state.messages.length, 40)
    world.server.answers('POST', '/channels', { channels: [aChannel({}, { messages: messages(16, 40) })] })
    return world
  }
  const edited = (text: string, minute: number) =>
    anEvent('message.updated', {
      message: aMessage('m5', { minute: 5, text, updated_at: new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString() }),
    })

  it('[CON-18] gets the changes of messages before the reloaded page, and only the newest of those', async () => {
    const { server, clock, tea } = await adaPagedBack()
    const sync = server.holds('POST', '/sync')
    await reconnect({ server, clock })
    server.socket.says(edited('The newest', 3))
    const gone = anEvent('message.deleted', { hard_delete: true, message: aMessage('m3', { minute: 3 }) })
    await sync.give({ events: [edited('An older one', 1), gone] })
    const texts = tea.state.messages.map(({ text }) => text)
    assert.deepEqual(texts.slice(0, 5), ['m1', 'm2', 'm4', 'The newest', 'm6'])
    assert.equal(texts.length, 39)
    const [{ body } = { body: undefined }] = server.callsTo('POST', '/sync')
    assert.deepEqual(body, { channel_cids: ['messaging:tea'], last_sync_at: '2026-01-05T08:59:55.000Z' })

    await reconnect({ server, clock })
    assert.equal(server.callsTo('POST', '/sync').length, 2)
  })

  it('[CON-18] fills the gap between the loaded messages and a newer page with the missed events', async () => {
    const { server, clock, tea } = await adaPagedBack()
    const shown = () => tea.state.messages.map(({ id }) => Number(id.slice(1)))
    const all = Array.from({ length: 70 }, (_, i) => i + 1)
    server.answers('POST', '/channels', { channels: [aChannel({}, { messages: messages(46, 70) })] })
    // The connection is lost again before the answer.
    const first = server.holds('POST', '/sync')
    await reconnect({ server, clock })
    await first.break()
    const events = messages(39, 68).map((message) => posted(message))
    const second = server.holds('POST', '/sync')
    await reconnect({ server, clock })
    server.socket.says(posted(aMessage('m71', { minute: 71 })))
    await second.give({ events })
    assert.deepEqual(shown(), [...all, 71])
    assert.deepEqual([tea.state.sets.length, tea.state.sets[0]?.latest], [1, true])
    server.socket.says(posted(aMessage('m72', { minute: 72 })))
    assert.equal(shown().at(-1), 72)
  })

  it('[CON-25] evicts the messages before the page when the server does not return all missed events', async () => {
    const { server, clock, tea } = await adaPagedBack()
    server.answers('POST', '/sync', () => new Refusal(4, 400, 'too many events'))
    await reconnect({ server, clock })
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m16', 25])
    assert.equal(tea.state.sets[0]?.hasOlder, true)
  })

  it('syncs from the first loss of the connection until there is an answer', async () => {
    const { server, clock } = await adaPagedBack()
    const sinces = () => server.callsTo('POST', '/sync').map(({ body }) => body.last_sync_at)
    const first = server.holds('POST', '/sync')
    await reconnect({ server, clock })
    server.socket.says({ type: 'health.check', created_at: '2026-01-05T10:00:00Z' })
    await first.break()
    server.answers('POST', '/sync', { events: [] })
    await reconnect({ server, clock })
    assert.deepEqual(sinces(), ['2026-01-05T08:59:55.000Z', '2026-01-05T08:59:55.000Z'])
    await reconnect({ server, clock })
    assert.equal(sinces().length, 3)
  })

  it('hides no gap behind messages sent while it syncs', async () => {
    const { server, clock, tea } = await adaInTea({ messages: messages(1, 3) })
    const held = server.holds('POST', '/channels')
    await reconnect({ server, clock })
    server.socket.says(posted(aMessage('m59', { minute: 59 })))
    await held.give({ channels: [aChannel({}, { messages: messages(35, 59) })] })
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m35', 25])
    assert.equal(tea.state.sets[0]?.hasOlder, true)
  })

  it('removes channels that are not in the answer, but not hidden ones', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const [gone, hidden] = [aChannel({ id: 'gone' }), aChannel({ id: 'hidden' })]
    server.answers('POST', '/channels', { channels: [gone, hidden] })
    const [first, second] = await client.queryChannels({})
    server.answers('POST', '/channels', ({ body }) => ({ channels: body.filter_conditions.hidden ? [hidden] : [] }))
    const heard: unknown[] = []
    client.on('notification.removed_from_channel', ({ cid }) => heard.push(cid))
    await reconnect({ server, clock })
    assert.deepEqual(heard, ['messaging:gone'])
    assert.deepEqual([first?.disconnected, second?.disconnected], [true, false])
  })

  it('reloads the other channels when the server refuses because of one that was lost meanwhile', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const [mine, open, lost] = ['mine', 'open', 'lost'].map((id) => aChannel({ id }))
    server.answers('POST', '/channels', { channels: [mine, open, lost] })
    const channels = await client.queryChannels({})
    server.answers('POST', '/channels', ({ body: { filter_conditions } }) => {
      if (filter_conditions.members) return { channels: [mine] }
      if (filter_conditions.hidden) return { channels: [] }
      return filter_conditions.cid === 'messaging:open' ? { channels: [open] } : new Refusal(70, 403, 'no access')
    })
    await reconnect({ server, clock })
    assert.deepEqual(
      channels.map(({ initialized, disconnected }) => [initialized, disconnected]),
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    )
  })

  it('happens neither after the first connection nor when the application reloads its channels', async () => {
    const { client, server, clock } = await aConnectedWorld({ recoverStateOnReconnect: false })
    server.answers('POST', '/channels/messaging/tea/query', () => aChannel())
    await client.channel('messaging', 'tea').watch()
    const tea = client.channel('messaging', 'tea')
    let told = 0
    client.on('connection.recovered', () => told++)
    assert.deepEqual([told, tea.initialized], [0, true])
    await reconnect({ server, clock })
    assert.equal(server.callsTo('POST', '/channels').length, 0)
    assert.deepEqual([told, tea.initialized], [1, false], 'the new connection watches nothing')
  })

  it('is retried when the server refuses', async () => {
    const world = await adaWith(2)
    world.server.answers('POST', '/channels', new Refusal(-1, 500, 'broken'))
    let told = 0
    world.client.on('connection.recovered', () => told++)
    await reconnect(world)
    assert.equal(told, 1)
    assert.equal(world.channels[0]?.initialized, false, 'the next watch really asks')
    assert.equal(world.channels[0]?.disconnected, false)
  })

  it('is retried, with growing delays, until the server answers', async () => {
    const world = await adaWith(2)
    const calls = () => world.server.callsTo('POST', '/channels').length
    world.server.answers('POST', '/channels', new Refusal(9, 429, 'too many'))
    await reconnect(world)
    assert.equal(calls(), 1)
    for (const [waitMs, expected] of [
      [1_000, 2],
      [1_249, 2],
      [1, 3],
      [1_500, 4],
    ] as const) {
      world.clock.advance(waitMs)
      await settle()
      assert.equal(calls(), expected)
    }
    world.server.answers('POST', '/channels', { channels: list(2) })
    world.clock.advance(1_750)
    await settle()
    assert.ok(world.channels.every((channel) => channel.initialized))
    world.clock.advance(10_000)
    await settle()
    assert.equal(calls(), 5)
  })

  it('removes nothing of the next user when a sign-out overtakes it', async () => {
    const world = await adaWith(2)
    const held = world.server.holds('POST', '/channels')
    await reconnect(world)
    world.client.disconnectUser()
    const connecting = world.client.connectUser({ id: 'bo' }, developmentToken('bo'))
    await settle()
    world.server.socket.confirms(me(bo), 'c3')
    await connecting
    const bos = world.client.channel('messaging', 'c0')
    const heard: string[] = []
    world.client.on((event) => heard.push(event.type))
    await held.give({ channels: [] })
    assert.deepEqual([heard, bos.disconnected], [[], false])
  })

  it('[CON-23] requests one page when it reconnects, however long it was offline', async () => {
    const world = await adaWith(40)
    await reconnect(world)
    world.server.socket.breaks()
    for (let half = 0; half < 4; half++) {
      world.clock.advance(500)
      await settle()
    }
    const before = world.server.callsTo('POST', '/channels').length
    world.server.socket.confirms(me(ada), 'c3')
    await settle()
    assert.equal(world.server.callsTo('POST', '/channels').length, before + 1)
    world.clock.advance(1_000)
    await settle()
    assert.ok(world.channels.every((channel) => channel.initialized))
  })

  it('continues with the rest of an interrupted recovery', async () => {
    const world = await adaWith(40)
    await reconnect(world)
    await reconnect(world)
    world.clock.advance(1_000)
    await settle()
    assert.ok(world.channels.every((channel) => channel.initialized))
    assert.equal(world.server.callsTo('POST', '/channels').length, 3)
  })

  it('also follows when the application closed and opened the connection', async () => {
    const { client, server } = await adaWith(2)
    await client.closeConnection()
    const opening = client.openConnection()
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await opening
    assert.equal(server.callsTo('POST', '/channels').length, 1)
  })

  it('a channel that was only queried meanwhile is still reloaded', async () => {
    const world = await adaWith(40)
    await reconnect(world)
    const waiting = world.channels.filter(({ initialized }) => !initialized)
    assert.equal(waiting.length, 10)
    const { id } = waiting[0]!
    world.server.answers('POST', `/channels/messaging/${id}/query`, aChannel({ id }))
    await waiting[0]!.query()
    world.clock.advance(1_000)
    await settle()
    const { filter_conditions } = world.server.callsTo('POST', '/channels').at(-1)?.body ?? {}
    assert.equal(filter_conditions.cid.$in.length, 10, 'nobody watches it yet')
  })

  it('a channel that is no longer watched is not reloaded', async () => {
    const world = await adaWith(40)
    await reconnect(world)
    const waiting = world.channels.find(({ initialized }) => !initialized)!
    await waiting.stopWatching()
    for (let second = 0; second < 5; second++) {
      world.clock.advance(1_000)
      await settle()
    }
    const asked = world.server.callsTo('POST', '/channels').map(({ body }) => body.filter_conditions.cid.$in)
    assert.deepEqual([asked.map(({ length }) => length), asked.flat().includes(waiting.cid)], [[30, 9], false])
  })

  it('a channel that gets notification.message_new is watched again', async () => {
    const { server, tea } = await adaInTea()
    server.socket.says({ ...posted(aMessage('m1')), type: 'notification.message_new', channel: {} })
    await settle()
    assert.equal(server.callsTo('POST', '/channels/messaging/tea/query').length, 2)
    assert.equal(tea.initialized, true)
  })

  it('and is reloaded a second later if that failed', async () => {
    const { server, clock, tea } = await adaInTea()
    server.answers('POST', '/channels/messaging/tea/query', new Refusal(-1, 500, 'broken'))
    server.answers('POST', '/channels', { channels: [aChannel({}, { messages: [aMessage('m1')] })] })
    server.socket.says({ ...posted(aMessage('m1')), type: 'notification.message_new', channel: {} })
    await settle()
    clock.advance(1_000)
    await settle()
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m1'],
    )
    assert.equal(tea.initialized, true)
  })

  it('and by the next connection, if this one is lost before the answer', async () => {
    const { server, clock, tea } = await adaInTea()
    const held = server.holds('POST', '/channels/messaging/tea/query')
    server.socket.says({ ...posted(aMessage('m1')), type: 'notification.message_new', channel: {} })
    await settle()
    server.answers('POST', '/channels', { channels: [aChannel({}, { messages: [aMessage('m1')] })] })
    await reconnect({ server, clock })
    await held.break()
    assert.equal(server.callsTo('POST', '/channels').length, 1)
    assert.deepEqual([tea.initialized, tea.state.messages.length], [true, 1])
  })

  it('a watch whose connection is lost before its answer is requested again', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const held = server.holds('POST', '/channels/messaging/tea/query')
    const watching = client.channel('messaging', 'tea').watch()
    await settle()
    await reconnect({ server, clock })
    server.answers('POST', '/channels/messaging/tea/query', aChannel())
    await held.give(aChannel())
    await watching
    const asked = server.callsTo('POST', '/channels/messaging/tea/query').map(({ query }) => query.connection_id)
    assert.deepEqual(asked, ['c1', 'c2'])
  })

  it('a failed reload of an older connection does not affect what the newer one loaded', async () => {
    const { server, clock, channels } = await adaWith(2)
    const held = server.holds('POST', '/channels')
    await reconnect({ server, clock })
    server.answers('POST', '/channels', { channels: list(2) })
    await reconnect({ server, clock })
    await held.break()
    assert.ok(channels.every((channel) => channel.initialized))
  })
})

describe('calls', () => {
  /** The request of one call: method, path, query without the common parameters, and body. */
  async function sent(call: (client: ChatClient) => Promise<unknown>) {
    const { client, server } = await aConnectedWorld()
    await call(client)
    const [{ method, path, query, body }] = server.calls as [FakeServer['calls'][number]]
    const { api_key: _, connection_id: __, user_id: ___, ...own } = query
    return [method, path, own, body]
  }

  it('[SET-1] getAppSettings', async () => {
    assert.deepEqual(await sent((client) => client.getAppSettings()), ['GET', '/app', {}, undefined])
  })

  it('[USR-3] queryUsers', async () => {
    const payload = {
      filter_conditions: { name: 'Bo' },
      sort: [{ field: 'id', direction: 1 }],
      presence: false,
      limit: 3,
    }
    const call = sent((client) => client.queryUsers({ name: 'Bo' }, { id: 1 }, { limit: 3 }))
    assert.deepEqual(await call, ['GET', '/users', { payload: JSON.stringify(payload) }, undefined])
  })

  it('[USR-4] upsertUsers', async () => {
    const body = { users: { bo: { id: 'bo', name: 'Bo' } } }
    assert.deepEqual(await sent((client) => client.upsertUser({ id: 'bo', name: 'Bo' })), ['POST', '/users', {}, body])
    const { client } = aWorld()
    const refusal = { code: 'CLIENT_USERS_ENTRY', message: 'Every user needs an id' }
    await assert.rejects(client.upsertUsers([{ id: '' }]), refusal)
    await assert.rejects(client.partialUpdateUser({ id: '', set: {} }), refusal)
  })

  it('[USR-5] partialUpdateUsers', async () => {
    const update = { id: 'ada', set: { name: 'Ada L.' }, unset: ['colour'] }
    const call = sent((client) => client.partialUpdateUser(update))
    assert.deepEqual(await call, ['PATCH', '/users', {}, { users: [update] }])
  })

  it('[READ-4] markChannelsRead', async () => {
    const read_by_channel = { 'messaging:tea': '' }
    assert.deepEqual(await sent((client) => client.markChannelsRead()), ['POST', '/channels/read', {}, {}])
    const call = sent((client) => client.markChannelsRead({ read_by_channel }))
    assert.deepEqual(await call, ['POST', '/channels/read', {}, { read_by_channel }])
  })

  it('[READ-5] getUnreadCount', async () => {
    assert.deepEqual(await sent((client) => client.getUnreadCount()), ['GET', '/unread', {}, undefined])
  })

  it('[CON-18] sync', async () => {
    const since = '2026-01-05T08:00:00Z'
    const call = sent((client) => client.sync(['messaging:tea'], since, { with_inaccessible_cids: true }))
    const body = { channel_cids: ['messaging:tea'], last_sync_at: since }
    assert.deepEqual(await call, ['POST', '/sync', { with_inaccessible_cids: 'true' }, body])
  })

  it('[MSG-10] getMessage', async () => {
    assert.deepEqual(await sent((client) => client.getMessage('a/b')), ['GET', '/messages/a%2Fb', {}, undefined])
    const deleted = await sent((client) => client.getMessage('m1', { show_deleted_message: true }))
    assert.deepEqual(deleted, ['GET', '/messages/m1', { show_deleted_message: 'true' }, undefined])
  })

  it('[MSG-32] updateMessage replaces, without server-managed fields', async () => {
    const message = {
      ...aMessage('m1', { text: 'new', mentioned_users: [bo], html: '<p>' }),
      mood: 'good',
      status: 'failed',
      unheard: true,
    }
    const [method, path, , body] = await sent((client) => client.updateMessage(message as never))
    assert.deepEqual([method, path], ['POST', '/messages/m1'])
    assert.deepEqual(body, {
      message: {
        id: 'm1',
        text: 'new',
        attachments: [],
        mentioned_users: ['bo'],
        mood: 'good',
        silent: false,
        pinned: false,
        pin_expires: null,
        restricted_visibility: [],
      },
    })
  })

  it('[MSG-11] partialUpdateMessage patches', async () => {
    const call = sent((client) => client.partialUpdateMessage('m1', { set: { text: 'x' }, unset: ['mood'] }))
    assert.deepEqual(await call, ['PUT', '/messages/m1', {}, { set: { text: 'x' }, unset: ['mood'] }])
  })

  it('[MSG-13] deleteMessage, for good with the hard flag', async () => {
    assert.deepEqual(await sent((client) => client.deleteMessage('m1')), ['DELETE', '/messages/m1', {}, undefined])
    for (const hard of [true, { hardDelete: true }])
      assert.deepEqual(await sent((client) => client.deleteMessage('m1', hard)), [
        'DELETE',
        '/messages/m1',
        { hard: 'true' },
        undefined,
      ])
    const forMe = sent((client) => client.deleteMessage('m1', { deleteForMe: true }))
    assert.deepEqual(await forMe, ['DELETE', '/messages/m1', { delete_for_me: 'true' }, undefined])
  })

  it('[MSG-17] no message is updated or deleted without its id', async () => {
    const { client, server } = aWorld()
    const code = 'CLIENT_MESSAGE_ID_MISSING'
    await assert.rejects(client.updateMessage({ text: 'x' } as never), {
      code,
      message: 'A message id is needed to update a message',
    })
    await assert.rejects(client.partialUpdateMessage('', {}), { code })
    await assert.rejects(client.deleteMessage(''), { code, message: 'A message id is needed to delete a message' })
    assert.equal(server.calls.length, 0)
  })

  it('[MSG-15] translateMessage', async () => {
    const call = sent((client) => client.translateMessage('m1', 'fr'))
    assert.deepEqual(await call, ['POST', '/messages/m1/translate', {}, { language: 'fr' }])
  })

  it('[RXN-4] queryReactions', async () => {
    const call = sent((client) => client.queryReactions('m1', { type: 'love' }, { created_at: -1 }, { limit: 5 }))
    const body = { filter: { type: 'love' }, sort: [{ field: 'created_at', direction: -1 }], limit: 5 }
    assert.deepEqual(await call, ['POST', '/messages/m1/reactions', {}, body])
  })

  it('[CHN-26] getCallToken', async () => {
    assert.deepEqual(await sent((client) => client.getCallToken('call-1')), ['POST', '/calls/call-1', {}, {}])
  })

  it('[CHN-19] deleteChannels', async () => {
    const body = { cids: ['messaging:tea'], hard_delete: true }
    const call = sent((client) => client.deleteChannels(['messaging:tea'], { hard_delete: true }))
    assert.deepEqual(await call, ['POST', '/channels/delete', {}, body])
  })

  it('a block that Ada sent while she signed out does not apply to Bo', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', '/users/block')
    const blocking = client.blockUser('cy')
    await settle()
    void client.disconnectUser()
    const connecting = client.connectUser({ id: 'bo' }, developmentToken('bo'))
    await settle()
    server.socket.confirms(me(bo), 'c2')
    await connecting
    await held.give({})
    await blocking
    assert.deepEqual(client.blockedUserIds, [])
  })

  it('[USR-14] [USR-15] blockUser and unBlockUser, which update the own user', async () => {
    const { client, server } = await aConnectedWorld()
    await client.blockUser('bo')
    assert.deepEqual(server.callsTo('POST', '/users/block')[0]?.body, { blocked_user_id: 'bo' })
    assert.deepEqual(client.blockedUserIds, ['bo'])
    await client.unBlockUser('bo')
    assert.deepEqual(server.callsTo('POST', '/users/unblock')[0]?.body, { blocked_user_id: 'bo' })
    assert.deepEqual(client.blockedUserIds, [])
  })

  it('pinMessage until a time, for some seconds, or for good', async () => {
    const expiry = async (expires: number | string | Date | null) =>
      (await sent((client) => client.pinMessage('m1', expires)))[3]
    const pinned = (pin_expires: string | null) => ({ set: { pinned: true, pin_expires } })
    assert.deepEqual(await expiry(null), pinned(null))
    assert.deepEqual(await expiry(60), pinned('2026-01-05T09:01:00.000Z'))
    assert.deepEqual(await expiry('2030-01-01T00:00:00Z'), pinned('2030-01-01T00:00:00.000Z'))
    assert.deepEqual(await expiry(new Date('2030-01-01T00:00:00Z')), pinned('2030-01-01T00:00:00.000Z'))
    const message = 'A pin expiry must be a number of seconds, a Date or a date string'
    for (const wrong of [true, {}, 'tomorrow', Number.NaN])
      await assert.rejects(aWorld().client.pinMessage('m1', wrong as never), { message, code: 'CLIENT_PIN_EXPIRY' })
    const since = await sent((client) => client.pinMessage('m1', null, undefined, new Date('2026-01-01T00:00:00Z')))
    assert.deepEqual(since[3], { set: { pinned: true, pin_expires: null, pinned_at: '2026-01-01T00:00:00.000Z' } })
    const unpin = await sent((client) => client.unpinMessage({ id: 'm1' }))
    assert.deepEqual(unpin[3], { set: { pinned: false } })
  })
})
