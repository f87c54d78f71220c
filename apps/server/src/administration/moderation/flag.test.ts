import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('no flag is left of a user or message erased at the same moment', async () => {
    const { ada, bo, cleo, dan, eve, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan', 'eve')
    const room = await appServer.opens([ada, bo, cleo, dan, eve])
    const said = []
    for (const author of [ada, bo, cleo, dan]) said.push((await author.sends(room, `I am ${author.id}`)).id)
    const erases = async (id: string) => {
      const whole = { user: 'hard', messages: 'hard', conversations: 'hard' }
      const { task_id } = await appServer.does('POST', '/users/delete', { body: { user_ids: [id], ...whole } })
      const isOver = async () => (await appServer.does('GET', `/tasks/${task_id}`)).status === 'completed'
      await eventually(isOver, 'the user is erased')
    }
    const flagging = async (flagger: TestUser, target: object, act: () => Promise<unknown>) => {
      const isOurs = (app: string) => app === ada.app.id
      justBefore(fixture.nodes[0]!.server.commit, 'write', act, isOurs)
      await flagger.isRefused(16, 'POST', '/moderation/flag', { body: target })
    }
    await flagging(ada, { target_user_id: 'bo' }, () => erases('bo'))
    await flagging(ada, { target_message_id: said[2] }, () => erases('cleo'))
    await flagging(dan, { target_user_id: 'ada' }, () => erases('dan'))
    await ada.isRefused(16, 'POST', '/moderation/flag', { body: { target_message_id: said[1] } })
    const truncates = () => appServer.does('POST', `${path(room)}/truncate`, { body: { hard_delete: true } })
    await flagging(eve, { target_message_id: said[0] }, truncates)

    const { read } = fixture.nodes[0]!.server.database
    for (const table of ['flags', 'flag_reports', 'review_items'] as const)
      assert.deepEqual(await read.selectFrom(table).select('app').where('app', '=', ada.app.id).execute(), [], table)
  })

  it('[MOD-8] [MOD-9] a message or a user is flagged once per user, and the flag can be removed', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([bo, cleo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    const { id } = await bo.sends(room, 'Rude')
    const asked = { target_message_id: id, reason: 'rude', custom: { level: 3 } }
    const { flag } = await cleo.does('POST', '/moderation/flag', { body: asked })
    assert.deepEqual(
      [flag.user.id, flag.target_message_id, flag.target_message.text, flag.reason, flag.custom],
      ['cleo', id, 'Rude', 'rude', { level: 3 }],
    )
    await cleo.isRefused(4, 'POST', '/moderation/flag', { body: asked })
    await cleo.isRefused(4, 'POST', '/moderation/flag', { body: {} })
    await cleo.isRefused(16, 'POST', '/moderation/flag', { body: { target_user_id: 'nobody' } })
    const user = await cleo.does('POST', '/moderation/flag', { body: { target_user_id: 'bo' } })
    assert.equal(user.flag.target_user.id, 'bo')
    const empty = await bo.does('POST', '/moderation/flag', {
      body: { target_message_id: '', target_user_id: 'cleo', reason: '', custom: null },
    })
    assert.deepEqual([empty.flag.target_user.id, empty.flag.reason], ['cleo', undefined])

    const find = async (filter: object) => {
      const payload = JSON.stringify({ filter_conditions: filter })
      const { flags } = await ada.does('GET', '/moderation/flags/message', { query: { payload } })
      return flags.map((found: { message: { id: string } }) => found.message.id)
    }
    assert.deepEqual(await find({ channel_cid: room }), [id])
    assert.deepEqual(await find({ channel_cid: room, user_id: 'cleo' }), [])
    const refused = { query: { payload: JSON.stringify({ filter_conditions: { channel_cid: room } }) } }
    await cleo.isRefused(17, 'GET', '/moderation/flags/message', refused)
    await ada.isRefused(4, 'GET', '/moderation/flags/message', { query: { payload: '{}' } })

    await cleo.does('POST', '/moderation/unflag', { body: { target_message_id: id } })
    assert.deepEqual(await find({ channel_cid: room }), [])
    await cleo.isRefused(16, 'POST', '/moderation/unflag', { body: { target_message_id: id } })
  })

  it('an app and a channel type can each list the reasons for a flag', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const elsewhere = await appServer.opens([ada, bo], {}, 'team')
    await appServer.does('PATCH', '/app', { body: { allowed_flag_reasons: ['spam'] } })
    await appServer.does('PUT', '/channeltypes/team', { body: { allowed_flag_reasons: ['rude'] } })
    const [here, there] = [await ada.sends(room, 'Buy!'), await ada.sends(elsewhere, 'You!')]
    const v1 = (id: string, reason?: string) => ({ body: { target_message_id: id, reason } })
    const v2 = (id: string, reason: string) => ({ body: { entity_type: 'message', entity_id: id, reason } })
    await bo.isRefused(4, 'POST', '/moderation/flag', v1(here.id, 'rude'))
    await bo.isRefused(4, 'POST', '/moderation/flag', { body: { target_user_id: 'ada', reason: 'rude' } })
    await bo.isRefused(4, 'POST', '/api/v2/moderation/flag', v2(here.id, 'rude'))
    await bo.isRefused(4, 'POST', '/moderation/flag', v1(there.id, 'spam'))
    await bo.does('POST', '/moderation/flag', v1(here.id, 'spam'))
    await bo.does('POST', '/api/v2/moderation/flag', v2(there.id, 'rude'))
    // A reason is optional.
    await appServer.does('POST', '/moderation/flag', { body: { ...v1(there.id).body, user_id: 'ada' } })
  })

  it('[MOD-11] moderators can query flagged messages with every filter', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([bo, cleo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    const [one, two] = [await bo.sends(room, 'Rude'), await cleo.sends(room, 'Ruder')]
    const report = (id: string, reason: string) => ({ body: { target_message_id: id, reason } })
    await cleo.does('POST', '/moderation/flag', report(one.id, 'rude'))
    fixture.clock.advance(1_000)
    await bo.does('POST', '/moderation/flag', report(two.id, 'spam'))
    const find = async (filter: object, options: object = {}) => {
      const payload = JSON.stringify({ filter_conditions: { channel_cid: room, ...filter }, ...options })
      const { flags } = await ada.does('GET', '/moderation/flags/message', { query: { payload } })
      return flags.map((flag: ReceivedEvent) => `${flag.user.id}: ${flag.message?.text}`)
    }

    assert.deepEqual(await find({}), ['bo: Ruder', 'cleo: Rude'])
    assert.deepEqual(await find({}, { limit: 1, offset: 1 }), ['cleo: Rude'])
    assert.deepEqual(await find({ user_id: 'bo' }), ['cleo: Rude'])
    assert.deepEqual(await find({ reason: 'spam', team: null }), ['bo: Ruder'])
    assert.deepEqual(await find({ team: 'blue' }), [])
    await appServer.does('PATCH', `/moderation/reports/${one.id}`, {
      body: { review_result: 'reviewed', user_id: 'ada' },
    })
    assert.deepEqual(await find({ is_reviewed: true }), ['cleo: Rude'])
    assert.deepEqual(await find({ is_reviewed: false }), ['bo: Ruder'])
    await bo.does('DELETE', `/messages/${one.id}`)
    assert.deepEqual(await find({}), ['bo: Ruder'])
    assert.deepEqual(await find({}, { show_deleted_messages: true }), ['bo: Ruder', 'cleo: '])
    await appServer.does('DELETE', `/messages/${two.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await find({}, { show_deleted_messages: true }), ['bo: undefined', 'cleo: '])
  })

  it('[MOD-11] flags of one message with the same timestamp still page without gaps', async () => {
    const { bo, appServer } = await fixture.createApp('bo', 'd', 'a', 'c', 'b')
    const room = await appServer.opens([bo])
    const { id: target_message_id } = await bo.sends(room, 'Rude')
    for (const user_id of ['d', 'a', 'c', 'b'])
      await appServer.does('POST', '/moderation/flag', { body: { target_message_id, user_id } })
    const page = async (offset: number) => {
      const sort = [{ field: 'user_id', direction: 1 }]
      const payload = JSON.stringify({ filter_conditions: { channel_cid: room }, sort, limit: 2, offset })
      const { flags } = await appServer.does('GET', '/moderation/flags/message', { query: { payload } })
      return flags.map((flag: ReceivedEvent) => flag.user.id)
    }
    assert.deepEqual([...(await page(0)), ...(await page(2))], ['a', 'b', 'c', 'd'])
  })

  it('[MOD-12] with tenants, moderators see and review the reports of their own teams', async () => {
    const { bo, cleo, appServer } = await fixture.createApp('bo', 'cleo')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const people = [
      { id: 'bo', teams: ['red', 'blue'] },
      { id: 'cleo', teams: ['red', 'blue'] },
      { id: 'mo', role: 'moderator', teams: ['red'] },
      { id: 'max', role: 'moderator' },
    ]
    await appServer.does('POST', '/users', { body: { users: Object.fromEntries(people.map((one) => [one.id, one])) } })
    const [mo, max] = [appServer.user('mo'), appServer.user('max')]
    const said: string[] = []
    for (const team of ['red', 'blue']) {
      const room = await appServer.opens([bo, cleo], { team })
      said.push((await bo.sends(room, team)).id)
      await cleo.does('POST', '/moderation/flag', { body: { target_message_id: said.at(-1) } })
    }
    const [red, blue] = said as [string, string]
    const reported = async (who: TestUser | AppServer): Promise<string[]> =>
      (await who.does('POST', '/moderation/reports', { body: {} })).flag_reports
        .map(({ id }: ReceivedEvent) => id)
        .sort()
    assert.deepEqual(await reported(mo), [red])
    assert.deepEqual(await reported(max), [])
    assert.deepEqual(await reported(appServer), [red, blue].sort())
    const body = { review_result: 'reviewed' }
    await mo.isRefused(16, 'PATCH', `/moderation/reports/${blue}`, { body })
    await mo.does('PATCH', `/moderation/reports/${red}`, { body })
    await appServer.does('PATCH', `/moderation/reports/${blue}`, { body: { ...body, user_id: 'mo' } })
  })

  it('[MOD-12] a report collects the flags of a message until it is reviewed', async () => {
    const { bo, cleo, dan, appServer } = await fixture.createApp('bo', 'cleo', 'dan')
    await appServer.does('POST', '/users', { body: { users: { mo: { id: 'mo', role: 'moderator' } } } })
    const mo = appServer.user('mo')
    const room = await appServer.opens([bo, cleo, dan])
    const [{ id }, calm] = [await bo.sends(room, 'Rude'), await dan.sends(room, 'Hello')]
    for (const testUser of [cleo, dan])
      await testUser.does('POST', '/moderation/flag', { body: { target_message_id: id } })
    fixture.clock.advance(1_000)
    await bo.does('POST', '/moderation/flag', { body: { target_message_id: calm.id } })
    const find = async (filter_conditions: object, options: object = {}): Promise<ReceivedEvent[]> =>
      (await mo.does('POST', '/moderation/reports', { body: { filter_conditions, ...options } })).flag_reports
    const ids = async (filter: object) => (await find(filter)).map((report) => report.id)

    const [second, first] = await find({})
    assert.deepEqual(
      [first!.id, first!.message.text, first!.message_user_id, first!.channel_cid, first!.flags_count],
      [id, 'Rude', 'bo', room, 2],
    )
    assert.deepEqual([second!.id, second!.flags_count, second!.reviewed_at], [calm.id, 1, undefined])
    const review = { review_result: 'deleted', review_details: { note: 'again' } }
    const { flag_report } = await mo.does('PATCH', `/moderation/reports/${id}`, { body: review })
    assert.deepEqual(
      [flag_report.review_result, flag_report.review_details, flag_report.reviewed_by.id, flag_report.reviewed_at],
      ['deleted', { note: 'again' }, 'mo', flag_report.updated_at],
    )
    assert.deepEqual(await find({ message_id: id }), [flag_report])
    for (const filter of [
      { report_id: { $in: [id] } },
      { message_user_id: 'bo' },
      { user_id: 'bo' },
      { review_result: 'deleted', channel_cid: room, team: null },
      { reviewed_by: 'mo' },
      { is_reviewed: true },
      { created_at: { $lte: flag_report.created_at } },
    ])
      assert.deepEqual(await ids(filter), [id], JSON.stringify(filter))
    assert.deepEqual(await ids({ is_reviewed: false }), [calm.id])
    assert.deepEqual(
      (await find({}, { limit: 1, offset: 1 })).map((report) => report.id),
      [id],
    )

    await appServer.does('POST', '/moderation/flag', { body: { target_message_id: id, user_id: 'mo' } })
    const [opened] = await find({ message_id: id })
    assert.deepEqual([opened!.flags_count, opened!.reviewed_at, opened!.review_result], [3, undefined, undefined])
    await bo.does('POST', '/moderation/unflag', { body: { target_message_id: calm.id } })
    assert.deepEqual(await ids({}), [id])

    for (const body of [{}, { review_result: '' }, { review_result: 'x'.repeat(65) }])
      await mo.isRefused(4, 'PATCH', `/moderation/reports/${id}`, { body })
    await mo.isRefused(22, 'PATCH', `/moderation/reports/${id}`, {
      body: { ...review, review_details: { note: 'x'.repeat(6_000) } },
    })
    await mo.isRefused(16, 'PATCH', `/moderation/reports/${calm.id}`, { body: review })
    await mo.isRefused(4, 'POST', '/moderation/reports', { body: { filter_conditions: { colour: 'red' } } })
    await bo.isRefused(17, 'PATCH', `/moderation/reports/${id}`, { body: review })
    await bo.isRefused(17, 'POST', '/moderation/reports', { body: {} })
    await appServer.does('PATCH', `/moderation/reports/${id}`, { body: review })
    assert.equal((await find({ message_id: id }))[0]!.reviewed_by, undefined)
  })

  it('[MOD-8] a flag from before the review queue existed is counted once when repeated', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { id } = await ada.sends(await appServer.opens([ada, bo]), 'Buy now')
    await bo.does('POST', '/moderation/flag', { body: { target_message_id: id } })
    const { write, read } = fixture.nodes[0]!.server.database
    await write.deleteFrom('review_items').where('app', '=', ada.app.id).execute()
    const body = { entity_type: 'message', entity_id: id, reason: 'spam' }
    await bo.does('POST', '/api/v2/moderation/flag', { body })
    const { flags_count } = await read
      .selectFrom('flag_reports')
      .select('flags_count')
      .where('app', '=', ada.app.id)
      .executeTakeFirstOrThrow()
    assert.equal(flags_count, 1)
  })
})
