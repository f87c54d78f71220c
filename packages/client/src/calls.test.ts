import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { ChatClient } from './chat-client.ts'
import { aConnectedWorld, aWorld, settle } from './testing/fake-server.ts'
import { isOnTheWire, type Wire } from './testing/on-the-wire.ts'
import { aChannel, ada, aMessage, anEvent, bo, me, posted } from './testing/wire.ts'

const review = '/api/v2/moderation'
const vote = '/messages/m1/polls/p1/vote'

const sends = (wire: Wire<ChatClient>) => async () => {
  const { client, server } = await aConnectedWorld()
  await isOnTheWire(server, client, wire)
}

describe('on the wire', () => {
  it(
    '[MOD-1] a user is banned from the app',
    sends({
      call: (client) => client.banUser('bo', { timeout: 60, reason: 'spam', ip_ban: true }),
      method: 'POST',
      path: '/moderation/ban',
      body: { target_user_id: 'bo', timeout: 60, reason: 'spam', ip_ban: true },
    }),
  )

  it(
    '[MOD-3] a user is banned from a channel',
    sends({
      call: (client) => client.banUser('bo', { channel_cid: 'messaging:tea', delete_messages: 'soft' }),
      method: 'POST',
      path: '/moderation/ban',
      body: { target_user_id: 'bo', channel_cid: 'messaging:tea', delete_messages: 'soft' },
    }),
  )

  it(
    '[MOD-2] [MOD-5] a ban is lifted',
    sends({
      call: (client) => client.unbanUser('bo', { type: 'messaging', id: 'tea' }),
      method: 'DELETE',
      path: '/moderation/ban',
      query: { target_user_id: 'bo', type: 'messaging', id: 'tea' },
    }),
  )

  it(
    '[MOD-4] a user is shadow banned',
    sends({
      call: (client) => client.shadowBan('bo', { channel_cid: 'messaging:tea' }),
      method: 'POST',
      path: '/moderation/ban',
      body: { target_user_id: 'bo', channel_cid: 'messaging:tea', shadow: true },
    }),
  )

  it(
    '[MOD-5] a shadow ban is lifted',
    sends({
      call: (client) => client.removeShadowBan('bo', { channel_cid: 'messaging:tea' }),
      method: 'DELETE',
      path: '/moderation/ban',
      query: { target_user_id: 'bo', channel_cid: 'messaging:tea' },
    }),
  )

  it(
    '[MOD-6] a user is muted',
    sends({
      call: (client) => client.muteUser('bo', undefined, { timeout: 5 }),
      method: 'POST',
      path: '/moderation/mute',
      body: { target_id: 'bo', timeout: 5 },
    }),
  )

  it(
    '[MOD-7] a user is unmuted',
    sends({
      call: (client) => client.unmuteUser('bo'),
      method: 'POST',
      path: '/moderation/unmute',
      body: { target_id: 'bo' },
    }),
  )

  it(
    '[MOD-8] a message is flagged',
    sends({
      call: (client) => client.flagMessage('m1', { reason: 'rude' }),
      method: 'POST',
      path: '/moderation/flag',
      body: { target_message_id: 'm1', reason: 'rude' },
    }),
  )

  it(
    '[MOD-8] a user is flagged',
    sends({
      call: (client) => client.flagUser('bo', { custom: { from: 'menu' } }),
      method: 'POST',
      path: '/moderation/flag',
      body: { target_user_id: 'bo', custom: { from: 'menu' } },
    }),
  )

  it(
    '[MOD-9] a message is unflagged',
    sends({
      call: (client) => client.unflagMessage('m1'),
      method: 'POST',
      path: '/moderation/unflag',
      body: { target_message_id: 'm1' },
    }),
  )

  it(
    '[MOD-9] a user is unflagged',
    sends({
      call: (client) => client.unflagUser('bo'),
      method: 'POST',
      path: '/moderation/unflag',
      body: { target_user_id: 'bo' },
    }),
  )

  it(
    '[MOD-10] bans are queried',
    sends({
      call: (client) => client.queryBannedUsers({ channel_cid: 'messaging:tea' }, { created_at: -1 }, { limit: 2 }),
      method: 'GET',
      path: '/query_banned_users',
      query: {
        payload:
          '{"filter_conditions":{"channel_cid":"messaging:tea"},"sort":[{"field":"created_at","direction":-1}],"limit":2}',
      },
    }),
  )

  it(
    'bans from future channels are queried',
    sends({
      call: (client) => client.queryFutureChannelBans({ limit: 2 }),
      method: 'GET',
      path: '/query_future_channel_bans',
      query: { payload: '{"limit":2}' },
    }),
  )

  it(
    '[MOD-11] flagged messages are queried',
    sends({
      call: (client) => client.queryMessageFlags({ channel_cid: 'messaging:tea' }, { offset: 3 }),
      method: 'GET',
      path: '/moderation/flags/message',
      query: { payload: '{"filter_conditions":{"channel_cid":"messaging:tea"},"offset":3}' },
    }),
  )

  it(
    'reports are queried',
    sends({
      call: (client) => client.queryFlagReports({ is_reviewed: false }),
      method: 'POST',
      path: '/moderation/reports',
      body: { filter_conditions: { is_reviewed: false } },
    }),
  )

  it(
    '[MOD-12] a report is reviewed',
    sends({
      call: (client) => client.reviewFlagReport('r1', 'reviewed', { review_details: { by: 'hand' } }),
      method: 'PATCH',
      path: '/moderation/reports/r1',
      body: { review_result: 'reviewed', review_details: { by: 'hand' } },
    }),
  )

  it(
    '[MOD2-1] [MOD2-2] an entity is flagged',
    sends({
      call: (client) => client.moderation.flag('post', 'e1', 'bo', 'spam', { custom: { page: 3 } }),
      method: 'POST',
      path: `${review}/flag`,
      body: { entity_type: 'post', entity_id: 'e1', entity_creator_id: 'bo', reason: 'spam', custom: { page: 3 } },
    }),
  )

  it(
    '[MOD2-2] a user is flagged for the review queue',
    sends({
      call: (client) => client.moderation.flagUser('bo', 'rude'),
      method: 'POST',
      path: `${review}/flag`,
      body: { entity_type: 'stream:user', entity_id: 'bo', reason: 'rude' },
    }),
  )

  it(
    '[MOD2-2] a message is flagged for the review queue',
    sends({
      call: (client) => client.moderation.flagMessage('m1', 'rude'),
      method: 'POST',
      path: `${review}/flag`,
      body: { entity_type: 'stream:chat:v1:message', entity_id: 'm1', reason: 'rude' },
    }),
  )

  it(
    '[MOD2-1] [MOD2-3] a moderator mutes a user',
    sends({
      call: (client) => client.moderation.muteUser('bo', { timeout: 5 }),
      method: 'POST',
      path: `${review}/mute`,
      body: { target_ids: ['bo'], timeout: 5 },
    }),
  )

  it(
    '[MOD2-4] a moderator unmutes a user',
    sends({
      call: (client) => client.moderation.unmuteUser('bo'),
      method: 'POST',
      path: `${review}/unmute`,
      body: { target_ids: ['bo'] },
    }),
  )

  it(
    '[MOD2-5] the moderation report of a user is read',
    sends({
      call: (client) => client.moderation.getUserModerationReport('bo'),
      method: 'GET',
      path: `${review}/user_report`,
      query: { user_id: 'bo' },
    }),
  )

  it(
    '[MOD2-6] the review queue is read',
    sends({
      call: (client) =>
        client.moderation.queryReviewQueue({ reviewed: false }, { created_at: 1 }, { lock_items: true }),
      method: 'POST',
      path: `${review}/review_queue`,
      body: { filter: { reviewed: false }, sort: [{ field: 'created_at', direction: 1 }], lock_items: true },
    }),
  )

  it(
    '[MOD2-7] a configuration is created or replaced',
    sends({
      call: (client) => client.moderation.upsertConfig({ key: 'chat:messaging', block_list_config: { rules: [] } }),
      method: 'POST',
      path: `${review}/config`,
      body: { key: 'chat:messaging', block_list_config: { rules: [] } },
    }),
  )

  it(
    '[MOD2-8] a configuration is read',
    sends({
      call: (client) => client.moderation.getConfig('chat:messaging', { team: 'red' }),
      method: 'GET',
      path: `${review}/config/chat%3Amessaging`,
      query: { team: 'red' },
    }),
  )

  it(
    '[MOD2-9] a configuration is deleted',
    sends({
      call: (client) => client.moderation.deleteConfig('chat:messaging'),
      method: 'DELETE',
      path: `${review}/config/chat%3Amessaging`,
    }),
  )

  it(
    '[MOD2-10] configurations are queried',
    sends({
      call: (client) => client.moderation.queryConfigs({ key: 'chat' }, { key: 1 }, { limit: 2 }),
      method: 'POST',
      path: `${review}/configs`,
      body: { filter: { key: 'chat' }, sort: [{ field: 'key', direction: 1 }], limit: 2 },
    }),
  )

  it(
    '[MOD2-11] a moderator takes an action',
    sends({
      call: (client) => client.moderation.submitAction('ban', 'i1', { ban: { timeout: 60 } }),
      method: 'POST',
      path: `${review}/submit_action`,
      body: { action_type: 'ban', item_id: 'i1', ban: { timeout: 60 } },
    }),
  )

  it(
    '[MOD2-12] content is checked',
    sends({
      call: (client) =>
        client.moderation.check('post', 'e1', 'bo', { texts: ['hi'] }, 'chat', { options: { force_sync: true } }),
      method: 'POST',
      path: `${review}/check`,
      body: {
        entity_type: 'post',
        entity_id: 'e1',
        entity_creator_id: 'bo',
        moderation_payload: { texts: ['hi'] },
        config_key: 'chat',
        options: { force_sync: true },
      },
    }),
  )

  it(
    '[POL-14] a poll is created',
    sends({
      call: (client) => client.createPoll({ name: 'Lunch?', options: [{ text: 'Pho' }], max_votes_allowed: 2 }),
      method: 'POST',
      path: '/polls',
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], max_votes_allowed: 2 },
    }),
  )

  it(
    '[POL-15] a poll is read',
    sends({
      call: (client) => client.getPoll('p1'),
      method: 'GET',
      path: '/polls/p1',
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[POL-16] a poll is replaced',
    sends({
      call: (client) => client.updatePoll({ id: 'p1', name: 'Dinner?' }),
      method: 'PUT',
      path: '/polls',
      body: { id: 'p1', name: 'Dinner?' },
    }),
  )

  it(
    '[POL-17] a poll is updated in part',
    sends({
      call: (client) => client.partialUpdatePoll('p1', { set: { name: 'Dinner?' }, unset: ['description'] }),
      method: 'PATCH',
      path: '/polls/p1',
      body: { set: { name: 'Dinner?' }, unset: ['description'] },
    }),
  )

  it(
    '[POL-18] a poll is closed',
    sends({
      call: (client) => client.closePoll('p1'),
      method: 'PATCH',
      path: '/polls/p1',
      body: { set: { is_closed: true } },
    }),
  )

  it(
    '[POL-19] a poll is deleted',
    sends({
      call: (client) => client.deletePoll('p1'),
      method: 'DELETE',
      path: '/polls/p1',
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[POL-21] an option is added',
    sends({
      call: (client) => client.createPollOption('p1', { text: 'Salad' }),
      method: 'POST',
      path: '/polls/p1/options',
      body: { text: 'Salad' },
    }),
  )

  it(
    'an option is read',
    sends({
      call: (client) => client.getPollOption('p1', 'o1'),
      method: 'GET',
      path: '/polls/p1/options/o1',
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[POL-22] an option is changed',
    sends({
      call: (client) => client.updatePollOption('p1', { id: 'o1', text: 'Soup' }),
      method: 'PUT',
      path: '/polls/p1/options',
      body: { id: 'o1', text: 'Soup' },
    }),
  )

  it(
    '[POL-23] an option is removed',
    sends({
      call: (client) => client.deletePollOption('p1', 'o1'),
      method: 'DELETE',
      path: '/polls/p1/options/o1',
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[POL-24] a vote is cast',
    sends({
      call: (client) => client.castPollVote('m1', 'p1', { option_id: 'o1' }),
      method: 'POST',
      path: vote,
      body: { vote: { option_id: 'o1' } },
    }),
  )

  it(
    '[POL-25] an answer is given',
    sends({
      call: (client) => client.addPollAnswer('m1', 'p1', 'whatever'),
      method: 'POST',
      path: vote,
      body: { vote: { answer_text: 'whatever' } },
    }),
  )

  it(
    '[POL-26] a vote is removed',
    sends({
      call: (client) => client.removePollVote('m1', 'p1', 'v1'),
      method: 'DELETE',
      path: `${vote}/v1`,
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[POL-20] polls are queried',
    sends({
      call: (client) => client.queryPolls({ is_closed: false }, { created_at: 1 }, { limit: 5 }),
      method: 'POST',
      path: '/polls/query',
      body: { filter: { is_closed: false }, sort: [{ field: 'created_at', direction: 1 }], limit: 5 },
    }),
  )

  it(
    '[POL-27] votes are queried',
    sends({
      call: (client) => client.queryPollVotes('p1', { option_id: 'o1' }, [], { next: 'n' }),
      method: 'POST',
      path: '/polls/p1/votes',
      body: { filter: { option_id: 'o1' }, sort: [], next: 'n' },
    }),
  )

  it(
    '[POL-28] answers are queried separately from votes',
    sends({
      call: (client) => client.queryPollAnswers('p1', { user_id: 'bo' }),
      method: 'POST',
      path: '/polls/p1/votes',
      body: { filter: { user_id: 'bo', is_answer: true }, sort: [] },
    }),
  )

  it(
    '[SRCH-1] [SRCH-3] messages are searched by text',
    sends({
      call: (client) => client.search({ members: { $in: ['ada'] } }, 'tea', { limit: 5, offset: 10 }),
      method: 'GET',
      path: '/search',
      query: { payload: '{"filter_conditions":{"members":{"$in":["ada"]}},"limit":5,"offset":10,"query":"tea"}' },
    }),
  )

  it(
    '[SRCH-1] [SRCH-4] messages are searched by a filter',
    sends({
      call: (client) =>
        client.search(
          { cid: 'messaging:tea' },
          { 'attachments.type': { $in: ['image'] } },
          { sort: { id: 1 }, next: 'n' },
        ),
      method: 'GET',
      path: '/search',
      query: {
        payload:
          '{"filter_conditions":{"cid":"messaging:tea"},"next":"n","message_filter_conditions":{"attachments.type":{"$in":["image"]}},"sort":[{"field":"id","direction":1}]}',
      },
    }),
  )

  it(
    '[ATT-5] a link is looked up',
    sends({
      call: (client) => client.enrichURL('https://example.com/?a=1&b=2'),
      method: 'GET',
      path: '/og',
      query: { url: 'https://example.com/?a=1&b=2' },
    }),
  )

  it(
    '[DEV-3] [DEV-1] a device is added',
    sends({
      call: (client) => client.addDevice('phone', 'firebase', undefined, 'android'),
      method: 'POST',
      path: '/devices',
      body: { id: 'phone', push_provider: 'firebase', push_provider_name: 'android' },
    }),
  )

  it(
    '[DEV-2] the devices are listed',
    sends({
      call: (client) => client.getDevices(),
      method: 'GET',
      path: '/devices',
      query: { user_id: 'ada' },
    }),
  )

  it(
    '[DEV-4] a device is removed',
    sends({
      call: (client) => client.removeDevice('phone'),
      method: 'DELETE',
      path: '/devices',
      query: { user_id: 'ada', id: 'phone' },
    }),
  )

  it(
    'push preferences are set',
    sends({
      call: (client) => client.setPushPreferences([{ channel_cid: 'messaging:tea', chat_level: 'mentions' }]),
      method: 'POST',
      path: '/push_preferences',
      body: { preferences: [{ channel_cid: 'messaging:tea', chat_level: 'mentions' }] },
    }),
  )

  it(
    'a reminder is set',
    sends({
      call: (client) => client.createReminder('m1', { remind_at: '2026-05-01T10:00:00Z' }),
      method: 'POST',
      path: '/messages/m1/reminders',
      body: { remind_at: '2026-05-01T10:00:00Z' },
    }),
  )

  it(
    'a reminder is changed',
    sends({
      call: (client) => client.updateReminder('m1', { remind_at: null }),
      method: 'PATCH',
      path: '/messages/m1/reminders',
      body: { remind_at: null },
    }),
  )

  it(
    'a reminder is removed',
    sends({
      call: (client) => client.deleteReminder('m1'),
      method: 'DELETE',
      path: '/messages/m1/reminders',
      query: { user_id: 'ada' },
    }),
  )

  it(
    'reminders are queried',
    sends({
      call: (client) => client.queryReminders({ filter: { channel_cid: 'messaging:tea' }, sort: { remind_at: 1 } }),
      method: 'POST',
      path: '/reminders/query',
      body: { filter: { channel_cid: 'messaging:tea' }, sort: [{ field: 'remind_at', direction: 1 }] },
    }),
  )

  it(
    'live locations are listed',
    sends({
      call: (client) => client.getSharedLocations(),
      method: 'GET',
      path: '/users/live_locations',
    }),
  )

  it(
    'a live location is updated',
    sends({
      call: (client) =>
        client.updateLocation({ message_id: 'm1', created_by_device_id: 'd', latitude: 1, longitude: 2 }),
      method: 'PUT',
      path: '/users/live_locations',
      body: { message_id: 'm1', created_by_device_id: 'd', latitude: 1, longitude: 2 },
    }),
  )

  it(
    'blocked users are listed',
    sends({
      call: (client) => client.getBlockedUsers(),
      method: 'GET',
      path: '/users/block',
      query: { user_id: 'ada' },
    }),
  )

  it(
    'deliveries are reported',
    sends({
      call: (client) =>
        client.markChannelsDelivered({ latest_delivered_messages: [{ cid: 'messaging:tea', id: 'm1' }] }),
      method: 'POST',
      path: '/channels/delivered',
      body: { latest_delivered_messages: [{ cid: 'messaging:tea', id: 'm1' }] },
    }),
  )

  it(
    'drafts are queried',
    sends({
      call: (client) => client.queryDrafts({ sort: { created_at: -1 }, limit: 5 }),
      method: 'POST',
      path: '/drafts/query',
      body: { limit: 5, sort: [{ field: 'created_at', direction: -1 }] },
    }),
  )
})

describe('before any request', () => {
  it('[SRCH-2] an offset together with next throws', async () => {
    const { client, server } = await aConnectedWorld()
    await assert.rejects(client.search({ cid: 'messaging:tea' }, 'tea', { offset: 0, next: 'n' }), {
      code: 'CLIENT_SEARCH_OFFSET_WITH_NEXT',
      message: 'Cannot specify offset with next',
    })
    assert.deepEqual(server.calls, [])
  })

  it('[SRCH-5] a search by neither text nor a filter throws', async () => {
    const { client, server } = await aConnectedWorld()
    for (const [query, name] of [
      [5, 'number'],
      [undefined, 'undefined'],
      [null, 'null'],
      [['tea'], 'array'],
    ] as const)
      await assert.rejects(client.search({ cid: 'messaging:tea' }, query as unknown as string), {
        code: 'CLIENT_SEARCH_QUERY',
        message: `The search query must be a string or a filter object, got ${name}`,
      })
    assert.deepEqual(server.calls, [])
  })

  it('a reminder or a review without its target throws', async () => {
    const { client, server } = await aConnectedWorld()
    await assert.rejects(client.createReminder(''), { code: 'CLIENT_MESSAGE_ID_MISSING' })
    await assert.rejects(client.reviewFlagReport('', 'reviewed'), { code: 'CLIENT_REPORT_ID_MISSING' })
    assert.deepEqual(server.calls, [])
  })
})

describe('permissions and mutes', () => {
  it('[PERM-1] [PERM-2] a channel has the user’s capabilities, and unread counts require read-events', async () => {
    const { client, server } = await aConnectedWorld()
    const own_capabilities = ['send-message', 'read-events']
    server.answers('POST', '/channels/messaging/tea/query', () => aChannel({ own_capabilities }))
    const tea = client.channel('messaging', 'tea')
    await tea.watch()
    assert.deepEqual(tea.data.own_capabilities, own_capabilities)
    server.socket.says(posted(aMessage('m1')))
    assert.equal(tea.countUnread(), 1)
    server.socket.says(anEvent('capabilities.changed', { own_capabilities: ['send-message'] }))
    assert.deepEqual(tea.data.own_capabilities, ['send-message'])
    server.socket.says(posted(aMessage('m2', { minute: 1 })))
    assert.equal(tea.countUnread(), 1)
  })

  it('[MOD-13] notification.mutes_updated replaces the user’s mutes', async () => {
    const mute = { user: ada, target: bo, created_at: '2026-01-05T08:00:00Z', updated_at: '2026-01-05T08:00:00Z' }
    const { client, server, clock } = await aConnectedWorld()
    assert.equal(client.userMuteStatus('bo'), false)
    server.socket.says(anEvent('notification.mutes_updated', { me: me(ada, { mutes: [mute] }) }))
    assert.deepEqual([client.userMuteStatus('bo'), client.mutedUsers], [true, [mute]])
    const short = { ...mute, expires: '2026-01-05T09:00:10Z' }
    server.socket.says(anEvent('notification.mutes_updated', { me: me(ada, { mutes: [short] }) }))
    assert.equal(client.userMuteStatus('bo'), true)
    clock.advance(10_000)
    assert.equal(client.userMuteStatus('bo'), false)
    server.socket.says(anEvent('notification.mutes_updated', { me: me(ada) }))
    assert.deepEqual(client.mutedUsers, [])
  })

  it('without a user, nothing is muted', async () => {
    assert.throws(() => aWorld().client.userMuteStatus('bo'), { code: 'CLIENT_NO_USER' })
  })

  it('a device is set before the client connects', async () => {
    const { client, server } = aWorld()
    client.setLocalDevice({ id: 'phone', push_provider: 'apn' })
    const connecting = client.connectUser({ id: 'ada' }, client.devToken('ada'))
    await settle()
    const { device } = JSON.parse(server.socket.url.searchParams.get('json') ?? '{}')
    assert.deepEqual(device, { id: 'phone', push_provider: 'apn' })
    server.socket.confirms()
    await connecting
    assert.throws(() => client.setLocalDevice({ id: 'pad', push_provider: 'apn' }), {
      code: 'CLIENT_DEVICE_LATE',
      message: 'Set the device before connecting',
    })
  })
})
