import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { ChatClient } from '../chat-client.ts'
import { type RealServer, startRealServer, until } from '../testing/real-server.ts'
import type { Thread } from './thread.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

let count = 0

/** Ada has sent a message, and Bo has replied in a thread. Both watch; Cy is a member of the channel. */
async function aThread() {
  const story = ++count
  const [adaID, boID, cyID] = [`ada-${story}`, `bo-${story}`, `cy-${story}`]
  await server.company.upsertUsers([
    { id: adaID, name: 'Ada' },
    { id: boID, name: 'Bo' },
    { id: cyID, name: 'Cy' },
  ])
  const made = server.company.channel('messaging', `tea-${story}`, {
    created_by_id: adaID,
    members: [adaID, boID, cyID],
  })
  await made.create()
  const [ada, bo] = await Promise.all([server.connects(adaID), server.connects(boID)])
  const channelOf = async (client: ChatClient) => {
    const channel = client.channel('messaging', `tea-${story}`)
    await channel.watch()
    return channel
  }
  const [adas, bos] = [await channelOf(ada), await channelOf(bo)]
  const parent = await adas.send({ text: 'Where?' })
  const first = await bos.send({ text: 'Here', parent_id: parent.id })
  return { ada, bo, cyID, adaID, boID, adas, bos, parent, first }
}

const words = (thread: Thread) => thread.snapshot().replies.map(({ text }) => text)

/** The fields that must be equal on two clients of one user. */
function agreed(thread: Thread) {
  const state = thread.snapshot()
  const read = Object.values(state.read)
    .map((entry) => ({
      user: entry.user.id,
      lastReadIso: entry.lastReadIso,
      last_read_message_id: entry.last_read_message_id,
      unread_messages: entry.user.id === thread.channel.getClient().userID ? entry.unread_messages : undefined,
    }))
    .toSorted((a, b) => (a.user < b.user ? -1 : 1))
  const participants = state.thread_participants.map(({ user, ...one }) => ({ ...one, user: user.id }))
  const message = ({ id, text, type, own_reactions, reaction_groups }: (typeof state.replies)[number]) => ({
    id,
    text,
    type,
    own: own_reactions.map((reaction) => reaction.type),
    reaction_groups,
  })
  return {
    title: state.title,
    mood: state.mood,
    reply_count: state.reply_count,
    participant_count: state.participant_count,
    active_participant_count: state.active_participant_count,
    participants,
    read,
    parent: message(state.parent_message),
    replies: state.replies.map(message),
    created_at: state.created_at,
    updated_at: state.updated_at,
    deleted_at: state.deleted_at,
    last: state.lastMessageIso,
    unread: thread.unreadCount,
  }
}

/** Runs an action, and requires that the thread after its events equals a fresh query. */
async function eventsKeepUp(client: ChatClient, thread: Thread, action: () => Promise<unknown>) {
  await action()
  const again = await server.connects(client.userID!)
  const fresh = await again.getThread(thread.id)
  const isSame = () => JSON.stringify(agreed(thread)) === JSON.stringify(agreed(fresh))
  await until(thread, isSame, 'both agree').catch(() => assert.deepEqual(agreed(thread), agreed(fresh)))
  await until(client.threads, ({ unreadThreads }) => unreadThreads === again.threads.snapshot().unreadThreads)
  await again.disconnectUser()
}

describe('a thread on a real server', () => {
  it('[THR-4] [THR-1] [THR-2] is queried by its parent message', async () => {
    const { ada, parent, first, adaID, boID } = await aThread()
    const thread = await ada.getThread(parent.id)
    const state = thread.snapshot()
    assert.deepEqual([thread.id, state.parent_message_id, state.parent_message.text], [parent.id, parent.id, 'Where?'])
    assert.deepEqual(words(thread), ['Here'])
    assert.equal(state.reply_count, 1)
    assert.deepEqual(state.thread_participants.map(({ user_id }) => user_id).toSorted(), [adaID, boID])
    assert.equal(state.read[adaID]?.unread_messages, 1)
    assert.equal(state.created_at.getTime(), first.created_at.getTime())
    assert.ok(state.updated_at instanceof Date)
    assert.equal(state.deleted_at, undefined)
    assert.equal(await ada.getThread(parent.id), thread)
  })

  it('[THR-3] the threads of a user are queried', async () => {
    const { ada, bo, cyID, parent } = await aThread()
    assert.deepEqual(
      (await ada.queryThreads()).threads.map(({ id }) => id),
      [parent.id],
    )
    assert.deepEqual((await bo.queryThreads({ filter: { parent_message_id: { $in: ['other'] } } })).threads, [])
    const cy = await server.connects(cyID)
    assert.deepEqual((await cy.queryThreads()).threads, [])
  })

  it('[THR-5] has a title and custom fields, and watchers get an event when they change', async () => {
    const { ada, bo, parent } = await aThread()
    const [adas, bos] = [await ada.getThread(parent.id), await bo.getThread(parent.id)]
    await ada.partialUpdateThread(parent.id, { set: { title: 'Places', mood: 'calm' } })
    for (const thread of [adas, bos]) await until(thread, ({ title, mood }) => title === 'Places' && mood === 'calm')
    await bo.partialUpdateThread(parent.id, { unset: ['mood'] })
    await until(adas, ({ mood }) => mood === undefined)
  })

  it('[THR-6] its replies are loaded page by page, and around one of them', async () => {
    const { ada, bos, adas, parent, first } = await aThread()
    for (let i = 2; i <= 8; i++) await bos.sendMessage({ text: `r${i}`, parent_id: parent.id })
    await until(adas, () => adas.state.messages[0]?.reply_count === 8)
    const again = await server.connects(ada.userID!)
    const thread = await again.getThread(parent.id)
    assert.deepEqual(words(thread), ['r6', 'r7', 'r8'])
    const [r6] = thread.snapshot().replies
    const before = await thread.channel.getReplies(parent.id, { limit: 3, id_lt: r6!.id })
    assert.deepEqual(
      before.messages.map(({ text }) => text),
      ['r3', 'r4', 'r5'],
    )
    const back = await thread.channel.getReplies(parent.id, { limit: 2 }, { created_at: -1 })
    assert.deepEqual(
      back.messages.map(({ text }) => text),
      ['r8', 'r7'],
    )
    assert.equal(thread.snapshot().hasOlder, true)
    await thread.loadOlder()
    assert.deepEqual(words(thread), ['Here', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8'])
    assert.equal(thread.snapshot().hasOlder, false)
    const far = await adas.getReplies(parent.id, { limit: 3, id_around: first.id })
    assert.ok(far.messages.some(({ id }) => id === first.id))
    const after = await adas.getReplies(parent.id, { limit: 1, id_gt: first.id })
    assert.deepEqual(
      after.messages.map(({ text }) => text),
      ['r2'],
    )
  })

  it('[THR-30] a reply is shown in the channel only when it was sent so', async () => {
    const { ada, adas, bos, parent } = await aThread()
    const thread = await ada.getThread(parent.id)
    await bos.send({ text: 'also outside', parent_id: parent.id, show_in_channel: true })
    await until(thread, () => words(thread).length === 2)
    assert.deepEqual(words(thread), ['Here', 'also outside'])
    assert.deepEqual(
      adas.state.messages.map(({ text }) => text),
      ['Where?', 'also outside'],
    )
  })

  it('shows a reply at once, and the others receive it', async () => {
    const { ada, bo, parent } = await aThread()
    const [adas, bos] = [await ada.getThread(parent.id), await bo.getThread(parent.id)]
    adas.composer.setText('By the sea')
    const sending = adas.composer.send()
    assert.deepEqual(words(adas), ['Here', 'By the sea'])
    await sending
    await until(bos, () => words(bos).length === 2)
    assert.equal(bos.unreadCount, 1)
    await until(bo.threads, ({ unreadThreads }) => unreadThreads === 1)
  })

  it('is marked read, and unread again', async () => {
    const { ada, bo, parent } = await aThread()
    const thread = await ada.getThread(parent.id)
    assert.equal(thread.unreadCount, 1)
    const bos = await bo.getThread(parent.id)
    await thread.markRead()
    assert.equal(thread.unreadCount, 0)
    await until(ada.threads, ({ unreadThreads }) => unreadThreads === 0)
    await until(bos, ({ read, replies }) => read[ada.userID!]?.last_read_message_id === replies.at(-1)?.id)
    await thread.channel.markUnread({ thread_id: parent.id })
    await until(thread, () => thread.unreadCount === 1)
  })

  it('marks replies read at once while it is shown', async () => {
    const { ada, bos, parent } = await aThread()
    const thread = await ada.getThread(parent.id)
    thread.show()
    await until(ada.threads, ({ unreadThreads }) => unreadThreads === 0)
    await bos.send({ text: 'look', parent_id: parent.id })
    await until(thread, () => words(thread).length === 2)
    assert.equal(thread.unreadCount, 0)
    await until(ada.threads, ({ unreadThreads }) => unreadThreads === 0)
  })
})

describe('the state after events equals a fresh query', () => {
  type Scene = Awaited<ReturnType<typeof aThread>>
  const actions: [name: string, act: (scene: Scene) => Promise<unknown>][] = [
    ['another reply', ({ bos, parent }) => bos.sendMessage({ text: 'more', parent_id: parent.id })],
    ['one’s own reply', ({ adas, parent }) => adas.sendMessage({ text: 'mine', parent_id: parent.id })],
    ['a silent reply', ({ bos, parent }) => bos.sendMessage({ text: 'psst', parent_id: parent.id, silent: true })],
    [
      'a reply that is shown in the channel',
      ({ bos, parent }) => bos.sendMessage({ text: 'all', parent_id: parent.id, show_in_channel: true }),
    ],
    [
      'somebody who joins in',
      async ({ cyID, adas, parent }) => {
        const cy = (await server.connects(cyID)).channel('messaging', adas.id)
        await cy.sendMessage({ text: 'me too', parent_id: parent.id })
      },
    ],
    ['a changed reply', ({ bo, first }) => bo.partialUpdateMessage(first.id, { set: { text: 'There' } })],
    ['other words of the parent', ({ ada, parent }) => ada.partialUpdateMessage(parent.id, { set: { text: 'When?' } })],
    ['a reaction', ({ bos, first }) => bos.sendReaction(first.id, { type: 'love' })],
    ['one’s own reaction', ({ adas, parent }) => adas.sendReaction(parent.id, { type: 'love' })],
    ['a reading', ({ adas, parent }) => adas.markRead({ thread_id: parent.id })],
    [
      'a reading that is taken back',
      async ({ adas, parent }) => {
        await adas.markRead({ thread_id: parent.id })
        await adas.markUnread({ thread_id: parent.id })
      },
    ],
    ['a reply that is deleted', ({ bo, first }) => bo.deleteMessage(first.id)],
    ['a reply that is deleted for good', ({ bo, first }) => bo.deleteMessage(first.id, true)],
    [
      'a reply that comes back',
      async ({ bo, first }) => {
        await bo.deleteMessage(first.id)
        await server.company.undeleteMessage(first.id, bo.userID!)
      },
    ],
    ['a deleted parent', ({ ada, parent }) => ada.deleteMessage(parent.id)],
    ['a title', ({ ada, parent }) => ada.partialUpdateThread(parent.id, { set: { title: 'Places', mood: 'calm' } })],
    [
      'another name of a participant',
      ({ bo }) => server.company.partialUpdateUser({ id: bo.userID!, set: { name: 'Bob' } }),
    ],
  ]
  for (const [name, act] of actions)
    it(name, async () => {
      const scene = await aThread()
      const { ada, bo, parent } = scene
      const [adas, bos] = [await ada.getThread(parent.id), await bo.getThread(parent.id)]
      await eventsKeepUp(ada, adas, () => act(scene))
      // Only the user gets the event that they marked it unread.
      if (name !== 'a reading that is taken back') await eventsKeepUp(bo, bos, async () => {})
    })
})

describe('the list of threads on a real server', () => {
  it('lists the user’s threads, and notes new ones', async () => {
    const { ada, adas, bos, parent } = await aThread()
    await ada.threads.load()
    assert.deepEqual(
      ada.threads.snapshot().threads.map(({ id }) => id),
      [parent.id],
    )
    assert.equal(ada.threads.snapshot().unreadThreads, 1)
    const other = await adas.send({ text: 'And when?' })
    await bos.send({ text: 'Soon', parent_id: other.id })
    await until(ada.threads, ({ newThreadIds }) => newThreadIds.length === 1)
    assert.deepEqual(ada.threads.snapshot().newThreadIds, [other.id])
    await bos.send({ text: 'Here too', parent_id: parent.id })
    await until(ada.threads, ({ orderStale }) => orderStale)
    const [first] = ada.threads.snapshot().threads
    await ada.threads.reload()
    const { threads, newThreadIds, orderStale } = ada.threads.snapshot()
    assert.deepEqual([threads.map(({ id }) => id), newThreadIds, orderStale], [[parent.id, other.id], [], false])
    assert.equal(threads[0], first)
  })

  it('a thread is removed with its parent, and with its channel', async () => {
    const { ada, adas, bos, parent } = await aThread()
    const other = await adas.send({ text: 'And when?' })
    await bos.send({ text: 'Soon', parent_id: other.id })
    await ada.threads.load()
    assert.equal(ada.threads.snapshot().threads.length, 2)
    await ada.deleteMessage(parent.id, true)
    await until(ada.threads, ({ threads }) => threads.length === 1)
    await server.company.channel('messaging', adas.id).delete()
    await until(ada.threads, ({ threads }) => threads.length === 0)
  })
})
