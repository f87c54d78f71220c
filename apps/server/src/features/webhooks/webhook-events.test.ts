import assert from 'node:assert/strict'
import { chatHookEvents } from '@parley/protocol/hooks'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const listener = new Listener()

interface Scene {
  fixture: Fixture
  ada: TestUser
  bo: TestUser
  cy: TestUser
  appServer: AppServer
  room: string
}

const event = (type: string) => listener.of(type).at(-1)?.event
const sets = (appServer: AppServer, room: string, data: object) =>
  appServer.does('PATCH', path(room), { body: { set: data, user_id: 'ada' } })
const reacts = (testUser: TestUser, id: string, type: string, enforce_unique = false) =>
  testUser.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type }, enforce_unique } })
const inAnHour = ({ fixture }: Scene) => new Date(fixture.clock.now() + 3_600_000).toISOString()

async function poll(author: TestUser, room: string) {
  const options = [{ text: 'Soup' }, { text: 'Salad' }]
  const asked = { name: 'Lunch?', options, enforce_unique_vote: true }
  const { poll } = await author.does('POST', '/polls', { body: asked })
  const { id: message_id } = await author.sends(room, '', { poll_id: poll.id })
  return { ...poll, message_id }
}

const votes = (testUser: TestUser, { id, message_id, options }: Awaited<ReturnType<typeof poll>>, option = 0) =>
  testUser.does('POST', `/messages/${message_id}/polls/${id}/vote`, {
    body: { vote: { option_id: options[option].id } },
  })

async function reminds(scene: Scene) {
  const { id } = await scene.ada.sends(scene.room, 'hello')
  await scene.ada.does('POST', `/messages/${id}/reminders`, { body: { remind_at: inAnHour(scene) } })
  return id
}

/** Work about objects deleted by the time it runs. */
const beginsTask = ({ fixture, appServer }: Scene, kind: string, input: object) => {
  const { commit, tasks } = fixture.nodes[0]!.server
  return commit.write(appServer.app.id, [], (batch) => tasks.begin(batch, appServer.app.id, kind, input))
}
const freezing = (room: string) => ({
  operation: 'updateData',
  filter: { cids: { $eq: room } },
  data: { frozen: true },
})

/** The cause of each event, and the fields beyond its type that an app's server receives. */
const causes: Record<string, (scene: Scene) => Promise<unknown>> = {
  async 'message.new'({ ada, room }) {
    await ada.sends(room, 'hello')
  },
  async 'message.updated'({ ada, room }) {
    const { id } = await ada.sends(room, 'helo', { mood: 'merry' })
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'hello' } } })
    const { message_update } = (await listener.receives('message.updated')).event
    const { text, html, custom, attachments, pin, ...others } = message_update.change_set
    assert.deepEqual(
      [message_update.old_text, text, html, custom, attachments, pin],
      ['helo', true, true, false, false, false],
    )
    assert.deepEqual(others, { mml: false, mentioned_user_ids: false, quoted_message_id: false, silent: false })
  },
  async 'message.deleted'({ ada, room }) {
    const { id } = await ada.sends(room, 'hello')
    await ada.does('DELETE', `/messages/${id}`)
  },
  async 'message.undeleted'({ ada, appServer, room }) {
    const { id } = await ada.sends(room, 'hello')
    await ada.does('DELETE', `/messages/${id}`)
    await appServer.does('POST', `/messages/${id}/undelete`, { body: { undeleted_by: 'ada' } })
  },
  async 'message.read'({ ada, bo, room }) {
    await ada.sends(room, 'hello')
    await bo.reads(room)
  },
  async 'message.flagged'({ ada, bo, room }) {
    const { id } = await ada.sends(room, 'buy this')
    const body = { target_message_id: id, reason: 'spam', custom: { seen: 1 } }
    await bo.does('POST', '/moderation/flag', { body })
    const { user, message, flag, reason, custom, total_flags, cid } = (await listener.receives('message.flagged')).event
    assert.deepEqual([user.id, message.text, flag.target_message_id, reason], ['bo', 'buy this', id, 'spam'])
    assert.deepEqual([custom, total_flags, cid], [{ seen: 1 }, 1, room])
  },
  async 'message.unblocked'({ ada, appServer, room }) {
    const { id } = await ada.sends(room, 'hello')
    const act = (action_type: string, options: object) =>
      appServer.does('POST', '/api/v2/moderation/submit_action', { body: { action_type, user_id: 'bo', ...options } })
    const { item } = await appServer.does('POST', '/api/v2/moderation/custom_check', {
      body: { entity_type: 'message', entity_id: id, flags: [{ type: 'custom_check_text' }] },
    })
    await act('block', { item_id: item.id })
    await act('unblock', { item_id: item.id })
    const { message, cid } = (await listener.receives('message.unblocked')).event
    assert.deepEqual([message.text, cid], ['hello', room])
  },
  async 'message.pending'({ appServer, room }) {
    const message = { id: `wait-${room}`, text: 'wait', user_id: 'ada' }
    const pending_message_metadata = { from: 'the story' }
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message, pending: true, pending_message_metadata },
    })
    const told = (await listener.receives('message.pending')).event
    assert.deepEqual([told.message.text, told.metadata, told.user.id], ['wait', pending_message_metadata, 'ada'])
    assert.deepEqual([told.channel.cid, told.method], [room, 'PassOnPendingMessage'])
  },
  async 'reaction.new'({ ada, room }) {
    await reacts(ada, (await ada.sends(room, 'hello')).id, 'like')
  },
  async 'reaction.updated'({ ada, room }) {
    const { id } = await ada.sends(room, 'hello')
    await reacts(ada, id, 'like')
    await reacts(ada, id, 'love', true)
  },
  async 'reaction.deleted'({ ada, room }) {
    const { id } = await ada.sends(room, 'hello')
    await reacts(ada, id, 'like')
    await ada.does('DELETE', `/messages/${id}/reaction/like`)
  },
  async 'member.added'({ appServer, room }) {
    await appServer.does('POST', path(room), { body: { add_members: ['cy'] } })
  },
  async 'member.updated'({ appServer, room }) {
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
  },
  async 'member.removed'({ appServer, room }) {
    await appServer.does('POST', path(room), { body: { remove_members: ['cy'] } })
  },
  async 'channel.created'({ ada, bo, appServer }) {
    const cid = await appServer.opens([ada, bo], { name: 'Tea', colour: 'green' })
    const { channel, user, members, ...told } = (await listener.receives('channel.created')).event
    assert.deepEqual([told.cid, channel.name, channel.colour, user.id], [cid, 'Tea', 'green', 'ada'])
    assert.deepEqual(members.map((member: { user_id: string }) => member.user_id).sort(), ['ada', 'bo'])
  },
  async 'channel.updated'({ appServer, room }) {
    await sets(appServer, room, { name: 'Tea' })
  },
  async 'channel.frozen'({ appServer, room }) {
    await sets(appServer, room, { frozen: true })
  },
  async 'channel.unfrozen'({ appServer, room }) {
    await sets(appServer, room, { frozen: false })
    const told = (await listener.receives('channel.unfrozen')).event
    assert.deepEqual([told.cid, told.channel_type], [room, 'messaging'])
    await sets(appServer, room, { name: 'Frozen no more', frozen: false })
    assert.equal(listener.of('channel.unfrozen').length, 1)
  },
  async 'channel.hidden'({ ada, room }) {
    await ada.does('POST', `${path(room)}/hide`, { body: {} })
  },
  async 'channel.visible'({ ada, room }) {
    await ada.does('POST', `${path(room)}/show`, { body: {} })
  },
  async 'channel.muted'({ ada, room }) {
    await ada.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    const { user, mute } = (await listener.receives('channel.muted')).event
    assert.deepEqual([user.id, mute.channel.cid, mute.user.id], ['ada', room, 'ada'])
  },
  async 'channel.unmuted'({ ada, room }) {
    await ada.does('POST', '/moderation/unmute/channel', { body: { channel_cid: room } })
    const { user, mute } = (await listener.receives('channel.unmuted')).event
    assert.deepEqual([user.id, mute.channel.cid], ['ada', room])
  },
  async 'channel.truncated'({ appServer, room }) {
    await appServer.does('POST', `${path(room)}/truncate`, { body: { user_id: 'ada' } })
  },
  async 'channel.deleted'({ ada, appServer }) {
    await appServer.does('DELETE', path(await appServer.opens([ada])))
  },
  async 'user.unread_message_reminder'({ fixture, ada, appServer, room }) {
    await appServer.does('PUT', '/channeltypes/messaging', { body: { reminders: true } })
    await ada.sends(room, 'hello')
    fixture.clock.advance(400_000)
  },
  async 'user.updated'({ appServer }) {
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bob' } }] } })
  },
  async 'user.muted'({ ada }) {
    await ada.does('POST', '/moderation/mute', { body: { target_id: 'bo' } })
    const { user, target_user } = (await listener.receives('user.muted')).event
    assert.deepEqual([user.id, target_user.id], ['ada', 'bo'])
    await ada.does('POST', '/moderation/mute', { body: { target_ids: ['bo', 'cy'] } })
    const { target_users } = (await listener.receives('user.muted', 2)).event
    assert.deepEqual(
      target_users.map(({ id }: { id: string }) => id),
      ['bo', 'cy'],
    )
  },
  async 'user.unmuted'({ ada }) {
    await ada.does('POST', '/moderation/unmute', { body: { target_id: 'bo' } })
    const { user, target_user } = (await listener.receives('user.unmuted')).event
    assert.deepEqual([user.id, target_user.id], ['ada', 'bo'])
  },
  async 'user.flagged'({ ada }) {
    await ada.does('POST', '/moderation/flag', { body: { target_user_id: 'bo', reason: 'rude' } })
    const { user, target_user, reason, total_flags } = (await listener.receives('user.flagged')).event
    assert.deepEqual([user.id, target_user.id, reason, total_flags], ['ada', 'bo', 'rude', 1])
  },
  async 'user.banned'({ appServer, room }) {
    const ban = { target_user_id: 'bo', banned_by_id: 'ada', shadow: true }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    const everywhere = (await listener.receives('user.banned')).event
    assert.deepEqual([everywhere.user.id, everywhere.created_by.id, everywhere.shadow], ['bo', 'ada', true])
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: false, channel_cid: room } })
    assert.equal((await listener.receives('user.banned', 2)).event.cid, room)
  },
  async 'user.unbanned'({ appServer, room }) {
    for (const channel_cid of [room, undefined])
      await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo', channel_cid } })
    await listener.receives('user.unbanned', 2)
  },
  async 'user.messages.deleted'({ bo, appServer, room }) {
    await bo.sends(room, 'hello')
    const ban = { target_user_id: 'bo', banned_by_id: 'ada', channel_cid: room, delete_messages: 'soft' }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    await listener.receives('user.messages.deleted')
    await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo', channel_cid: room } })
  },
  async 'flag.updated'({ fixture, bo, cy, appServer, room, ada }) {
    const { id } = await ada.sends(room, 'buy that')
    for (const testUser of [bo, cy]) {
      await appServer.does('POST', path(room), { body: { add_members: [testUser.id] } })
      await testUser.does('POST', '/moderation/flag', { body: { target_message_id: id } })
      fixture.clock.advance(1_000)
    }
    const body = { review_result: 'reviewed', user_id: 'ada' }
    await appServer.does('PATCH', `/moderation/reports/${id}`, { body })
    const { user, User, created_by, message, Message, flag_report } = (await listener.receives('flag.updated')).event
    assert.deepEqual([user.id, User.id, created_by.id], ['ada', 'ada', 'bo'])
    assert.deepEqual([message.id, Message.id, flag_report.flags_count], [id, id, 2])
  },
  async 'thread.updated'({ ada, room }) {
    const { id } = await ada.sends(room, 'hello')
    await ada.sends(room, 'and again', { parent_id: id })
    await ada.does('PATCH', `/threads/${id}`, { body: { set: { title: 'Greetings' } } })
  },
  async 'notification.thread_message_new'({ ada, bo, room }) {
    const { id } = await ada.sends(room, 'hello')
    await bo.sends(room, 'and hello', { parent_id: id })
  },
  async 'notification.mark_unread'({ ada, bo, room }) {
    const { id } = await ada.sends(room, 'hello')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: id } })
  },
  async 'poll.updated'({ ada, room }) {
    const { id } = await poll(ada, room)
    await ada.does('PATCH', `/polls/${id}`, { body: { set: { description: 'for all' } } })
  },
  async 'poll.vote_casted'({ ada, room }) {
    await votes(ada, await poll(ada, room))
  },
  async 'poll.vote_changed'({ ada, room }) {
    const asked = await poll(ada, room)
    await votes(ada, asked)
    await votes(ada, asked, 1)
  },
  async 'poll.vote_removed'({ ada, room }) {
    const asked = await poll(ada, room)
    const { vote } = await votes(ada, asked)
    await ada.does('DELETE', `/messages/${asked.message_id}/polls/${asked.id}/vote/${vote.id}`)
  },
  async 'poll.closed'({ ada, room }) {
    const { id } = await poll(ada, room)
    await ada.does('PATCH', `/polls/${id}`, { body: { set: { is_closed: true } } })
  },
  async 'poll.deleted'({ ada, room }) {
    const { id } = await poll(ada, room)
    await ada.does('DELETE', `/polls/${id}`)
  },
  async 'reminder.created'(scene) {
    await reminds(scene)
  },
  async 'reminder.updated'(scene) {
    const id = await reminds(scene)
    await scene.ada.does('PATCH', `/messages/${id}/reminders`, { body: { remind_at: inAnHour(scene) } })
  },
  async 'reminder.deleted'(scene) {
    await scene.ada.does('DELETE', `/messages/${await reminds(scene)}/reminders`)
  },
  async 'notification.reminder_due'(scene) {
    await reminds(scene)
    scene.fixture.clock.advance(3_700_000)
  },
  async 'campaign.started'({ appServer }) {
    const campaign = { sender_id: 'ada', user_ids: ['bo'], message_template: { text: 'hello, bo' } }
    const { id } = (await appServer.does('POST', '/campaigns', { body: campaign })).campaign
    await appServer.does('POST', `/campaigns/${id}/start`, { body: {} })
    assert.equal((await listener.receives('campaign.started')).event.campaign.status, 'in_progress')
  },
  async 'campaign.completed'({ appServer }) {
    const campaign = { sender_id: 'ada', user_ids: ['bo'], message_template: { text: 'hello, bo' } }
    const { id } = (await appServer.does('POST', '/campaigns', { body: campaign })).campaign
    await appServer.does('POST', `/campaigns/${id}/start`, { body: {} })
    const { status, stats } = (await listener.receives('campaign.completed')).event.campaign
    assert.deepEqual([status, stats.progress], ['completed', 1])
  },
  async 'export.channels.success'({ appServer, room }) {
    const { task_id } = await appServer.does('POST', '/export_channels', { body: { channels: [{ cid: room }] } })
    const told = (await listener.receives('export.channels.success')).event
    assert.equal(told.task_id, task_id)
    assert.match(await (await fetch(told.url)).text(), /^\[/)
  },
  async 'export.channels.error'(scene) {
    const gone = [{ cid: 'messaging:gone', since: 0, until: 0 }]
    await beginsTask(scene, 'export-channels', { channels: gone, options: {} })
    const { error } = (await listener.receives('export.channels.error')).event
    assert.match(error, /messaging:gone/)
  },
  async 'export.users.success'({ appServer }) {
    await appServer.does('POST', '/export/users', { body: { user_ids: ['ada'] } })
    const { url } = (await listener.receives('export.users.success')).event
    assert.match(await (await fetch(url)).text(), /^\{"type":"user"/)
  },
  async 'export.users.error'(scene) {
    await beginsTask(scene, 'export-users', { userIds: ['gone'] })
    assert.match((await listener.receives('export.users.error')).event.error, /gone/)
  },
  async 'channel_batch_update.started'({ appServer, room }) {
    await appServer.does('PUT', '/channels/batch', { body: freezing(room) })
    const { status, operation } = (await listener.receives('channel_batch_update.started')).event
    assert.deepEqual([status, operation], ['running', 'updateData'])
  },
  async 'channel_batch_update.completed'({ appServer, room }) {
    await appServer.does('PUT', '/channels/batch', { body: freezing(room) })
    const told = (await listener.receives('channel_batch_update.completed')).event
    assert.deepEqual([told.status, told.success_channels_count, told.failed_channels], ['completed', 1, []])
    assert.ok(microsOf(told.finished_at)! >= microsOf(told.batch_created_at)!)
  },
  async 'user.deactivated'({ appServer }) {
    await appServer.does('POST', '/users/cy/deactivate', { body: { created_by_id: 'ada' } })
    const { user, created_by, created_by_id } = (await listener.receives('user.deactivated')).event
    assert.deepEqual([user.id, created_by.id, created_by_id], ['cy', 'ada', 'ada'])
  },
  async 'user.reactivated'({ appServer }) {
    await appServer.does('POST', '/users/cy/reactivate', { body: {} })
    const { user, created_by } = (await listener.receives('user.reactivated')).event
    assert.deepEqual([user.id, created_by], ['cy', undefined])
  },
  async 'user.deleted'({ appServer }) {
    await appServer.does('DELETE', '/users/cy')
  },
}

const kinds = Object.groupBy(Object.entries(causes), ([type]) => type.slice(0, type.indexOf('.')))

it('every event that an app’s server can receive has a cause here', () => {
  assert.deepEqual(Object.keys(causes).sort(), [...chatHookEvents].sort())
})

onEveryStorage((fixture) => {
  it.each(Object.entries(kinds))(
    'an app’s server receives events of this kind: %s',
    async (_, events) => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
      const room = await appServer.opens([ada, bo])
      const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all` }
      await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
      for (const [type, cause] of events!) {
        listener.calls = []
        await cause({ fixture, ada, bo, cy, appServer, room })
        await listener.receives(type)
        assert.equal(event(type).type, type)
        assert.match(event(type).created_at, /^\d{4}-/, type)
      }
    },
    60_000,
  )

  it('a block list match is delivered with its message, whatever happens to the message', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['cream'] } })
    const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all` }
    await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
    for (const blocklist_behavior of ['flag', 'shadow_block', 'block']) {
      listener.calls = []
      await appServer.does('PUT', '/channeltypes/messaging', { body: { blocklist: 'cakes', blocklist_behavior } })
      const { id } = await ada.sends(room, 'cream!')
      const flagged = (await listener.receives('message.flagged')).event
      const { review_queue_item: item } = (await listener.receives('review_queue_item.new')).event
      for (const { message } of [flagged, item])
        assert.deepEqual([message?.id, message?.text, message?.user.id], [id, 'cream!', 'ada'], blocklist_behavior)
    }
    // The message sent with a channel change is stored in the same write.
    listener.calls = []
    const message = { text: 'cream?' }
    await appServer.does('PUT', '/channeltypes/messaging', { body: { blocklist_behavior: 'flag' } })
    await ada.does('POST', path(room), { body: { message } })
    const flagged = (await listener.receives('message.flagged')).event
    const { review_queue_item: item } = (await listener.receives('review_queue_item.new')).event
    assert.deepEqual([flagged.message?.text, item.message?.text], ['cream?', 'cream?'])
  })
}, allowLoopback)
