import { randomUUID } from 'node:crypto'
import type { Channel, PollData } from '@parley/client'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { fromNow, now } from '../../scripts/machine-time.ts'
import { Conversation, eventsKeepUp, until } from './kit/chatter.ts'
import { type Place, type Stack, startStack } from './kit/stack.ts'

/**
 * Every action that publishes, seen by its author, by other watchers, by a member who does not watch, and on a second
 * device.
 */
const actions: [name: string, act: (on: Scene) => Promise<unknown>][] = [
  ['a message', ({ ada }) => ada.channel.sendMessage({ text: 'Hello' })],
  ['a message from the one who was behind', ({ bo }) => bo.channel.sendMessage({ text: 'I am here' })],
  ['a message from one who hides what they read', ({ cy }) => cy.channel.sendMessage({ text: 'I am here, too' })],
  ['a silent message', ({ ada }) => ada.channel.sendMessage({ text: 'psst', silent: true })],
  ['a reply in a thread', ({ bo, first }) => bo.channel.sendMessage({ text: 'In the thread', parent_id: first })],
  [
    'a reply that is shown in the channel',
    ({ bo, first }) => bo.channel.sendMessage({ text: 'For all', parent_id: first, show_in_channel: true }),
  ],
  ['a reply that comes into the channel later', ({ bo, first }) => showsLater(bo, first, true)],
  ['a reply that leaves the channel', ({ ada, first }) => showsLater(ada, first, false)],
  ['a quoted message', ({ bo, first }) => bo.channel.sendMessage({ text: 'As you said', quoted_message_id: first })],
  ['a gif that is sent', ({ ada }) => decideOnGif(ada.channel, 'send')],
  ['a gif that is shuffled and not sent', ({ ada }) => decideOnGif(ada.channel, 'shuffle', 'cancel')],
  ['a mention', ({ ada }) => ada.channel.sendMessage({ text: 'Hi @bo', mentioned_users: ['bo'] })],
  ['an edit', ({ ada, first }) => ada.client.partialUpdateMessage(first, { set: { text: 'Better' } })],
  ['a replaced message', ({ ada, first }) => ada.client.updateMessage({ id: first, text: 'Anew', mood: 'calm' })],
  ['a pin', ({ bo, first }) => bo.client.pinMessage(first)],
  ['an unpin', async ({ bo, first }) => bo.client.unpinMessage(first)],
  ['a reaction', ({ bo, first }) => bo.channel.sendReaction(first, { type: 'love' })],
  [
    'a reaction that replaces the others',
    ({ bo, first }) => bo.channel.sendReaction(first, { type: 'wow' }, { enforce_unique: true }),
  ],
  ['a reaction taken back', ({ bo, first }) => bo.channel.deleteReaction(first, 'wow')],
  ['a read mark', ({ cy }) => cy.channel.markRead()],
  ['a mark up to a message', ({ bo, first }) => bo.channel.markRead({ message_id: first })],
  ['a mark of unread', ({ bo, first }) => bo.channel.markUnread({ message_id: first })],
  ['a thread that is read', ({ ada, first }) => ada.channel.markRead({ thread_id: first })],
  ['a thread that is unread', ({ ada, first }) => ada.channel.markUnread({ thread_id: first })],
  [
    'a thread with another title',
    ({ ada, first }) => ada.client.partialUpdateThread(first, { set: { title: 'Talk' } }),
  ],
  ['a truncation', ({ ada }) => ada.channel.truncate()],
  ['a truncation with a message', ({ ada }) => ada.channel.truncate({ message: { text: 'From here on' } })],
  [
    'a truncation up to a time',
    async ({ ada, second }) => {
      const { message } = await ada.client.getMessage(second)
      await ada.channel.truncate({ truncated_at: message.created_at })
    },
  ],
  ['a shadow ban', ({ room }) => room.shadowBan('bo', { banned_by_id: 'ada' })],
  [
    'a ban that is lifted',
    async ({ room }) => {
      await room.banUser('bo', { banned_by_id: 'ada' })
      await room.unbanUser('bo')
    },
  ],
  [
    'a ban that takes along what was said',
    async ({ bo, room, first, second }) => {
      await room.banUser('ada', { banned_by_id: 'bo', delete_messages: 'soft' })
      for (const id of [first, second])
        await until(`${id} is deleted`, async () => (await bo.client.getMessage(id)).message.type === 'deleted')
      await room.unbanUser('ada')
    },
  ],
  [
    'a ban from everywhere that takes along what was said',
    async ({ bo, server, first, second }) => {
      await server.banUser('ada', { banned_by_id: 'bo', delete_messages: 'soft' })
      for (const id of [first, second])
        await until(`${id} is deleted`, async () => (await bo.client.getMessage(id)).message.type === 'deleted')
      await server.unbanUser('ada')
    },
  ],
  [
    'the end of a user, and of all they said',
    async ({ bo, room, server }) => {
      // A deleted user cannot return for the tests that follow.
      const zoe = `zoe-${randomUUID()}`
      await server.upsertUser({ id: zoe })
      await room.addMembers([zoe])
      const { message } = await room.sendMessage({ text: 'Before I go', user_id: zoe })
      await until('zoe is heard', () => bo.channel.snapshot().messages.some(({ id }) => id === message.id))
      await server.deleteUser(zoe, { mark_messages_deleted: true })
    },
  ],
  ['a hidden channel', ({ bo }) => bo.channel.hide()],
  ['a cleared history', ({ bo }) => bo.channel.hide(undefined, true)],
  ['a muted user', ({ bo }) => bo.client.muteUser('ada')],
  ['a soft deletion', ({ ada, second }) => ada.client.deleteMessage(second)],
  ['a hard deletion', ({ ada, first }) => ada.client.deleteMessage(first, true)],
  ['a new member', ({ ada }) => ada.channel.addMembers(['eve'])],
  ['a member who goes', ({ ada }) => ada.channel.removeMembers(['eve'])],
  ['a muted channel', ({ cy }) => cy.channel.mute()],
  ['a new name', ({ ada }) => ada.channel.updatePartial({ set: { name: 'Tea', colour: 'green' } })],
  ['a whole update', ({ ada }) => ada.channel.update({ name: 'Coffee' })],
  ['a new moderator', ({ ada }) => ada.channel.addModerators(['bo'])],
  ['an invitation', ({ ada }) => ada.channel.inviteMembers(['eve'])],
  ['a message with a poll', ({ ada, poll }) => ada.channel.sendMessage({ text: '', poll_id: poll.id })],
  ['a vote in a poll', ({ bo, asked, poll }) => bo.channel.vote(asked, poll.id, { option_id: poll.options[0]!.id })],
  [
    'a vote in place of another in a poll',
    async ({ ada, asked, poll }) => {
      await ada.client.partialUpdatePoll(poll.id, { set: { enforce_unique_vote: true } })
      for (const { id } of poll.options) await ada.channel.vote(asked, poll.id, { option_id: id })
    },
  ],
  [
    'a vote too many in a poll',
    async ({ bo, asked, poll }) => {
      for (const { id } of poll.options) await bo.channel.vote(asked, poll.id, { option_id: id })
    },
  ],
  ['an answer in a poll', ({ ada, asked, poll }) => ada.channel.vote(asked, poll.id, { answer_text: 'Tea' })],
  [
    'a vote taken back in a poll',
    async ({ ada, asked, poll }) => {
      const { vote } = await ada.channel.vote(asked, poll.id, { option_id: poll.options[0]!.id })
      await ada.channel.removeVote(asked, poll.id, vote.id)
    },
  ],
  [
    'a vote in an anonymous poll',
    async ({ ada, asked, poll }) => {
      await ada.client.partialUpdatePoll(poll.id, { set: { voting_visibility: 'anonymous' } })
      await ada.channel.vote(asked, poll.id, { option_id: poll.options[0]!.id })
    },
  ],
  ['an option more in a poll', ({ ada, poll }) => ada.client.createPollOption(poll.id, { text: 'Milk' })],
  [
    'an option less in a poll',
    async ({ ada, asked, poll }) => {
      await ada.channel.vote(asked, poll.id, { option_id: poll.options[0]!.id })
      await ada.client.deletePollOption(poll.id, poll.options[0]!.id)
    },
  ],
  ['a poll that ends', ({ ada, poll }) => ada.client.closePoll(poll.id)],
  ['a poll that is deleted', ({ ada, poll }) => ada.client.deletePoll(poll.id)],
  [
    'a message for some alone',
    ({ room }) => room.sendMessage({ text: 'Between us', user_id: 'ada', restricted_visibility: ['bo'] }),
  ],
  [
    'a message that waits until it is let out',
    async ({ room, server }) => {
      await server.commitMessage(await holdsBack(server, room))
    },
  ],
  [
    'a message that waits and is taken back',
    async ({ room, server }) => {
      await server.deleteMessage(await holdsBack(server, room), true)
    },
  ],
  [
    'a reminder',
    async ({ room, bo, first }) => {
      await room.updatePartial({ set: { config_overrides: { user_message_reminders: true } } })
      await bo.client.createReminder(first, { remind_at: fromNow(600_000) })
      await bo.client.updateReminder(first)
    },
  ],
  [
    'a location that moves, and ends',
    async ({ room, ada }) => {
      await room.updatePartial({ set: { config_overrides: { shared_locations: true } } })
      const here = { latitude: 48.2, longitude: 16.4, created_by_device_id: 'phone' }
      const end_at = fromNow(600_000).toISOString()
      const { message } = await ada.channel.sendMessage({ text: '', shared_location: { ...here, end_at } })
      const moved = { message_id: message.id, created_by_device_id: 'phone', latitude: 48.3 }
      await ada.client.updateLocation(moved)
      await ada.client.updateLocation({ ...moved, end_at: now().toISOString() })
    },
  ],
  [
    'a message in other languages',
    ({ room }) => room.sendMessage({ text: 'Tea', user_id: 'ada', i18n: { language: 'en', fr_text: 'Thé' } }),
  ],
  [
    'a message that is delivered',
    async ({ ada, bo, room, second }) => {
      await bo.client.markChannelsDelivered({ latest_delivered_messages: [{ cid: room.cid, id: second }] })
      await until('ada knows', () => ada.channel.snapshot().read.bo?.last_delivered_message_id === second)
    },
  ],
  [
    'a campaign',
    async ({ room, server }) => {
      const { segment } = await server.createChannelSegment(null)
      await server.addSegmentTargets(segment.id, [room.cid])
      const message_template = { text: 'In {{ channel.id }}' }
      const sent = { sender_id: 'bo', segment_ids: [segment.id], message_template }
      const { campaign } = await server.createCampaign(sent)
      await server.startCampaign(campaign.id)
      await until('it is sent', async () => (await server.getCampaign(campaign.id)).campaign.status === 'completed')
    },
  ],
  [
    'a message that only its author is to see from now on',
    ({ server, second }) => moderates(server, second, 'shadow_block'),
  ],
  [
    'a message that was kept from others and is let out',
    ({ server, second }) => moderates(server, second, 'shadow_block', 'unblock'),
  ],
  ['a message that is blocked and let out', ({ server, first }) => moderates(server, first, 'block', 'unblock')],
  [
    'a truncation for some members',
    ({ room, server }) =>
      server.request('POST', `${path(room)}/truncate`, { body: { member_ids: ['bo'], user_id: 'ada' } }),
  ],
]

interface Scene {
  ada: Awaited<ReturnType<Conversation['joins']>>
  bo: Awaited<ReturnType<Conversation['joins']>>
  cy: Awaited<ReturnType<Conversation['joins']>>
  /** The channel, for the application's server. */
  room: Channel
  server: Conversation['server']
  /** Messages of ada. */
  first: string
  second: string
  /** ada's poll and its message; created for actions that involve a poll. */
  poll: PollData
  asked: string
}

async function decideOnGif(channel: Channel, ...choices: string[]) {
  const { message } = await channel.sendMessage({ text: '/giphy cats' })
  for (const image_action of choices) await channel.sendAction(message.id, { image_action })
}

const path = ({ type, id }: Channel) => `/channels/${type}/${id}`

/** A message of ada that is pending until the application's server commits it; returns its id. */
async function holdsBack(server: Conversation['server'], room: Channel): Promise<string> {
  const body = { message: { text: 'Later', user_id: 'ada' }, pending: true }
  const { message } = await server.request<{ message: { id: string } }>('POST', `${path(room)}/message`, { body })
  return message.id
}

/** A reply to a message, whose `show_in_channel` is set later. */
async function showsLater({ client, channel }: Scene['ada'], parent_id: string, isShown: boolean) {
  const { message } = await channel.sendMessage({ text: 'By the way', parent_id, show_in_channel: !isShown })
  await channel.sendMessage({ text: 'Next' })
  await client.partialUpdateMessage(message.id, { set: { show_in_channel: isShown } })
}

/** bo's moderation decisions about a reported message. */
async function moderates(server: Conversation['server'], message: string, ...decisions: string[]) {
  const { item_id } = await server.moderation.flagMessage(message, 'rude', { user_id: 'bo' })
  for (const decision of decisions) await server.moderation.submitAction(decision, item_id, { user_id: 'bo' })
}

for (const place of ['sqlite', 'cluster'] satisfies Place[])
  describe(`on ${place}`, () => {
    let stack: Stack
    beforeAll(async () => {
      stack = await startStack(place, { web: false })
    })
    afterAll(() => stack?.stop())

    for (const [name, act] of actions)
      it(`events keep up with ${name}`, async () => {
        const conversation = await Conversation.among(stack, ['ada', 'bo', 'cy', 'dan'], ['eve'])
        if (name.endsWith('is delivered'))
          await conversation.server.updateChannelType('messaging', { delivery_events: true })
        const hides = name.endsWith('hides what they read')
        const privacy_settings = { read_receipts: { enabled: !hides } }
        await conversation.server.partialUpdateUser({ id: 'cy', set: { privacy_settings } })
        const ada = await conversation.joins('ada')
        const first = (await ada.channel.sendMessage({ text: 'First' })).message.id
        const second = (await ada.channel.sendMessage({ text: 'Second' })).message.id
        const question = name.includes('poll') ? await asks(ada) : undefined
        const bo = await conversation.joins('bo', { node: 1 })
        const cy = await conversation.joins('cy')
        const secondDevice = await conversation.joins('ada', { node: 1 })
        const elsewhere = await conversation.joins('dan', { watch: false, node: 1 })
        if (name === 'an unpin') await bo.client.pinMessage(first)
        if (name === 'a reaction taken back') await bo.channel.sendReaction(first, { type: 'wow' })
        if (name === 'a reaction that replaces the others') await bo.channel.sendReaction(first, { type: 'love' })
        if (name === 'a member who goes') await ada.channel.addMembers(['eve'])
        if (name.startsWith('a thread')) await bo.channel.sendMessage({ text: 'Third', parent_id: first })
        if (name === 'a mark of unread') await bo.channel.markRead()

        const room = conversation.server.channel('messaging', ada.channel.id)
        // The channel moves up for all members; those a message is not visible to see that with their next query.
        const onlookers = name.endsWith('for some alone')
          ? [ada, bo, secondDevice]
          : [ada, bo, cy, secondDevice, elsewhere]
        const apart = name === 'a mark of unread' ? ['bo'] : []
        await eventsKeepUp(
          conversation,
          onlookers,
          () => act({ ada, bo, cy, room, server: conversation.server, first, second, ...question! }),
          apart,
        ).finally(() => conversation.ends())
      })
  })

async function asks({ client, channel }: Scene['ada']): Promise<Pick<Scene, 'poll' | 'asked'>> {
  const options = ['Pho', 'Pizza', 'Salad'].map((text) => ({ text }))
  const { poll } = await client.createPoll({ name: 'Lunch?', options, allow_answers: true, max_votes_allowed: 2 })
  const { message } = await channel.sendMessage({ text: '', poll_id: poll.id })
  return { poll, asked: message.id }
}
