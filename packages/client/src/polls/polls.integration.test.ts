import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { PollData } from '../shapes.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import { Poll } from './poll.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

let count = 0

/** Ada has created a poll in a channel that Bo watches as well. */
async function aQuestion(fields: Partial<PollData> = {}) {
  const story = ++count
  const [adaID, boID] = [`ada-${story}`, `bo-${story}`]
  await server.company.upsertUsers([
    { id: adaID, name: 'Ada' },
    { id: boID, name: 'Bo' },
  ])
  const made = server.company.channel('messaging', `tea-${story}`, { created_by_id: adaID, members: [adaID, boID] })
  await made.create()
  const [ada, bo] = await Promise.all([server.connects(adaID), server.connects(boID)])
  const adas = ada.channel('messaging', `tea-${story}`)
  const bos = bo.channel('messaging', `tea-${story}`)
  await Promise.all([adas.watch(), bos.watch()])
  const options = ['Pho', 'Pizza', 'Salad'].map((text) => ({ text }))
  const { poll } = await ada.createPoll({ name: 'Lunch?', options, allow_answers: true, ...fields })
  const message = await adas.send({ text: '', poll_id: poll.id })
  const [pho, pizza, salad] = poll.options.map(({ id }) => id) as [string, string, string]
  await until(bos, ({ messages }) => messages.at(-1)?.poll !== undefined)
  const [adasPoll, bosPoll] = [new Poll(adas, message.id), new Poll(bos, message.id)]
  return { ada, bo, boID, adas, adasPoll, bosPoll, pho, pizza, salad, pollID: poll.id, messageID: message.id }
}

/** The fields that must be equal on two clients of one user. */
const agreed = (poll: PollData | undefined) => {
  if (!poll) return undefined
  const { own_votes, latest_votes_by_option, latest_answers, created_by: _, ...rest } = poll
  const vote = ({ id, option_id, user_id, answer_text }: PollData['own_votes'][number]) => ({
    id,
    option_id,
    user_id,
    answer_text,
  })
  return {
    ...rest,
    own_votes: own_votes.map(vote).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    latest: Object.entries(latest_votes_by_option).map(([id, votes]) => [id, votes.map(vote)]),
    answers: latest_answers.map(vote),
  }
}

describe('the state after events equals a fresh query', () => {
  type Scene = Awaited<ReturnType<typeof aQuestion>>
  const actions: [name: string, fields: Partial<PollData>, act: (scene: Scene) => Promise<unknown>][] = [
    ['a vote', {}, ({ bosPoll, pho }) => bosPoll.castVote(pho)],
    [
      'another vote in place of the first',
      { enforce_unique_vote: true },
      async ({ bosPoll, pho, pizza }) => {
        await bosPoll.castVote(pho)
        await bosPoll.castVote(pizza)
      },
    ],
    [
      'a vote too many',
      { max_votes_allowed: 2 },
      async ({ bosPoll, pho, pizza, salad }) => {
        for (const option of [pho, pizza, salad]) await bosPoll.castVote(option)
      },
    ],
    [
      'a vote that is taken back',
      {},
      async ({ bosPoll, pho }) => {
        const { vote } = await bosPoll.castVote(pho)
        await bosPoll.removeVote(vote.id)
      },
    ],
    [
      'answers',
      {},
      async ({ adasPoll, bosPoll }) => {
        await adasPoll.addAnswer('Cake')
        await bosPoll.addAnswer('Soup')
        await bosPoll.addAnswer('Stew')
      },
    ],
    ['an anonymous vote', { voting_visibility: 'anonymous' }, ({ bosPoll, pho }) => bosPoll.castVote(pho)],
    ['another name', {}, ({ adasPoll }) => adasPoll.partialUpdate({ set: { name: 'Dinner?' } })],
    ['another option', {}, ({ adasPoll }) => adasPoll.createOption('Soup')],
    [
      'an option that goes with its votes',
      {},
      async ({ adasPoll, bosPoll, pho }) => {
        await bosPoll.castVote(pho)
        await adasPoll.deleteOption(pho)
      },
    ],
    ['the end', {}, ({ adasPoll }) => adasPoll.close()],
    ['a poll that is deleted', {}, ({ adasPoll }) => adasPoll.delete()],
  ]
  for (const [name, fields, act] of actions)
    it(name, async () => {
      const scene = await aQuestion(fields)
      await act(scene)
      for (const [client, poll] of [
        [scene.ada, scene.adasPoll],
        [scene.bo, scene.bosPoll],
      ] as const) {
        const again = await server.connects(client.userID!)
        const channel = again.channel('messaging', scene.adas.id)
        await channel.watch()
        const fresh = new Poll(channel, scene.messageID)
        const isSame = () => JSON.stringify(agreed(poll.snapshot())) === JSON.stringify(agreed(fresh.snapshot()))
        await until(poll, isSame, 'both agree').catch(() =>
          assert.deepEqual(agreed(poll.snapshot()), agreed(fresh.snapshot())),
        )
        await again.disconnectUser()
      }
    })
})

describe('a poll on a real server', () => {
  it('[POL-14] [POL-15] [POL-2] [POL-3] is created, read and voted in', async () => {
    const { bo, boID, bosPoll, pho, pollID } = await aQuestion({ description: 'Today' })
    const { vote } = await bosPoll.castVote(pho)
    assert.deepEqual([vote.poll_id, vote.option_id, vote.user_id], [pollID, pho, boID])
    const { poll } = await bo.getPoll(pollID)
    assert.deepEqual([poll.name, poll.description, poll.vote_count], ['Lunch?', 'Today', 1])
    assert.deepEqual(poll.vote_counts_by_option, { [pho]: 1 })
    assert.equal(poll.own_votes[0]?.id, vote.id)
    const { vote: answer } = await bosPoll.addAnswer('Soup')
    assert.equal(answer.answer_text, 'Soup')
  })

  it('[POL-20] [POL-27] [POL-28] polls, votes and answers are queried', async () => {
    const { ada, bosPoll, pho, pollID } = await aQuestion()
    await bosPoll.castVote(pho)
    await bosPoll.addAnswer('Soup')
    const { polls } = await ada.queryPolls({ id: { $in: [pollID] } })
    assert.deepEqual(
      polls.map(({ id }) => id),
      [pollID],
    )
    const votes = (await bosPoll.queryOptionVotes(pho)).votes
    assert.deepEqual(
      votes.map(({ option_id }) => option_id),
      [pho],
    )
    assert.deepEqual(
      (await bosPoll.queryAnswers()).votes.map(({ answer_text }) => answer_text),
      ['Soup'],
    )
    assert.equal((await ada.queryPollVotes(pollID, { is_answer: false })).votes.length, 1)
  })

  it('[POL-5] [POL-18] takes no votes once it has ended', async () => {
    const { bo, adasPoll, bosPoll, pho, messageID, pollID } = await aQuestion()
    await adasPoll.close()
    await until(bosPoll, (poll) => poll?.is_closed === true)
    await assert.rejects(bosPoll.castVote(pho), { code: 'CLIENT_POLL_CLOSED' })
    await assert.rejects(bo.castPollVote(messageID, pollID, { option_id: pho }), { code: 4 })
  })
})
