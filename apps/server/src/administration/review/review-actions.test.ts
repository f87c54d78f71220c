import assert from 'node:assert/strict'
import { it } from 'vitest'
import { missedEvents } from '../../features/sync/missed-events.ts'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const V2 = '/api/v2/moderation'
const MESSAGE = 'stream:chat:v1:message'
const listener = new Listener()

/** A channel of Ada, Bo and Cleo, with the moderator Mo. */
async function aTown(fixture: Fixture) {
  const { ada, bo, cleo, mo, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'mo')
  await appServer.does('POST', '/users', { body: { users: { mo: { id: 'mo', name: 'Mo', role: 'moderator' } } } })
  const room = await appServer.opens([ada, bo, cleo])
  return { ada, bo, cleo, mo, appServer, room }
}

const flags = async (who: TestUser, entity_type: string, entity_id: string, more: object = {}): Promise<string> =>
  (await who.does('POST', `${V2}/flag`, { body: { entity_type, entity_id, ...more } })).item_id
const item = async (who: TestUser | AppServer, entity_id: string): Promise<ReceivedEvent> =>
  (await who.does('POST', `${V2}/review_queue`, { body: { filter: { entity_id } } })).items[0]
const texts = async (who: TestUser, room: string) => (await who.opensChannel(room)).messages.map(({ text }) => text)
const acts = async (
  who: TestUser,
  action_type: string,
  item_id: string,
  options: object = {},
): Promise<ReceivedEvent> =>
  (await who.does('POST', `${V2}/submit_action`, { body: { action_type, item_id, [action_type]: options } })).item
/** The message events received since the last look. */
const heard = async (who: TestUser) => (await who.receivedTypes()).filter((type) => type.includes('message'))

/** A block list in the configuration of all chat. */
async function forbids(appServer: AppServer, action: string, more: object = {}) {
  await appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['cream', 'cup cake'] } })
  const block_list_config = { rules: [{ name: 'cakes', action }] }
  await appServer.does('POST', `${V2}/config`, { body: { key: 'chat', block_list_config, ...more } })
}

onEveryTransport((fixture) => {
  it('[MOD2-11] an action can name its subject by the short type name, and finds its item', async () => {
    const { ada, bo, mo, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const item_id = await flags(ada, 'message', id)
    const delete_message = { entity_id: id, entity_type: 'message' }
    const body = { action_type: 'delete_message', delete_message }
    const { item: deleted } = await mo.does('POST', `${V2}/submit_action`, { body })
    assert.deepEqual([deleted?.id, deleted?.message.type], [item_id, 'deleted'])
    assert.deepEqual(await texts(ada, room), [''])
  })

  it('[MOD2-11] a message is deleted, restored and marked as reviewed, and all actions stay recorded', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const item_id = await flags(ada, MESSAGE, id)
    await cleo.watches(room)
    const deleted = await acts(mo, 'delete_message', item_id, { reason: 'rude' })
    assert.deepEqual(
      [
        deleted.latest_moderator_action,
        deleted.reviewed_by,
        deleted.message.type,
        deleted.entity_creator.deleted_content_count,
      ],
      ['delete_message', 'mo', 'deleted', 1],
    )
    assert.equal((await cleo.receives('message.deleted')).message.id, id)
    assert.deepEqual(await texts(ada, room), [''])
    fixture.clock.advance(1)
    const restored = await acts(mo, 'restore', item_id)
    assert.deepEqual(
      restored.actions.map((action: ReceivedEvent) => [
        action.type,
        action.user.id,
        action.target_user.id,
        action.reason,
      ]),
      [
        ['restore', 'mo', 'bo', ''],
        ['delete_message', 'mo', 'bo', 'rude'],
      ],
    )
    await cleo.receives('message.undeleted')
    assert.deepEqual(await texts(ada, room), ['Rude'])
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'restore', item_id } })
    const reports = (await appServer.does('POST', '/moderation/reports', { body: {} })).flag_reports
    assert.deepEqual([reports[0].review_result, reports[0].reviewed_by.id], ['reviewed', 'mo'])

    // A new report reopens it.
    await flags(cleo, 'message', id)
    assert.deepEqual([(await item(mo, id)).reviewed_at, (await item(mo, id)).flags_count], [undefined, 2])
    assert.equal((await acts(mo, 'mark_reviewed', item_id)).reviewed_by, 'mo')

    await acts(mo, 'delete_message', item_id, { hard_delete: true })
    assert.deepEqual(await texts(ada, room), [])
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'restore', item_id } })
    const other = await bo.sends(room, 'Ruder')
    await appServer.does('POST', `${V2}/submit_action`, {
      body: { action_type: 'delete_message', delete_message: { entity_id: other.id }, user_id: 'mo' },
    })
    assert.deepEqual(await texts(ada, room), [''])
  })

  it('[MOD2-11] a shadow-blocked message is hidden from all others until it is unblocked', async () => {
    const { ada, bo, cleo, mo, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const reply = await bo.sends(room, 'Ruder', { parent_id: id })
    const item_id = await flags(ada, MESSAGE, id)
    await cleo.watches(room)
    await bo.watches(room)
    assert.equal(await cleo.unread(room), 1)
    await acts(mo, 'shadow_block', item_id)
    const gone = await cleo.receives('message.deleted')
    assert.deepEqual([gone.message_id, gone.hard_delete], [id, true])
    assert.deepEqual([await texts(cleo, room), await cleo.unread(room)], [[], 0])
    const own = (await bo.opensChannel(room)).messages
    assert.deepEqual(
      own.map(({ text, shadowed }) => [text, shadowed]),
      [['Rude', false]],
    )
    assert.deepEqual(await heard(bo), [])
    await cleo.received()

    fixture.clock.advance(1_000)
    await acts(mo, 'unblock', item_id)
    const out = await cleo.receives('message.new')
    assert.deepEqual([out.message.id, out.message.text, out.message.reply_count], [id, 'Rude', 1])
    assert.deepEqual([await texts(cleo, room), await cleo.unread(room)], [['Rude'], 1])
    const { messages } = await cleo.does('GET', `/messages/${id}/replies`)
    assert.deepEqual(
      messages.map((message: ReceivedEvent) => message.id),
      [reply.id],
    )
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'unblock', item_id } })

    const blocked = await acts(mo, 'block', item_id)
    assert.equal(blocked.message.type, 'deleted')
    await acts(mo, 'unblock', item_id)
    assert.deepEqual(await texts(cleo, room), ['Rude'])
  })

  it('[MOD2-11] [CON-18] users who are not members, or were offline, get the changes of a shadow-blocked message', async () => {
    const { ada, bo, cleo, mo, appServer } = await aTown(fixture)
    const stream = await appServer.opens([ada], {}, 'livestream')
    const passer = appServer.user('!anon')
    passer.token = ''
    await passer.watches(stream)
    const last_sync_at = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(5)
    const { id } = await bo.sends(stream, 'Rude')
    await acts(mo, 'shadow_block', await flags(ada, MESSAGE, id))

    assert.equal((await passer.receives('message.deleted')).message_id, id)
    const missed = async (who: TestUser) => {
      const { events } = await who.does('POST', '/sync', { body: { channel_cids: [stream], last_sync_at } })
      return events.map(({ type, message }: ReceivedEvent) => `${type} ${message.text}`)
    }
    assert.deepEqual(await missed(cleo), ['message.deleted '])
    assert.deepEqual(await missed(bo), ['message.new Rude'])
    // A node that missed the change publishes it as before.
    const publications = await missedEvents(fixture.nodes[0]!.server, appServer.app.id, stream, 0)
    const told = publications.find(({ watchers }) => watchers?.includes('message.deleted'))
    assert.deepEqual([told?.except, told?.only], ['bo', undefined])
  })

  it('[MOD2-11] a rejected message waits for a moderator, who posts it as new or drops it', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    await forbids(appServer, 'remove')
    const said = await bo.sends(room, 'Ice-cream!', {
      id: `sweet-${room}`,
      attachments: [{ type: 'image', image_url: 'https://example.com/i' }],
    })
    assert.deepEqual([said.type, said.moderation?.action], ['error', 'remove'])
    await ada.watches(room)
    const waiting = await item(mo, said.id)
    assert.deepEqual(
      [waiting.recommended_action, waiting.severity, waiting.config_key, waiting.message.text, waiting.message.user.id],
      ['remove', 90, 'chat', 'Ice-cream!', 'bo'],
    )
    assert.deepEqual(waiting.moderation_payload, { texts: ['Ice-cream!'], images: ['https://example.com/i'] })
    const [flag] = waiting.flags
    assert.deepEqual(
      [flag.type, flag.labels, flag.user_id, flag.result[0].blocked_word],
      ['blocklist', ['cakes'], '', 'cream'],
    )
    assert.deepEqual(await texts(bo, room), [])

    fixture.clock.advance(5_000)
    await bo.does('POST', `${path(room)}/draft`, { body: { message: { text: 'not yet' } } })
    const done = await acts(mo, 'unblock', waiting.id, { decision_reason: 'a dessert' })
    assert.deepEqual([done.reviewed_by, done.message.text], ['mo', 'Ice-cream!'])
    const out = await ada.receives('message.new')
    assert.deepEqual([out.message.id, out.message.text, out.user.id], [said.id, 'Ice-cream!', 'bo'])
    assert.equal(await ada.unread(room), 1)
    assert.equal((await bo.does('GET', `${path(room)}/draft`)).draft.message.text, 'not yet')

    const dropped = await bo.sends(room, 'More cream', { id: `more-${room}` })
    await acts(mo, 'delete_message', (await item(mo, dropped.id)).id)
    const { id } = await item(mo, dropped.id)
    await mo.isRefused(16, 'POST', `${V2}/submit_action`, { body: { action_type: 'unblock', item_id: id } })
    assert.deepEqual(await texts(ada, room), ['Ice-cream!'])
  })
})

onEveryStorage((fixture) => {
  it('[MOD2-11] the author is banned, in the channel or everywhere, and the ban is lifted', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const elsewhere = await appServer.opens([ada, bo])
    const { id } = await bo.sends(room, 'Rude')
    const item_id = await flags(ada, MESSAGE, id)
    const banned = await acts(mo, 'ban', item_id, { channel_ban_only: true, reason: 'rude', timeout: 5 })
    assert.deepEqual(
      banned.bans.map((ban: ReceivedEvent) => [
        ban.user.id,
        ban.created_by.id,
        ban.reason,
        ban.channel_cid,
        ban.shadow,
      ]),
      [['bo', 'mo', 'rude', room, false]],
    )
    const says = (cid: string) => `${path(cid)}/message`
    const body = { message: { text: 'But' } }
    await bo.isRefused(17, 'POST', says(room), { body })
    await bo.does('POST', says(elsewhere), { body })
    await acts(mo, 'unban', item_id, { channel_cid: room })
    await bo.does('POST', says(room), { body })
    await acts(mo, 'ban', item_id)
    await bo.isRefused(17, 'POST', says(elsewhere), { body })
    assert.equal((await acts(mo, 'unban', item_id)).entity_creator.ban_count, 0)
    await mo.does('POST', `${V2}/submit_action`, {
      body: {
        action_type: 'ban',
        ban: { target_user_id: 'bo', shadow: true, channel_cid: room, ban_from_future_channels: true },
      },
    })
    const before = (await texts(ada, room)).length
    assert.equal((await bo.does('POST', says(room), { body })).message.type, 'regular')
    assert.equal((await texts(ada, room)).length, before)
    for (const ban of [
      { ip_ban: true, channel_cid: room },
      { ban_from_future_channels: true },
      { target_user_id: 'mo' },
    ])
      await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'ban', item_id, ban } })
    const photo = await flags(ada, 'photo', '7', { entity_creator_id: 'bo' })
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, {
      body: { action_type: 'ban', item_id: photo, ban: { channel_ban_only: true } },
    })
  })

  it('[MOD2-11] a user and their messages are deleted and restored', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const fine = await ada.sends(room, 'Fine')
    await bo.does('POST', `/messages/${fine.id}/reaction`, { body: { reaction: { type: 'like' } } })
    await cleo.does('POST', `/messages/${fine.id}/reaction`, { body: { reaction: { type: 'like' } } })
    const item_id = await flags(ada, 'user', 'bo')
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'delete_message', item_id } })
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'delete_user_messages', item_id } })
    await acts(mo, 'delete_reaction', item_id, { entity_id: `${fine.id}:cleo:like` })
    const counts = async () => (await ada.does('GET', `/messages/${fine.id}`)).message.reaction_counts
    assert.deepEqual(await counts(), { like: 1 })
    await acts(mo, 'delete_user_messages', item_id, { delete_messages: 'soft', delete_reactions: true })
    await eventually(
      async () => (await texts(ada, room)).join() === ',Fine' && (await counts()) === null,
      'messages and reactions are gone',
    )
    assert.equal((await ada.does('GET', `/messages/${id}`)).message.type, 'deleted')
    await acts(mo, 'delete_user', item_id)
    const found = async () => {
      const query = { payload: JSON.stringify({ filter_conditions: { id: 'bo' } }) }
      return (await appServer.does('GET', '/users', { query })).users.length
    }
    assert.equal(await found(), 0)
    await acts(mo, 'restore', item_id)
    assert.equal(await found(), 1)
    const own = await flags(ada, 'user', 'mo')
    await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'delete_user', item_id: own } })
  })

  it('[MOD2-11] deleting a user’s content in one channel affects that channel only, reactions included', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const elsewhere = await appServer.opens([ada, bo])
    const said = await Promise.all([room, elsewhere].map((cid) => ada.sends(cid, 'Fine')))
    for (const { id } of said)
      await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like' } } })
    const counts = () =>
      Promise.all(said.map(async ({ id }) => (await ada.does('GET', `/messages/${id}`)).message.reaction_counts))
    const options = { delete_messages: 'soft', channel_cid: room, delete_reactions: true }
    await acts(mo, 'delete_user_messages', await flags(ada, 'user', 'bo'), options)
    await eventually(async () => (await counts())[0] === null, 'the reaction is gone')
    assert.deepEqual(await counts(), [null, { like: 1 }])
  })

  it('[MOD2-11] approving a user also approves their content', async () => {
    const { ada, bo, mo, room } = await aTown(fixture)
    const [one, two] = [await bo.sends(room, 'Rude'), await bo.sends(room, 'Ruder')]
    for (const { id } of [one, two]) await flags(ada, MESSAGE, id)
    const user = await flags(ada, 'user', 'bo')
    const reviewed = async () => [(await item(mo, one.id)).reviewed_by, (await item(mo, two.id)).reviewed_by]
    await acts(mo, 'mark_reviewed', user, { disable_marking_content_as_reviewed: true })
    assert.deepEqual(await reviewed(), ['', ''])
    await acts(mo, 'mark_reviewed', user, { content_to_mark_as_reviewed_limit: 1 })
    assert.deepEqual(await reviewed(), ['mo', ''])
    await acts(mo, 'mark_reviewed', user)
    assert.deepEqual(await reviewed(), ['mo', 'mo'])
  })

  it('[MOD2-11] an item is escalated, or gets a custom action, and stays open', async () => {
    const { ada, mo } = await aTown(fixture)
    const item_id = await flags(ada, 'user', 'bo')
    const escalated = await acts(mo, 'escalate', item_id, { reason: 'unsure', priority: 'high', notes: 'ask Max' })
    assert.deepEqual(
      [escalated.escalated, escalated.escalated_by, escalated.escalation_metadata, escalated.reviewed_at],
      [true, 'mo', { reason: 'unsure', priority: 'high', notes: 'ask Max' }, undefined],
    )
    const { items } = await mo.does('POST', `${V2}/review_queue`, { body: { filter: { escalated: true } } })
    assert.equal(items.length, 1)
    const back = await acts(mo, 'de_escalate', item_id)
    assert.deepEqual(
      [back.escalated, back.escalated_at, back.latest_moderator_action],
      [false, undefined, 'de_escalate'],
    )
    const own = await acts(mo, 'custom', item_id, { id: 'send_letter', options: { to: 'Bo' } })
    assert.deepEqual([own.latest_moderator_action, own.reviewed_by], ['custom', ''])
    assert.deepEqual(own.actions[0].custom, { id: 'send_letter', options: { to: 'Bo' } })
    for (const action_type of [
      'applaud',
      'kick_user',
      'end_call',
      'reject_appeal',
      'delete_activity',
      'custom',
      'toString',
    ])
      await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type, item_id } })
    for (const action_type of ['mark_reviewed', 'ban', 'escalate'])
      await mo.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type } })
    await mo.isRefused(16, 'POST', `${V2}/submit_action`, { body: { action_type: 'ban', item_id: 'nothing' } })
    // For a custom entity, the app is notified and acts itself.
    const photo = await flags(ada, 'photo', '7', { entity_creator_id: 'bo' })
    assert.equal((await acts(mo, 'delete_message', photo)).reviewed_by, 'mo')
  })

  it('[MOD2-11] masked words are restored', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    await forbids(appServer, 'mask_flag')
    const { text } = await bo.sends(room, 'Ice-Cream, or a cup cake?')
    assert.equal(text, '********** ** * *** *****')
    const plain = await bo.sends(room, 'Some cream, please')
    assert.equal(plain.text, 'Some ****** please')
    const masked = await item(mo, plain.id)
    assert.deepEqual(
      [masked.recommended_action, masked.moderation_payload.texts],
      ['mask_flag', ['Some cream, please']],
    )
    await acts(mo, 'unmask', masked.id)
    assert.deepEqual(await texts(ada, room), ['********** ** * *** *****', 'Some cream, please'])
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('the app’s server gets every event of the queue', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    await forbids(appServer, 'remove')
    const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all` }
    await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
    const { id } = await ada.sends(room, 'Rude')
    const item_id = await flags(bo, MESSAGE, id, { reason: 'rude' })
    const { review_queue_item, flags: told } = (await listener.receives('review_queue_item.new')).event
    assert.deepEqual([review_queue_item.id, review_queue_item.message.text, told[0].reason], [item_id, 'Rude', 'rude'])
    const flagged = (await listener.receives('moderation.flagged')).event
    assert.deepEqual([flagged.content_type, flagged.object_id], [MESSAGE, id])
    await listener.receives('message.flagged')

    await acts(mo, 'mark_reviewed', item_id)
    const updated = (await listener.receives('review_queue_item.updated')).event
    assert.deepEqual([updated.action.type, updated.review_queue_item.reviewed_by], ['mark_reviewed', 'mo'])
    const reviewed = (await listener.receives('moderation.mark_reviewed')).event
    assert.deepEqual([reviewed.item.id, reviewed.message.id], [item_id, id])
    await listener.receives('flag.updated')

    await acts(mo, 'custom', item_id, { id: 'send_letter', options: { to: 'Ada' } })
    const own = (await listener.receives('moderation.custom_action')).event
    assert.deepEqual(
      [own.action_id, own.action_options, own.review_queue_item.id],
      ['send_letter', { to: 'Ada' }, item_id],
    )

    const content = { entity_type: 'photo', entity_id: '7', entity_creator_id: 'ada', config_key: 'chat' }
    for (const text of ['fine', 'cream'])
      await appServer.does('POST', `${V2}/check`, { body: { ...content, moderation_payload: { texts: [text] } } })
    const checks = [
      (await listener.receives('moderation_check.completed')).event,
      (await listener.receives('moderation_check.completed', 2)).event,
    ]
    assert.deepEqual(
      checks
        .map(({ recommended_action, review_queue_item_id }) => [recommended_action, review_queue_item_id !== ''])
        .sort(),
      [
        ['keep', false],
        ['remove', true],
      ],
    )

    const stopped = await ada.sends(room, 'Cream')
    await acts(mo, 'unblock', (await item(mo, stopped.id)).id)
    const out = (await listener.receives('message.unblocked')).event
    assert.deepEqual([out.message.id, out.message.text, out.cid], [stopped.id, 'Cream', room])
  })

  it('the app’s server gets the right event for each action, and no other', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const webhook = { hook_type: 'webhook', webhook_url: `${listener.url}/all` }
    await appServer.does('PATCH', '/app', { body: { event_hooks: [webhook] } })
    const aMessage = async () => flags(ada, MESSAGE, (await bo.sends(room, 'Rude')).id)
    let users = 0
    const aUser = async () => {
      const id = `somebody-${++users}`
      await appServer.createUsers(id)
      return flags(ada, 'user', id)
    }
    const of = new Map(
      Object.entries({
        mark_reviewed: { about: aUser, own: 'moderation.mark_reviewed' },
        custom: { about: aMessage, options: { id: 'send_letter' }, own: 'moderation.custom_action' },
        escalate: { about: aMessage },
        de_escalate: { about: aMessage },
        delete_message: { about: aMessage },
        shadow_block: { about: aMessage },
        block: { about: aMessage },
        ban: { about: aUser },
        unban: { about: aUser },
        delete_user_messages: { about: aUser, options: { delete_messages: 'soft' } },
      } as Record<string, { about: () => Promise<string>; options?: object; own?: string }>),
    )
    for (const [action, { about, options, own }] of of) {
      const item_id = await about()
      await listener.receives('review_queue_item.new')
      listener.calls = []
      await acts(mo, action, item_id, options)
      const { event } = await listener.receives('review_queue_item.updated')
      assert.equal(event.action.type, action)
      if (own) await listener.receives(own)
      // An event published later than the item would carry the current state.
      await appServer.does('POST', `${V2}/check`, {
        body: {
          ...{ entity_type: 'photo', entity_id: '1', entity_creator_id: 'ada' },
          ...{ config: { block_list_config: { rules: [] } }, moderation_payload: { texts: ['last'] } },
        },
      })
      await listener.receives('moderation_check.completed')
      const told = listener.calls
        .map(({ event: { type } }) => type)
        .filter((type) => /^moderation\.|^review/.test(type))
      assert.deepEqual(told.sort(), [...(own ? [own] : []), 'review_queue_item.updated'].sort(), action)
    }
  })
}, allowLoopback)
