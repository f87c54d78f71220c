import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import type { ChannelStateAnswer, Message } from '../shapes.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, anEvent, aReaction, bo, me, messages, posted } from '../testing/wire.ts'
import { developmentToken } from '../token.ts'

const QUERY = '/channels/messaging/tea/query'
const SEND = '/channels/messaging/tea/message'

async function adaInTea(answer: Partial<ChannelStateAnswer> = {}, options: Parameters<typeof aConnectedWorld>[0] = {}) {
  const world = await aConnectedWorld(options)
  world.server.answers('POST', QUERY, () => aChannel({}, answer))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const find = (id: string) => tea.state.messages.find((message) => message.id === id)
  const shown = () => tea.state.messages.map(({ text, status }) => `${text}: ${status}`)
  return { ...world, tea, find, shown }
}

/** The server's version of a message that Ada sent. */
const stored = ({ body }: Call, fields: Partial<Message> = {}): Message =>
  aMessage(body.message.id, {
    text: body.message.text,
    user: ada,
    created_at: '2026-01-05T09:00:00.000123Z',
    ...fields,
  })

const tooSlow = new Refusal(60, 403, 'slow mode')

describe('sending', () => {
  it('[MSG-18] shows the message at once, as sending', async () => {
    const { server, tea, shown } = await adaInTea({ messages: messages(1, 1) })
    server.holds('POST', SEND)
    const draft = { text: 'hi', mentioned_users: ['bo'], quoted_message_id: 'm1', mood: 'good' }
    tea.send(draft)
    assert.deepEqual(shown(), ['m1: received', 'hi: sending'])
    const sending = tea.lastMessage()
    assert.match(sending?.id ?? '', /^ada-[0-9a-f-]{36}$/)
    assert.deepEqual([sending?.user.id, sending?.type, sending?.mood], ['ada', 'regular', 'good'])
    assert.deepEqual(
      sending?.mentioned_users.map(({ name }) => name),
      ['Bo'],
    )
    assert.equal(sending?.quoted_message?.text, 'm1')
    assert.equal(sending?.created_at.toISOString(), '2026-01-05T09:00:00.000Z')
  })

  it('[MSG-18] shows a reply at once in its thread, as sending, and in the channel only if it is sent there, too', async () => {
    const { server, tea, shown } = await adaInTea({ messages: messages(1, 1) })
    server.answers('GET', '/messages/m1/replies', { messages: [] })
    await tea.getReplies('m1')
    server.holds('POST', SEND)
    tea.send({ text: 'hi', parent_id: 'm1' })
    server.holds('POST', SEND)
    tea.send({ text: 'to all', parent_id: 'm1', show_in_channel: true })
    const replies = (tea.state.replies.m1 ?? []).map(({ text, type, status }) => [text, type, status])
    assert.deepEqual(replies, [
      ['hi', 'reply', 'sending'],
      ['to all', 'reply', 'sending'],
    ])
    assert.deepEqual(shown(), ['m1: received', 'to all: sending'])
  })

  it('[USR-1] shows it, and a reaction, with its author’s public fields', async () => {
    const own = me(ada, { blocked_user_ids: ['cy'], invisible: true, devices: [], push_preferences: {} })
    const { client, server, tea } = await adaInTea({ messages: messages(1, 1) }, { own })
    for (const path of [SEND, '/messages/m1/reaction']) server.holds('POST', path)
    server.holds('PUT', '/messages/m1')
    tea.send({ text: 'hi' })
    tea.react('m1', 'love')
    client.pinMessage('m1')
    await expect.poll(() => tea.state.pinned_messages.length).toBe(1)
    const [m1, sending] = tea.state.messages
    assert.deepEqual([sending?.user, m1?.own_reactions[0]?.user, m1?.pinned_by], [ada, ada, ada])
    server.socket.says(anEvent('user.updated', { user: { ...ada, invisible: true, privacy_settings: {} } }))
    const { messages: after, members } = tea.state
    assert.deepEqual([after[1]?.user, members.ada?.user], [ada, ada])
  })

  it('[MSG-31] sends the text, with its id, its mentions as ids and the quoted message', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 1) })
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    const sent = await tea.send({ text: 'hi', mentioned_users: ['bo'], quoted_message_id: 'm1' }, { skip_push: true })
    assert.deepEqual(server.callsTo('POST', SEND)[0]?.body, {
      message: { id: sent.id, text: 'hi', mentioned_users: ['bo'], quoted_message_id: 'm1' },
      skip_push: true,
    })
  })

  it('[MSG-19] is confirmed by the answer', async () => {
    const { server, tea, shown } = await adaInTea()
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    const sent = await tea.send({ text: 'hi' })
    assert.equal(sent.status, 'received')
    assert.deepEqual(shown(), ['hi: received'])
    assert.equal(sent.createdAtIso, '2026-01-05T09:00:00.000123Z')
    assert.equal(tea.state.read.ada?.last_read_message_id, sent.id)
  })

  it('exists once when the event overtakes the answer', async () => {
    const { server, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    const message = stored(server.callsTo('POST', SEND)[0] as Call)
    server.socket.says(posted(message))
    assert.deepEqual(shown(), ['hi: received'])
    await held.give({ message })
    await sending
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('exists once when the answer overtakes the event', async () => {
    const { server, tea, shown } = await adaInTea()
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await tea.send({ text: 'hi' })
    server.socket.says(posted(stored(server.callsTo('POST', SEND)[0] as Call)))
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('keeps a change that overtook the answer', async () => {
    const { server, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    const message = stored(server.callsTo('POST', SEND)[0] as Call)
    server.socket.says(posted(message))
    server.socket.says(
      anEvent('message.updated', { message: { ...message, text: 'hi!', updated_at: '2026-01-05T09:00:01Z' } }),
    )
    await held.give({ message })
    await sending
    assert.deepEqual(shown(), ['hi!: received'])
  })

  it('moves to its place when the server’s time is different', async () => {
    const { server, tea, shown } = await adaInTea({ messages: messages(1, 2) })
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { created_at: '2026-01-05T08:01:30Z' }) }))
    await tea.send({ text: 'between' })
    assert.deepEqual(shown(), ['m1: received', 'between: received', 'm2: received'])
  })

  it('in a loaded thread stays in the thread', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 1) })
    server.answers('GET', '/messages/m1/replies', { messages: [] })
    await tea.getReplies('m1')
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { parent_id: 'm1', type: 'reply' }) }))
    await tea.send({ text: 'a reply', parent_id: 'm1' })
    assert.deepEqual(
      tea.state.replies.m1?.map(({ text, status }) => [text, status]),
      [['a reply', 'received']],
    )
    assert.equal(tea.state.messages.length, 1)
  })

  it('in a thread that is not loaded is also kept when it fails', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 1) })
    server.answers('POST', SEND, tooSlow)
    const failed = await tea.send({ text: 'a reply', parent_id: 'm1' })
    assert.equal(failed.status, 'failed')
    assert.deepEqual(tea.state.replies.m1, [failed])
    server.answers('GET', '/messages/m1/replies', { messages: [aMessage('r1', { parent_id: 'm1' })] })
    await tea.getReplies('m1')
    assert.deepEqual(
      tea.state.replies.m1?.map(({ text }) => text),
      ['r1', 'a reply'],
    )
  })

  it('moves the view to the newest messages', async () => {
    const { server, tea, shown } = await adaInTea({ messages: messages(75, 99) })
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 25) }))
    await tea.jumpTo('m13')
    assert.equal(tea.state.messages[0]?.id, 'm1')
    server.holds('POST', SEND)
    tea.send({ text: 'here' })
    assert.equal(tea.state.messages[0]?.id, 'm75')
    assert.equal(shown().at(-1), 'here: sending')
  })

  it('loads the newest messages first when only an older window was loaded', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 25) }))
    const tea = client.channel('messaging', 'tea')
    await tea.watch({ messages: { limit: 25, id_around: 'm13' } })
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(75, 99) }))
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { created_at: '2026-01-05T09:50:00Z' }) }))
    await tea.send({ text: 'here' })
    await settle()
    assert.deepEqual([tea.state.messages[0]?.id, tea.lastMessage()?.text], ['m75', 'here'])
  })

  it('shows a refused message as an error to its author only', async () => {
    const { server, tea } = await adaInTea()
    const text = 'This message did not meet our content guidelines'
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { type: 'error', text }) }))
    const sent = await tea.send({ text: 'rude' })
    assert.deepEqual([sent.type, sent.text], ['error', text])
    await tea.query()
    assert.equal(tea.lastMessage()?.type, 'error', 'the server does not know it, so a query does not bring it')
    await tea.remove(sent.id)
    assert.deepEqual(tea.state.messages, [])
    assert.equal(server.calls.filter(({ method }) => method === 'DELETE').length, 0)
  })

  it('[MOD2-14] keeps the text of a message that moderation stopped, also of a reply and of one with files alone', async () => {
    const { server, tea } = await adaInTea()
    const stopped = { type: 'error', text: 'Message was blocked by moderation policies' }
    for (const action of ['remove', 'bounce'])
      for (const draft of [
        { text: 'rude' },
        { text: 'rude', parent_id: 'm1', show_in_channel: true },
        { attachments: [{ type: 'file', title: 'rude' }] },
      ]) {
        server.answers('POST', SEND, (call: Call) => ({
          message: stored(call, { ...stopped, moderation: { action, original_text: draft.text ?? '' } }),
        }))
        const sent = await tea.send(draft)
        assert.deepEqual([sent.type, sent.text], ['error', draft.text ?? ''])
        assert.equal(sent.moderation?.action, action)
      }
  })

  it('removes the message of a command, which the server does not store', async () => {
    const { server, tea } = await adaInTea()
    const text = 'Bo is muted for you.'
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { type: 'ephemeral', text }) }))
    const { id } = await tea.send({ text: '/mute @Bo' })
    await tea.remove(id)
    assert.deepEqual(tea.state.messages, [])
    assert.equal(server.calls.filter(({ method }) => method === 'DELETE').length, 0)
  })

  it('while no events arrive, followed by an edit, does not hide the messages before it', async () => {
    const newest = { messages: messages(1, 25) }
    const { server, tea, find } = await adaInTea(newest)
    const { created_at } = aMessage('m60', { minute: 60 })
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call, { created_at, updated_at: created_at }) }))
    const { id } = await tea.send({ text: 'Is anybody?' })
    const mine = aMessage(id, { text: 'Is anybody there?', user: ada, minute: 60 })
    server.answers('PUT', `/messages/${id}`, { message: mine })
    await tea.edit(id, { text: 'Is anybody there?' })
    server.answers('POST', QUERY, () => aChannel({}, { messages: [...messages(50, 59), mine, ...messages(61, 74)] }))
    await tea.watch()
    assert.equal(find('m25'), undefined, 'what was said between m25 and m50 is not here')
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length, find(id)?.status], ['m50', 25, 'received'])
  })

  it('aborted before the request is not shown as failed', async () => {
    const { tea } = await adaInTea()
    await assert.rejects(tea.send({ text: 'hi' }, {}, { signal: AbortSignal.abort() }), { code: 'ERR_CANCELED' })
    assert.deepEqual(tea.state.messages, [])
  })
})

describe('messages sent in quick succession', () => {
  const words = (calls: Call[]) => calls.map(({ body }) => body.message?.text ?? body.set.text)

  it('are sent one after the other, as are edits', async () => {
    const { server, tea, shown } = await adaInTea({ messages: [aMessage('m1', { minute: 1, user: ada })] })
    const first = server.holds('POST', SEND)
    const sending = [tea.send({ text: 'one' }), tea.send({ text: 'two' })]
    const edit = server.holds('PUT', '/messages/m1')
    const edits = [tea.edit('m1', { text: 'three' }), tea.edit('m1', { text: 'four' })]
    await settle()
    const asked = () => words(server.calls.filter(({ body }) => body?.message || body?.set))
    assert.deepEqual(shown(), ['four: sending', 'one: sending', 'two: sending'], 'all of it is shown at once')
    assert.deepEqual(asked(), ['one'])
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await first.give({ message: stored(server.callsTo('POST', SEND)[0] as Call) })
    assert.deepEqual(asked(), ['one', 'two', 'three'])
    await edit.give({ message: aMessage('m1', { minute: 1, user: ada, text: 'three' }) })
    assert.deepEqual(asked(), ['one', 'two', 'three', 'four'])
    await Promise.all([...sending, ...edits])
  })

  it('do not wait for a refused one, nor for another channel', async () => {
    const { server, client, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = [tea.send({ text: 'one' }), tea.send({ text: 'two' })]
    const milk = client.channel('messaging', 'milk')
    server.answers('POST', '/channels/messaging/milk/message', (call: Call) => ({ message: stored(call) }))
    assert.equal((await milk.send({ text: 'three' })).status, 'received')
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await held.give(tooSlow)
    await Promise.all(sending)
    assert.deepEqual(shown(), ['one: failed', 'two: received'])
  })

  it('fail together without a connection, and are retried in their order', async () => {
    const { server, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = [tea.send({ text: 'one' }), tea.send({ text: 'two' }), tea.send({ text: 'three' })]
    await held.break()
    const failed = await Promise.all(sending)
    assert.deepEqual(shown(), ['one: failed', 'two: failed', 'three: failed'])
    assert.deepEqual(words(server.callsTo('POST', SEND)), ['one'])
    assert.deepEqual(new Set(failed.map(({ error }) => error?.code)), new Set(['ERR_NETWORK']))
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await Promise.all(failed.map(({ id }) => tea.retry(id)))
    assert.deepEqual(words(server.callsTo('POST', SEND)), ['one', 'one', 'two', 'three'])
    assert.deepEqual(shown(), ['one: received', 'two: received', 'three: received'])
  })

  it('do not overtake each other; one aborted while it waits is never sent', async () => {
    const { server, tea } = await adaInTea()
    const held = server.holds('POST', SEND)
    const giveUp = new AbortController()
    const first = tea.send({ text: 'one' })
    const second = tea.send({ text: 'two' }, {}, { signal: giveUp.signal })
    const third = tea.send({ text: 'three' })
    giveUp.abort()
    assert.deepEqual([(await second).status, (await second).error?.code], ['failed', 'ERR_CANCELED'])
    await settle()
    assert.deepEqual(words(server.callsTo('POST', SEND)), ['one'])
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await held.give({ message: stored(server.callsTo('POST', SEND)[0] as Call) })
    await Promise.all([first, third])
    assert.deepEqual(words(server.callsTo('POST', SEND)), ['one', 'three'])
  })
})

describe('without storage on the device', () => {
  const full = () => {
    throw new Error('The storage is full.')
  }
  const storage = { get: () => undefined, set: full, delete: full, keys: () => [] }

  it('a message is still sent, and retried when it failed', async () => {
    const { server, tea, shown } = await adaInTea({}, { storage })
    server.answers('POST', SEND, new Refusal(60, 403, 'slow mode'))
    const { id } = await tea.send({ text: 'hi' })
    assert.deepEqual(shown(), ['hi: failed'])
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await tea.retry(id)
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('a message is still edited and deleted', async () => {
    const { server, tea, shown } = await adaInTea({ messages: messages(1, 1) }, { storage })
    server.answers('PUT', '/messages/m1', { message: aMessage('m1', { minute: 1, text: 'm1!' }) })
    await tea.edit('m1', { text: 'm1!' })
    assert.deepEqual(shown(), ['m1!: received'])
    server.answers('DELETE', '/messages/m1', { message: aMessage('m1', { minute: 1, type: 'deleted' }) })
    await tea.remove('m1', { until: Promise.resolve() })
    assert.equal(tea.state.messages[0]?.type, 'deleted')
  })
})

describe('a message that failed', () => {
  it('[MSG-5] [MSG-20] is kept as failed, with the reason', async () => {
    const { server, tea, shown } = await adaInTea()
    server.answers('POST', SEND, new Refusal(17, 403, 'you may not'))
    const failed = await tea.send({ text: 'hi' })
    assert.deepEqual(shown(), ['hi: failed'])
    assert.deepEqual([failed.error?.status, failed.error?.code, failed.error?.retry], [403, 17, false])
  })

  it('[MSG-20] [MSG-33] is sent again with the same id and the same text', async () => {
    const { server, tea, shown } = await adaInTea()
    server.answers('POST', SEND, tooSlow)
    const draft = { text: 'hi', mood: 'good' }
    const failed = await tea.send(draft)
    const held = server.holds('POST', SEND)
    const retrying = tea.retry(failed.id)
    assert.deepEqual(shown(), ['hi: sending'])
    assert.equal(tea.lastMessage()?.error, undefined)
    await settle()
    const [first, second] = server.callsTo('POST', SEND) as [Call, Call]
    assert.deepEqual(second.body, first.body)
    await held.give({ message: stored(second) })
    assert.equal((await retrying).status, 'received')
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('[MSG-33] that did arrive is a success when the server answers that the id exists', async () => {
    const { server, tea, shown } = await adaInTea()
    const lost = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    await lost.break()
    const failed = await sending
    assert.equal(failed.error?.code, 'ERR_NETWORK')
    server.answers('POST', SEND, new Refusal(4, 400, `a message with ID ${failed.id} already exists`))
    const message = stored(server.callsTo('POST', SEND)[0] as Call)
    server.answers('GET', `/messages/${failed.id}`, { message: { ...message, channel: aChannel().channel } })
    const sent = await tea.retry(failed.id)
    assert.deepEqual([sent.status, 'channel' in sent], ['received', false])
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('is not marked failed when an event has confirmed it', async () => {
    const { server, tea, shown } = await adaInTea()
    const lost = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    server.socket.says(posted(stored(server.callsTo('POST', SEND)[0] as Call)))
    await lost.break()
    await sending
    assert.deepEqual(shown(), ['hi: received'])
  })

  it('[CON-24] survives a query and a reconnect, in its place', async () => {
    const { client, server, clock, tea, shown } = await adaInTea({ messages: messages(1, 2) })
    server.answers('POST', SEND, tooSlow)
    await tea.send({ text: 'hi' })
    await tea.query()
    assert.deepEqual(shown(), ['m1: received', 'm2: received', 'hi: failed'])
    server.answers('POST', '/channels', {
      channels: [aChannel({}, { messages: [...messages(1, 2), aMessage('new', { minute: 90 })] })],
    })
    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await settle()
    assert.deepEqual(shown(), ['m1: received', 'm2: received', 'hi: failed', 'new: received'])
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('is removed without a request', async () => {
    const { server, tea } = await adaInTea()
    server.answers('POST', SEND, tooSlow)
    const failed = await tea.send({ text: 'hi' })
    await tea.remove(failed.id)
    assert.deepEqual(tea.state.messages, [])
    assert.equal(
      server.calls.some(({ method }) => method === 'DELETE'),
      false,
    )
  })

  it('can be edited, and is then sent as a message', async () => {
    const { server, tea, shown } = await adaInTea()
    server.answers('POST', SEND, tooSlow)
    const failed = await tea.send({ text: 'hi' })
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await tea.edit(failed.id, { text: 'hello' })
    assert.deepEqual(shown(), ['hello: received'])
    assert.equal(server.callsTo('POST', SEND)[1]?.body.message.id, failed.id)
    await assert.rejects(tea.retry(failed.id), { code: 'CLIENT_MESSAGE_ID_MISSING' })
  })
})

describe('an edit', () => {
  it('[MSG-22] shows the new text at once', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    const held = server.holds('PUT', '/messages/m1')
    const editing = tea.edit('m1', { text: 'better', mentioned_users: ['bo'] })
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['better', 'sending'])
    assert.equal(find('m1')?.mentioned_users[0]?.name, 'Bo')
    await settle()
    assert.deepEqual(server.callsTo('PUT', '/messages/m1')[0]?.body, {
      set: { text: 'better', mentioned_users: ['bo'] },
    })
    const at = '2026-01-05T09:00:00Z'
    await held.give({
      message: aMessage('m1', { minute: 1, text: 'better', message_text_updated_at: at, updated_at: at }),
    })
    assert.deepEqual([(await editing).status, find('m1')?.message_text_updated_at], ['received', at])
  })

  it('that fails stays, and is retried as an edit', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    server.answers('PUT', '/messages/m1', new Refusal(-1, 500, 'broken'))
    await tea.edit('m1', { text: 'better' })
    assert.deepEqual([find('m1')?.text, find('m1')?.status, find('m1')?.error?.code], ['better', 'failed', -1])
    await tea.query()
    assert.equal(find('m1')?.text, 'better', 'a query does not take it away')
    server.answers('PUT', '/messages/m1', {
      message: aMessage('m1', { minute: 1, text: 'better', updated_at: '2026-01-05T09:00:00Z' }),
    })
    assert.equal((await tea.retry('m1')).status, 'received')
    assert.equal(server.callsTo('POST', SEND).length, 0)
  })

  it('[CON-24] that failed takes the message’s other changes from a query', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    server.answers('PUT', '/messages/m1', new Refusal(-1, 500, 'broken'))
    await tea.edit('m1', { text: 'better' })
    const mine = [aReaction('m1', ada, 'love')]
    const later = aMessage('m1', { minute: 1, reply_count: 2, own_reactions: mine, updated_at: '2026-01-05T09:00:00Z' })
    server.answers('POST', QUERY, () => aChannel({}, { messages: [later] }))
    await tea.query()
    const { text, status, own_reactions, reply_count } = find('m1')!
    assert.deepEqual([text, status, own_reactions.length, reply_count], ['better', 'failed', 1, 2])
  })
})

describe('a message that moderation stopped', () => {
  const moderation = (action: string, original_text = 'rude') => ({ action, original_text })
  const policies = 'Message was blocked by moderation policies'

  it('[MOD2-16] is still known as stopped after a reload, and an edit sends it again under its id', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({}, { storage })
    first.server.answers('POST', SEND, (call: Call) => ({
      message: stored(call, { type: 'error', text: policies, moderation: moderation('remove') }),
    }))
    const { id } = await first.tea.send({ text: 'rude' })
    const next = await adaInTea({}, { storage })
    const { text, status, error } = next.find(id)!
    assert.deepEqual([text, status, error?.code, error?.retry], ['rude', 'failed', 73, false])
    for (const { server, tea, shown } of [first, next]) {
      server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
      await tea.edit(id, { text: 'kind' })
      assert.deepEqual(shown(), ['kind: received'])
      assert.equal(server.callsTo('POST', SEND).at(-1)?.body.message.id, id)
    }
    assert.deepEqual([...storage.keys()], [])
  })

  it.each(['remove', 'bounce'])(
    '[MOD2-16] keeps what an edit says, the message itself, and both after a reload: %s',
    async (action) => {
      const EDIT = '/messages/m1'
      const storage = new Map<string, unknown>()
      const loved = { messages: [aMessage('m1', { minute: 1, own_reactions: [aReaction('m1', ada, 'love')] })] }
      const first = await adaInTea(loved, { storage })
      const text = action === 'bounce' ? 'rude' : policies
      first.server.answers('PUT', EDIT, {
        message: aMessage('m1', { minute: 1, type: 'error', text, moderation: moderation(action) }),
      })
      const edited = await first.tea.edit('m1', { text: 'rude' })
      assert.deepEqual(first.find('m1'), edited)
      const { server, tea, find } = await adaInTea(loved, { storage })
      for (const message of [edited, find('m1')!]) {
        const { text, type, status, attempt, error, own_reactions } = message
        assert.deepEqual([text, type, own_reactions.length], ['rude', 'regular', 1])
        assert.deepEqual([status, attempt, error?.code, error?.retry], ['failed', 'edit', 73, false])
      }

      const at = '2026-01-05T09:00:00Z'
      server.answers('PUT', EDIT, { message: aMessage('m1', { minute: 1, text: 'kind', updated_at: at }) })
      await tea.edit('m1', { text: 'kind' })
      assert.deepEqual([find('m1')?.text, find('m1')?.status, find('m1')?.error], ['kind', 'received', undefined])
      assert.deepEqual([...storage.keys()], [])
    },
  )
})

describe('an edit of the user’s own message', () => {
  it('that was aborted before the request changes nothing', async () => {
    const { tea, shown } = await adaInTea({ messages: messages(1, 1) })
    const call = { signal: AbortSignal.abort() }
    await assert.rejects(tea.edit('m1', { text: 'm1!' }, call), { code: 'ERR_CANCELED' })
    assert.deepEqual(shown(), ['m1: received'])
  })

  it('that is still being sent waits for the message', async () => {
    const { server, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi', id: 'mine' })
    server.answers('PUT', '/messages/mine', new Refusal(16, 404, 'no such message'))
    await settle()
    const editing = tea.edit('mine', { text: 'hi!' })
    await settle()
    const [call] = server.callsTo('POST', SEND)
    server.answers('PUT', '/messages/mine', { message: stored(call as Call, { text: 'hi!' }) })
    await held.give({ message: stored(call as Call) })
    await Promise.all([sending, editing])
    assert.deepEqual(shown(), ['hi!: received'])
  })
})

describe('an edit of a message whose sending fails', () => {
  it('is sent with the retry', async () => {
    const { server, tea, shown } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi', id: 'mine' })
    await settle()
    const editing = tea.edit('mine', { text: 'hi!' })
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await held.break()
    await Promise.all([sending, editing])
    assert.deepEqual(shown(), ['hi!: received'])
  })
})

describe('two edits, one after the other', () => {
  it('end with the text of the second', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    const first = server.holds('PUT', '/messages/m1')
    const editing = tea.edit('m1', { text: 'one' })
    await settle()
    const second = server.holds('PUT', '/messages/m1')
    const again = tea.edit('m1', { text: 'two' })
    await settle()
    await first.give({ message: aMessage('m1', { minute: 1, text: 'one', updated_at: '2026-01-05T09:00:00Z' }) })
    await editing
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['two', 'sending'])
    await second.give({ message: aMessage('m1', { minute: 1, text: 'two', updated_at: '2026-01-05T09:00:01Z' }) })
    await again
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['two', 'received'])
  })
})

describe('a deletion', () => {
  it('[MSG-23] shows the message as deleted at once', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 2) })
    const held = server.holds('DELETE', '/messages/m1')
    const deleting = tea.remove('m1')
    assert.equal(find('m1')?.type, 'deleted')
    const deleted = aMessage('m1', { minute: 1, type: 'deleted', text: '', deleted_at: '2026-01-05T09:00:00Z' })
    await held.give({ message: deleted })
    await deleting
    assert.deepEqual([find('m1')?.type, find('m1')?.text, tea.state.messages.length], ['deleted', '', 2])
  })

  it('[MSG-24] for good removes it from the list', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 2) })
    server.answers('DELETE', '/messages/m1', { message: aMessage('m1', { minute: 1, type: 'deleted' }) })
    await tea.remove('m1', { hard: true })
    assert.equal(server.callsTo('DELETE', '/messages/m1')[0]?.query.hard, 'true')
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m2'],
    )
  })

  it('that is refused restores the message', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 2) })
    const before = find('m1')
    server.answers('DELETE', '/messages/m1', new Refusal(17, 403, 'not yours'))
    await assert.rejects(tea.remove('m1'), { code: 17 })
    assert.equal(find('m1'), before)
  })
})

describe('a deletion that can be undone', () => {
  it('[MSG-40] sends the request only when its time is over', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 2) })
    server.answers('DELETE', '/messages/m1', { message: aMessage('m1', { minute: 1, type: 'deleted', text: '' }) })
    const { promise: until, resolve: over } = Promise.withResolvers<void>()
    const deleting = tea.remove('m1', { until })
    await settle()
    assert.equal(find('m1')?.type, 'deleted')
    assert.equal(server.callsTo('DELETE', '/messages/m1').length, 0)
    over()
    await deleting
    assert.equal(server.callsTo('DELETE', '/messages/m1').length, 1)
    assert.equal(find('m1')?.type, 'deleted')
  })

  it('[MSG-40] changes nothing when it is undone', async () => {
    const storage = new Map<string, unknown>()
    const { server, tea, find } = await adaInTea({ messages: messages(1, 2) }, { storage })
    const before = find('m1')
    const { promise: until, reject: undo } = Promise.withResolvers<void>()
    const deleting = tea.remove('m1', { until })
    await settle()
    undo(new Error('undone'))
    await assert.rejects(deleting, { message: 'undone' })
    assert.equal(find('m1'), before)
    assert.equal(server.callsTo('DELETE', '/messages/m1').length, 0)
    assert.deepEqual([...storage.keys()], [])
  })

  it('[MSG-40] is repeated by the next page when the network failed', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ messages: messages(1, 2) }, { storage })
    void first.tea.remove('m1', { until: new Promise(() => {}) })
    await settle()
    const { server, client } = await aConnectedWorld({ storage })
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 2) }))
    const held = server.holds('DELETE', '/messages/m1')
    await client.channel('messaging', 'tea').watch()
    await settle()
    await held.break()
    assert.equal(storage.size, 1)
  })

  it('[MSG-40] is not requested for another user, and is repeated when its author is back', async () => {
    const storage = new Map<string, unknown>()
    const { client, server, tea } = await adaInTea({ messages: messages(1, 2) }, { storage })
    server.answers('DELETE', '/messages/m1', { message: aMessage('m1', { minute: 1, type: 'deleted', text: '' }) })
    const { promise: until, resolve: over } = Promise.withResolvers<void>()
    const deleting = tea.remove('m1', { until })
    await settle()
    void client.disconnectUser()
    const connects = async (user: typeof ada) => {
      const connected = client.connectUser({ id: user.id }, developmentToken(user.id))
      await settle()
      server.socket.confirms(me(user))
      await connected
    }
    await connects(bo)
    over()
    await assert.rejects(deleting, { code: 'CLIENT_CHANNEL_DISCONNECTED' })
    assert.equal(server.callsTo('DELETE', '/messages/m1').length, 0)
    void client.disconnectUser()
    await connects(ada)
    await client.channel('messaging', 'tea').watch()
    await settle()
    assert.deepEqual([server.callsTo('DELETE', '/messages/m1').length, storage.size], [1, 0])
  })

  it('[MSG-40] for good stays one for good when the page was left before its time', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ messages: messages(1, 2) }, { storage })
    void first.tea.remove('m1', { hard: true, until: new Promise(() => {}) })
    await settle()
    const { server } = await adaInTea({ messages: messages(1, 2) }, { storage })
    await settle()
    assert.equal(server.callsTo('DELETE', '/messages/m1')[0]?.query.hard, 'true')
  })

  it('[MSG-40] is repeated when the page was left before its time', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ messages: messages(1, 2) }, { storage })
    void first.tea.remove('m1', { until: new Promise(() => {}) })
    await settle()
    const { server, client } = await aConnectedWorld({ storage })
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 2) }))
    server.answers('DELETE', '/messages/m1', { message: aMessage('m1', { minute: 1, type: 'deleted', text: '' }) })
    const tea = client.channel('messaging', 'tea')
    await tea.watch()
    await settle()
    assert.equal(tea.state.messages[0]?.type, 'deleted')
    assert.equal(server.callsTo('DELETE', '/messages/m1').length, 1)
    assert.deepEqual([...storage.keys()], [])
  })
})

describe('a message deleted while it is being sent', () => {
  it('is deleted once it has arrived', async () => {
    const { server, tea, find } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'oops' })
    await settle()
    const message = stored(server.callsTo('POST', SEND)[0] as Call)
    server.answers('DELETE', `/messages/${message.id}`, { message: { ...message, type: 'deleted', text: '' } })
    const removing = tea.remove(message.id)
    await settle()
    assert.equal(server.callsTo('DELETE', `/messages/${message.id}`).length, 0)
    await held.give({ message })
    await Promise.all([sending, removing])
    assert.equal(find(message.id)?.type, 'deleted')
  })

  it('does not make send fail when all messages were deleted meanwhile', async () => {
    const { server, tea } = await adaInTea()
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    server.socket.says(anEvent('channel.truncated', { channel: tea.data }))
    await held.break()
    assert.equal((await sending).status, 'failed')
  })
})

describe('a page that is left while sending', () => {
  it('[MSG-33] shows the unconfirmed message as failed after a reload, and sends it again under the same id', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({}, { storage })
    first.server.holds('POST', SEND)
    first.tea.send({ text: 'hi', parent_id: undefined, mentioned_users: ['bo'] })
    const id = first.tea.lastMessage()!.id

    const again = await adaInTea({}, { storage })
    assert.deepEqual(again.shown(), ['hi: failed'])
    assert.equal(again.tea.lastMessage()?.error?.retry, true)
    again.server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await again.tea.retry(id)
    assert.deepEqual(again.shown(), ['hi: received'])
    const [call] = again.server.callsTo('POST', SEND)
    assert.deepEqual([call?.body.message.id, call?.body.message.mentioned_users], [id, ['bo']])
    assert.deepEqual([...storage.keys()], [])
  })

  it('removes a stored message that has arrived after all', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({}, { storage })
    first.server.holds('POST', SEND)
    first.tea.send({ text: 'hi' })
    const { id } = first.tea.lastMessage()!

    const again = await adaInTea({ messages: [aMessage(id, { text: 'hi', user: ada })] }, { storage })
    assert.deepEqual(again.shown(), ['hi: received'])
    assert.deepEqual([...storage.keys()], [])
  })

  it('restores nothing once an event has confirmed the message', async () => {
    const storage = new Map<string, unknown>()
    const { server, tea } = await adaInTea({}, { storage })
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    const { id } = tea.lastMessage()!
    server.socket.says(posted(aMessage(id, { text: 'hi', user: ada })))
    await held.break()
    assert.equal((await sending).status, 'received')
    assert.deepEqual([...storage.keys()], [])
  })

  it('restores nothing when its author had signed out before the answer came', async () => {
    const storage = new Map<string, unknown>()
    const { client, server, tea } = await adaInTea({}, { storage })
    const held = server.holds('POST', SEND)
    const sending = tea.send({ text: 'hi' })
    await settle()
    const message = stored(server.callsTo('POST', SEND)[0] as Call)
    client.disconnectUser()
    await held.give({ message })
    await sending
    assert.deepEqual([...storage.keys()], [])
  })

  it('restores a reply in its thread, and nothing of another user or channel', async () => {
    const storage = new Map<string, unknown>([
      ['unsent:bo:messaging:tea:b1', { draft: { id: 'b1', text: 'of Bo' }, options: {} }],
      ['unsent:ada:messaging:coffee:c1', { draft: { id: 'c1', text: 'elsewhere' }, options: {} }],
      ['unsent:ada:messaging:tea:r1', { draft: { id: 'r1', text: 're', parent_id: 'm1' }, options: {} }],
    ])
    const { tea, shown } = await adaInTea({ messages: messages(1, 1) }, { storage })
    assert.deepEqual(shown(), ['m1: received'])
    assert.deepEqual(
      tea.state.replies.m1?.map(({ text, status }) => `${text}: ${status}`),
      ['re: failed'],
    )
    await tea.remove('r1')
    assert.deepEqual(tea.state.replies.m1, [])
    assert.equal(storage.size, 2)
  })
})

describe('an edit that failed', () => {
  const EDIT = '/messages/m1'
  const better = (fields: Partial<Message> = {}) =>
    aMessage('m1', { minute: 1, text: 'better', updated_at: '2026-01-05T09:00:00Z', ...fields })

  /** Ada edits the message, the page is left, and another one opens the channel. */
  async function leftAfterAnEdit(answer: Partial<ChannelStateAnswer> = { messages: messages(1, 2) }) {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ messages: messages(1, 2) }, { storage })
    first.server.answers('PUT', EDIT, new Refusal(-1, 500, 'broken'))
    await first.tea.edit('m1', { text: 'better', mentioned_users: ['bo'] })
    return { storage, ...(await adaInTea(answer, { storage })) }
  }

  it('[MSG-33] is restored after a reload, and is sent again as an edit', async () => {
    const { storage, server, tea, find, shown } = await leftAfterAnEdit()
    assert.deepEqual(shown(), ['better: failed', 'm2: received'])
    assert.deepEqual([find('m1')?.error?.retry, find('m1')?.mentioned_users[0]?.name], [true, 'Bo'])
    server.answers('PUT', EDIT, { message: better() })
    await tea.retry('m1')
    assert.deepEqual(shown(), ['better: received', 'm2: received'])
    assert.deepEqual(server.callsTo('PUT', EDIT)[0]?.body, { set: { text: 'better', mentioned_users: ['bo'] } })
    assert.equal(server.callsTo('POST', SEND).length, 0)
    assert.deepEqual([...storage.keys()], [])
  })

  it('waits for its message if that is not loaded yet', async () => {
    const page = { messages: messages(30, 54) }
    const { server, tea, find, shown } = await leftAfterAnEdit(page)
    assert.equal(shown().length, 25)
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 25) }))
    await tea.loadOlder()
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['better', 'failed'])
  })

  it('is removed once the server has the same text', async () => {
    const { storage, shown } = await leftAfterAnEdit({ messages: [better({ mentioned_users: [bo] })] })
    assert.deepEqual(shown(), ['better: received'])
    assert.deepEqual([...storage.keys()], [])
  })

  it('is removed with its message', async () => {
    const { storage, server, shown } = await leftAfterAnEdit()
    const message = aMessage('m1', { minute: 1, type: 'deleted', deleted_at: '2026-01-05T09:00:00Z' })
    server.socket.says(anEvent('message.deleted', { message, hard_delete: false }))
    assert.deepEqual(shown(), ['m1: received', 'm2: received'])
    assert.deepEqual([...storage.keys()], [])
  })

  it('stays visible when others react to the message or change other fields', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    server.answers('PUT', EDIT, new Refusal(-1, 500, 'broken'))
    await tea.edit('m1', { text: 'better' })
    const love = aReaction('m1', bo, 'love')
    server.socket.says(
      anEvent('reaction.new', { message: aMessage('m1', { latest_reactions: [love] }), reaction: love, user: bo }),
    )
    server.socket.says(anEvent('message.updated', { message: aMessage('m1', { pinned: true, minute: 2 }) }))
    assert.deepEqual([find('m1')?.text, find('m1')?.status, find('m1')?.error?.code], ['better', 'failed', -1])
    assert.equal(find('m1')?.pinned, true)
    server.socket.says(anEvent('message.updated', { message: better() }))
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['better', 'received'])
    await assert.rejects(tea.retry('m1'), { code: 'CLIENT_MESSAGE_ID_MISSING' })
  })

  it('that is still under way is not confirmed by the event of an earlier one', async () => {
    const { server, tea, find } = await adaInTea({ messages: messages(1, 1) })
    const first = server.holds('PUT', EDIT)
    const editing = tea.edit('m1', { text: 'one' })
    await settle()
    const second = server.holds('PUT', EDIT)
    const again = tea.edit('m1', { text: 'two' })
    await settle()
    const one = better({ text: 'one' })
    server.socket.says(anEvent('message.updated', { message: one }))
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['two', 'sending'])
    await first.give({ message: one })
    await editing
    await second.break()
    await again
    assert.deepEqual([find('m1')?.text, find('m1')?.status], ['two', 'failed'])
  })

  it('is removed when Ada deletes the message', async () => {
    const { storage, server, tea, shown } = await leftAfterAnEdit()
    const deleted = aMessage('m1', { minute: 1, type: 'deleted', text: '', deleted_at: '2026-01-05T09:00:00Z' })
    server.answers('DELETE', EDIT, new Refusal(-1, 500, 'broken'))
    await assert.rejects(tea.remove('m1'))
    assert.deepEqual(shown(), ['better: failed', 'm2: received'])
    server.answers('DELETE', EDIT, { message: deleted })
    await tea.remove('m1')
    assert.deepEqual(shown(), [': received', 'm2: received'])
    assert.deepEqual([...storage.keys()], [])
  })
})

describe('deleting another user’s message', () => {
  it('lowers the unread count once, by answer or event, and raises it when it was refused', async () => {
    const unread = async () => {
      const world = await adaInTea()
      for (const message of messages(1, 2)) world.server.socket.says(posted(message))
      assert.equal(world.tea.countUnread(), 2)
      return world
    }
    const tombstone = aMessage('m1', { minute: 1, type: 'deleted', deleted_at: '2026-01-05T09:00:00Z' })
    const first = await unread()
    const held = first.server.holds('DELETE', '/messages/m1')
    const removing = first.tea.remove('m1')
    assert.equal(first.tea.countUnread(), 1)
    first.server.socket.says(anEvent('message.deleted', { message: tombstone, hard_delete: false }))
    await held.give({ message: tombstone })
    await removing
    assert.equal(first.tea.countUnread(), 1)

    const second = await unread()
    second.server.answers('DELETE', '/messages/m1', new Refusal(17, 403, 'not yours'))
    await assert.rejects(second.tea.remove('m1'))
    assert.equal(second.tea.countUnread(), 2)
  })
})

describe('a reaction', () => {
  const group = (count: number, sum_scores = count) => ({
    count,
    sum_scores,
    first_reaction_at: 'x',
    last_reaction_at: 'x',
  })
  const liked = (own: Message['own_reactions'], groups: Message['reaction_groups']) =>
    aMessage('m1', { own_reactions: own, latest_reactions: own, reaction_groups: groups })
  /** Ada likes and then loves it; both are on their way. */
  const reactsTwice = async ({ server, tea }: Awaited<ReturnType<typeof adaInTea>>) => {
    const first = server.holds('POST', '/messages/m1/reaction')
    const liking = tea.react('m1', 'like')
    await settle()
    const second = server.holds('POST', '/messages/m1/reaction')
    const loving = tea.react('m1', 'love')
    await settle()
    return { first, second, liking, loving }
  }

  it('[RXN-9] is counted at once, and kept with the answer', async () => {
    const message = liked([], { love: group(2) })
    const { server, tea, find } = await adaInTea({ messages: [message] })
    const held = server.holds('POST', '/messages/m1/reaction')
    const reacting = tea.react('m1', 'love')
    assert.deepEqual(
      find('m1')?.own_reactions.map(({ type }) => type),
      ['love'],
    )
    assert.equal(find('m1')?.reaction_groups?.love?.count, 3)
    assert.equal(find('m1')?.latest_reactions[0]?.user?.name, 'Ada')
    const mine = aReaction('m1', ada, 'love')
    await held.give({
      message: { ...liked([mine], { love: group(4) }), updated_at: '2026-01-05T09:00:00Z' },
      reaction: mine,
    })
    await reacting
    assert.equal(find('m1')?.reaction_groups?.love?.count, 4)
    assert.equal(find('m1')?.own_reactions.length, 1)
  })

  it.each(['constructor', '__proto__'])('is counted whatever its name: %s', async (type) => {
    const { server, tea, find } = await adaInTea({ messages: [liked([], null)] })
    server.holds('POST', '/messages/m1/reaction')
    tea.react('m1', type)
    const { reaction_groups, reaction_counts } = find('m1')!
    assert.equal(Object.entries(reaction_groups!)[0]?.[1].count, 1)
    assert.deepEqual(Object.entries(reaction_counts!), [[type, 1]])
  })

  it('that is refused is removed again', async () => {
    const { server, tea, find } = await adaInTea({ messages: [liked([], { love: group(2) })] })
    server.answers('POST', '/messages/m1/reaction', new Refusal(19, 400, 'no reactions here'))
    await assert.rejects(tea.react('m1', 'love'), { code: 19 })
    assert.deepEqual([find('m1')?.own_reactions, find('m1')?.reaction_groups?.love?.count], [[], 2])
  })

  it('replaces the user’s other reactions when it is sent to be the only one', async () => {
    const sad = aReaction('m1', ada, 'sad')
    const { server, tea, find } = await adaInTea({ messages: [liked([sad], { sad: group(1), love: group(1) })] })
    server.holds('POST', '/messages/m1/reaction')
    tea.react('m1', { type: 'love', score: 5 }, { enforce_unique: true })
    assert.deepEqual(
      find('m1')?.own_reactions.map(({ type }) => type),
      ['love'],
    )
    assert.deepEqual(Object.keys(find('m1')?.reaction_groups ?? {}), ['love'])
    assert.equal(find('m1')?.reaction_groups?.love?.sum_scores, 6)
    await settle()
    const [call] = server.callsTo('POST', '/messages/m1/reaction')
    assert.deepEqual(call?.body, { reaction: { type: 'love', score: 5 }, enforce_unique: true })
  })

  it('stays when only its answer was lost, and an event has confirmed it', async () => {
    const { server, tea, find } = await adaInTea({ messages: [aMessage('m1')] })
    const held = server.holds('POST', '/messages/m1/reaction')
    const reacting = assert.rejects(tea.react('m1', 'love'), { code: 'ERR_NETWORK' })
    await settle()
    const reaction = aReaction('m1', ada, 'love')
    const message = aMessage('m1', { latest_reactions: [reaction] })
    server.socket.says(anEvent('reaction.new', { message, reaction, user: ada }))
    await held.break()
    await reacting
    assert.deepEqual(
      find('m1')?.own_reactions.map(({ type }) => type),
      ['love'],
    )
  })

  it('[RXN-11] is removed at once, and restored when that is refused', async () => {
    const love = aReaction('m1', ada, 'love')
    const { server, tea, find } = await adaInTea({ messages: [liked([love], { love: group(1) })] })
    const held = server.holds('DELETE', '/messages/m1/reaction/love')
    const removing = assert.rejects(tea.unreact('m1', 'love'), { code: 'ERR_NETWORK' })
    assert.deepEqual([find('m1')?.own_reactions, find('m1')?.reaction_groups], [[], null])
    await settle()
    await held.break()
    await removing
    assert.deepEqual(find('m1')?.own_reactions, [love])
    assert.equal(find('m1')?.reaction_groups?.love?.count, 1)
  })

  it.each(['wow', 'love'])('of another user stays when the own one is removed meanwhile: %s', async (type) => {
    const { server, tea, find } = await adaInTea({ messages: [liked([], {})] })
    const held = server.holds('POST', '/messages/m1/reaction')
    const reacting = assert.rejects(tea.react('m1', 'love'))
    const theirs = aReaction('m1', bo, type)
    server.socket.says(
      anEvent('reaction.new', {
        reaction: theirs,
        message: { ...liked([], { [type]: group(1) }), updated_at: '2026-01-05T09:00:00Z' },
      }),
    )
    await settle()
    await held.break()
    await reacting
    assert.deepEqual(find('m1')?.reaction_groups, { [type]: group(1) })
    assert.deepEqual(find('m1')?.own_reactions, [])
  })

  it('is removed after it was added, however quickly', async () => {
    const { server, tea, find } = await adaInTea({ messages: [liked([], {})] })
    const held = server.holds('POST', '/messages/m1/reaction')
    const love = aReaction('m1', ada, 'love')
    server.answers('DELETE', '/messages/m1/reaction/love', { message: liked([], {}), reaction: love })
    const both = Promise.all([tea.react('m1', 'love'), tea.unreact('m1', 'love')])
    await settle()
    assert.equal(server.callsTo('DELETE', '/messages/m1/reaction/love').length, 0)
    await held.give({ message: liked([love], { love: group(1) }), reaction: love })
    await both
    assert.deepEqual([find('m1')?.own_reactions, find('m1')?.reaction_groups], [[], null])
  })

  it('is removed with another one that was added meanwhile, when both are refused', async () => {
    const world = await adaInTea({ messages: [liked([], { love: group(1) })] })
    const { first, second, liking, loving } = await reactsTwice(world)
    await Promise.all([first.break(), second.break(), assert.rejects(liking), assert.rejects(loving)])
    assert.deepEqual(world.find('m1')?.own_reactions, [])
    assert.deepEqual(world.find('m1')?.reaction_groups, { love: group(1) })
  })

  it('stays although the answer to the previous one comes last', async () => {
    const world = await adaInTea({ messages: [liked([], {})] })
    const { first, second, liking, loving } = await reactsTwice(world)
    const [like, love] = [aReaction('m1', ada, 'like'), aReaction('m1', ada, 'love')]
    await second.give({ message: liked([like, love], { like: group(1), love: group(1) }), reaction: love })
    await first.give({ message: liked([like], { like: group(1) }), reaction: like })
    await Promise.all([liking, loving])
    assert.deepEqual(
      world.find('m1')?.own_reactions.map(({ type }) => type),
      ['like', 'love'],
    )
    assert.deepEqual(Object.keys(world.find('m1')?.reaction_groups ?? {}), ['like', 'love'])
  })
})
