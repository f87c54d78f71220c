import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const V2 = '/api/v2/moderation'
const MESSAGE = 'stream:chat:v1:message'

/** A channel of Ada, Bo and Cleo, with the moderator Mo. */
async function aTown(fixture: Fixture) {
  const { ada, bo, cleo, mo, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'mo')
  await appServer.does('POST', '/users', { body: { users: { mo: { id: 'mo', name: 'Mo', role: 'moderator' } } } })
  const room = await appServer.opens([ada, bo, cleo])
  return { ada, bo, cleo, mo, appServer, room }
}

const queue = async (who: TestUser | AppServer, filter: object = {}, options: object = {}) =>
  who.does('POST', `${V2}/review_queue`, { body: { filter, ...options } })
const items = async (who: TestUser | AppServer, filter: object = {}, options: object = {}): Promise<ReceivedEvent[]> =>
  (await queue(who, filter, options)).items
const flags = (who: TestUser, entity_type: string, entity_id: string, more: object = {}) =>
  who.does('POST', `${V2}/flag`, { body: { entity_type, entity_id, ...more } })

onEveryStorage((fixture) => {
  it('[MOD2-1] [MOD2-2] messages, users and custom entities are reported, each once per user', async () => {
    const { ada, bo, cleo, mo, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude', {
      attachments: [{ type: 'image', image_url: 'https://example.com/r.png' }],
    })
    const { item_id } = await flags(ada, 'message', id, { reason: 'rude', custom: { level: 3 } })
    assert.equal((await flags(ada, MESSAGE, id, { reason: 'ruder' })).item_id, item_id)
    fixture.clock.advance(1)
    assert.equal((await flags(cleo, MESSAGE, id, { reason: 'rude' })).item_id, item_id)

    const { item } = await mo.does('GET', `${V2}/review_queue/${item_id}`)
    assert.deepEqual(
      [item.entity_type, item.entity_id, item.entity_creator_id, item.entity_creator.name, item.message.text],
      [MESSAGE, id, 'bo', 'Bo', 'Rude'],
    )
    assert.deepEqual(item.moderation_payload, { texts: ['Rude'], images: ['https://example.com/r.png'] })
    assert.deepEqual(
      [item.status, item.recommended_action, item.severity, item.flags_count, item.reviewed_by, item.escalated],
      ['complete', 'flag', 25, 2, '', false],
    )
    assert.deepEqual(
      item.flags.map(({ user, reason, type, review_queue_item_id }: ReceivedEvent) => [
        ...[user.id, reason, type, review_queue_item_id],
      ]),
      [
        ['cleo', 'rude', 'user_report', item_id],
        ['ada', 'ruder', 'user_report', item_id],
      ],
    )

    await flags(ada, 'user', 'bo', { reason: 'annoying' })
    await ada.isRefused(4, 'POST', `${V2}/flag`, { body: { entity_type: 'photo', entity_id: '7' } })
    const photo = {
      entity_creator_id: 'bo',
      moderation_payload: { images: ['https://example.com/7'], custom: { size: 9 } },
    }
    await flags(ada, 'photo', '7', photo)
    assert.deepEqual((await items(mo)).map(({ entity_type }) => entity_type).sort(), ['photo', MESSAGE, 'stream:user'])
    const [own] = await items(mo, { entity_type: 'photo', size: { $gt: 8 } })
    assert.deepEqual(
      [own!.entity_id, own!.entity_creator_id, own!.moderation_payload, own!.message],
      ['7', 'bo', photo.moderation_payload, undefined],
    )
    await ada.isRefused(16, 'POST', `${V2}/flag`, { body: { entity_type: 'message', entity_id: 'nothing' } })
    await ada.isRefused(16, 'POST', `${V2}/flag`, { body: { entity_type: 'user', entity_id: 'nobody' } })
    await ada.isRefused(22, 'POST', `${V2}/flag`, {
      body: {
        entity_type: 'essay',
        entity_id: '1',
        entity_creator_id: 'bo',
        moderation_payload: { texts: ['x'.repeat(70_000)] },
      },
    })
  })

  it('[MOD2-13] flags, mutes and bans are shared by both versions', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    await ada.does('POST', '/moderation/flag', { body: { target_message_id: id, reason: 'rude' } })
    await flags(cleo, MESSAGE, id, { reason: 'spam' })
    await flags(ada, 'message', id, { reason: 'very rude' })
    const payload = JSON.stringify({ filter_conditions: { channel_cid: room } })
    const listed = (await appServer.does('GET', '/moderation/flags/message', { query: { payload } })).flags
    assert.deepEqual(listed.map((flag: ReceivedEvent) => [flag.user.id, flag.reason]).sort(), [
      ['ada', 'very rude'],
      ['cleo', 'spam'],
    ])
    const [item] = await items(mo)
    assert.equal(item!.flags_count, 2)
    await ada.isRefused(4, 'POST', '/moderation/flag', { body: { target_message_id: id } })
    // A report reviewed in one version is reviewed in both.
    await mo.does('PATCH', `/moderation/reports/${id}`, { body: { review_result: 'fine' } })
    assert.equal((await items(mo))[0]!.reviewed_by, 'mo')
    // A new report reopens it in both versions.
    await flags(mo, MESSAGE, id)
    assert.equal((await items(mo))[0]!.reviewed_at, undefined)
    const reports = (await mo.does('POST', '/moderation/reports', { body: {} })).flag_reports
    assert.deepEqual([reports[0].flags_count, reports[0].reviewed_at], [3, undefined])
    for (const testUser of [ada, cleo, mo])
      await testUser.does('POST', '/moderation/unflag', { body: { target_message_id: id } })
    assert.deepEqual(await items(mo), [])

    await mo.does('POST', `${V2}/ban`, { body: { target_user_id: 'bo', reason: 'rude', timeout: 5 } })
    const banned = async () => {
      const query = { payload: JSON.stringify({ filter_conditions: {} }) }
      return (await appServer.does('GET', '/query_banned_users', { query })).bans.map((ban: ReceivedEvent) => [
        ban.user.id,
        ban.reason,
      ])
    }
    assert.deepEqual(await banned(), [['bo', 'rude']])
    await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'But' } } })
    await mo.does('POST', `${V2}/unban`, { query: { target_user_id: 'bo' } })
    assert.deepEqual(await banned(), [])
    await appServer.does('POST', `${V2}/ban`, {
      body: { target_user_id: 'bo', channel_cid: room, banned_by_id: 'ada' },
    })
    await ada.isRefused(17, 'POST', `${V2}/unban`, { query: { target_user_id: 'bo', channel_cid: room }, body: {} })
    await appServer.does('POST', `${V2}/unban`, {
      query: { target_user_id: 'bo', channel_cid: room },
      body: { unbanned_by_id: 'ada' },
    })
    assert.deepEqual(await banned(), [])
  })

  it('[MOD2-3] [MOD2-4] [MOD2-5] users are muted and unmuted by id, and a user report lists who muted them', async () => {
    const { ada, bo, cleo, mo } = await aTown(fixture)
    const { mutes, own_user, non_existing_users } = await ada.does('POST', `${V2}/mute`, {
      body: { target_ids: ['bo', 'nobody'], timeout: 10 },
    })
    assert.deepEqual(
      [mutes.map((mute: ReceivedEvent) => mute.target.id), own_user.mutes.length, non_existing_users],
      [['bo'], 1, ['nobody']],
    )
    await cleo.does('POST', '/users/block', { body: { blocked_user_id: 'bo' } })
    const asks = async (who: TestUser) => who.does('GET', `${V2}/user_report`, { query: { user_id: 'bo' } })
    const report = await asks(mo)
    assert.deepEqual(
      [report.user.id, report.user_mutes.map((mute: ReceivedEvent) => [mute.user.id, mute.target.id])],
      ['bo', [['ada', 'bo']]],
    )
    const [block, ...more] = report.user_blocks
    assert.deepEqual([block.blocked_by_user_id, block.blocked_user_id, more], ['cleo', 'bo', []])
    await ada.does('POST', `${V2}/unmute`, { body: { target_ids: ['bo'] } })
    assert.deepEqual((await asks(mo)).user_mutes, [])
    await mo.isRefused(16, 'GET', `${V2}/user_report`, { query: { user_id: 'nobody' } })
    await ada.isRefused(17, 'GET', `${V2}/user_report`, { query: { user_id: 'ada' } })
    await bo.isRefused(4, 'POST', `${V2}/mute`, { body: {} })
  })

  it('[MOD2-6] the queue can be filtered by every field, sorted, counted, and paged', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const rude = await bo.sends(room, 'Rude')
    fixture.clock.advance(1_000)
    await flags(ada, MESSAGE, rude.id, { reason: 'rude' })
    fixture.clock.advance(1_000)
    await flags(ada, 'user', 'bo')
    fixture.clock.advance(1_000)
    await appServer.does('POST', `${V2}/custom_check`, {
      body: {
        entity_type: 'photo',
        entity_id: '7',
        entity_creator_id: 'ada',
        flags: [
          { type: 'custom_check_image', labels: ['nudity'], reason: 'skin' },
          { type: 'custom_check_text', labels: ['insult'] },
        ],
        moderation_payload: {
          images: ['https://example.com/7'],
          videos: ['https://example.com/8'],
          custom: { album: 'A' },
        },
      },
    })
    const find = async (filter: object, options = {}) =>
      (await items(mo, filter, options)).map(({ entity_id }) => entity_id)
    assert.deepEqual(await find({}), ['7', 'bo', rude.id])
    assert.deepEqual(await find({}, { sort: [{ field: 'severity', direction: -1 }, { field: 'created_at' }] }), [
      '7',
      rude.id,
      'bo',
    ])
    const [photo, user, message] = await items(mo)
    for (const [filter, found] of [
      [{ id: user!.id }, ['bo']],
      [{ created_at: { $lte: message!.created_at } }, [rude.id]],
      [{ updated_at: { $gt: user!.updated_at } }, ['7']],
      [{ status: 'complete' }, ['7', 'bo', rude.id]],
      [{ status: 'partial' }, []],
      [{ entity_type: 'message' }, [rude.id]],
      [{ entity_type: { $in: ['user', 'photo'] } }, ['7', 'bo']],
      [{ entity_id: { $in: ['7'] } }, ['7']],
      [{ entity_creator_id: 'bo' }, ['bo', rude.id]],
      [{ reviewed: true }, []],
      [{ has_text: true }, [rude.id]],
      [{ has_image: true, has_video: true, has_media: true }, ['7']],
      [{ channel_cid: room }, [rude.id]],
      [{ severity: { $gte: 50 } }, ['7']],
      [{ flags_count: 2 }, ['7']],
      [{ recommended_action: 'flag' }, ['7', 'bo', rude.id]],
      [{ latest_moderator_action: '' }, ['7', 'bo', rude.id]],
      [{ reviewed_by: '' }, ['7', 'bo', rude.id]],
      [{ reviewed_by: { $in: ['mo'] } }, []],
      [{ label: 'nudity' }, ['7']],
      [{ category: { $in: ['insult', 'other'] } }, ['7']],
      [{ language: 'en' }, []],
      [{ teams: 'red' }, []],
      [{ album: 'A' }, ['7']],
      [{ escalated: false, reviewed_by: null, assigned_to: null, config_key: null }, ['7', 'bo', rude.id]],
      [{ $or: [{ entity_id: '7' }, { completed_at: { $lt: user!.created_at } }] }, ['7', rude.id]],
    ] as const)
      assert.deepEqual(await find(filter), found, JSON.stringify(filter))
    for (const filter of [
      { severity: 'high' },
      { status: { $gt: 'a' } },
      { has_text: 1 },
      { id: { $near: 1 } },
      { teams: 1 },
    ])
      await mo.isRefused(4, 'POST', `${V2}/review_queue`, { body: { filter } })
    await mo.isRefused(4, 'POST', `${V2}/review_queue`, { body: { limit: 101 } })

    const first = await queue(mo, {}, { limit: 2 })
    assert.deepEqual([first.items.length, first.prev], [2, undefined])
    assert.deepEqual(await find({}, { limit: 2, next: first.next }), [rude.id])
    await mo.does('POST', `${V2}/submit_action`, { body: { action_type: 'mark_reviewed', item_id: photo!.id } })
    const counted = await queue(mo, {}, { stats_only: true })
    assert.deepEqual([counted.items, counted.stats], [[], { total: 3, reviewed: 1, unreviewed: 2 }])
    assert.deepEqual(await find({ reviewed_by: 'mo' }), ['7'])
    assert.deepEqual((await queue(mo, { reviewed: false })).stats, { total: 2, reviewed: 0, unreviewed: 2 })
    const { action_config, default_action_config } = await queue(mo)
    const named = (buttons: ReceivedEvent[]) => buttons.map(({ action }) => action)
    assert.deepEqual(named(action_config[MESSAGE]), ['mark_reviewed', 'delete_message', 'shadow_block', 'ban'])
    assert.deepEqual(named(default_action_config), ['mark_reviewed', 'ban'])
    assert.equal((await queue(mo, {}, { exclude_default_action_config: true })).default_action_config, undefined)
  })

  it('[MOD2-6] an item locked by one moderator is not given to the next one for a while', async () => {
    const { ada, mo, appServer } = await aTown(fixture)
    await appServer.createUsers('max', 'one', 'two', 'three')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'max', set: { role: 'moderator' } }] } })
    const max = appServer.user('max')
    for (const id of ['one', 'two', 'three']) {
      await flags(ada, 'user', id)
      fixture.clock.advance(1_000)
    }
    const takes = async (who: TestUser, options = {}) =>
      (await items(who, {}, { lock_items: true, ...options })).map(({ entity_id, assigned_to }) => [
        entity_id,
        assigned_to.id,
      ])
    assert.deepEqual(await takes(mo, { lock_count: 2, lock_duration: 60 }), [
      ['three', 'mo'],
      ['two', 'mo'],
    ])
    assert.deepEqual(await takes(max), [['one', 'max']])
    assert.deepEqual(
      (await items(max)).map(({ assigned_to }) => assigned_to?.id),
      ['mo', 'mo', 'max'],
    )
    fixture.clock.advance(61_000)
    assert.deepEqual(
      (await items(max)).map(({ assigned_to }) => assigned_to?.id),
      [undefined, undefined, 'max'],
    )
    assert.equal((await takes(max)).length, 3)
    assert.deepEqual(await takes(mo), [])
    await items(max, {}, { lock_items: false })
    assert.equal((await takes(mo)).length, 3)
    await appServer.isRefused(4, 'POST', `${V2}/review_queue`, { body: { lock_items: true } })
    await mo.isRefused(4, 'POST', `${V2}/review_queue`, { body: { lock_items: true, lock_count: 26 } })
  })

  it('[MOD2-15] only moderators and the app’s server can review reports, moderators those of their teams', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const { item_id } = await flags(ada, MESSAGE, id)
    const entity = { entity_type: 'photo', entity_id: '7', entity_creator_id: 'bo' }
    for (const [method, at, body] of [
      ['POST', '/review_queue', {}],
      ['GET', `/review_queue/${item_id}`, undefined],
      ['POST', '/submit_action', { action_type: 'mark_reviewed', item_id }],
      ['POST', '/config', { key: 'chat' }],
      ['GET', '/config/chat', undefined],
      ['DELETE', '/config/chat', undefined],
      ['POST', '/configs', {}],
      ['POST', '/check', { ...entity, moderation_payload: {}, config: {} }],
      ['POST', '/custom_check', { ...entity, flags: [{ type: 'custom_check_text' }] }],
      ['POST', '/flags', {}],
      ['POST', '/logs', {}],
      ['POST', '/flag_count', { entity_creator_id: 'bo' }],
      ['POST', '/bypass', { target_user_id: 'cleo', enabled: true }],
    ] as const)
      await cleo.isRefused(17, method, `${V2}${at}`, body && { body })
    await mo.isRefused(17, 'POST', `${V2}/bypass`, { body: { target_user_id: 'mo', enabled: true } })
    await appServer.isRefused(4, 'POST', `${V2}/submit_action`, { body: { action_type: 'mark_reviewed', item_id } })

    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    await appServer.does('PATCH', '/users', {
      body: {
        users: [
          { id: 'mo', set: { teams: ['red'] } },
          { id: 'ada', set: { teams: ['red'] } },
          { id: 'bo', set: { teams: ['blue'] } },
        ],
      },
    })
    await appServer.does('POST', `${V2}/flag`, { body: { entity_type: 'user', entity_id: 'ada', user_id: 'cleo' } })
    await appServer.does('POST', `${V2}/flag`, { body: { entity_type: 'user', entity_id: 'bo', user_id: 'cleo' } })
    await appServer.does('POST', `${V2}/config`, { body: { key: 'chat', team: 'blue' } })
    await appServer.does('POST', `${V2}/config`, { body: { key: 'chat', team: 'red' } })
    assert.deepEqual(
      (await items(mo)).map(({ entity_id, teams }) => [entity_id, teams]),
      [['ada', ['red']]],
    )
    assert.equal((await items(appServer)).length, 3)
    const others = (await items(appServer, { teams: 'blue' }))[0]!
    await mo.isRefused(16, 'GET', `${V2}/review_queue/${others.id}`)
    await mo.isRefused(16, 'POST', `${V2}/submit_action`, { body: { action_type: 'ban', item_id: others.id } })
    await mo.isRefused(16, 'POST', `${V2}/submit_action`, {
      body: { action_type: 'ban', ban: { target_user_id: 'bo' } },
    })
    // An item id of one’s own team gives no access to another team’s item.
    const own = (await items(mo))[0]!
    const blue = await appServer.opens([bo], { team: 'blue' })
    const { id: said } = await appServer
      .does('POST', `${path(blue)}/message`, { body: { message: { text: 'Blue', user_id: 'bo' } } })
      .then(({ message }) => message)
    for (const [action_type, options] of [
      ['ban', { target_user_id: 'bo' }],
      ['ban', { channel_cid: blue }],
      ['unban', { channel_cid: blue }],
      ['delete_user', { entity_id: 'bo' }],
      ['delete_user_messages', { entity_id: 'bo', delete_messages: 'soft' }],
      ['delete_user_messages', { channel_cid: blue, delete_messages: 'soft' }],
      ['delete_message', { entity_id: said }],
      ['delete_reaction', { entity_id: `${said}:bo:like` }],
    ] as const) {
      const body = { action_type, item_id: own.id, [action_type]: options }
      await mo.isRefused(16, 'POST', `${V2}/submit_action`, { body })
    }
    await mo.isRefused(16, 'GET', `${V2}/user_report`, { query: { user_id: 'bo' } })
    await mo.isRefused(16, 'GET', `${V2}/config/chat`, { query: { team: 'blue' } })
    await mo.isRefused(16, 'POST', `${V2}/config`, { body: { key: 'chat', team: 'blue' } })
    assert.deepEqual(
      (await mo.does('POST', `${V2}/configs`, { body: {} })).configs.map((config: ReceivedEvent) => config.team),
      ['red'],
    )
    assert.deepEqual(
      (await mo.does('POST', `${V2}/flags`, { body: {} })).flags.map((flag: ReceivedEvent) => flag.entity_id),
      ['ada'],
    )
    const counted = async (who: TestUser | AppServer) => {
      const { count } = await who.does('POST', `${V2}/flag_count`, { body: { entity_creator_id: 'bo' } })
      return count
    }
    const seenByAll = await counted(appServer)
    assert.deepEqual([seenByAll > 0, await counted(mo)], [true, 0])
    // A global moderator may review items of all teams.
    await appServer.does('POST', '/users', { body: { users: { max: { id: 'max', role: 'global_moderator' } } } })
    assert.equal((await items(appServer.user('max'))).length, 3)
  })

  it('flags and moderator actions can be queried, whatever their subject', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const { id } = await bo.sends(room, 'Rude')
    const { item_id } = await flags(ada, MESSAGE, id, { reason: 'rude' })
    fixture.clock.advance(1_000)
    await flags(cleo, 'user', 'bo')
    const find = async (filter: object, options = {}) =>
      (await mo.does('POST', `${V2}/flags`, { body: { filter, ...options } })).flags
    assert.deepEqual(
      (await find({})).map((flag: ReceivedEvent) => [flag.entity_type, flag.user_id, flag.entity_creator_id]),
      [
        ['stream:user', 'cleo', 'bo'],
        [MESSAGE, 'ada', 'bo'],
      ],
    )
    for (const filter of [{ entity_id: id }, { user_id: 'ada' }, { reason: 'rude' }, { channel_cid: room }])
      assert.deepEqual(
        (await find(filter)).map((flag: ReceivedEvent) => flag.review_queue_item_id),
        [item_id],
      )
    assert.equal((await find({ entity_creator_id: 'bo', type: 'user_report' }, { limit: 1 })).length, 1)
    await mo.isRefused(4, 'POST', `${V2}/flags`, { body: { filter: { colour: 'red' } } })
    const count = async (body: object) => (await appServer.does('POST', `${V2}/flag_count`, { body })).count
    assert.deepEqual(
      [await count({ entity_creator_id: 'bo' }), await count({ entity_creator_id: 'bo', entity_type: 'message' })],
      [2, 1],
    )
    assert.equal(await count({ entity_creator_id: 'ada' }), 0)

    await mo.does('POST', `${V2}/submit_action`, {
      body: { action_type: 'mark_reviewed', item_id, mark_reviewed: { decision_reason: 'a joke' } },
    })
    fixture.clock.advance(1_000)
    const ban = { timeout: 1, target_user_id: 'bo', reason: 'no joke' }
    await appServer.does('POST', `${V2}/submit_action`, { body: { action_type: 'ban', ban, user_id: 'mo' } })
    const logs = async (filter: object) => (await appServer.does('POST', `${V2}/logs`, { body: { filter } })).logs
    assert.deepEqual(
      (await logs({})).map((log: ReceivedEvent) => [
        log.type,
        log.reason,
        log.user.id,
        log.target_user.id,
        log.reporter_type,
      ]),
      [
        ['ban', 'no joke', 'mo', 'bo', 'moderator'],
        ['mark_reviewed', 'a joke', 'mo', 'bo', 'moderator'],
      ],
    )
    for (const filter of [
      { type: 'ban' },
      { review_queue_item_id: { $in: [(await items(mo, { entity_id: 'bo' }))[0]!.id] } },
    ])
      assert.deepEqual(
        (await logs(filter)).map((log: ReceivedEvent) => log.type),
        ['ban'],
      )
  })
})

onEveryTransport((fixture) => {
  it('concurrent flags are all counted', async () => {
    const { appServer } = await aTown(fixture)
    const names = Array.from({ length: 16 }, (_, i) => `guest-${i}`)
    await appServer.does('POST', '/users', { body: { users: Object.fromEntries(names.map((id) => [id, { id }])) } })
    const elsewhere = appServer.at(fixture.nodes.at(-1)!)
    const reports = (path: string, body: object, names: readonly string[]) =>
      Promise.all(
        names.map((user_id, i) => (i % 2 ? appServer : elsewhere).does('POST', path, { body: { ...body, user_id } })),
      )
    for (let i = 0; i < names.length; i += 2)
      await reports(`${V2}/flag`, { entity_type: 'user', entity_id: 'bo' }, names.slice(i, i + 2))
    const counted = async () => (await items(appServer, { entity_id: 'bo' })).map(({ flags_count }) => flags_count)
    assert.deepEqual(await counted(), [16])
    for (let i = 0; i < 8; i += 2) await reports('/moderation/unflag', { target_user_id: 'bo' }, names.slice(i, i + 2))
    assert.deepEqual(await counted(), [8])
  })

  it('a subject erased while it is being flagged leaves the queue', async () => {
    const { ada, bo, appServer, room } = await aTown(fixture)
    fixture.clock.stop(fixture.clock.now())
    try {
      const gone = await bo.sends(room, 'Rude')
      await flags(ada, MESSAGE, gone.id)
      await appServer.does('POST', `${path(room)}/truncate`, { body: { hard_delete: true } })
      const fresh = await bo.sends(room, 'Fresh')
      await flags(ada, MESSAGE, fresh.id)
      const left = async () => (await items(appServer)).map(({ entity_id }) => entity_id).join()
      await eventually(async () => (await left()) === fresh.id, 'only what was said since is left')
    } finally {
      fixture.clock.goesOn()
    }
  })

  it('a hard-deleted subject leaves the queue, a soft-deleted one stays', async () => {
    const { ada, bo, cleo, mo, appServer, room } = await aTown(fixture)
    const [kept, pruned] = [await bo.sends(room, 'Rude'), await cleo.sends(room, 'Ruder')]
    for (const { id } of [kept, pruned]) await flags(ada, MESSAGE, id)
    await appServer.does('DELETE', `/messages/${kept.id}`, { query: { hard: 'true' } })
    const [item] = await items(mo, { entity_id: kept.id })
    assert.deepEqual([item!.message, item!.moderation_payload], [undefined, { texts: ['Rude'] }])

    const left = async () => (await items(appServer)).map(({ entity_id }) => entity_id).sort()
    const { task_id } = await appServer.does('POST', '/users/delete', {
      body: { user_ids: ['cleo'], user: 'hard', messages: 'hard', conversations: 'hard' },
    })
    await eventually(
      async () => (await appServer.does('GET', `/tasks/${task_id}`)).status === 'completed',
      'cleo is gone',
    )
    assert.deepEqual(await left(), [kept.id])

    // Rejected messages are deleted along with the others.
    await appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['cream'] } })
    const block_list_config = { rules: [{ name: 'cakes', action: 'remove' }] }
    await appServer.does('POST', `${V2}/config`, { body: { key: 'chat', block_list_config } })
    const forced = { message: { text: 'Cream', user_id: 'bo' }, force_moderation: true }
    await appServer.does('POST', `${path(room)}/message`, { body: forced })
    assert.equal((await left()).length, 2)
    await appServer.does('POST', `${V2}/submit_action`, {
      body: {
        action_type: 'delete_user_messages',
        delete_user_messages: { entity_id: 'bo', delete_messages: 'pruning' },
        user_id: 'mo',
      },
    })
    await eventually(async () => (await left()).length === 0, 'nothing of it is left')

    const other = await bo.sends(room, 'Rude again')
    await flags(ada, MESSAGE, other.id)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { hard_delete: true } })
    fixture.clock.advance(1)
    const fresh = await bo.sends(room, 'Fresh')
    await flags(ada, MESSAGE, fresh.id)
    await eventually(async () => (await left()).join() === fresh.id, 'only what was said since is left')
    assert.deepEqual(
      (await appServer.does('POST', `${V2}/flags`, { body: {} })).flags.map((flag: ReceivedEvent) => flag.entity_id),
      [fresh.id],
    )
  })
})
