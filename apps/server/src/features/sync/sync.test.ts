import assert from 'node:assert/strict'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'
import { missedEvents } from './missed-events.ts'

const DAY_MS = 86_400_000

onEveryStorage((fixture) => {
  const now = () => new Date(fixture.clock.now()).toISOString()
  /** Advances the clock, so that what follows is later than `now()` was. */
  const moment = () => {
    fixture.clock.advance(5)
    const at = now()
    fixture.clock.advance(5)
    return at
  }
  const since = async (testUser: TestUser, last_sync_at: string, ...channel_cids: string[]): Promise<ReceivedEvent[]> =>
    (await testUser.does('POST', '/sync', { body: { channel_cids, last_sync_at } })).events
  const lines = (events: ReceivedEvent[]) =>
    events.map(({ type, message }) => (message ? `${type} ${message.text}` : type))

  it('[CON-18] [CON-28] a client that was offline receives the events in order, in their current state', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const before = await ada.sends(tea, 'Before')
    const left = moment()
    const hello = await ada.sends(tea, 'Hello')
    await ada.sends(milk, 'Milk?')
    await bo.does('POST', `/messages/${before.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await ada.does('PUT', `/messages/${hello.id}`, { body: { set: { text: 'Hello!' } } })
    await ada.does('DELETE', `/messages/${before.id}`)
    await appServer.does('PATCH', path(tea), { body: { set: { name: 'Tea' } } })

    assert.deepEqual(lines(await since(bo, left, tea, milk)), [
      'message.new Hello!',
      'message.new Milk?',
      'reaction.new ',
      'message.updated Hello!',
      'message.deleted ',
      'channel.updated',
    ])
    assert.deepEqual(lines(await since(bo, left, milk)), ['message.new Milk?'])
    assert.deepEqual(await since(bo, moment(), tea, milk), [])
  })

  it('a returning client may watch the channels at once', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, cy])]
    const left = moment()
    await ada.sends(room, 'Missed')
    const body = { channel_cids: [room, other], last_sync_at: left }
    await bo.isRefused(4, 'POST', '/sync', { body, query: { watch: 'true' } })
    await bo.connects()

    const { events } = await bo.does('POST', '/sync', { body, query: { watch: 'true' } })
    assert.deepEqual(lines(events), ['message.new Missed', 'notification.removed_from_channel'])
    await ada.sends(other, 'Not for bo')
    await ada.sends(room, 'Heard')
    assert.equal((await bo.receives('message.new')).message.text, 'Heard')
  })

  it('an event for one user is returned to that user only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const message = await ada.sends(room, 'One')
    const left = moment()
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: message.id } })
    await bo.reads(room)

    assert.deepEqual(lines(await since(bo, left, room)), [
      'notification.mark_unread',
      'message.read',
      'notification.mark_read',
    ])
    assert.deepEqual(lines(await since(ada, left, room)), ['message.read'])
  })

  it('only the latest read event of each user is returned', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const sent = []
    for (const text of ['One', 'Two', 'Three']) {
      sent.push(await ada.sends(room, text))
      await bo.reads(room)
    }

    const events = await since(ada, left, room)

    const reads = events.filter(({ type }) => type === 'message.read')
    assert.deepEqual(
      reads.map((read) => read.last_read_message_id),
      [sent[2]!.id],
    )
  })

  it('[MSG-36] the log returns no deleted text', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const softly = await ada.sends(room, 'Secret one')
    const erased = await ada.sends(room, 'Secret two')
    await bo.sends(room, 'What?', { quoted_message_id: softly.id })
    await bo.sends(room, 'Huh?', { quoted_message_id: erased.id })
    await bo.does('POST', `/messages/${softly.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await ada.does('DELETE', `/messages/${softly.id}`)
    await ada.does('DELETE', `/messages/${erased.id}`, { query: { hard: 'true' } })

    const events = await since(bo, left, room)

    assert.deepEqual(lines(events), [
      'message.new ',
      'message.new What?',
      'message.new Huh?',
      'reaction.new ',
      'message.deleted ',
      'message.deleted ',
    ])
    assert.equal(events[0]!.message.type, 'deleted')
    assert.equal(JSON.stringify(events).includes('Secret'), false)
  })

  it('restored text is returned', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const { id } = await ada.sends(room, 'Hello')
    await ada.does('DELETE', `/messages/${id}`)
    await appServer.does('POST', `/messages/${id}/undelete`, { body: { undeleted_by: 'ada' } })

    assert.deepEqual(lines(await since(bo, left, room)), [
      'message.new Hello',
      'message.deleted ',
      'message.undeleted Hello',
    ])
  })

  it('[POL-30] votes of a poll hidden from the user are not returned, and an anonymous vote is returned once', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const options = [{ text: 'Pho' }]
    const body = { name: 'Lunch?', options, voting_visibility: 'anonymous' }
    const { poll } = await ada.does('POST', '/polls', { body })
    const { id } = await ada.sends(room, '', { poll_id: poll.id })
    await appServer.does('POST', path(room), { body: { add_members: ['cy'], hide_history: true } })
    const left = moment()
    await bo.does('POST', `/messages/${id}/polls/${poll.id}/vote`, {
      body: { vote: { option_id: poll.options[0].id } },
    })

    const told = (events: { type?: string; poll_vote?: { user_id?: string } }[]) =>
      events.map(({ type, poll_vote }) => `${type} ${poll_vote?.user_id}`)
    assert.deepEqual(told(await since(bo, left, room)), ['poll.vote_casted bo'])
    assert.deepEqual(told(await since(ada, left, room)), ['poll.vote_casted undefined'])
    assert.deepEqual(await since(cy, left, room), [])
    // A node that missed them delivers them as published.
    const missed = await missedEvents(fixture.nodes[0]!.server, appServer.app.id, room, 0)
    const votes = missed.filter(({ watchers }) => watchers?.includes('poll.vote_casted'))
    const said = microsOf((await ada.opensChannel(room)).messages[0]!.created_at)
    assert.deepEqual(
      votes.map(({ only, except, about }) => ({ only, except, about })),
      [
        { only: undefined, except: 'bo', about: said },
        { only: ['bo'], except: undefined, about: said },
      ],
    )
  })

  it('history hidden from a new member is not returned', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const left = moment()
    const secret = await ada.sends(room, 'Secret')
    moment()
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    await ada.sends(room, 'Welcome')
    await ada.does('POST', `/messages/${secret.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await ada.does('PUT', `/messages/${secret.id}`, { body: { set: { text: 'Dark secret' } } })
    await ada.sends(room, 'Whisper', { parent_id: secret.id })
    await ada.does('PATCH', `/threads/${secret.id}`, { body: { set: { title: 'Secrets' } } })
    assert.equal((await since(ada, left, room)).length, 8)

    assert.deepEqual(lines(await since(bo, left, room)), ['member.added', 'message.new Welcome', 'message.new Whisper'])
  })

  it('[CHN-38] the log returns no truncated messages', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const secret = await ada.sends(room, 'Secret')
    await bo.does('POST', `/messages/${secret.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await ada.sends(room, 'Whisper', { parent_id: secret.id })
    await appServer.does('POST', `${path(room)}/truncate`, { body: {} })
    await ada.sends(room, 'Hello')
    await appServer.does('POST', path(room), { body: { add_members: ['cy'] } })

    for (const testUser of [bo, cy]) {
      const events = await since(testUser, left, room)
      assert.deepEqual(lines(events), ['channel.truncated', 'message.new Hello', 'member.added'])
      assert.equal(JSON.stringify(events).includes('Secret'), false)
    }
  })

  it('[CON-18] a member removed and added again without the history receives the removal, to drop the old state', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const changes = (body: object) => appServer.does('POST', path(room), { body })
    await changes({ add_members: ['cy'] })
    await changes({ remove_members: ['bo'] })
    const between = moment()
    await ada.sends(room, 'Secret')
    await changes({ add_members: ['bo'], hide_history: true })

    assert.deepEqual(lines(await since(bo, left, room)), ['notification.removed_from_channel', 'member.added'])
    assert.deepEqual(lines(await since(bo, between, room)), ['member.added'])
  })

  it('[CON-18] a member who cleared the history receives earlier channel and member events', async () => {
    const { ada, bo, cy, dee, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dee')
    const room = await appServer.opens([ada, bo])
    const left = moment()
    const message = { text: 'Secret', user_id: 'ada' }
    await appServer.does('POST', path(room), { body: { data: { name: 'Tea' }, add_members: ['cy'], message } })
    await bo.does('POST', `${path(room)}/hide`, { body: { clear_history: true } })
    await appServer.does('POST', path(room), { body: { add_members: ['dee'], hide_history: true } })

    const ofBo = await since(bo, left, room)
    assert.deepEqual(lines(ofBo), ['member.added', 'channel.updated', 'channel.hidden', 'member.added'])
    assert.equal(JSON.stringify(ofBo).includes('Secret'), false)
    assert.deepEqual(lines(await since(cy, left, room)), [
      'member.added',
      'channel.updated Secret',
      'message.new Secret',
      'member.added',
    ])
    // To her it is the first event there.
    assert.deepEqual(lines(await since(dee, left, room)), ['member.added'])
  })

  it('a channel the user can no longer read is reported as inaccessible', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [open, closed] = [await appServer.opens([ada, bo]), await appServer.opens([ada])]
    const left = moment()
    await ada.sends(closed, 'Secret')
    await ada.sends(open, 'Hello')
    const body = { channel_cids: [open, closed, 'messaging:nowhere', 'nonsense'], last_sync_at: left }

    const events = await since(bo, left, ...body.channel_cids)
    assert.deepEqual(
      events.map(({ type, cid }) => [type, cid]),
      [
        ['message.new', open],
        ['notification.removed_from_channel', closed],
        ['notification.removed_from_channel', 'messaging:nowhere'],
        ['notification.removed_from_channel', 'nonsense'],
      ],
    )
    const answer = await bo.does('POST', '/sync', { body, query: { with_inaccessible_cids: 'true' } })
    assert.deepEqual(answer.inaccessible_cids, [closed, 'messaging:nowhere', 'nonsense'])
    assert.deepEqual(lines(answer.events), ['message.new Hello'])
  })

  it('[CON-25] at most 255 channels, 30 days and 1000 events are returned, beyond that nothing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const refusal = (body: object) => ada.isRefused(4, 'POST', '/sync', { body })
    const start = moment()

    await refusal({ channel_cids: [], last_sync_at: start })
    await refusal({ channel_cids: Array(256).fill(room), last_sync_at: start })
    assert.deepEqual(await since(ada, start, ...Array(255).fill(room)), [])
    await refusal({ channel_cids: [room], last_sync_at: 'noon' })
    const old = (ms: number) => new Date(fixture.clock.now() - ms).toISOString()
    assert.match(
      (await refusal({ channel_cids: [room], last_sync_at: old(30 * DAY_MS + 1_000) })).message,
      /^Sync failed with error: "Too old last_sync_at time/,
    )
    assert.ok((await since(ada, old(30 * DAY_MS - 60_000), room)).length > 0)

    const text = 'x'
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 100 }, () => ada.sends(room, text)))
    assert.equal((await since(ada, start, room)).length, 1_000)
    await ada.sends(room, text)
    assert.match((await refusal({ channel_cids: [room], last_sync_at: start })).message, /Too many events to sync/)
  })
})
