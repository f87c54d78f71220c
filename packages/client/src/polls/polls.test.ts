import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { messageIn } from '../channels/channel-state.ts'
import type { ChatEvent } from '../events.ts'
import type { PollData } from '../shapes.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, anEvent, aPoll, aReaction, aVote, bo, posted } from '../testing/wire.ts'
import { Poll } from './poll.ts'
import { type PollEvent, pollState } from './poll-state.ts'

const SEND = '/channels/messaging/tea/message'
const VOTE = '/messages/m1/polls/p1/vote'

const event = (type: string, poll: Partial<PollData>, fields: Record<string, unknown> = {}) =>
  anEvent(type, { poll: aPoll('p1', poll), ...fields }) as PollEvent
const after = (poll: PollData, ...events: PollEvent[]) =>
  events.reduce<PollData | undefined>((before, next) => before && pollState(before, next, 'ada'), poll)!

async function adaAndAPoll(fields: Partial<PollData> = {}, storage = new Map<string, unknown>()) {
  const world = await aConnectedWorld({ storage })
  const poll = aPoll('p1', fields)
  const messages = [aMessage('m1', { poll_id: 'p1', poll }), aMessage('m2', { minute: 1, poll_id: 'p1', poll })]
  world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel({}, { messages }))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  return { ...world, tea, poll: new Poll(tea, 'm1') }
}

describe('how events change a poll', () => {
  it('[POL-9] poll.updated takes the new fields, and drops own votes for deleted options', () => {
    const mine = [aVote('v1', ada), aVote('v2', ada, { option_id: 'pizza' })]
    const options = [{ id: 'pizza', text: 'Pizza!' }]
    const poll = after(aPoll('p1', { own_votes: mine }), event('poll.updated', { name: 'Dinner?', options }))
    assert.deepEqual([poll.name, poll.options], ['Dinner?', options])
    assert.deepEqual(poll.own_votes, [mine[1]])
  })

  it('[POL-10] [POL-4] poll.closed ends it, and keeps own votes', () => {
    const mine = [aVote('v1', ada)]
    const poll = after(aPoll('p1', { own_votes: mine }), event('poll.closed', { is_closed: true }))
    assert.deepEqual([poll.is_closed, poll.own_votes], [true, mine])
  })

  it('[POL-11] poll.vote_casted takes the counts, and adds the user’s own vote', () => {
    const theirs = event(
      'poll.vote_casted',
      { vote_count: 1, vote_counts_by_option: { pho: 1 }, latest_votes_by_option: { pho: [aVote('v1', bo)] } },
      { poll_vote: aVote('v1', bo) },
    )
    const mine = event(
      'poll.vote_casted',
      { vote_count: 2, vote_counts_by_option: { pho: 2 }, own_votes: [aVote('v1', bo)] },
      { poll_vote: aVote('v2', ada) },
    )
    const first = after(aPoll('p1'), theirs)
    assert.deepEqual([first.vote_count, first.own_votes], [1, []])
    assert.deepEqual(
      first.latest_votes_by_option.pho?.map(({ id }) => id),
      ['v1'],
    )
    const second = after(first, mine)
    assert.deepEqual([second.vote_counts_by_option, second.own_votes.map(({ id }) => id)], [{ pho: 2 }, ['v2']])
    // The voter in an anonymous poll gets the event twice.
    assert.deepEqual(after(second, mine).own_votes.length, 1)
  })

  it('[POL-12] poll.vote_changed replaces the own vote', () => {
    const answer = aVote('a1', ada, { option_id: '', is_answer: true, answer_text: 'Cake' })
    const poll = aPoll('p1', { own_votes: [aVote('v1', ada), answer] })
    const changed = event(
      'poll.vote_changed',
      { vote_counts_by_option: { pizza: 1 } },
      { poll_vote: aVote('v2', ada, { option_id: 'pizza' }) },
    )
    const next = after(poll, changed)
    assert.deepEqual(next.vote_counts_by_option, { pizza: 1 })
    assert.deepEqual(next.own_votes.map(({ id }) => id).toSorted(), ['a1', 'v2'])
    const other = { ...answer, id: 'a2', answer_text: 'Pie' }
    const reworded = after(next, event('poll.vote_changed', { answers_count: 1 }, { poll_vote: other }))
    assert.deepEqual(reworded.own_votes.map(({ id }) => id).toSorted(), ['a2', 'v2'])
    assert.deepEqual(
      after(next, event('poll.vote_changed', {}, { poll_vote: aVote('v9', bo) })).own_votes,
      next.own_votes,
    )
  })

  it('[POL-13] poll.vote_removed takes the counts, and removes the own vote', () => {
    const poll = aPoll('p1', { vote_count: 2, own_votes: [aVote('v1', ada)] })
    const next = after(poll, event('poll.vote_removed', { vote_count: 1 }, { poll_vote: aVote('v1', ada) }))
    assert.deepEqual([next.vote_count, next.own_votes], [1, []])
  })

  it('[MSG-34] own votes in events are ignored, also those of anonymous voters', () => {
    const mine = [aVote('v1', ada)]
    const nameless = { ...aVote('v2', bo), user_id: undefined, user: undefined }
    const poll = after(
      aPoll('p1', { own_votes: mine }),
      event('poll.vote_casted', { own_votes: [aVote('v7', bo)] }, { poll_vote: nameless }),
    )
    assert.deepEqual(poll.own_votes, mine)
  })

  it('poll.deleted removes the poll', () => {
    assert.equal(after(aPoll('p1'), event('poll.deleted', {})), undefined)
  })
})

describe('a poll in a channel', () => {
  it('[POL-2] [POL-3] has the fields of the wire', async () => {
    const { poll } = await adaAndAPoll({ own_votes: [aVote('v1', ada)], max_votes_allowed: 2 })
    assert.deepEqual(poll.snapshot(), aPoll('p1', { own_votes: [aVote('v1', ada)], max_votes_allowed: 2 }))
  })

  it('lists the own votes in the order they were cast', async () => {
    const cast = (id: string, created_at: string) => aVote(id, ada, { created_at })
    const own_votes = [
      cast('third', '2026-01-05T08:30:00.51Z'),
      cast('second', '2026-01-05T08:30:00.5Z'),
      cast('first', '2026-01-05T08:30:00Z'),
    ]
    const { poll } = await adaAndAPoll({ own_votes, max_votes_allowed: 3 })
    assert.deepEqual(
      poll.ownVotes.map(({ id }) => id),
      ['first', 'second', 'third'],
    )
  })

  it('changes in every message that shows it, and in no other', async () => {
    const { server, tea, poll } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    let changes = 0
    poll.subscribe(() => changes++)
    server.socket.says(event('poll.vote_casted', { vote_count: 2 }, { poll_vote: aVote('v2', bo) }))
    for (const id of ['m1', 'm2']) {
      const shown = messageIn(tea.state, id)?.poll
      assert.deepEqual([shown?.vote_count, shown?.own_votes.length], [2, 1])
    }
    assert.equal(changes, 1)
    const before = tea.state
    server.socket.says(anEvent('poll.updated', { poll: aPoll('another') }))
    assert.equal(tea.state.messages, before.messages)
    server.socket.says(event('poll.deleted', {}))
    assert.equal(poll.snapshot(), undefined)
  })

  it('[POL-9] [POL-10] [POL-12] [POL-13] is updated by all its events', async () => {
    const { server, poll } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    const now = aVote('v2', ada, { option_id: 'pizza' })
    server.socket.says(event('poll.updated', { name: 'Dinner?' }))
    assert.equal(poll.snapshot()?.name, 'Dinner?')
    server.socket.says(event('poll.vote_changed', { vote_counts_by_option: { pizza: 1 } }, { poll_vote: now }))
    assert.deepEqual(
      [poll.snapshot()?.vote_counts_by_option, poll.ownVotes.map(({ id }) => id)],
      [{ pizza: 1 }, ['v2']],
    )
    server.socket.says(event('poll.vote_removed', { vote_count: 0 }, { poll_vote: now }))
    assert.deepEqual([poll.snapshot()?.vote_count, poll.ownVotes], [0, []])
    server.socket.says(event('poll.closed', { is_closed: true }))
    assert.equal(poll.snapshot()?.is_closed, true)
  })

  it('keeps later votes of others when the answer to the own vote arrives late', async () => {
    const { server, poll } = await adaAndAPoll()
    const held = server.holds('POST', VOTE)
    const voting = poll.castVote('pho')
    await settle()
    const [mine, theirs] = [aVote('v1', ada), aVote('v2', bo)]
    const first = { vote_count: 1, vote_counts_by_option: { pho: 1 }, updated_at: '2026-01-05T08:30:00Z' }
    const second = { vote_count: 2, vote_counts_by_option: { pho: 2 }, updated_at: '2026-01-05T08:30:00.000001Z' }
    server.socket.says(event('poll.vote_casted', first, { poll_vote: mine }))
    server.socket.says(event('poll.vote_casted', second, { poll_vote: theirs }))
    await held.give({ vote: mine, poll: aPoll('p1', { ...first, own_votes: [mine] }) })
    await voting
    assert.deepEqual([poll.snapshot()?.vote_counts_by_option, poll.ownVotes.map(({ id }) => id)], [{ pho: 2 }, ['v1']])
  })

  it('changes where a message quotes it, and own votes stay', async () => {
    const { server, tea } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    const { quoted_message: _, ...quoted } = aMessage('m1', { poll_id: 'p1', poll: aPoll('p1') })
    const quoting = { minute: 5, quoted_message_id: 'm1', quoted_message: quoted }
    server.socket.says(posted(aMessage('m5', quoting)))
    const shown = () => messageIn(tea.state, 'm5')?.quoted_message
    assert.equal(shown()?.poll?.own_votes.length, 1)
    server.socket.says(event('poll.vote_casted', { vote_count: 2 }, { poll_vote: aVote('v2', bo) }))
    assert.deepEqual([shown()?.poll?.vote_count, shown()?.poll?.own_votes.length], [2, 1])
    server.socket.says(
      anEvent('message.updated', { message: aMessage('m5', { ...quoting, updated_at: '2026-01-05T09:00:00Z' }) }),
    )
    assert.equal(shown()?.poll?.own_votes.length, 1)
    server.socket.says(event('poll.deleted', {}))
    assert.deepEqual([shown()?.text, shown()?.poll, shown()?.poll_id], ['m1', undefined, undefined])
  })

  it('that is deleted also removes its id from messages, like a fresh query', async () => {
    const { server, tea } = await adaAndAPoll()
    server.socket.says(event('poll.deleted', {}))
    assert.deepEqual([tea.lastMessage()?.poll, tea.lastMessage()?.poll_id], [undefined, undefined])
  })

  it('has the user’s own votes also in a message that arrives later', async () => {
    const { server, tea } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    server.socket.says(posted(aMessage('m5', { minute: 5, poll_id: 'p1', poll: aPoll('p1') })))
    assert.equal(tea.lastMessage()?.poll?.own_votes.length, 1)
  })

  it('own votes survive other changes of the message', async () => {
    const { server, poll } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    const bare = aMessage('m1', {
      text: 'changed',
      poll_id: 'p1',
      poll: aPoll('p1'),
      updated_at: '2026-01-05T09:00:00Z',
    })
    const reaction = aReaction('m1', bo, 'love')
    server.socket.says(anEvent('message.updated', { message: bare }))
    assert.equal(poll.snapshot()?.own_votes.length, 1)
    server.socket.says(anEvent('reaction.new', { reaction, message: { ...bare, updated_at: '2026-01-05T09:00:01Z' } }))
    assert.equal(poll.snapshot()?.own_votes.length, 1)
  })

  it('a vote is shown as soon as it is answered', async () => {
    const { server, poll } = await adaAndAPoll()
    const vote = aVote('v1', ada)
    server.answers('POST', VOTE, { vote, poll: aPoll('p1', { vote_count: 1, own_votes: [vote] }) })
    await poll.castVote('pho')
    assert.equal(poll.ownVoteFor('pho')?.id, 'v1')
    assert.equal(poll.snapshot()?.vote_count, 1)
  })

  it('is found by its id in any loaded message', async () => {
    const { client, server, tea } = await adaAndAPoll()
    const poll = await client.polls.get('p1')
    assert.deepEqual([poll?.channel, poll?.messageID, poll?.snapshot()?.name], [tea, 'm1', 'Lunch?'])
    server.socket.says(event('poll.updated', { name: 'Dinner?' }))
    assert.equal(poll?.snapshot()?.name, 'Dinner?')
    assert.equal(await client.polls.get('p2'), undefined)
  })

  it('can also be voted in through another message that shows it', async () => {
    const { server, poll } = await adaAndAPoll()
    const elsewhere = '/messages/m2/polls/p1/vote'
    await poll.castVote('pho', 'm2')
    await poll.addAnswer('Cake', 'm2')
    await poll.removeVote('v1', 'm2')
    await poll.removeAnswer('a1', 'm2')
    assert.deepEqual(
      server.calls.filter(({ path }) => path.includes('/vote')).map(({ method, path }) => `${method} ${path}`),
      [`POST ${elsewhere}`, `POST ${elsewhere}`, `DELETE ${elsewhere}/v1`, `DELETE ${elsewhere}/a1`],
    )
  })

  it('[POL-7] [POL-31] a vote beyond the limit first removes the oldest one', async () => {
    const mine = [
      aVote('v2', ada, { option_id: 'pizza', created_at: '2026-01-05T08:32:00Z' }),
      aVote('v1', ada, { created_at: '2026-01-05T08:31:00Z' }),
      aVote('a1', ada, { option_id: '', is_answer: true, created_at: '2026-01-05T08:30:00Z' }),
    ]
    const { server, poll } = await adaAndAPoll({ own_votes: mine, max_votes_allowed: 2 })
    const held = server.holds('DELETE', `${VOTE}/v1`)
    const voting = poll.castVote('salad')
    await settle()
    assert.equal(server.callsTo('POST', VOTE).length, 0)
    await held.give({ vote: mine[1]! })
    await voting
    assert.deepEqual(server.callsTo('POST', VOTE)[0]?.body, { vote: { option_id: 'salad' } })
  })

  it('[POL-7] no vote is removed for a vote already cast, nor where only one vote counts', async () => {
    const mine = [aVote('v1', ada), aVote('v2', ada, { option_id: 'pizza' })]
    for (const [fields, optionID] of [
      [{ own_votes: mine, max_votes_allowed: 2 }, 'pizza'],
      [{ own_votes: mine.slice(0, 1), max_votes_allowed: 1, enforce_unique_vote: true }, 'salad'],
    ] as const) {
      const { server, poll } = await adaAndAPoll({ ...fields, own_votes: [...fields.own_votes] })
      await poll.castVote(optionID)
      assert.deepEqual(
        server.calls.filter(({ path }) => path.startsWith(VOTE)).map(({ method }) => method),
        ['POST'],
      )
    }
  })

  it('[POL-31] without a limit, or below it, no vote is removed', async () => {
    for (const max_votes_allowed of [null, 3]) {
      const mine = [aVote('v1', ada), aVote('v2', ada, { option_id: 'pizza' })]
      const { server, poll } = await adaAndAPoll({ own_votes: mine, max_votes_allowed })
      await poll.castVote('salad')
      assert.deepEqual(
        server.calls.filter(({ path }) => path.startsWith(VOTE)).map(({ method }) => method),
        ['POST'],
      )
    }
  })

  it('[POL-5] an ended poll refuses votes and answers before any request', async () => {
    const { server, poll } = await adaAndAPoll({ is_closed: true })
    const refusal = { code: 'CLIENT_POLL_CLOSED', message: 'This poll has ended' }
    await assert.rejects(poll.castVote('pho'), refusal)
    await assert.rejects(poll.addAnswer('Cake'), refusal)
    assert.equal(server.callsTo('POST', VOTE).length, 0)
  })

  it('has the leading options', async () => {
    const { poll } = await adaAndAPoll({ vote_counts_by_option: { pho: 2, pizza: 2, salad: 1 } })
    assert.deepEqual(
      poll.leadingOptions.map(({ id }) => id),
      ['pho', 'pizza'],
    )
    assert.deepEqual((await adaAndAPoll()).poll.leadingOptions, [])
  })

  it('makes the other calls for the poll that it shows', async () => {
    const { server, poll } = await adaAndAPoll()
    server.calls.length = 0
    await poll.addAnswer('Cake')
    await poll.removeAnswer('a1')
    await poll.update({ name: 'Dinner?' })
    await poll.partialUpdate({ set: { name: 'Dinner?' } })
    await poll.close()
    await poll.createOption('Soup')
    await poll.updateOption({ id: 'pho', text: 'Phở' })
    await poll.deleteOption('pho')
    await poll.queryAnswers({ limit: 5 })
    await poll.queryOptionVotes('pho', { next: 'n' })
    await poll.delete()
    const wire = ({ method, path, body }: Call) => [method, path, body]
    assert.deepEqual(server.calls.map(wire), [
      ['POST', VOTE, { vote: { answer_text: 'Cake' } }],
      ['DELETE', `${VOTE}/a1`, undefined],
      ['PUT', '/polls', { id: 'p1', name: 'Dinner?' }],
      ['PATCH', '/polls/p1', { set: { name: 'Dinner?' } }],
      ['PATCH', '/polls/p1', { set: { is_closed: true } }],
      ['POST', '/polls/p1/options', { text: 'Soup' }],
      ['PUT', '/polls/p1/options', { id: 'pho', text: 'Phở' }],
      ['DELETE', '/polls/p1/options/pho', undefined],
      ['POST', '/polls/p1/votes', { filter: { is_answer: true }, sort: [], limit: 5 }],
      ['POST', '/polls/p1/votes', { filter: { option_id: 'pho' }, sort: [], next: 'n' }],
      ['DELETE', '/polls/p1', undefined],
    ])
  })

  it('is shown in a message that is being sent, and after it has failed and the page was reloaded', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaAndAPoll({}, storage)
    first.server.answers('POST', SEND, new Refusal(60, 403, 'slow mode'))
    const poll = aPoll('p2')
    const sending = first.tea.send({ text: '', poll_id: 'p2', poll })
    assert.deepEqual(first.tea.lastMessage()?.poll, poll)
    const { id } = await sending
    assert.deepEqual(first.tea.lastMessage()?.poll, poll)

    const { server, tea } = await adaAndAPoll({}, storage)
    assert.deepEqual([tea.lastMessage()?.status, tea.lastMessage()?.poll], ['failed', poll])
    server.answers('POST', SEND, { message: aMessage(id, { user: ada, minute: 59, poll_id: 'p2', poll }) })
    await tea.retry(id)
    assert.deepEqual(server.callsTo('POST', SEND)[0]?.body.message, {
      id,
      text: '',
      mentioned_users: [],
      poll_id: 'p2',
    })
    assert.deepEqual([tea.lastMessage()?.status, tea.lastMessage()?.poll], ['received', poll])
  })

  it('of another message is shown in a message that is being sent', async () => {
    const { server, tea } = await adaAndAPoll({ own_votes: [aVote('v1', ada)] })
    server.holds('POST', SEND)
    tea.send({ text: 'Once more', poll_id: 'p1' })
    assert.equal(tea.lastMessage()?.poll?.own_votes.length, 1)
  })

  it('refuses calls when there is no poll', async () => {
    const { tea } = await adaAndAPoll()
    await assert.rejects(new Poll(tea, 'elsewhere').castVote('pho'), { code: 'CLIENT_POLL_MISSING' })
  })
})

it('events about polls are subscribed to by name', async () => {
  const { client, server } = await adaAndAPoll()
  const heard: ChatEvent<'poll.closed'>[] = []
  client.on('poll.closed', (told) => heard.push(told))
  server.socket.says(event('poll.closed', { is_closed: true }))
  assert.equal(heard[0]?.poll.is_closed, true)
})
