import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const makes = (appServer: AppServer, fields: object = {}) =>
  appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['Cream', 'sugar '], ...fields } })
const names = (appServer: AppServer, behavior: string, fields: object = {}) =>
  appServer.does('PUT', '/channeltypes/messaging', {
    body: { blocklist: 'cakes', blocklist_behavior: behavior, ...fields },
  })
/** The message events received since the last look. */
const heard = async (who: TestUser) => (await who.receivedTypes()).filter((type) => type.includes('message'))
const texts = async (who: TestUser, room: string) => (await who.opensChannel(room)).messages.map(({ text }) => text)

onEveryStorage((fixture) => {
  it('[BLK-1] [BLK-2] [BLK-3] [BLK-4] the app’s server can create, read, change and delete lists by name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { blocklist } = await makes(appServer, { is_leet_check_enabled: true })
    assert.deepEqual(
      [
        blocklist.name,
        blocklist.words,
        blocklist.type,
        blocklist.is_leet_check_enabled,
        blocklist.is_plural_check_enabled,
      ],
      ['cakes', ['cream', 'sugar'], 'word', true, false],
    )
    fixture.clock.advance(5)
    const listed = async (query = {}) =>
      (await appServer.does('GET', '/blocklists', { query })).blocklists.map(({ name }: { name: string }) => name)
    assert.deepEqual(await listed(), ['profanity_en_2020_v1', 'cakes'])
    const changed = await appServer.does('PUT', '/blocklists/cakes', { body: { words: ['flour'], team: 'red' } })
    assert.deepEqual([changed.blocklist.words, changed.blocklist.is_leet_check_enabled], [['flour'], true])
    assert.ok(microsOf(changed.blocklist.updated_at)! > microsOf(blocklist.updated_at)!)
    assert.deepEqual((await appServer.does('GET', '/blocklists/cakes')).blocklist, changed.blocklist)
    assert.deepEqual(await listed({ team: 'red' }), ['cakes'])
    assert.deepEqual(await listed({ team: 'blue' }), [])
    await appServer.isRefused(16, 'GET', '/blocklists/cakes', { query: { team: 'blue' } })
    await appServer.does('DELETE', '/blocklists/cakes')
    await appServer.isRefused(16, 'GET', '/blocklists/cakes')
    await appServer.isRefused(16, 'DELETE', '/blocklists/cakes')
    await appServer.isRefused(16, 'PUT', '/blocklists/cakes', { body: { words: [] } })

    for (const [method, at] of [
      ['GET', '/blocklists'],
      ['GET', '/blocklists/cakes'],
      ['DELETE', '/blocklists/cakes'],
    ] as const)
      await ada.isRefused(17, method, at)
    await ada.isRefused(17, 'POST', '/blocklists', { body: { name: 'mine', words: [] } })
    await ada.isRefused(17, 'PUT', '/blocklists/cakes', { body: { words: [] } })
  })

  it('[BLK-2] [BLK-4] words can be added to a list, each once, up to as many as a list may have', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await makes(appServer)
    const adds = (words: unknown) => appServer.does('POST', '/blocklists/cakes/import', { body: { words } })
    const { blocklist } = await adds(['Flour', 'cream', 'flour '])
    assert.deepEqual(blocklist.words, ['cream', 'sugar', 'flour'])
    assert.deepEqual((await appServer.does('GET', '/blocklists/cakes')).blocklist, blocklist)

    const refuses = async (body: object, code = 4, name = 'cakes') =>
      (await appServer.isRefused(code, 'POST', `/blocklists/${name}/import`, { body })).exception_fields ?? {}
    assert.deepEqual(Object.keys(await refuses({})), ['words'])
    assert.deepEqual(Object.keys(await refuses({ words: [' '] })), ['words'])
    assert.deepEqual(Object.keys(await refuses({ words: ['x'.repeat(41)] })), ['words'])
    assert.deepEqual(Object.keys(await refuses({ words: Array.from({ length: 9_998 }, (_, i) => `w${i}`) })), ['words'])
    await refuses({ words: [] }, 16, 'pies')
    await refuses({ words: [] }, 4, 'profanity_en_2020_v1')
    await ada.isRefused(17, 'POST', '/blocklists/cakes/import', { body: { words: [] } })
    assert.deepEqual((await appServer.does('GET', '/blocklists/cakes')).blocklist, blocklist)
    assert.equal((await adds(Array.from({ length: 9_997 }, (_, i) => `w${i}`))).blocklist.words.length, 10_000)
  })

  it('[BLK-2] [BLK-5] the type of a list cannot be changed, so its words stay validated', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('POST', '/blocklists', { body: { name: 'signs', words: ['tea'] } })
    const { blocklist } = await appServer.does('PUT', '/blocklists/signs', { body: { type: 'regex', words: ['((('] } })
    assert.deepEqual([blocklist.type, blocklist.words], ['word', ['(((']])
    assert.equal((await ada.sends(room, 'Hello')).text, 'Hello')
  })

  it('[BLK-5] there are at most 15 lists, each with 10,000 words of 40 characters', async () => {
    const { appServer } = await fixture.createApp('ada')
    const refused = (fields: object) =>
      appServer.isRefused(4, 'POST', '/blocklists', { body: { name: 'cakes', words: ['cream'], ...fields } })
    await refused({ name: '' })
    await refused({ name: 'a/b' })
    await refused({ words: ['x'.repeat(41)] })
    await refused({ words: [' '] })
    await refused({ words: Array.from({ length: 10_001 }, (_, i) => `w${i}`) })
    await refused({ type: 'regex', words: ['(unclosed'] })
    await refused({ type: 'regex', words: ['(a)\\1'] })
    await refused({ type: 'sound' })
    const most = Array.from({ length: 10_000 }, (_, i) => `${i}`.padStart(40, 'w'))
    assert.equal((await makes(appServer, { words: most })).blocklist.words.length, 10_000)
    await refused({})
    for (let i = 1; i < 15; i++) await makes(appServer, { name: `list ${i}` })
    await refused({ name: 'one too many' })
    await appServer.isRefused(4, 'PUT', '/blocklists/profanity_en_2020_v1', { body: { words: [] } })
    await appServer.isRefused(4, 'DELETE', '/blocklists/profanity_en_2020_v1')
  })

  it('[BLK-3] deleting a list removes all references to it, and unknown lists cannot be referenced', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.isRefused(4, 'PUT', '/channeltypes/messaging', { body: { blocklist: 'cakes' } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/messaging', {
      body: { blocklists: [{ blocklist: 'cakes', behavior: 'flag' }] },
    })
    const room = await appServer.opens([ada])
    const overrides = { blocklist: 'cakes', blocklist_behavior: 'block', replies: false }
    const set = { set: { config_overrides: overrides }, user_id: 'ada' }
    await appServer.isRefused(4, 'PATCH', path(room), { body: set })
    await makes(appServer)
    await names(appServer, 'flag', { blocklists: [{ blocklist: 'cakes', behavior: 'block' }] })
    await appServer.does('PATCH', path(room), { body: set })
    assert.equal((await ada.opensChannel(room)).channel.config.blocklist, 'cakes')

    await appServer.does('DELETE', '/blocklists/cakes')

    const type = await appServer.does('GET', '/channeltypes/messaging')
    assert.deepEqual([type.blocklist, type.blocklist_behavior, type.blocklists], [undefined, undefined, undefined])
    const { config } = (await ada.opensChannel(room)).channel
    assert.deepEqual([config.blocklist, config.blocklist_behavior, config.replies], [undefined, undefined, false])
    await ada.sends(room, 'Cream')
  })
})

onEveryTransport((fixture) => {
  const aRoom = async (behavior: string) => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    await makes(appServer)
    await names(appServer, behavior)
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    return { appServer, ada, bo, room }
  }
  const flags = async (appServer: AppServer, room: string) => {
    const payload = JSON.stringify({ filter_conditions: { channel_cid: room } })
    return (await appServer.does('GET', '/moderation/flags/message', { query: { payload } })).flags
  }

  it('[BLK-5] [MOD2-14] a blocked message reaches no recipients, and its sender gets the reason', async () => {
    const { appServer, ada, bo, room } = await aRoom('block')
    const parent = await ada.sends(room, 'Fine')
    await bo.receives('message.new')

    const said = await ada.sends(room, 'Ice-CREAM!', { id: 'sweet', parent_id: parent.id })

    assert.deepEqual(
      [said.type, said.text, said.id, said.parent_id],
      ['error', 'Message was blocked by moderation policies', 'sweet', parent.id],
    )
    assert.deepEqual(said.moderation, {
      action: 'remove',
      original_text: 'Ice-CREAM!',
      blocklist_matched: 'cakes',
      blocklists_matched: ['cakes'],
    })
    assert.deepEqual(await texts(ada, room), ['Fine'])
    assert.deepEqual(await heard(bo), [])
    // With another text it can be sent under the same id.
    await ada.sends(room, 'Ice', { id: 'sweet' })
    const attachment = { type: 'file', title: 'Sugar', asset_url: 'https://example.com/a' }
    assert.equal((await ada.sends(room, 'Look', { attachments: [attachment] })).type, 'error')
    // The rejected message is flagged; queries of messages do not list it.
    const [flag, ...more] = await flags(appServer, room)
    assert.deepEqual([flag.message.id, flag.details.original_text, more], ['sweet', 'Ice-CREAM!', []])
  })

  it('[BLK-5] a blocked edit changes nothing', async () => {
    const { ada, bo, room } = await aRoom('block')
    const { id, created_at } = await ada.sends(room, 'Fine', { mood: 'calm' })
    await bo.receives('message.new')
    for (const [method, body] of [
      ['POST', { message: { text: 'Cream' } }],
      ['PUT', { set: { text: 'Cream' } }],
    ] as const) {
      const { message } = await ada.does(method, `/messages/${id}`, { body })
      assert.deepEqual(
        [message.type, message.id, message.created_at, message.moderation.action],
        ['error', id, created_at, 'remove'],
      )
    }
    await ada.does('PUT', `/messages/${id}`, { body: { set: { mood: 'cream' } } })
    await bo.receives('message.updated', ({ message }) => message.mood === 'cream')
    assert.deepEqual([await texts(bo, room), await heard(bo)], [['Fine'], []])
  })

  it('[BLK-5] a flagged message is sent, and moderators find it', async () => {
    const { appServer, ada, bo, room } = await aRoom('flag')
    const { id, text, type, moderation } = await ada.sends(room, 'Some sugar, please')
    assert.deepEqual([type, text, moderation], ['regular', 'Some sugar, please', undefined])
    assert.equal((await bo.receives('message.new')).message.id, id)
    const [flag, ...more] = await flags(appServer, room)
    assert.deepEqual(more, [])
    assert.deepEqual([flag.user, flag.created_by_automod, flag.message.id], [undefined, true, id])
    assert.deepEqual([flag.details, flag.reason], [{ original_text: 'Some sugar, please' }, 'blocklist'])
    const { action, blocked_word, blocklist_name, message_id } = flag.moderation_result
    assert.deepEqual([action, blocked_word, blocklist_name, message_id], ['flag', 'sugar', 'cakes', id])
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Sugar!' } } })
    assert.equal((await flags(appServer, room)).length, 1)
    const { flag_reports } = await appServer.does('POST', '/moderation/reports', { body: { filter_conditions: {} } })
    assert.deepEqual([flag_reports[0].message.id, flag_reports[0].flags_count], [id, 1])
    await bo.does('POST', '/moderation/flag', { body: { target_message_id: id } })
    assert.deepEqual(
      (await flags(appServer, room)).map((flag: { created_by_automod: boolean }) => flag.created_by_automod).sort(),
      [false, true],
    )
  })

  it('[BLK-5] a pending message is flagged when it is released, since moderators could not act on it before', async () => {
    const { appServer, room } = await aRoom('flag')
    const message = { id: 'ada-waits', user_id: 'ada', text: 'Some sugar, please' }
    const body = { message, pending: true, force_moderation: true }
    const queue = async () => (await appServer.does('POST', '/api/v2/moderation/review_queue', { body: {} })).items
    await appServer.does('POST', `${path(room)}/message`, { body })
    assert.deepEqual(await queue(), [])
    await appServer.does('POST', '/messages/ada-waits/commit')
    const [flag, ...more] = await flags(appServer, room)
    assert.deepEqual(more, [])
    assert.deepEqual([flag.message.id, flag.reason], ['ada-waits', 'blocklist'])
    assert.deepEqual(
      (await queue()).map(({ message }: { message: Message }) => message.id),
      ['ada-waits'],
    )
  })

  it('[BLK-5] a shadow-blocked message is seen by its sender alone, who does not notice', async () => {
    const { appServer, ada, bo, room } = await aRoom('shadow_block')
    const said = await ada.sends(room, 'Cream')
    assert.deepEqual([said.type, said.text, said.shadowed, said.moderation], ['regular', 'Cream', false, undefined])
    assert.deepEqual([await texts(ada, room), await texts(bo, room)], [['Cream'], []])
    assert.deepEqual([await bo.unread(room), await heard(bo)], [0, []])
    const seen = (await appServer.does('POST', `${path(room)}/query`, { body: { state: true } })).messages
    assert.deepEqual(
      seen.map(({ text, shadowed }: Message) => [text, shadowed]),
      [['Cream', true]],
    )
    const open = await ada.sends(room, 'Fine')
    assert.equal(
      (await ada.does('PUT', `/messages/${open.id}`, { body: { set: { text: 'Cream' } } })).message.type,
      'error',
    )
    assert.deepEqual(await texts(bo, room), ['Fine'])
  })

  it('[BLK-5] lists do not apply to moderators, and to the app’s server only on request', async () => {
    const { appServer, ada, room } = await aRoom('block')
    await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada', role: 'moderator' } } } })
    assert.equal((await ada.sends(room, 'Cream')).type, 'regular')
    const message = { text: 'Cream', user_id: 'bo' }
    const sent = await appServer.does('POST', `${path(room)}/message`, { body: { message } })
    assert.equal(sent.message.type, 'regular')
    const forced = await appServer.does('POST', `${path(room)}/message`, { body: { message, force_moderation: true } })
    assert.equal(forced.message.type, 'error')
  })

  const poll = (who: TestUser, fields: object = {}) =>
    who.does('POST', '/polls', { body: { name: 'Lunch', options: [{ text: 'Pho' }], ...fields } })
  const asked = async (who: TestUser, room: string, fields: object = {}) => {
    const made = await poll(who, { allow_answers: true, allow_user_suggested_options: true, ...fields })
    return { id: made.poll.id as string, message: await who.sends(room, '', { poll_id: made.poll.id }) }
  }

  it('[BLK-5] [MOD2-14] a poll with a blocked word is not sent, and existing polls cannot be edited to contain it', async () => {
    const { appServer, ada, bo, room } = await aRoom('block')
    for (const fields of [{ name: 'Cream?' }, { description: 'or sugar' }, { options: [{ text: 'Ice-cream' }] }]) {
      const { message } = await asked(ada, room, fields)
      assert.deepEqual([message.type, message.moderation?.blocklist_matched], ['error', 'cakes'])
    }
    assert.deepEqual([await texts(bo, room), await heard(bo)], [[], []])

    const { id, message } = await asked(ada, room)
    const option = message.poll!.options[0]!.id
    const body = { id, name: 'Lunch', allow_answers: true, allow_user_suggested_options: true }
    for (const [who, method, at, said] of [
      [ada, 'PUT', '/polls', { ...body, name: 'Cream', options: [{ id: option, text: 'Pho' }] }],
      [ada, 'PATCH', `/polls/${id}`, { set: { description: 'with cream' } }],
      [ada, 'PUT', `/polls/${id}/options`, { id: option, text: 'Sugar' }],
      [bo, 'POST', `/polls/${id}/options`, { text: 'Cream' }],
      [bo, 'POST', `/messages/${message.id}/polls/${id}/vote`, { vote: { answer_text: 'More CREAM' } }],
    ] as const)
      await who.isRefused(73, method, at, { body: said })
    const stored = (await bo.does('GET', `/polls/${id}`)).poll
    assert.deepEqual([stored.name, stored.options, stored.answers_count], ['Lunch', message.poll!.options, 0])

    await bo.does('POST', `/polls/${id}/options`, { body: { text: 'Pizza' } })
    await appServer.does('PATCH', `/polls/${id}`, { body: { set: { name: 'Cream' }, user_id: 'ada' } })
    // Words already in a poll do not keep its owner from closing it.
    await ada.does('PATCH', `/polls/${id}`, { body: { set: { is_closed: true } } })
  })

  it('[BLK-5] a poll with a flagged word is sent, and moderators find its message', async () => {
    const { appServer, ada, bo, room } = await aRoom('flag')
    const found = async () => (await flags(appServer, room)).map((flag: { message: Message }) => flag.message.id)
    const sent = await asked(ada, room, { name: 'Cream?' })
    const answered = await asked(ada, room)
    await bo.does('POST', `/messages/${answered.message.id}/polls/${answered.id}/vote`, {
      body: { vote: { answer_text: 'Sugar' } },
    })
    const suggested = await asked(ada, room)
    await bo.does('POST', `/polls/${suggested.id}/options`, { body: { text: 'Sugar' } })
    assert.deepEqual((await found()).sort(), [sent, answered, suggested].map(({ message }) => message.id).sort())
  })

  it('[BLK-5] messages sent with channel updates, and ephemeral ones, are checked like others', async () => {
    const { appServer, ada, bo, room } = await aRoom('block')
    await appServer.does('POST', path(room), {
      body: { assign_roles: [{ user_id: 'ada', channel_role: 'channel_member' }] },
    })
    const change = { data: { name: 'Tea' }, message: { text: 'We are Cream now' } }
    await ada.isRefused(73, 'POST', path(room), { body: change })
    await ada.isRefused(73, 'POST', `${path(room)}/truncate`, { body: { message: { text: 'No sugar' } } })
    assert.equal((await ada.opensChannel(room)).channel.name, undefined)
    const { id } = await ada.sends(room, 'Fine')
    await bo.receives('message.new')
    const shown = await ada.does('PATCH', `/messages/${id}/ephemeral`, { body: { set: { text: 'Cream' } } })
    assert.deepEqual([shown.message.type, await heard(bo)], ['error', []])

    const { message } = await appServer.does('POST', path(room), { body: { ...change, user_id: 'ada' } })
    assert.equal(message.text, 'We are Cream now')
    await names(appServer, 'flag')
    const flagged = await ada.does('POST', path(room), { body: { message: { text: 'Sugar' } } })
    assert.deepEqual(
      (await flags(appServer, room)).map((flag: { message: Message }) => flag.message.id),
      [flagged.message.id],
    )
  })

  it('[BLK-5] every readable text of an attachment is checked', async () => {
    const { ada, room } = await aRoom('block')
    for (const attachment of [
      { author_name: 'Cream' },
      { footer: 'with sugar' },
      { fields: [{ title: 'Cream', value: '1 l' }] },
      { fields: [{ title: 'Milk' }, { title: 'Else', value: 'cream' }] },
      { actions: [{ name: 'a', text: 'Sugar', type: 'button' }] },
    ])
      assert.equal((await ada.sends(room, 'Look', { attachments: [attachment] })).type, 'error')
    const odd = { fields: [7, null, { title: { cream: 'cream' } }], actions: 'cream', footer: 8 }
    assert.equal((await ada.sends(room, 'Look', { attachments: [odd] })).type, 'regular')
  })

  it('[BLK-5] the strongest of several lists counts, and a team’s list applies to channels of that team only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await makes(appServer, { words: ['cream'] })
    await makes(appServer, { name: 'teas', words: ['cream', 'milk'], team: 'red' })
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: {
        blocklist: 'cakes',
        blocklists: [
          { blocklist: 'cakes', behavior: 'flag' },
          { blocklist: 'teas', behavior: 'block' },
        ],
      },
    })
    const [red, other] = [await appServer.opens([ada, bo], { team: 'red' }), await appServer.opens([ada, bo])]
    assert.equal((await ada.sends(red, 'Cream')).type, 'error')
    assert.equal((await ada.sends(other, 'Cream')).type, 'regular')
    assert.equal((await ada.sends(other, 'Milk')).type, 'regular')
    assert.equal((await flags(appServer, other)).length, 1)
  })

  it('a channel type with simple automod uses the built-in list', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const [word] = (await appServer.does('GET', '/blocklists/profanity_en_2020_v1')).blocklist.words
    assert.equal((await ada.sends(room, word)).type, 'regular')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { automod: 'simple', automod_behavior: 'block' } })
    const refused = await ada.sends(room, `well, ${word}!`)
    assert.deepEqual([refused.type, refused.moderation?.blocklist_matched], ['error', 'profanity_en_2020_v1'])
    await appServer.does('PUT', '/channeltypes/messaging', { body: { automod_behavior: 'flag' } })
    assert.equal((await ada.sends(room, word)).type, 'regular')
    assert.equal((await flags(appServer, room)).length, 1)
  })
})
