import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import type { Poll, PollVote } from '@parley/protocol/polls'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

/** Creates a poll and sends it to a channel. */
async function asks(testUser: TestUser, room: string, options: string[], fields: object = {}) {
  const poll = await makes(testUser, options, fields)
  const message = await testUser.sends(room, '', { poll_id: poll.id })
  return { poll, message, id: message.id, option: (text: string) => idOf(poll, text) }
}

async function makes(testUser: TestUser, options: string[], fields: object = {}): Promise<Poll> {
  const body = { name: 'Lunch?', options: options.map((text) => ({ text })), ...fields }
  return (await testUser.does('POST', '/polls', { body })).poll
}

const idOf = (poll: Poll, text: string) => poll.options.find((option) => option.text === text)!.id
const voteAt = ({ id, poll }: { id: string; poll: Poll }) => `/messages/${id}/polls/${poll.id}/vote`
type Asked = Awaited<ReturnType<typeof asks>>

async function votes(testUser: TestUser, asked: Asked, text: string): Promise<{ vote: PollVote; poll: Poll }> {
  return testUser.does('POST', voteAt(asked), { body: { vote: { option_id: asked.option(text) } } })
}
async function answers(testUser: TestUser, asked: Asked, text: string): Promise<{ vote: PollVote; poll: Poll }> {
  return testUser.does('POST', voteAt(asked), { body: { vote: { answer_text: text } } })
}
const reads = async (testUser: TestUser, poll: Poll): Promise<Poll> =>
  (await testUser.does('GET', `/polls/${poll.id}`)).poll
/** Voter and option of votes, in order. */
const lines = (poll: Poll, cast: readonly PollVote[]) =>
  cast.map(({ user_id, option_id, answer_text }) => {
    const choice = answer_text ?? poll.options.find(({ id }) => id === option_id)?.text
    return `${user_id ?? 'somebody'}: ${choice}`
  })
const countsIn = (poll: Poll) =>
  Object.fromEntries(
    Object.entries(poll.vote_counts_by_option).map(([id, count]) => [
      poll.options.find((option) => option.id === id)?.text,
      count,
    ]),
  )
const pollEvents = (events: ReceivedEvent[]) => events.filter(({ type }) => type.startsWith('poll.'))

onEveryStorage((fixture) => {
  describe('a poll', () => {
    it('[POL-2] [POL-14] [POL-15] is created with all its fields, and read as it was created', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const poll = await makes(ada, ['Pho', 'Pizza'], {
        id: 'lunch-1',
        description: 'Today',
        max_votes_allowed: 2,
        allow_answers: true,
        allow_user_suggested_options: true,
        colour: 'green',
      })

      const { options, created_by, created_at, updated_at, ...said } = poll
      assert.deepEqual(said, {
        id: 'lunch-1',
        name: 'Lunch?',
        description: 'Today',
        voting_visibility: 'public',
        enforce_unique_vote: false,
        max_votes_allowed: 2,
        allow_user_suggested_options: true,
        allow_answers: true,
        is_closed: false,
        vote_count: 0,
        vote_counts_by_option: {},
        latest_votes_by_option: {},
        answers_count: 0,
        latest_answers: [],
        own_votes: [],
        created_by_id: 'ada',
        colour: 'green',
      })
      assert.equal(created_by.id, 'ada')
      assert.equal(created_at, updated_at)
      assert.deepEqual(
        options.map(({ text }) => text),
        ['Pho', 'Pizza'],
      )
      assert.deepEqual(await reads(ada, poll), poll)
      const bare = await appServer.does('POST', '/polls', { body: { name: 'Why?', user_id: 'ada' } })
      assert.deepEqual(
        [bare.poll.options, bare.poll.max_votes_allowed, bare.poll.description, bare.poll.created_by_id],
        [[], null, '', 'ada'],
      )
    })

    it('[POL-8] [POL-34] has no options that differ only in case and outer spaces, and no empty one', async () => {
      const { ada } = await fixture.createApp('ada')
      const poll = await makes(ada, ['Pho', 'Pizza'])
      const refused = async (method: string, at: string, body: object) => {
        const { message, exception_fields } = await ada.isRefused(4, method, at, { body })
        assert.match(message, /failed with error: "Option already exists"$/)
        assert.deepEqual(exception_fields, { text: 'Option already exists' })
      }

      await refused('POST', '/polls', { name: 'Lunch?', options: [{ text: 'Tea' }, { text: ' tea ' }] })
      await refused('POST', `/polls/${poll.id}/options`, { text: '  PHO ' })
      await refused('PUT', `/polls/${poll.id}/options`, { id: idOf(poll, 'Pizza'), text: 'pho' })
      await refused('PUT', '/polls', { ...poll, options: [...poll.options, { text: 'PIZZA' }] })
      await refused('PATCH', `/polls/${poll.id}`, { set: { options: [...poll.options, { text: 'pizza' }] } })
      const same = { id: idOf(poll, 'Pho'), text: 'PHO' }
      await ada.does('PUT', `/polls/${poll.id}/options`, { body: same })
      for (const text of ['', '  ']) await ada.isRefused(4, 'POST', `/polls/${poll.id}/options`, { body: { text } })
    })

    it('[POL-31] allows 1 to 10 votes per user, or any number', async () => {
      const { ada } = await fixture.createApp('ada')
      for (const max_votes_allowed of [1, 10, null])
        assert.equal((await makes(ada, ['Tea'], { max_votes_allowed })).max_votes_allowed, max_votes_allowed)
      const { id } = await makes(ada, ['Tea'])
      for (const max_votes_allowed of [0, 11, 1.5, -1, '2']) {
        const refusal = await ada.isRefused(4, 'POST', '/polls', { body: { name: 'Tea?', max_votes_allowed } })
        assert.deepEqual(Object.keys(refusal.exception_fields), ['max_votes_allowed'])
        await ada.isRefused(4, 'PATCH', `/polls/${id}`, { body: { set: { max_votes_allowed } } })
      }
    })

    it('is refused when it is invalid', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      await makes(ada, ['Tea'], { id: 'tea' })
      const refused = (code: number, body: object) => ada.isRefused(code, 'POST', '/polls', { body })

      assert.match((await refused(4, { name: 'Tea?', id: 'tea' })).message, /a poll with ID tea already exists/)
      for (const body of [
        {},
        { name: '' },
        { name: '   ' },
        { name: 'Tea?', voting_visibility: 'secret' },
        { name: 'Tea?', options: 'tea' },
        { name: 'Tea?', options: [{}] },
        { name: 'Tea?', options: Array.from({ length: 101 }, (_, i) => ({ text: `${i}` })) },
        { name: 'Tea?', id: 'a/b' },
        { name: 'x'.repeat(1_001) },
      ])
        await refused(4, body)
      await refused(22, { name: 'Tea?', note: 'x'.repeat(5_200) })
      await refused(22, { name: 'Tea?', options: [{ text: 'Tea', note: 'x'.repeat(5_200) }] })
      await appServer.isRefused(4, 'POST', '/polls', { body: { name: 'Tea?' } })
      const odd = await makes(ada, ['Tea'], { constructor: 'x', vote_count: 7, options: [{ text: 'Tea', id: 'mine' }] })
      assert.deepEqual([odd.vote_count, odd.constructor, odd.options[0]!.id === 'mine'], [0, 'x', false])
    })

    it('[POL-35] is seen by its creator and by users who can read a message with it, and managed by its creator', async () => {
      const { ada, bo, cy, dan, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dan')
      const room = await appServer.opens([ada, bo])
      const unsent = await makes(ada, ['Tea'])
      for (const testUser of [bo, cy]) await testUser.isRefused(16, 'GET', `/polls/${unsent.id}`)
      await ada.isRefused(16, 'GET', '/polls/nowhere')

      const { poll, id } = await asks(ada, room, ['Pho'])
      assert.equal((await reads(bo, poll)).id, poll.id)
      const refused = async (testUser: TestUser, code: number) => {
        await testUser.isRefused(code, 'PUT', '/polls', { body: { ...poll, name: 'Mine' } })
        await testUser.isRefused(code, 'PATCH', `/polls/${poll.id}`, { body: { set: { is_closed: true } } })
        await testUser.isRefused(code, 'PATCH', `/polls/${poll.id}`, { body: { set: { name: 'Mine' } } })
        await testUser.isRefused(code, 'POST', `/polls/${poll.id}/options`, { body: { text: 'Mine' } })
        const option = poll.options[0]!.id
        await testUser.isRefused(code, 'PUT', `/polls/${poll.id}/options`, { body: { id: option, text: 'Mine' } })
        await testUser.isRefused(code, 'DELETE', `/polls/${poll.id}/options/${option}`)
        await testUser.isRefused(code, 'DELETE', `/polls/${poll.id}`)
      }
      await refused(bo, 17)
      await refused(cy, 16)
      await cy.isRefused(16, 'POST', `/polls/${poll.id}/votes`, { body: {} })
      await cy.isRefused(16, 'POST', voteAt({ id, poll }), { body: { vote: { option_id: poll.options[0]!.id } } })
      assert.equal(
        (await appServer.does('PATCH', `/polls/${poll.id}`, { body: { set: { name: 'Ours' } } })).poll.name,
        'Ours',
      )

      await appServer.does('POST', path(room), { body: { add_members: ['dan'], hide_history: true } })
      await dan.isRefused(16, 'GET', `/polls/${poll.id}`)
      await ada.does('DELETE', `/messages/${id}`)
      await bo.isRefused(16, 'GET', `/polls/${poll.id}`)
      assert.equal((await reads(ada, poll)).name, 'Ours')
    })

    it('[MOD-17] cannot be changed by a creator banned in its channel, but can still be ended', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const { poll } = await asks(bo, room, ['Pho', 'Pizza'])
      await appServer.does('POST', '/moderation/ban', {
        body: { target_user_id: 'bo', user_id: 'ada', channel_cid: room },
      })
      const { id } = poll.options[0]!
      await bo.isRefused(17, 'PUT', '/polls', { body: { ...poll, name: 'Rude' } })
      await bo.isRefused(17, 'PATCH', `/polls/${poll.id}`, { body: { set: { name: 'Rude' } } })
      await bo.isRefused(17, 'POST', `/polls/${poll.id}/options`, { body: { text: 'Rude' } })
      await bo.isRefused(17, 'PUT', `/polls/${poll.id}/options`, { body: { id, text: 'Rude' } })
      await bo.isRefused(17, 'DELETE', `/polls/${poll.id}/options/${id}`)
      const now = await reads(ada, poll)
      assert.deepEqual([now.name, now.options], [poll.name, poll.options])
      await bo.does('PATCH', `/polls/${poll.id}`, { body: { set: { is_closed: true } } })
    })

    it('[POL-35] can also be managed by users with the permission', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const { poll } = await asks(ada, room, ['Pho'])
      const end = { body: { set: { is_closed: true } } }
      await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'moderator' } } } })
      await bo.isRefused(17, 'PATCH', `/polls/${poll.id}`, end)

      await appServer.does('PATCH', '/app', {
        body: { grants: { moderator: ['close-poll', 'update-poll', 'delete-poll'] } },
      })

      assert.equal((await bo.does('PATCH', `/polls/${poll.id}`, end)).poll.is_closed, true)
      assert.equal((await bo.does('PUT', '/polls', { body: { ...poll, name: 'Dinner?' } })).poll.name, 'Dinner?')
      await bo.does('DELETE', `/polls/${poll.id}`)
      await ada.isRefused(16, 'GET', `/polls/${poll.id}`)
    })

    it('needs a permission to be created and queried, which guests and banned users lack', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      await appServer.does('POST', '/users', { body: { users: { gil: { id: 'gil', role: 'guest' } } } })
      const gil = appServer.user('gil')
      await gil.isRefused(17, 'POST', '/polls', { body: { name: 'Tea?' } })
      await gil.isRefused(17, 'POST', '/polls/query', { body: {} })
      const poll = await makes(ada, ['Tea'])
      await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'ada', banned_by_id: 'gil' } })
      await ada.isRefused(17, 'POST', '/polls', { body: { name: 'Tea?' } })
      await ada.isRefused(17, 'PATCH', `/polls/${poll.id}`, { body: { set: { name: 'Milk?' } } })
    })
  })

  describe('a change', () => {
    it('[POL-9] [POL-16] replaces a whole poll, and keeps the votes for options that stay', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza'], { description: 'Today', colour: 'green' })
      await votes(bo, asked, 'Pho')
      await votes(bo, asked, 'Pizza')
      await bo.watches(room)
      const [pho] = asked.poll.options

      const body = {
        id: asked.poll.id,
        name: 'Dinner?',
        options: [{ ...pho, text: 'Pho bo', hot: true }, { text: 'Salad' }],
      }
      const { poll } = await ada.does('PUT', '/polls', { body })

      assert.deepEqual([poll.name, poll.description, poll.colour], ['Dinner?', '', undefined])
      assert.deepEqual(poll.options[0], { id: pho!.id, text: 'Pho bo', hot: true })
      assert.deepEqual([poll.options[1].text, poll.vote_count, countsIn(poll)], ['Salad', 1, { 'Pho bo': 1 }])
      const event = await bo.receives('poll.updated')
      assert.deepEqual([event.cid, event.message_id, event.poll], [room, asked.id, poll])
      const { own_votes } = await reads(bo, poll)
      assert.deepEqual(lines(poll, own_votes), ['bo: Pho bo'])
      await ada.isRefused(4, 'PUT', '/polls', { body: { ...body, options: [{ id: 'nowhere', text: 'x' }] } })
      await ada.isRefused(4, 'PUT', '/polls', { body: { ...body, options: [pho, { ...pho, text: 'y' }] } })
      await ada.isRefused(16, 'PUT', '/polls', { body: { ...body, id: 'nowhere' } })
      await ada.isRefused(4, 'PUT', '/polls', { body: { name: 'Dinner?' } })
    })

    it('[POL-9] [POL-17] changes single fields and keeps the others', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const { poll } = await asks(ada, room, ['Pho'], { description: 'Today', colour: 'green', max_votes_allowed: 3 })
      await bo.watches(room)
      const patch = (body: object) => ada.does('PATCH', `/polls/${poll.id}`, { body })
      const set = { name: 'Dinner?', allow_answers: true, 'place.street': 'Elm', vote_count: 9, created_by_id: 'bo' }

      const changed = (await patch({ set, unset: ['colour', 'description', 'max_votes_allowed'] })).poll

      const { name, description, allow_answers, place, colour, vote_count, created_by_id, options } = changed
      assert.deepEqual(
        [name, description, allow_answers, place, colour, vote_count, created_by_id],
        ['Dinner?', '', true, { street: 'Elm' }, undefined, 0, 'ada'],
      )
      assert.deepEqual([options, changed.max_votes_allowed], [poll.options, null])
      assert.deepEqual((await bo.receives('poll.updated')).poll, changed)
      for (const body of [
        { unset: ['name'] },
        { set: { name: 7 } },
        { set: { 'options.0': 'x' } },
        { set: { a: 1 }, unset: ['a'] },
        { set: { is_closed: 'yes' } },
      ])
        await ada.isRefused(4, 'PATCH', `/polls/${poll.id}`, { body })
      await ada.isRefused(22, 'PATCH', `/polls/${poll.id}`, { body: { set: { note: 'x'.repeat(5_200) } } })
    })

    it('[POL-4] [POL-5] [POL-10] [POL-18] a poll that is ended is ended for all users, until it is opened again', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho'], { allow_answers: true, allow_user_suggested_options: true })
      const { vote } = await votes(bo, asked, 'Pho')
      await bo.watches(room)
      const close = (is_closed: boolean) =>
        ada.does('PATCH', `/polls/${asked.poll.id}`, { body: { set: { is_closed } } })

      assert.equal((await close(true)).poll.is_closed, true)

      const event = await bo.receives('poll.closed')
      assert.deepEqual([event.poll.is_closed, event.message_id, event.cid], [true, asked.id, room])
      for (const testUser of [ada, bo, appServer]) {
        const query = testUser === appServer ? { user_id: 'ada' } : {}
        const body = { vote: { option_id: asked.option('Pho') } }
        const { message } = await testUser.isRefused(4, 'POST', voteAt(asked), { body, query })
        assert.match(message, /^CastPollVote failed with error: "This poll has ended\."$/)
      }
      await bo.isRefused(4, 'POST', voteAt(asked), { body: { vote: { answer_text: 'Tea' } } })
      await bo.isRefused(4, 'DELETE', `${voteAt(asked)}/${vote.id}`)
      await bo.isRefused(4, 'POST', `/polls/${asked.poll.id}/options`, { body: { text: 'Tea' } })
      assert.equal((await reads(bo, asked.poll)).vote_count, 1)
      await close(true)
      assert.equal((await bo.receives('poll.updated')).poll.is_closed, true)
      await close(false)
      assert.equal((await bo.receives('poll.updated')).poll.is_closed, false)
      await answers(bo, asked, 'Tea')
    })

    it('[POL-19] deleting a poll deletes its votes, and its messages stay without it', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho'])
      await votes(bo, asked, 'Pho')
      await bo.watches(room)

      await ada.does('DELETE', `/polls/${asked.poll.id}`)

      const event = await bo.receives('poll.deleted')
      assert.deepEqual(
        [event.poll.id, event.poll.name, event.user.id, event.message_id],
        [asked.poll.id, '', 'ada', asked.id],
      )
      for (const testUser of [ada, bo]) await testUser.isRefused(16, 'GET', `/polls/${asked.poll.id}`)
      await ada.isRefused(16, 'DELETE', `/polls/${asked.poll.id}`)
      const { messages } = await bo.opensChannel(room)
      assert.deepEqual(
        messages.map(({ id, type, poll, poll_id }) => [id, type, poll, poll_id]),
        [[asked.id, 'regular', undefined, undefined]],
      )
      const body = { vote: { option_id: asked.option('Pho') } }
      await bo.isRefused(4, 'POST', voteAt(asked), { body })
    })

    it('[POL-21] [POL-22] [POL-23] options can be added, changed, and removed with their votes', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza'])
      await votes(bo, asked, 'Pizza')
      await bo.watches(room)
      const at = `/polls/${asked.poll.id}/options`

      const { poll_option } = await ada.does('POST', at, { body: { text: 'Salad', green: true, id: 'mine' } })
      assert.deepEqual(poll_option, { id: poll_option.id, text: 'Salad', green: true })
      assert.notEqual(poll_option.id, 'mine')
      assert.deepEqual((await bo.receives('poll.updated')).poll.options[2], poll_option)
      assert.deepEqual((await bo.does('GET', `${at}/${poll_option.id}`)).poll_option, poll_option)

      const changed = await ada.does('PUT', at, { body: { id: poll_option.id, text: 'Big salad' } })
      assert.deepEqual(changed.poll_option, { id: poll_option.id, text: 'Big salad' })
      assert.equal((await bo.receives('poll.updated')).poll.options[2].text, 'Big salad')

      await ada.does('DELETE', `${at}/${asked.option('Pizza')}`)
      const { poll } = await bo.receives('poll.updated')
      assert.deepEqual(
        [poll.options.map(({ text }: { text: string }) => text), poll.vote_count, poll.latest_votes_by_option],
        [['Pho', 'Big salad'], 0, {}],
      )
      assert.deepEqual((await reads(bo, asked.poll)).own_votes, [])
      for (const [method, where, body] of [
        ['GET', `${at}/nowhere`],
        ['DELETE', `${at}/nowhere`],
        ['PUT', at, { id: 'nowhere', text: 'x' }],
      ] as const)
        await ada.isRefused(16, method, where, body && { body })
    })

    it('a poll has at most 100 options', async () => {
      const { ada } = await fixture.createApp('ada')
      const { id } = await makes(
        ada,
        Array.from({ length: 100 }, (_, i) => `Option ${i}`),
      )
      await ada.isRefused(4, 'POST', `/polls/${id}/options`, { body: { text: 'One more' } })
    })
  })

  describe('a vote', () => {
    it('[POL-3] [POL-11] [POL-24] is counted and published to all watchers', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza'])
      await votes(ada, asked, 'Pizza')
      await ada.watches(room)

      const { vote, poll } = await votes(bo, asked, 'Pho')

      assert.ok(microsOf(poll.updated_at)! > microsOf(asked.poll.updated_at)!)
      const { id, user, created_at, updated_at, ...said } = vote
      assert.deepEqual(said, { poll_id: poll.id, option_id: asked.option('Pho'), user_id: 'bo' })
      assert.deepEqual([user!.id, created_at], ['bo', updated_at])
      assert.deepEqual([poll.vote_count, countsIn(poll), poll.answers_count], [2, { Pizza: 1, Pho: 1 }, 0])
      assert.deepEqual(poll.own_votes, [vote])
      assert.deepEqual(poll.latest_votes_by_option[asked.option('Pho')], [vote])
      const event = await ada.receives('poll.vote_casted')
      assert.deepEqual([event.poll_vote, event.message_id, event.cid], [vote, asked.id, room])
      assert.deepEqual(event.poll, { ...poll, own_votes: [] })
      assert.deepEqual(await reads(bo, asked.poll), poll)
      assert.deepEqual((await bo.opensChannel(room)).messages[0]!.poll, poll)
      assert.deepEqual(lines(poll, (await reads(ada, asked.poll)).own_votes), ['ada: Pizza'])
    })

    it('for the same option again changes nothing', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      for (const fields of [{}, { enforce_unique_vote: true }, { max_votes_allowed: 1 }]) {
        const asked = await asks(ada, room, ['Pho'], fields)
        await ada.watches(room)
        const { vote } = await votes(ada, asked, 'Pho')
        await ada.receives('poll.vote_casted')
        const again = await votes(ada, asked, 'Pho')
        assert.deepEqual([again.vote, again.poll.vote_count], [vote, 1])
        assert.deepEqual(pollEvents(await ada.received()), [])
      }
    })

    it('[POL-7] [POL-13] [POL-32] too many removes the voter’s oldest vote, and the removal is published first', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza', 'Salad'], { max_votes_allowed: 2 })
      await votes(ada, asked, 'Pho')
      const oldest = await votes(bo, asked, 'Pho')
      await votes(bo, asked, 'Pizza')
      await ada.watches(room)

      const { poll } = await votes(bo, asked, 'Salad')

      assert.deepEqual(lines(poll, poll.own_votes), ['bo: Pizza', 'bo: Salad'])
      assert.deepEqual(countsIn(poll), { Pho: 1, Pizza: 1, Salad: 1 })
      const [removed, casted] = pollEvents(await ada.received())
      assert.deepEqual([removed!.type, removed!.poll_vote], ['poll.vote_removed', oldest.vote])
      assert.deepEqual([casted!.type, lines(poll, [casted!.poll_vote])], ['poll.vote_casted', ['bo: Salad']])
      assert.deepEqual(countsIn(casted!.poll), countsIn(poll))
    })

    it('[POL-12] [POL-32] where one vote counts, a new one replaces the old one', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza'], { enforce_unique_vote: true, max_votes_allowed: 2 })
      await ada.watches(room)
      const first = await votes(bo, asked, 'Pho')

      const { vote, poll } = await votes(bo, asked, 'Pizza')

      assert.deepEqual([lines(poll, poll.own_votes), countsIn(poll)], [['bo: Pizza'], { Pizza: 1 }])
      assert.equal(vote.id, first.vote.id)
      const events = pollEvents(await ada.received())
      assert.deepEqual(
        events.map(({ type, poll_vote }) => [type, poll_vote]),
        [
          ['poll.vote_casted', first.vote],
          ['poll.vote_changed', vote],
        ],
      )
      assert.deepEqual(events[1]!.poll, { ...poll, own_votes: [] })
    })

    it('after the vote limit was lowered, the next vote leaves no more than it allows', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const asked = await asks(ada, room, ['A', 'B', 'C', 'D'])
      for (const text of ['A', 'B', 'C']) await votes(ada, asked, text)
      await ada.does('PATCH', `/polls/${asked.poll.id}`, { body: { set: { enforce_unique_vote: true } } })
      assert.equal((await reads(ada, asked.poll)).vote_count, 3)
      await ada.watches(room)

      const { poll } = await votes(ada, asked, 'D')

      assert.deepEqual([countsIn(poll), lines(poll, poll.own_votes)], [{ D: 1 }, ['ada: D']])
      assert.deepEqual(
        pollEvents(await ada.received()).map(({ type }) => type),
        ['poll.vote_removed', 'poll.vote_removed', 'poll.vote_changed'],
      )
    })

    it('[POL-25] [POL-33] with a text is one answer per user, where the poll takes answers', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho'], { allow_answers: true, max_votes_allowed: 1 })
      await votes(bo, asked, 'Pho')
      await ada.watches(room)

      const first = await answers(bo, asked, 'Noodles')
      const second = await answers(bo, asked, 'Rice')

      const { vote, poll } = second
      assert.deepEqual(
        [vote.is_answer, vote.answer_text, vote.option_id, vote.user_id, vote.id],
        [true, 'Rice', '', 'bo', first.vote.id],
      )
      assert.deepEqual([poll.answers_count, poll.vote_count, poll.latest_answers], [1, 1, [vote]])
      assert.deepEqual(lines(poll, poll.own_votes), ['bo: Pho', 'bo: Rice'])
      assert.deepEqual(
        pollEvents(await ada.received()).map(({ type, poll_vote }) => [type, poll_vote.answer_text]),
        [
          ['poll.vote_casted', 'Noodles'],
          ['poll.vote_changed', 'Rice'],
        ],
      )
      await answers(ada, asked, 'Soup')
      assert.deepEqual(lines(poll, (await reads(bo, asked.poll)).latest_answers), ['ada: Soup', 'bo: Rice'])
      await bo.does('DELETE', `${voteAt(asked)}/${vote.id}`)
      assert.deepEqual((await reads(bo, asked.poll)).answers_count, 1)

      const silent = await asks(ada, room, ['Pho'])
      await bo.isRefused(4, 'POST', voteAt(silent), { body: { vote: { answer_text: 'Noodles' } } })
      await bo.isRefused(4, 'POST', voteAt(asked), { body: { vote: { answer_text: '  ' } } })
    })

    it('[POL-33] users who may vote can suggest options, where the poll allows it', async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const room = await appServer.opens([ada, bo])
      const open = await asks(ada, room, ['Pho'], { allow_user_suggested_options: true })
      await ada.watches(room)

      const { poll_option } = await bo.does('POST', `/polls/${open.poll.id}/options`, { body: { text: 'Salad' } })

      assert.deepEqual((await ada.receives('poll.updated')).poll.options.at(-1), poll_option)
      await bo.isRefused(17, 'PUT', `/polls/${open.poll.id}/options`, { body: { ...poll_option, text: 'Rice' } })
      await cy.isRefused(16, 'POST', `/polls/${open.poll.id}/options`, { body: { text: 'Rice' } })
      const closed = await asks(ada, room, ['Pho'])
      await bo.isRefused(17, 'POST', `/polls/${closed.poll.id}/options`, { body: { text: 'Salad' } })
      await appServer.does('POST', '/moderation/ban', {
        body: { target_user_id: 'bo', banned_by_id: 'ada', type: 'messaging', id: room.split(':')[1] },
      })
      await bo.isRefused(17, 'POST', `/polls/${open.poll.id}/options`, { body: { text: 'Rice' } })
    })

    it('[CHN-53] in a frozen channel is for an option only: answers and suggestions need the permission', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const open = { allow_answers: true, allow_user_suggested_options: true }
      const lunch = await asks(ada, room, ['Pho', 'Pizza'], open)
      const { vote } = await answers(bo, lunch, 'Anything')
      const suggests = (text: string) => ['POST', `/polls/${lunch.poll.id}/options`, { body: { text } }] as const
      await appServer.does('PATCH', path(room), { body: { set: { frozen: true } } })

      await bo.isRefused(17, 'POST', voteAt(lunch), { body: { vote: { answer_text: 'Chat elsewhere!' } } })
      await bo.isRefused(17, ...suggests('Chat elsewhere!'))
      await votes(bo, lunch, 'Pho')
      await bo.does('DELETE', `${voteAt(lunch)}/${vote.id}`)
      assert.equal((await reads(ada, lunch.poll)).options.length, 2)

      const { grants } = await appServer.does('GET', '/channeltypes/messaging')
      await appServer.does('PUT', '/channeltypes/messaging', {
        body: { grants: { channel_member: [...grants.channel_member, 'use-frozen-channel'] } },
      })
      await answers(bo, lunch, 'Salad')
      await bo.does(...suggests('Salad'))
    })

    it('[MOD-17] of a shadow-banned user does not show their answer to other users', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const fields = { allow_answers: true, allow_user_suggested_options: true }
      const asked = await asks(ada, room, ['Pho'], fields)
      await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', shadow: true, user_id: 'ada' } })
      await ada.watches(room)

      const { poll_option } = await bo.does('POST', `/polls/${asked.poll.id}/options`, { body: { text: 'Buy!' } })

      assert.equal(poll_option.text, 'Buy!')
      await bo.isRefused(4, 'POST', `/polls/${asked.poll.id}/options`, { body: { text: 'pho' } })
      await votes(bo, asked, 'Pho')
      await ada.receives('poll.vote_casted')
      await bo.watches(room)
      const { vote } = await answers(bo, asked, 'Buy!')
      const mine = await answers(bo, asked, 'Buy now!')
      assert.deepEqual([mine.vote.id, mine.vote.answer_text, mine.poll.answers_count], [vote.id, 'Buy now!', 0])
      assert.deepEqual(lines(asked.poll, mine.poll.own_votes), ['bo: Pho', 'bo: Buy now!'])
      assert.deepEqual(
        pollEvents(await bo.received()).map((event) => `${event.type} ${lines(asked.poll, [event.poll_vote])}`),
        ['poll.vote_casted bo: Buy!', 'poll.vote_changed bo: Buy now!'],
      )
      const all = (testUser: TestUser) => testUser.does('POST', `/polls/${asked.poll.id}/votes`, { body: {} })
      const seen = [pollEvents(await ada.received()), await reads(ada, asked.poll), await all(ada)]
      for (const answer of seen) assert.doesNotMatch(JSON.stringify(answer), /Buy/)
      assert.deepEqual(lines(asked.poll, (await all(bo)).votes), ['bo: Buy now!', 'bo: Pho'])
      // Answers from before and after the ban are visible.
      await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo' } })
      await answers(bo, asked, 'Rice')
      assert.equal((await ada.receives('poll.vote_casted')).poll.answers_count, 1)
      await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', shadow: true, user_id: 'ada' } })
      await answers(bo, asked, 'Buy!')
      const gone = await ada.receives('poll.vote_removed')
      assert.deepEqual([gone.poll_vote.answer_text, gone.poll.answers_count], ['Rice', 0])
      assert.deepEqual((await reads(ada, asked.poll)).latest_answers, [])
    })

    it('[POL-13] [POL-26] can be removed by its voter', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho', 'Pizza'])
      const { vote } = await votes(bo, asked, 'Pho')
      await votes(bo, asked, 'Pizza')
      await ada.watches(room)
      const at = `${voteAt(asked)}/${vote.id}`

      await ada.isRefused(16, 'DELETE', at)
      const gone = await bo.does('DELETE', at)

      assert.deepEqual([gone.vote, countsIn(gone.poll)], [vote, { Pizza: 1 }])
      assert.deepEqual(lines(gone.poll, gone.poll.own_votes), ['bo: Pizza'])
      const event = await ada.receives('poll.vote_removed')
      assert.deepEqual([event.poll_vote, event.poll], [vote, { ...gone.poll, own_votes: [] }])
      await bo.isRefused(16, 'DELETE', at)
      const other = await votes(ada, asked, 'Pho')
      await appServer.isRefused(16, 'DELETE', `${voteAt(asked)}/${other.vote.id}`, { query: { user_id: 'bo' } })
      await appServer.does('DELETE', `${voteAt(asked)}/${other.vote.id}`)
      assert.deepEqual(countsIn(await reads(ada, asked.poll)), { Pizza: 1 })
    })

    it('[POL-35] is refused when the poll is not on the named message', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const asked = await asks(ada, room, ['Pho'])
      const other = await asks(ada, room, ['Tea'])
      const plain = await ada.sends(room, 'Hello')
      const body = { vote: { option_id: asked.option('Pho') } }
      const refused = (code: number, id: string, poll: Poll) =>
        ada.isRefused(code, 'POST', voteAt({ id, poll }), { body })

      await refused(4, plain.id, asked.poll)
      await refused(4, other.id, asked.poll)
      await refused(16, 'nowhere', asked.poll)
      await refused(4, asked.id, other.poll)
      await ada.does('DELETE', `/messages/${asked.id}`)
      await refused(4, asked.id, asked.poll)
      assert.equal((await reads(ada, asked.poll)).vote_count, 0)
    })

    it('is for members who are not banned, in channels with polls, and names one option or answer', async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const room = await appServer.opens([ada, bo])
      const asked = await asks(ada, room, ['Pho'])
      const body = { vote: { option_id: asked.option('Pho') } }

      await cy.isRefused(16, 'POST', voteAt(asked), { body })
      await bo.isRefused(16, 'POST', voteAt(asked), { body: { vote: { option_id: 'nowhere' } } })
      for (const vote of [{}, { ...body.vote, answer_text: 'x' }, { option_id: 1 }, undefined])
        await bo.isRefused(4, 'POST', voteAt(asked), { body: { vote } })
      await appServer.isRefused(4, 'POST', voteAt(asked), { body })
      const [type, id] = room.split(':')
      await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', banned_by_id: 'ada', type, id } })
      await bo.isRefused(17, 'POST', voteAt(asked), { body })
      const { vote } = await appServer.does('POST', voteAt(asked), { body: { ...body, user_id: 'ada' } })
      assert.equal(vote.user_id, 'ada')
    })
  })

  describe('an anonymous poll', () => {
    it('[POL-30] never shows a voter’s name to other users', async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const room = await appServer.opens([ada, bo, cy])
      const fields = { voting_visibility: 'anonymous', allow_answers: true, max_votes_allowed: 1 }
      const asked = await asks(ada, room, ['Pho', 'Pizza'], fields)
      const { poll } = asked
      const start = new Date(fixture.clock.now() - 1).toISOString()
      await ada.watches(room)
      const tablet = bo.device()
      await tablet.watches(room)

      await votes(bo, asked, 'Pho')
      const cast = await votes(bo, asked, 'Pizza')
      await answers(bo, asked, 'Rice')
      const { vote } = await answers(bo, asked, 'Noodles')
      await votes(cy, asked, 'Pizza')

      assert.deepEqual(lines(poll, [vote, ...cast.poll.own_votes]), ['bo: Noodles', 'bo: Pizza'])
      const told = pollEvents(await ada.received())
      assert.deepEqual(
        told.map((event) => `${event.type} ${lines(poll, [event.poll_vote])}`),
        [
          'poll.vote_casted somebody: Pho',
          'poll.vote_removed somebody: Pho',
          'poll.vote_casted somebody: Pizza',
          'poll.vote_casted somebody: Rice',
          'poll.vote_changed somebody: Noodles',
          'poll.vote_casted somebody: Pizza',
        ],
      )
      const own = pollEvents(await tablet.received())
      const onceEach = [
        'poll.vote_casted bo: Pho',
        'poll.vote_removed bo: Pho',
        'poll.vote_casted bo: Pizza',
        'poll.vote_casted bo: Rice',
        'poll.vote_changed bo: Noodles',
        'poll.vote_casted somebody: Pizza',
      ]
      assert.deepEqual(
        own.map((event) => `${event.type} ${lines(poll, [event.poll_vote])}`),
        onceEach,
      )
      assert.deepEqual(own[0]!.poll.own_votes, [])

      const votesAt = `/polls/${poll.id}/votes`
      const sync = { channel_cids: [room], last_sync_at: start }
      const seen = [
        told,
        await reads(ada, poll),
        (await ada.opensChannel(room)).messages,
        await ada.does('POST', votesAt, { body: {} }),
        await ada.does('POST', '/polls/query', { body: {} }),
        await ada.does('GET', `/messages/${asked.id}`).then(({ message }) => message.poll),
        (await ada.does('POST', '/sync', { body: sync })).events,
      ]
      for (const answer of seen) assert.doesNotMatch(JSON.stringify(answer), /"user_id":"(bo|cy)"/)
      const byServer = await appServer.does('POST', votesAt, { body: {} })
      assert.equal(byServer.votes.length, 3)
      assert.doesNotMatch(JSON.stringify(byServer), /"user/)

      const found = async (testUser: TestUser, body: object) =>
        lines(poll, (await testUser.does('POST', votesAt, { body })).votes)
      assert.deepEqual(await found(ada, { filter: { user_id: 'bo' } }), [])
      assert.deepEqual(await found(ada, { filter: { user_id: { $in: ['bo', 'cy'] } } }), [])
      assert.deepEqual(await found(bo, { filter: { user_id: 'bo' } }), ['bo: Noodles', 'bo: Pizza'])
      assert.deepEqual(await found(bo, {}), ['somebody: Pizza', 'bo: Noodles', 'bo: Pizza'])
      const sorted = (direction: number) => found(ada, { sort: [{ field: 'user_id', direction }] })
      assert.deepEqual(await sorted(1), await sorted(-1))

      const missed = (await bo.does('POST', '/sync', { body: sync })).events.filter(
        (event: ReceivedEvent) => event.poll_vote,
      )
      assert.deepEqual(
        missed.map((event: ReceivedEvent) => `${event.type} ${lines(poll, [event.poll_vote])}`),
        onceEach,
      )
      const { poll: read } = await votes(cy, asked, 'Pho')
      assert.deepEqual(lines(poll, read.own_votes), ['cy: Pho'])
      assert.deepEqual(lines(poll, read.latest_votes_by_option[asked.option('Pho')]!), ['somebody: Pho'])
      assert.deepEqual(lines(poll, read.latest_votes_by_option[asked.option('Pizza')]!), ['somebody: Pizza'])
    })

    it('[POL-30] stays anonymous once it has votes', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const asked = await asks(ada, room, ['Pho'], { voting_visibility: 'anonymous' })
      const show = (voting_visibility: string) => ({ body: { set: { voting_visibility } } })
      await ada.does('PATCH', `/polls/${asked.poll.id}`, show('public'))
      await votes(ada, asked, 'Pho')
      await ada.does('PATCH', `/polls/${asked.poll.id}`, show('anonymous'))
      await ada.isRefused(4, 'PATCH', `/polls/${asked.poll.id}`, show('public'))
      const { voting_visibility: _, ...rest } = asked.poll
      await ada.isRefused(4, 'PUT', '/polls', { body: rest })
    })
  })

  describe('a message', () => {
    it('[MSG-7] has its poll in every answer, as the reader sees it', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      const asked = await asks(ada, room, ['Pho'])
      const { message, poll } = asked
      assert.deepEqual([message.text, message.poll_id, message.poll], ['', poll.id, poll])
      assert.deepEqual((await bo.receives('message.new')).message.poll, poll)
      await votes(bo, asked, 'Pho')
      const quote = await ada.sends(room, 'Look', { quoted_message_id: message.id })
      assert.equal(quote.quoted_message?.poll?.vote_count, 1)
      const heard = (await bo.receives('message.new')).message.quoted_message.poll
      assert.deepEqual([heard.vote_count, heard.own_votes], [1, []])

      const whole = await reads(bo, poll)
      assert.equal(whole.own_votes.length, 1)
      await ada.does('PUT', `/messages/${message.id}`, { body: { set: { pinned: true } } })
      await ada.sends(room, 'Reply', { parent_id: message.id })
      const state = await bo.opensChannel(room)
      const shown = [
        state.messages[0]!,
        state.messages[1]!.quoted_message!,
        state.pinned_messages[0]!,
        (await bo.does('GET', `/messages/${message.id}`)).message,
        (await bo.does('GET', `${path(room)}/messages`, { query: { ids: message.id } })).messages[0],
        (await bo.does('GET', `/threads/${message.id}`)).thread.parent_message,
      ]
      for (const read of shown) assert.deepEqual(read.poll, whole)
      assert.deepEqual((await bo.receives('message.updated')).message.poll, { ...whole, own_votes: [] })

      await bo.does('POST', `/messages/${message.id}/reaction`, { body: { reaction: { type: 'love' } } })
      assert.deepEqual((await bo.receives('reaction.new')).message.poll, { ...whole, own_votes: [] })
    })

    it('keeps its poll when it is changed', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const { message, poll } = await asks(ada, room, ['Pho'])
      const edited = await ada.does('POST', `/messages/${message.id}`, {
        body: { message: { text: '', poll_id: 'x' } },
      })
      assert.deepEqual(edited.message.poll, poll)
    })

    it('[MSG-36] loses its poll with its text when it is deleted, in the event log too', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const start = new Date(fixture.clock.now() - 1).toISOString()
      const asked = await asks(ada, room, ['Pho'])
      await votes(bo, asked, 'Pho')
      await bo.sends(room, 'Hm', { quoted_message_id: asked.id })
      await ada.watches(room)

      const { message } = await ada.does('DELETE', `/messages/${asked.id}`)

      const without = ({ poll, poll_id }: Message) => assert.deepEqual([poll, poll_id], [undefined, undefined])
      without(message)
      without((await ada.receives('message.deleted')).message)
      without((await bo.opensChannel(room)).messages[0]!)
      without((await bo.opensChannel(room)).messages[1]!.quoted_message!)
      const since = async (): Promise<ReceivedEvent[]> =>
        (await bo.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: start } })).events
      assert.doesNotMatch(JSON.stringify(await since()), /Lunch|Pho/)
      await appServer.does('POST', `/messages/${asked.id}/undelete`, { body: { undeleted_by: 'ada' } })
      assert.equal((await ada.receives('message.undeleted')).message.poll.vote_count, 1)
      assert.deepEqual(
        pollEvents(await since()).map(({ type }) => type),
        ['poll.vote_casted'],
      )
      await ada.does('DELETE', `/polls/${asked.poll.id}`)
      const events = await since()
      assert.doesNotMatch(JSON.stringify(events), /Lunch|Pho/)
      assert.equal(events.at(-1)!.type, 'poll.deleted')
    })

    it('needs a poll of the sender, the permission to send it, and a channel with polls', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const poll = await makes(ada, ['Pho'])
      const refused = (testUser: TestUser, code: number, cid: string, poll_id: string) =>
        testUser.isRefused(code, 'POST', `${path(cid)}/message`, { body: { message: { text: 'Vote!', poll_id } } })

      await refused(ada, 16, room, 'nowhere')
      await refused(bo, 16, room, poll.id)
      const shop = await appServer.opens([ada], {}, 'commerce')
      await refused(ada, 19, shop, poll.id)
      const { message } = await appServer.does('POST', `${path(room)}/message`, {
        body: { message: { user_id: 'ada', poll_id: poll.id } },
      })
      assert.equal(message.poll.id, poll.id)
      await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: { text: ' ', poll_id: '' } } })
      const { channel } = await ada.opensChannel(room)
      for (const capability of ['send-poll', 'cast-poll-vote', 'query-poll-votes'])
        assert.ok(channel.own_capabilities!.includes(capability))
      const { channel: without } = await ada.opensChannel(shop)
      assert.deepEqual([channel.config.polls, without.config.polls], [true, false])
      assert.ok(!without.own_capabilities!.some((capability) => capability.includes('poll')))
    })

    it('can be one of several with the same poll, and events in each channel name its own message', async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, cy])]
      const asked = await asks(ada, tea, ['Pho'])
      const again = await ada.sends(tea, 'Again', { poll_id: asked.poll.id })
      const reply = await ada.sends(milk, 'Here too', { poll_id: asked.poll.id })
      await bo.watches(tea)
      await cy.watches(milk)

      await votes(bo, asked, 'Pho')

      const [heard, ...more] = pollEvents(await bo.received())
      assert.deepEqual([heard!.cid, heard!.message_id, more], [tea, asked.id, []])
      const elsewhere = await cy.receives('poll.vote_casted')
      assert.deepEqual([elsewhere.cid, elsewhere.message_id, elsewhere.poll.vote_count], [milk, reply.id, 1])
      await votes(ada, { ...asked, id: again.id }, 'Pho')
      assert.equal((await bo.receives('poll.vote_casted')).message_id, again.id)
      const { poll } = await ada.sends(milk, 'Mine', { poll_id: asked.poll.id })
      assert.deepEqual([poll!.vote_count, lines(poll!, poll!.own_votes)], [2, ['ada: Pho']])
      assert.deepEqual((await cy.receives('message.new')).message.poll.own_votes, [])
      await appServer.does('POST', `${path(milk)}/truncate`, { body: {} })
      await cy.received()
      await ada.does('PATCH', `/polls/${asked.poll.id}`, { body: { set: { name: 'Dinner?' } } })
      assert.deepEqual(pollEvents(await cy.received()), [])
      assert.equal((await bo.receives('poll.updated')).message_id, again.id)
    })

    it('that is pending has its poll, and cannot be committed without it', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      const [first, second] = [await makes(ada, ['Pho']), await makes(ada, ['Tea'])]
      const holds = async (poll: Poll): Promise<Message> => {
        const body = { message: { user_id: 'ada', poll_id: poll.id }, pending: true }
        return (await appServer.does('POST', `${path(room)}/message`, { body })).message
      }
      const [held, lost] = [await holds(first), await holds(second)]
      assert.deepEqual(held.poll, first)
      await bo.isRefused(16, 'GET', `/polls/${first.id}`)

      await appServer.does('POST', `/messages/${held.id}/commit`, { body: {} })

      assert.equal((await bo.receives('message.new')).message.poll.id, first.id)
      await votes(bo, { poll: first, message: held, id: held.id, option: (text) => idOf(first, text) }, 'Pho')
      await ada.does('DELETE', `/polls/${second.id}`)
      await appServer.isRefused(16, 'POST', `/messages/${lost.id}/commit`, { body: {} })
    })

    it('of a shadow-banned user shows its poll to that user only', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      const [type, id] = room.split(':')
      const body = { target_user_id: 'bo', banned_by_id: 'ada', type, id }
      await appServer.does('POST', '/moderation/ban', { body: { ...body, shadow: true } })
      const asked = await asks(bo, room, ['Pho'])
      for (const testUser of [ada, bo]) await testUser.watches(room)
      await votes(bo, asked, 'Pho')
      await bo.receives('poll.vote_casted')
      assert.deepEqual(pollEvents(await ada.received()), [])
      await ada.isRefused(16, 'GET', `/polls/${asked.poll.id}`)
      assert.deepEqual((await ada.does('POST', '/polls/query', { body: {} })).polls, [])
    })

    it('that is restricted sends votes to its recipients, and an unrestricted one sends them to all watchers', async () => {
      const { ada, bo, cy, dan, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dan')
      await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada', role: 'admin' } } } })
      const room = await appServer.opens([ada, bo, cy, dan])
      const poll = await makes(ada, ['Pho', 'Pizza', 'Salad'])
      const sends = (ids: string[]) => ada.sends(room, '', { poll_id: poll.id, restricted_visibility: ids })
      const [forBo] = [await sends(['bo']), await sends(['cy'])]
      const asked = { poll, message: forBo!, id: forBo!.id, option: (text: string) => idOf(poll, text) }
      for (const testUser of [bo, cy, dan]) await testUser.watches(room)

      await votes(bo, asked, 'Pho')

      for (const testUser of [bo, cy]) assert.equal((await testUser.receives('poll.vote_casted')).poll.vote_count, 1)
      assert.deepEqual(pollEvents(await dan.received()), [])
      await dan.isRefused(16, 'GET', `/polls/${poll.id}`)
      const { id } = await ada.sends(room, '', { poll_id: poll.id })
      await votes(bo, asked, 'Pizza')
      for (const testUser of [bo, cy, dan]) {
        const heard = pollEvents(await testUser.received())
        assert.deepEqual(
          heard.map(({ message_id, poll: { vote_count } }) => [message_id, vote_count]),
          [[id, 2]],
        )
      }
    })

    it('as a draft keeps the id of its poll', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const { id } = await makes(ada, ['Pho'])
      await ada.does('POST', `${path(room)}/draft`, { body: { message: { text: '', poll_id: id } } })
      assert.equal((await ada.does('GET', `${path(room)}/draft`)).draft.message.poll_id, id)
      assert.equal((await ada.opensChannel(room)).draft!.message.poll_id, id)
    })
  })

  it('[POL-11] [POL-12] [POL-13] counts are exact after random actions, and events lead to the same poll as a fetch', async () => {
    const names = ['ada', 'bo', 'cy'] as const
    const deed = fc.oneof(
      { weight: 8, arbitrary: fc.record({ who: fc.nat(2), votes: fc.nat(3) }) },
      { weight: 3, arbitrary: fc.record({ who: fc.nat(2), answers: fc.constantFrom('Tea', 'Rice') }) },
      { weight: 4, arbitrary: fc.record({ who: fc.nat(2), takesBack: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ limit: fc.constantFrom(1, 2, null), unique: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ drops: fc.nat(3) }) },
    )
    const story = fc.asyncProperty(
      fc.boolean(),
      fc.array(deed, { minLength: 5, maxLength: 20 }),
      async (secret, deeds) => {
        const { appServer, ...people } = await fixture.createApp(...names)
        const persons = names.map((name) => people[name])
        const [ada, bo] = persons as [TestUser, TestUser, TestUser]
        const room = await appServer.opens(persons)
        const fields = { allow_answers: true, voting_visibility: secret ? 'anonymous' : 'public' }
        const asked = await asks(ada, room, ['A', 'B', 'C', 'D'], fields)
        await bo.watches(room)

        for (const act of deeds) {
          const now = await reads(ada, asked.poll)
          if ('votes' in act) {
            const option = now.options[act.votes]
            if (option) await votes(persons[act.who]!, asked, option.text)
          } else if ('answers' in act) await answers(persons[act.who]!, asked, act.answers)
          else if ('takesBack' in act) {
            const own = (await reads(persons[act.who]!, asked.poll)).own_votes[act.takesBack]
            if (own) await persons[act.who]!.does('DELETE', `${voteAt(asked)}/${own.id}`)
          } else if ('drops' in act) {
            const option = now.options[act.drops]
            if (option && now.options.length > 2) await ada.does('DELETE', `/polls/${now.id}/options/${option.id}`)
          } else {
            const set = { max_votes_allowed: act.limit, enforce_unique_vote: act.unique }
            await ada.does('PATCH', `/polls/${now.id}`, { body: { set } })
          }
        }

        const fresh = await reads(bo, asked.poll)
        const { votes: all } = await ada.does('POST', `/polls/${asked.poll.id}/votes`, { body: { limit: 100 } })
        const byOption = Map.groupBy(all as PollVote[], ({ option_id }) => option_id)
        const answered = byOption.get('')?.length ?? 0
        byOption.delete('')
        assert.deepEqual(
          [fresh.vote_counts_by_option, fresh.vote_count, fresh.answers_count],
          [Object.fromEntries([...byOption].map(([id, cast]) => [id, cast.length])), all.length - answered, answered],
        )
        const events = pollEvents(await bo.received())
        const last = events.at(-1)?.poll
        if (last)
          assert.deepEqual(
            [last.vote_counts_by_option, last.answers_count, last.options],
            [fresh.vote_counts_by_option, fresh.answers_count, fresh.options],
          )
        const own = new Map<string, PollVote>()
        for (const { type, poll, poll_vote: vote } of events) {
          if (vote?.user_id === 'bo' && type === 'poll.vote_removed') own.delete(vote.id)
          else if (vote?.user_id === 'bo') own.set(vote.id, vote)
          for (const { id, option_id } of own.values())
            if (option_id !== '' && !poll.options.some((option: { id: string }) => option.id === option_id))
              own.delete(id)
        }
        const ids = (cast: Iterable<PollVote>) => [...cast].map(({ id, option_id }) => `${id} ${option_id}`).sort()
        assert.deepEqual(ids(own.values()), ids(fresh.own_votes))
      },
    )
    await fc.assert(story, { numRuns: 5 })
  }, 30_000)

  /** The number of queries a read needs: the lowest of some counts, because the server also runs its own queries. */
  async function queriesFor(look: () => Promise<unknown>): Promise<number> {
    const executor = fixture.nodes[0]!.server.database.read.getExecutor()
    const execute = executor.executeQuery
    const counts: number[] = []
    for (let i = 0; i < 5; i++) {
      let count = 0
      executor.executeQuery = (query) => {
        count += 1
        return execute.call(executor, query) as never
      }
      await look().finally(() => {
        executor.executeQuery = execute
      })
      counts.push(count)
    }
    return Math.min(...counts)
  }

  describe('a query', () => {
    it('[POL-20] finds polls the caller sees, with filter, sort and pages', async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const [room, own] = [await appServer.opens([ada, bo]), await appServer.opens([ada])]
      const named: [string, object][] = [
        ['One', { max_votes_allowed: 2, allow_answers: true }],
        ['Two', { voting_visibility: 'anonymous' }],
        ['Three', { is_closed: true, allow_user_suggested_options: true, colour: 'green' }],
      ]
      const ids: string[] = []
      for (const [name, fields] of named) {
        fixture.clock.advance(10)
        ids.push((await asks(ada, room, ['Pho'], { name, ...fields })).poll.id)
      }
      fixture.clock.advance(10)
      await asks(ada, own, ['Pho'], { name: 'Secret' })
      await makes(bo, ['Pho'], { name: 'Unsent' })
      const page = (body: object) => bo.does('POST', '/polls/query', { body })
      const found = async (filter: object) =>
        (await page({ filter })).polls.map(({ name }: Poll) => name).filter((name: string) => name !== 'Unsent')

      assert.deepEqual(
        (await page({})).polls.map(({ name }: Poll) => name),
        ['Unsent', 'Three', 'Two', 'One'],
      )
      assert.deepEqual(await found({ id: { $in: [ids[0], ids[2]] } }), ['Three', 'One'])
      assert.deepEqual(await found({ poll_id: ids[1] }), ['Two'])
      assert.deepEqual(await found({ name: 'One' }), ['One'])
      assert.deepEqual(await found({ name: 'Secret' }), [])
      assert.deepEqual(await found({ created_by_id: 'ada', voting_visibility: 'anonymous' }), ['Two'])
      assert.deepEqual(await found({ is_closed: true }), ['Three'])
      assert.deepEqual(await found({ allow_answers: true }), ['One'])
      assert.deepEqual(await found({ allow_user_suggested_options: true }), ['Three'])
      assert.deepEqual(await found({ max_votes_allowed: { $gte: 2 } }), ['One'])
      assert.deepEqual(await found({ colour: 'green' }), ['Three'])
      const [second] = (await page({ filter: { id: ids[1] } })).polls
      assert.deepEqual(await found({ created_at: { $lt: second.created_at } }), ['One'])

      const body = { filter: { created_by_id: 'ada' }, sort: [{ field: 'name', direction: 1 }], limit: 2 }
      const first = await page(body)
      assert.deepEqual([first.polls.map(({ name }: Poll) => name), first.prev], [['One', 'Three'], undefined])
      const next = await page({ ...body, next: first.next })
      assert.deepEqual([next.polls.map(({ name }: Poll) => name), next.next], [['Two'], undefined])
      assert.deepEqual((await page({ ...body, prev: next.prev })).polls, first.polls)
      for (const wrong of [{ limit: 101 }, { next: 'x' }, { filter: { name: 1 } }, { filter: { id: { $gt: 'a' } } }])
        await bo.isRefused(4, 'POST', '/polls/query', { body: wrong })
      const all = await appServer.does('POST', '/polls/query', { body: { filter: { name: 'Secret' } } })
      assert.deepEqual([all.polls.length, all.polls[0].own_votes], [1, []])
    })

    it('[POL-27] finds the votes of a poll, and its answers separately', async () => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const room = await appServer.opens([ada, bo, cy])
      const asked = await asks(ada, room, ['Pho', 'Pizza'], { allow_answers: true })
      await votes(bo, asked, 'Pho')
      const { vote } = await votes(cy, asked, 'Pizza')
      await votes(ada, asked, 'Pho')
      await answers(bo, asked, 'Rice')
      const page = (body: object) => ada.does('POST', `/polls/${asked.poll.id}/votes`, { body })
      const found = async (filter: object) => lines(asked.poll, (await page({ filter })).votes)

      assert.deepEqual(await found({}), ['bo: Rice', 'ada: Pho', 'cy: Pizza', 'bo: Pho'])
      assert.deepEqual(await found({ is_answer: true }), ['bo: Rice'])
      assert.deepEqual(await found({ is_answer: false, user_id: 'bo' }), ['bo: Pho'])
      assert.deepEqual(await found({ option_id: asked.option('Pho') }), ['ada: Pho', 'bo: Pho'])
      assert.deepEqual(await found({ option_id: { $exists: false } }), ['bo: Rice'])
      assert.deepEqual(await found({ id: vote.id }), ['cy: Pizza'])
      assert.deepEqual(await found({ user_id: { $in: ['ada', 'cy'] } }), ['ada: Pho', 'cy: Pizza'])
      assert.deepEqual(await found({ created_at: { $lte: vote.created_at } }), ['cy: Pizza', 'bo: Pho'])

      const sort = [{ field: 'created_at', direction: 1 }]
      const first = await page({ sort, limit: 3 })
      assert.deepEqual(lines(asked.poll, first.votes), ['bo: Pho', 'cy: Pizza', 'ada: Pho'])
      assert.deepEqual(lines(asked.poll, (await page({ sort, limit: 3, next: first.next })).votes), ['bo: Rice'])
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { filter: { colour: 1 } }, { sort: [{ field: 'colour' }] }])
        await ada.isRefused(4, 'POST', `/polls/${asked.poll.id}/votes`, { body: wrong })
    })

    it('returns the newest ten votes of every option, and costs the same for one message as for many', async () => {
      const { appServer } = await fixture.createApp()
      const names = Array.from({ length: 12 }, (_, i) => `user-${i}`)
      await appServer.createUsers(...names)
      const people = names.map((name) => appServer.user(name))
      const [first] = people
      const room = await appServer.opens(people)
      const asked = await asks(first!, room, ['Pho', 'Pizza'], { allow_answers: true })
      for (const testUser of people) {
        await votes(testUser, asked, 'Pho')
        await answers(testUser, asked, `${testUser.id} says`)
      }
      const poll = await reads(first!, asked.poll)
      const newest = names.toReversed().slice(0, 10)
      assert.deepEqual(
        poll.latest_votes_by_option[asked.option('Pho')]!.map(({ user_id }) => user_id),
        newest,
      )
      assert.deepEqual(
        poll.latest_answers.map(({ user_id }) => user_id),
        newest,
      )
      assert.deepEqual([poll.vote_count, poll.answers_count], [12, 12])

      const one = await queriesFor(() => first!.opensChannel(room))
      for (let i = 0; i < 8; i++) {
        const more = await asks(first!, room, ['Tea', 'Milk'], { allow_answers: true })
        await votes(first!, more, 'Tea')
        await answers(first!, more, 'Water')
      }
      assert.equal(await queriesFor(() => first!.opensChannel(room)), one)
    })
  })
})

onEveryTransport((fixture) => {
  it('[POL-7] many votes at the same moment are all counted, once each, on every node', async () => {
    const { appServer } = await fixture.createApp()
    const names = Array.from({ length: 6 }, (_, i) => `user-${i}`)
    await appServer.createUsers(...names)
    const urls = fixture.nodes.map((node) => node.url)
    const people = names.map((name, i) => appServer.user(name, urls[i % urls.length]))
    const [first] = people as [TestUser, ...TestUser[]]
    const rooms = [await appServer.opens(people), await appServer.opens(people)]
    const asked = await asks(first, rooms[0]!, ['A', 'B', 'C'], { max_votes_allowed: 2 })
    const elsewhere = await first.sends(rooms[1]!, '', { poll_id: asked.poll.id })
    const watcher = people[1]!
    for (const room of rooms) await watcher.watches(room)

    await Promise.all(
      people.flatMap((testUser, i) => [
        ...['A', 'B', 'C', 'A', 'B'].map((text) =>
          votes(testUser, i % 2 === 0 ? asked : { ...asked, id: elsewhere.id }, text),
        ),
      ]),
    )

    const poll = await reads(first, asked.poll)
    assert.deepEqual([poll.vote_count, poll.own_votes.length], [12, 2])
    const cast = (await first.does('POST', `/polls/${poll.id}/votes`, { body: { limit: 100 } })).votes as PollVote[]
    const byOption = Map.groupBy(cast, ({ option_id }) => option_id)
    assert.deepEqual(
      poll.vote_counts_by_option,
      Object.fromEntries(Object.keys(poll.vote_counts_by_option).map((id) => [id, byOption.get(id)?.length])),
    )
    assert.deepEqual(
      [...Map.groupBy(cast, ({ user_id }) => user_id).values()].map((own) => own.length),
      Array(6).fill(2),
    )
    // The last event in each channel has the counts of a fetch.
    for (const room of rooms) {
      await watcher.sees(({ cid, poll: heard }) => cid === room && sameCounts(heard, poll))
      const counts = pollEvents(watcher.events).filter(({ cid }) => cid === room)
      assert.deepEqual(counts.at(-1)!.poll.vote_counts_by_option, poll.vote_counts_by_option)
    }
  })

  it('a recipient of a message with a poll gets every vote after it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const asked = await asks(ada, room, ['A', 'B', 'C', 'D'])
    const late = await appServer.opens([ada, bo])
    await bo.watches(late)

    await Promise.all([
      ...['A', 'B'].map((text) => votes(bo, asked, text)),
      ada.sends(late, 'Also here', { poll_id: asked.poll.id }),
      ...['C', 'D'].map((text) => votes(bo, asked, text)),
    ])

    const posted = await bo.receives('message.new', ({ cid }) => cid === late)
    await votes(ada, asked, 'A')
    await bo.sees(({ cid, poll }) => cid === late && poll?.vote_count === 5)
    const counts = [
      posted.message.poll,
      ...pollEvents(bo.events)
        .filter(({ cid }) => cid === late)
        .map(({ poll }) => poll),
    ]
    const heard = counts.map(({ vote_count }) => vote_count)
    const times = counts.map(({ updated_at }) => microsOf(updated_at)!)
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]!))
    assert.deepEqual(
      heard,
      Array.from({ length: heard.length }, (_, i) => 6 - heard.length + i),
    )
  })

  it('a recipient of a restored message with a poll gets every vote after it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const asked = await asks(ada, room, ['A', 'B', 'C', 'D'])
    const late = await appServer.opens([ada, bo])
    const { id } = await ada.sends(late, 'Also here', { poll_id: asked.poll.id })
    await ada.does('DELETE', `/messages/${id}`)
    await bo.watches(late)

    await Promise.all([
      ...['A', 'B'].map((text) => votes(bo, asked, text)),
      appServer.does('POST', `/messages/${id}/undelete`, { body: { undeleted_by: 'ada' } }),
      ...['C', 'D'].map((text) => votes(bo, asked, text)),
    ])

    const back = await bo.receives('message.undeleted')
    await votes(ada, asked, 'A')
    await bo.sees(({ cid, poll }) => cid === late && poll?.vote_count === 5)
    const heard = pollEvents(bo.events).flatMap(({ cid, poll }) => (cid === late ? poll.vote_count : []))
    const { vote_count } = back.message.poll
    assert.deepEqual(
      [vote_count, ...heard],
      Array.from({ length: heard.length + 1 }, (_, i) => vote_count + i),
    )
    assert.equal(vote_count + heard.length, 5)
  })
})

function sameCounts(a: Poll | undefined, b: Poll): boolean {
  return (
    JSON.stringify(Object.entries(a?.vote_counts_by_option ?? {}).sort()) ===
    JSON.stringify(Object.entries(b.vote_counts_by_option).sort())
  )
}
