import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

const V2 = '/api/v2/moderation'

/** A channel of Ada and Bo, with the moderator Mo and a block list. */
async function aTown(fixture: Fixture) {
  const { ada, bo, mo, appServer } = await fixture.createApp('ada', 'bo', 'mo')
  await appServer.does('POST', '/users', { body: { users: { mo: { id: 'mo', name: 'Mo', role: 'moderator' } } } })
  await appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['cream'] } })
  const room = await appServer.opens([ada, bo])
  return { ada, bo, mo, appServer, room }
}

const lists = (action: string, more: object = {}) => ({
  block_list_config: { rules: [{ name: 'cakes', action }], ...more },
})
const sets = async (who: TestUser | AppServer, key: string, parts: object, team?: string): Promise<ReceivedEvent> =>
  (await who.does('POST', `${V2}/config`, { body: { key, ...(team !== undefined && { team }), ...parts } })).config
const items = async (who: TestUser | AppServer): Promise<ReceivedEvent[]> =>
  (await who.does('POST', `${V2}/review_queue`, { body: {} })).items
const texts = async (who: TestUser, room: string) => (await who.opensChannel(room)).messages.map(({ text }) => text)

onEveryStorage((fixture) => {
  it('[MOD2-7] [MOD2-8] [MOD2-9] [MOD2-10] a configuration is created, replaced as a whole, queried and deleted', async () => {
    const { mo, appServer } = await aTown(fixture)
    const made = await sets(mo, 'chat:messaging', {
      ...lists('flag'),
      async: true,
      ai_text_config: { rules: [{ label: 'HATE', action: 'remove' }] },
    })
    assert.deepEqual(
      [
        made.key,
        made.team,
        made.async,
        made.block_list_config,
        made.ai_text_config,
        made.supported_video_call_harm_types,
      ],
      [
        'chat:messaging',
        '',
        true,
        lists('flag').block_list_config,
        { rules: [{ label: 'HATE', action: 'remove' }] },
        [],
      ],
    )
    fixture.clock.advance(1_000)
    const replaced = await sets(mo, 'chat:messaging', lists('remove'))
    assert.deepEqual(
      [
        replaced.created_at,
        microsOf(replaced.updated_at)! > microsOf(made.updated_at)!,
        replaced.async,
        replaced.ai_text_config,
      ],
      [made.created_at, true, false, undefined],
    )
    const at = `${V2}/config/${encodeURIComponent('chat:messaging')}`
    assert.deepEqual((await mo.does('GET', at)).config, replaced)
    fixture.clock.advance(1_000)
    await sets(appServer, 'posts', {}, 'red')
    await appServer.isRefused(16, 'GET', `${V2}/config/posts`)
    assert.equal((await appServer.does('GET', `${V2}/config/posts`, { query: { team: 'red' } })).config.team, 'red')
    const find = async (body: object) =>
      (await appServer.does('POST', `${V2}/configs`, { body })).configs.map(({ key }: ReceivedEvent) => key)
    assert.deepEqual(await find({}), ['posts', 'chat:messaging'])
    assert.deepEqual(await find({ sort: [{ field: 'key', direction: 1 }] }), ['chat:messaging', 'posts'])
    assert.deepEqual(await find({ filter: { key: { $in: ['posts', 'none'] } } }), ['posts'])
    assert.deepEqual(await find({ filter: { team: 'red' } }), ['posts'])
    assert.deepEqual(await find({ filter: { updated_at: { $lte: replaced.updated_at } } }), ['chat:messaging'])
    const page = await appServer.does('POST', `${V2}/configs`, { body: { limit: 1 } })
    assert.deepEqual(await find({ limit: 1, next: page.next }), ['chat:messaging'])
    await appServer.isRefused(4, 'POST', `${V2}/configs`, { body: { filter: { async: true } } })
    const { filter_config } = await mo.does('POST', `${V2}/review_queue`, { body: {} })
    assert.deepEqual(filter_config.config_keys.sort(), ['chat:messaging', 'posts'])

    // Deleting the list removes the references to it.
    await appServer.does('DELETE', '/blocklists/cakes')
    assert.deepEqual((await mo.does('GET', at)).config.block_list_config, { rules: [] })
    await mo.does('DELETE', at)
    await mo.isRefused(16, 'GET', at)
    await mo.isRefused(16, 'DELETE', at)
    for (const body of [
      { key: '' },
      { key: 'chat', ...lists('applaud') },
      { key: 'chat', ...lists('flag') },
      { key: 'chat', velocity_filter_config: { rules: [{ action: 'flag', fast_spam_threshold: 0 }] } },
      { key: 'chat', ai_image_config: { rules: [{ label: 'GORE' }] } },
    ])
      await appServer.isRefused(4, 'POST', `${V2}/config`, { body })
    const rules = Array.from({ length: 9_000 }, (_, i) => `rule ${i}`)
    await appServer.isRefused(22, 'POST', `${V2}/config`, { body: { key: 'chat', bodyguard_config: { rules } } })
    for (let i = 1; i < 100; i++) await sets(appServer, `key-${i}`, {})
    await appServer.isRefused(4, 'POST', `${V2}/config`, { body: { key: 'one too many' } })
    await sets(appServer, 'key-1', { async: true })
  }, 60_000)

  it('[MOD2-12] content is checked against a configuration, and is not changed', async () => {
    const { ada, mo, appServer, room } = await aTown(fixture)
    await sets(appServer, 'posts', lists('remove', { match_substring: true }))
    const check = (who: TestUser | AppServer, body: object): Promise<ReceivedEvent> =>
      who.does('POST', `${V2}/check`, {
        body: { entity_type: 'post', entity_id: '1', entity_creator_id: 'ada', config_key: 'posts', ...body },
      })
    const says = (...texts: string[]) => ({ moderation_payload: { texts } })
    const fine = await check(mo, says('fine'))
    assert.deepEqual([fine.recommended_action, fine.status, fine.item], ['keep', 'complete', undefined])
    const tested = await check(mo, { ...says('a scream'), test_mode: true })
    assert.deepEqual([tested.recommended_action, tested.item, await items(mo)], ['remove', undefined, []])
    const found = await check(appServer, { ...says('fine', 'a scream'), options: { force_sync: true } })
    assert.deepEqual(
      [
        found.recommended_action,
        found.item.entity_type,
        found.item.entity_id,
        found.item.config_key,
        found.item.severity,
      ],
      ['remove', 'post', '1', 'posts', 90],
    )
    const rule = { rule_id: 'blocklist:cakes', rule_name: 'cakes', type: 'blocklist', actions: ['remove'] }
    assert.deepEqual([found.triggered_rule, found.triggered_rules], [rule, [rule]])
    assert.equal((await check(mo, says('more cream'))).item.flags_count, 1)
    const inline = { config_key: undefined, config: lists('flag'), ...says('ice cream') }
    assert.equal((await check(mo, inline)).recommended_action, 'flag')
    assert.equal((await check(mo, { ...inline, ...says('a scream'), test_mode: true })).recommended_action, 'keep')

    const { id } = await ada.sends(room, 'cream')
    const message = await check(mo, { entity_type: 'message', entity_id: id, ...says('cream') })
    assert.deepEqual([message.item.message.text, message.item.entity_creator_id], ['cream', 'ada'])
    assert.deepEqual(await texts(ada, room), ['cream'])
    await mo.isRefused(4, 'POST', `${V2}/check`, {
      body: { entity_type: 'post', entity_id: '1', entity_creator_id: 'ada', ...says('fine') },
    })
    await mo.isRefused(16, 'POST', `${V2}/check`, {
      body: { entity_type: 'post', entity_id: '1', entity_creator_id: 'ada', config_key: 'none', ...says('fine') },
    })

    const checked = await appServer.does('POST', `${V2}/custom_check`, {
      body: {
        entity_type: 'post',
        entity_id: '1',
        entity_creator_id: 'ada',
        flags: [{ type: 'custom_check_text', labels: ['insult'], reason: 'our engine', custom: { score: 0.9 } }],
      },
    })
    assert.deepEqual([checked.id, checked.status, checked.item.flags_count], [found.item.id, 'complete', 2])
    assert.deepEqual(
      checked.item.flags
        .filter(({ type }: ReceivedEvent) => type === 'custom_check_text')
        .map(({ labels, reason, custom }: ReceivedEvent) => [labels, reason, custom]),
      [[['insult'], 'our engine', { score: 0.9 }]],
    )
  })

  it('[MOD2-12] a message can be checked before it is sent, also by an author who is not known yet', async () => {
    const { ada, mo, appServer, room } = await aTown(fixture)
    for (const creator of ['ada', 'newcomer']) {
      const entity = { entity_type: 'message', entity_id: `draft-of-${creator}`, entity_creator_id: creator }
      const body = { ...entity, moderation_payload: { texts: ['cream'] }, config: lists('remove') }
      const checked = await appServer.does('POST', `${V2}/check`, { body })
      assert.deepEqual([checked.recommended_action, checked.item.entity_creator_id], ['remove', creator])
      await mo.does('POST', `${V2}/submit_action`, { body: { item_id: checked.item.id, action_type: 'mark_reviewed' } })
    }
    // It is in no channel, so there is no report of a channel’s message about it.
    const { flag_reports } = await appServer.does('POST', '/moderation/reports', { body: { filter_conditions: {} } })
    assert.deepEqual(flag_reports, [])
    await ada.sends(room, 'ice', { id: 'draft-of-ada' })
    assert.deepEqual(await texts(ada, room), ['ice'])
  })

  it('[MOD2-12] a team without its own configuration uses the app’s', async () => {
    const { appServer, mo } = await aTown(fixture)
    await sets(appServer, 'posts', lists('remove'))
    const recommended = async (who: TestUser | AppServer, config_team: string) => {
      const content = { entity_type: 'post', entity_id: '1', entity_creator_id: 'ada', test_mode: true }
      const body = { ...content, config_key: 'posts', config_team, moderation_payload: { texts: ['cream'] } }
      return (await who.does('POST', `${V2}/check`, { body })).recommended_action
    }
    assert.equal(await recommended(appServer, 'red'), 'remove')
    await appServer.does('POST', `${V2}/config`, { body: { key: 'posts', team: 'red', ...lists('flag') } })
    assert.deepEqual([await recommended(appServer, 'red'), await recommended(appServer, 'blue')], ['flag', 'remove'])

    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'mo', set: { teams: ['blue'] } }] } })
    assert.equal(await recommended(mo, 'blue'), 'remove')
    const content = { entity_type: 'post', entity_id: '1', entity_creator_id: 'ada', moderation_payload: {} }
    await mo.isRefused(16, 'POST', `${V2}/check`, { body: { ...content, config_key: 'posts', config_team: 'red' } })
  })

  it('the most specific configuration of a channel applies, and its team’s before any other', async () => {
    const { ada, bo, appServer, room } = await aTown(fixture)
    const [red, other] = [await appServer.opens([ada, bo], { team: 'red' }), await appServer.opens([ada, bo])]
    await sets(appServer, 'chat', lists('remove'))
    await sets(appServer, 'chat:messaging', lists('keep'))
    await sets(appServer, `chat:${room}`, lists('bounce'))
    await sets(appServer, 'chat:messaging', lists('remove'), 'red')
    const outcome = async (cid: string) => (await ada.sends(cid, 'Cream')).moderation?.action
    assert.deepEqual([await outcome(room), await outcome(red), await outcome(other)], ['bounce', 'remove', undefined])
    const hall = await appServer.opens([ada, bo], {}, 'team')
    assert.equal(await outcome(hall), 'remove')
    await sets(appServer, 'chat', lists('remove', { enabled: false }))
    assert.equal(await outcome(hall), undefined)
    // The strongest verdict of all rules counts.
    await appServer.does('PUT', '/channeltypes/team', { body: { blocklist: 'cakes', blocklist_behavior: 'flag' } })
    await sets(appServer, 'chat', lists('remove'))
    assert.equal(await outcome(hall), 'remove')
  })

  it('an edited message shows moderators both texts, and its item is reopened if a rule matches', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const { id } = await ada.sends(room, 'Rude')
    await bo.does('POST', `${V2}/flag`, { body: { entity_type: 'message', entity_id: id } })
    const edits = async (text: string) => {
      fixture.clock.advance(1_000)
      await ada.does('PUT', `/messages/${id}`, { body: { set: { text } } })
      const [item] = await items(mo)
      return [item!.moderation_payload.texts, item!.message.text, item!.flags_count, item!.reviewed_by]
    }
    const [item] = await items(mo)
    await mo.does('POST', `${V2}/submit_action`, { body: { action_type: 'mark_reviewed', item_id: item!.id } })
    assert.deepEqual(await edits('Polite'), [['Polite', 'Rude'], 'Polite', 1, 'mo'])
    await sets(appServer, 'chat', lists('flag'))
    assert.deepEqual(await edits('Cream'), [['Cream', 'Polite', 'Rude'], 'Cream', 2, ''])
    assert.deepEqual(await edits('More cream'), [['More cream', 'Cream', 'Polite', 'Rude'], 'More cream', 2, ''])
    await sets(appServer, 'chat', lists('remove'))
    assert.deepEqual(await edits('Most cream'), [
      ['Most cream', 'More cream', 'Cream', 'Polite', 'Rude'],
      'More cream',
      2,
      '',
    ])
    assert.equal((await items(mo))[0]!.recommended_action, 'remove')
  })

  it('a rule that does not match costs a message no statement', async () => {
    const { ada, appServer, room } = await aTown(fixture)
    const statements = () => statementsUntil(() => ada.sends(room, 'Fine'))
    await ada.sends(room, 'Hello')
    const before = await statements()
    await sets(appServer, 'chat', { ...lists('remove'), flood_config: { identical: { threshold: 9 } } })
    assert.deepEqual(await statements(), before)
  })

  it('users the app trusts are not moderated', async () => {
    const { ada, appServer, room } = await aTown(fixture)
    await sets(appServer, 'chat', lists('remove'))
    const bypasses = (enabled: boolean) =>
      appServer.does('POST', `${V2}/bypass`, { body: { target_user_id: 'ada', enabled } })
    await bypasses(true)
    assert.equal((await ada.sends(room, 'Cream')).type, 'regular')
    const query = { payload: JSON.stringify({ filter_conditions: { id: 'ada' } }) }
    assert.equal((await appServer.does('GET', '/users', { query })).users[0].bypass_moderation, true)
    await ada.does('POST', '/users', { body: { users: { ada: { id: 'ada', name: 'Ada L.' } } } })
    assert.equal((await ada.sends(room, 'Cream')).type, 'regular')
    await bypasses(false)
    assert.equal((await ada.sends(room, 'Cream')).type, 'error')
    await ada.does('POST', '/users', { body: { users: { ada: { id: 'ada', bypass_moderation: true } } } })
    assert.equal((await ada.sends(room, 'Cream')).type, 'error')
    await appServer.isRefused(16, 'POST', `${V2}/bypass`, { body: { target_user_id: 'nobody', enabled: true } })
  })

  it('a user who writes too much too fast, or repeats a text, is detected', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    const velocity = (rule: object) => ({ velocity_filter_config: { rules: [rule] } })
    await sets(appServer, 'chat', velocity({ action: 'remove', fast_spam_threshold: 3, fast_spam_ttl: 10 }))
    const says = async (who: TestUser, text: string) => (await who.sends(room, text)).type
    assert.deepEqual(
      [await says(ada, '1'), await says(ada, '2'), await says(bo, '1')],
      ['regular', 'regular', 'regular'],
    )
    assert.equal(await says(ada, '3'), 'error')
    const [noticed] = await items(mo)
    assert.deepEqual(
      [noticed!.flags[0].type, noticed!.flags[0].labels, noticed!.message.text],
      ['velocity', ['velocity'], '3'],
    )
    fixture.clock.advance(11_000)
    assert.equal(await says(ada, '4'), 'regular')

    fixture.clock.advance(60_000)
    await sets(
      appServer,
      'chat',
      velocity({ action: 'flag', slow_spam_threshold: 2, slow_spam_ttl: 60, url_only: true }),
    )
    await says(ada, 'see https://example.com')
    await says(ada, 'no link')
    const before = (await items(mo)).length
    await says(ada, 'and www.example.com')
    assert.equal((await items(mo)).length, before + 1)

    fixture.clock.advance(3_600_000)
    const flood = { allowlist: ['Good morning'], identical: { threshold: 2, ttl: 60, action: 'remove' } }
    await sets(appServer, 'chat', { flood_config: { ...flood, similar: { threshold: 3, action: 'bounce' } } })
    assert.deepEqual([await says(ada, 'Good morning'), await says(ada, 'good  morning')], ['regular', 'regular'])
    assert.deepEqual(
      [await says(ada, 'Buy this'), await says(bo, 'Buy this'), await says(ada, 'buy THIS')],
      ['regular', 'regular', 'error'],
    )
    const similar = await ada.sends(room, 'Buuuy this!!!')
    assert.deepEqual([similar.type, similar.text, similar.moderation?.action], ['error', 'Buuuy this!!!', 'bounce'])

    fixture.clock.advance(3_600_000)
    await sets(appServer, 'chat', velocity({ action: 'ban', fast_spam_threshold: 2, ban_duration: 5 }))
    await says(bo, 'one')
    assert.equal(await says(bo, 'two'), 'error')
    await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'three' } } })
    const payload = JSON.stringify({ filter_conditions: { user_id: 'bo' } })
    const { bans } = await appServer.does('GET', '/query_banned_users', { query: { payload } })
    assert.deepEqual([bans[0].reason, bans[0].banned_by, bans[0].shadow], ['velocity', undefined, false])
    fixture.clock.advance(3_600_000)
    await sets(appServer, 'chat', velocity({ action: 'ban', fast_spam_threshold: 2, shadow_ban: true }))
    await says(ada, 'one')
    assert.equal(await says(ada, 'two'), 'regular')
    assert.equal(await says(ada, 'three'), 'regular')
    assert.ok(!(await texts(bo, room)).includes('two'))
    assert.ok((await texts(ada, room)).includes('three'))
  })

  it('a user who writes too much is banned for the rule’s duration, and the window is the rule’s', async () => {
    const { ada, bo, appServer, room } = await aTown(fixture)
    const payload = JSON.stringify({ filter_conditions: { user_id: 'bo' } })
    /** The minutes of bo’s ban after two messages with a pause between; null without an end. */
    const banned = async (rule: object, pauseMs: number) => {
      fixture.clock.advance(3_600_000)
      await sets(appServer, 'chat', { velocity_filter_config: { rules: [{ action: 'ban', ...rule }] } })
      await bo.sends(room, 'one')
      fixture.clock.advance(pauseMs)
      await bo.sends(room, 'two')
      const { bans } = await appServer.does('GET', '/query_banned_users', { query: { payload } })
      if (bans.length === 0) return 'not at all'
      await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo' } })
      const [{ created_at, expires }] = bans
      return expires === undefined ? null : (microsOf(expires)! - microsOf(created_at)!) / 60_000_000
    }
    const fast = { fast_spam_threshold: 2 }
    const slow = { slow_spam_threshold: 2 }
    const [briefly, shortly] = [{ ban_duration: 5 }, { slow_spam_ban_duration: 7 }]
    const half = 30_000
    assert.equal(await banned({ ...slow, ...briefly, ...shortly }, half), 7)
    assert.equal(await banned({ ...slow, ...briefly }, half), 5, 'as long as for fast spam, where nothing else is said')
    assert.equal(await banned({ ...slow, ...shortly }, half), 7)
    assert.equal(await banned(slow, half), null)
    assert.equal(await banned({ ...fast, ...briefly, ...shortly }, half), 5)
    assert.equal(await banned({ ...fast, ...shortly }, half), null)
    // The default window is a minute for fast spam, and ten for slow spam.
    assert.equal(await banned({ ...fast, ...briefly }, 61_000), 'not at all')
    assert.equal(await banned({ ...slow, ...briefly }, 590_000), 5)
    assert.equal(await banned({ ...slow, ...briefly }, 601_000), 'not at all')
    assert.equal(await banned({ ...fast, ...briefly, fast_spam_ttl: 100 }, 90_000), 5)
    assert.equal(await banned({ ...slow, ...briefly, slow_spam_ttl: 100 }, 101_000), 'not at all')
    assert.equal((await ada.sends(room, 'Fine')).type, 'regular', 'who writes once is never meant')
  })

  it('a configuration can have any key, and check any text', async () => {
    const { appServer } = await aTown(fixture)
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.constantFrom('a/b', '%2F', '../x', '?', '#'),
    )
    await fc.assert(
      fc.asyncProperty(name, fc.string({ unit: 'binary', maxLength: 30 }), async (key, text) => {
        const { status, body } = await appServer.call('POST', `${V2}/config`, { body: { key, ...lists('flag') } })
        if (status === 400) return assert.equal(body.code, 4)
        const entity = { entity_type: key, entity_id: key, entity_creator_id: 'ada' }
        const moderation_payload = { texts: [text, 'cream'], custom: { note: text } }
        const checked = await appServer.does('POST', `${V2}/check`, {
          body: { ...entity, config_key: body.config.key, moderation_payload },
        })
        assert.equal(checked.recommended_action, 'flag')
        const { item } = await appServer.does('GET', `${V2}/review_queue/${checked.item.id}`)
        assert.equal(item.flags_count, item.flags.length)
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})

onEveryTransport((fixture) => {
  it('a match is flagged, masked, shadow blocked, bounced or blocked', async () => {
    const { ada, bo, mo, appServer, room } = await aTown(fixture)
    await bo.watches(room)
    const says = async (action: string, fields: object = {}) => {
      fixture.clock.advance(1)
      await sets(appServer, 'chat:messaging', lists(action))
      return ada.sends(room, 'Cream!', fields)
    }
    // A message that all users get marks the end of the earlier ones.
    let ends = 0
    const seen = async () => {
      const end = `Fine ${++ends}`
      await ada.sends(room, end)
      await bo.sees(({ message }) => message?.text === end)
      const told = (await bo.received()).filter(({ type }) => type === 'message.new')
      return told.map(({ message }) => message.text).filter((text) => text !== end)
    }

    assert.equal((await says('keep')).text, 'Cream!')
    assert.deepEqual(await seen(), ['Cream!'])
    assert.deepEqual(await items(mo), [])
    const flagged = await says('flag')
    assert.deepEqual([flagged.type, await seen()], ['regular', ['Cream!']])
    const masked = await says('mask_flag')
    assert.deepEqual([masked.text, await seen()], ['******', ['******']])
    const shadowed = await says('shadow')
    assert.deepEqual([shadowed.type, shadowed.text, shadowed.shadowed, await seen()], ['regular', 'Cream!', false, []])
    const bounced = await says('bounce')
    assert.deepEqual([bounced.type, bounced.text, bounced.moderation?.action], ['error', 'Cream!', 'bounce'])
    const stopped = await says('remove')
    assert.deepEqual([stopped.type, stopped.moderation?.action, await seen()], ['error', 'remove', []])
    assert.deepEqual(
      (await items(mo)).map(({ recommended_action, severity }) => [recommended_action, severity]),
      [
        ['remove', 90],
        ['shadow', 70],
        ['mask_flag', 50],
        ['flag', 50],
      ],
    )

    // The same message sent again gets the next verdict.
    const id = `again-${room}`
    assert.equal((await says('bounce_flag', { id })).moderation?.action, 'bounce')
    assert.equal((await items(mo)).length, 4)
    assert.equal((await says('bounce_flag', { id })).type, 'regular')
    assert.deepEqual([await seen(), (await items(mo)).length], [['Cream!'], 5])
    const other = `other-${room}`
    assert.equal((await says('bounce_remove', { id: other })).moderation?.action, 'bounce')
    assert.equal((await says('bounce_remove', { id: other })).moderation?.action, 'remove')

    // A matching edit is not made.
    const { id: fine } = await ada.sends(room, 'Fine')
    const { message } = await ada.does('PUT', `/messages/${fine}`, { body: { set: { text: 'Cream' } } })
    assert.deepEqual([message.type, message.moderation.action, message.text], ['error', 'bounce', 'Cream'])
  })
})
