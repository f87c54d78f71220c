import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { begins, fileOf, imports, type Line, over, refusals } from './testing/importing.ts'

const dan: Line = ['user', { id: 'dan' }]
const tea: Line = ['channel', { type: 'messaging', id: 'tea', created_by: 'dan' }]
const inTea = { channel_type: 'messaging', channel_id: 'tea' }
const said = (id: string, more: object = {}): Line => [
  'message',
  { id, type: 'regular', user: 'dan', ...inTea, ...more },
]

onEveryStorage((fixture) => {
  it('an error is reported with its line and field, and nothing is imported', async () => {
    const { appServer } = await fixture.createApp()
    const lines: Line[] = [
      dan,
      ['user', { id: 'dan' }],
      ['user', { id: 'with space' }],
      ['user', { id: 'eva', role: 'queen' }],
      ['user', { id: 'fay', created_at: 'yesterday' }],
      ['user', { id: 'gus', created_at: '2999-01-01T00:00:00Z' }],
      ['user', { id: 'hal', notes: 'x'.repeat(6_000) }],
      ['channel', { type: 'messaging', id: 'x'.repeat(65), created_by: 'dan' }],
      ['channel', { type: 'nothing', id: 'tea', created_by: 'dan' }],
      ['channel', { type: 'messaging', created_by: 'dan' }],
      ['message', { id: 'm1', type: 'reply', user: 'dan', ...inTea }],
      ['message', { id: 'm2', type: 'regular', user: 'dan', ...inTea, pinned_at: '2020-01-01T00:00:00Z' }],
      dan,
    ]
    const errors = await refusals(appServer, `${fileOf(lines)}{"type":"foobar","data":{}}\nnot json\n`)
    assert.deepEqual(
      errors.map(({ line, field, item_type }) => [line, field, item_type]),
      [
        [2, undefined, 'user'],
        [3, 'id', 'user'],
        [4, 'role', 'user'],
        [5, 'created_at', 'user'],
        [6, 'created_at', 'user'],
        [7, undefined, 'user'],
        [8, 'id', 'channel'],
        [9, 'type', 'channel'],
        [10, 'id', 'channel'],
        [11, 'parent_id', 'message'],
        [12, 'pinned_at', 'message'],
        [13, undefined, 'user'],
        [14, undefined, undefined],
        [15, undefined, undefined],
      ],
    )
    const texts = errors.map(({ error }) => error)
    assert.equal(texts[0], 'Validation error: duplicated user "dan"')
    assert.equal(texts[6], 'Validation error: max channelID length exceeded (64)')
    assert.equal(texts[12], 'Parse error: invalid item type "foobar"')
    assert.equal(texts[13], 'Parse error: line is not valid JSON')
    assert.deepEqual(errors[2]?.item, { id: 'eva', role: 'queen' })
    assert.equal(errors[5]?.item, undefined, 'too long to be shown')
    const { users } = await appServer.does('GET', '/users', { query: { payload: '{"filter_conditions":{}}' } })
    assert.deepEqual(users, [])
  })

  it('references of a line must be in the file or stored already', async () => {
    const { appServer } = await fixture.createApp('ada')
    const errors = await refusals(appServer, [
      dan,
      ['user', { id: 'eva', user_mutes: ['nobody'] }],
      ['device', { id: 'd', user_id: 'nobody', push_provider_type: 'apn', push_provider_name: 'main' }],
      tea,
      ['channel', { type: 'messaging', id: 'attic', created_by: 'nobody' }],
      ['member', { channel_type: 'messaging', channel_id: 'nowhere', user_id: 'dan' }],
      ['member', { ...inTea, user_id: 'ada' }],
      said('m1', { quoted_message_id: 'm9' }),
      said('m2', { type: 'reply', parent_id: 'm3' }),
      said('m3', { type: 'reply', parent_id: 'm1' }),
      [
        'message',
        { id: 'm4', type: 'reply', user: 'dan', channel_type: 'messaging', channel_id: 'attic', parent_id: 'm1' },
      ],
      ['reaction', { message_id: 'm9', type: 'love', user_id: 'dan', created_at: '2020-01-01T00:00:00Z' }],
    ])
    assert.deepEqual(
      errors.map(({ line, field, error }) => [line, field, error.replace('Validation error: ', '')]),
      [
        [2, 'user_mutes', 'user "nobody" does not exist'],
        [3, 'user_id', 'user "nobody" does not exist'],
        [5, 'created_by', 'user "nobody" does not exist'],
        [6, 'channel_id', 'channel "messaging:nowhere" does not exist'],
        [8, 'quoted_message_id', 'message "m9" does not exist'],
        [9, 'parent_id', 'message "m3" is a reply itself'],
        [11, 'parent_id', 'message "m1" is in another channel'],
        [12, 'message_id', 'message "m9" does not exist'],
      ],
    )
  })

  it('ids of another app are unknown, and messages stay in their channels', async () => {
    const { appServer: other } = await fixture.createApp()
    await imports(other, [dan, tea, said('m1')])
    const { appServer } = await fixture.createApp('ada')
    const [first] = await refusals(appServer, [['channel', { type: 'messaging', id: 'tea', created_by: 'dan' }]])
    assert.match(first!.error, /user "dan" does not exist/)
    await imports(appServer, [dan, tea, said('m1', { text: 'ours' })])
    assert.equal((await other.does('GET', '/messages/m1')).message.text, '')
    const elsewhere = { channel_type: 'messaging', channel_id: 'attic' }
    const attic: Line = ['channel', { type: 'messaging', id: 'attic', created_by: 'dan' }]
    const [moved] = await refusals(appServer, [
      attic,
      ['message', { id: 'm1', type: 'regular', user: 'dan', ...elsewhere }],
    ])
    assert.match(moved!.error, /message "m1" is in another channel/)
  })

  it('names that are far too long are reported by field, and truncated', async () => {
    const { appServer } = await fixture.createApp()
    // Nothing a database could shorten.
    const long = randomBytes(15_000).toString('base64url')
    const created_at = '2020-01-01T00:00:00Z'
    const errors = await refusals(
      appServer,
      `${fileOf([
        dan,
        ['device', { id: 'phone', user_id: long, push_provider_type: 'apn', push_provider_name: 'apn' }],
        ['future_channel_ban', { created_by: 'dan', target_id: long }],
        tea,
        ['member', { ...inTea, user_id: long }],
        said('m1', { quoted_message_id: long }),
        ['reaction', { message_id: long, type: 'like', user_id: 'dan', created_at }],
        ['reaction', { message_id: 'm1', type: long, user_id: 'dan', created_at }],
      ])}${JSON.stringify({ type: long, data: {} })}\n`,
    )
    assert.deepEqual(
      errors.map(({ line, field }) => [line, field]),
      [
        [2, 'user_id'],
        [3, 'target_id'],
        [5, 'user_id'],
        [6, 'quoted_message_id'],
        [7, 'message_id'],
        [8, 'type'],
        [9, undefined],
      ],
    )
    for (const { error } of errors) assert.ok(error.length < 500, `${error.length} characters`)
  })

  it('malformed files are refused and do no harm', async () => {
    const { appServer } = await fixture.createApp()
    const first = async (text: string | Uint8Array<ArrayBuffer>) => (await refusals(appServer, text))[0]!.error
    assert.match(await first('\n\n  \n'), /there is nothing in the file/)
    assert.match(await first('[{"type":"user","data":{"id":"dan"}}]'), /line is not an object/)
    assert.match(await first('null'), /line is not an object/)
    assert.match(await first('{"type":"user"}'), /data is not an object/)
    assert.match(await first('{"type":"user","data":[]}'), /data is not an object/)
    assert.match(await first('{"type":"__proto__","data":{}}'), /invalid item type "__proto__"/)
    assert.match(await first('{"type":"constructor","data":{}}'), /invalid item type/)
    assert.match(await first(`${fileOf([dan])}{"type":"user","data":{"id":"e`), /line is not valid JSON/)
    assert.match(await first(new Uint8Array([0xff, 0xfe, 0x00])), /not UTF-8/)
    assert.match(await first(`{"type":"user","data":{"id":"${'x'.repeat(600_000)}"}}`), /longer than 524288 bytes/)
    assert.match(await first(`${'['.repeat(100_000)}`), /not valid JSON/)
    assert.match(await first(fileOf([tea, dan])), /user lines come before channel lines/)
    const deep = `{"type":"user","data":{"id":"dan","x":${'['.repeat(200)}${']'.repeat(200)}}}`
    assert.match(await first(deep), /nested deeper/)
    const many = Array.from({ length: 500 }, () => '{}\n').join('')
    assert.equal((await refusals(appServer, many)).length, 100)

    const keys =
      '{"type":"user","data":{"id":"dan","__proto__":{"polluted":1},"constructor":"x","\\u0000":"\\u0000y","online":true,"banned":true}}'
    await imports(appServer, keys)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    const { users } = await appServer.does('GET', '/users', {
      query: { payload: '{"filter_conditions":{"id":"dan"}}' },
    })
    assert.deepEqual([users[0].constructor, users[0].online, users[0].banned], ['x', false, false])
  })

  it('with any content of a line, the import ends and reports the result', { timeout: 60_000 }, async () => {
    const { appServer } = await fixture.createApp('ada')
    await imports(appServer, [dan, tea])
    const types = ['user', 'device', 'future_channel_ban', 'channel', 'member', 'message', 'reaction', 'x', '']
    const fields =
      `id type user user_id channel_type channel_id channel_member_ids member_ids created_by created_at text
      parent_id attachments last_read message_id __proto__ name teams push_preferences pinned_at target_id`.split(/\s+/)
    const value = fc.oneof(
      fc.constantFrom(
        'dan',
        'ada',
        'messaging',
        'tea',
        'm1',
        'regular',
        'reply',
        'love',
        '2020-01-01T00:00:00Z',
        '',
        '\ud800',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const line = fc.record({ type: fc.constantFrom(...types), data: fc.dictionary(fc.constantFrom(...fields), value) })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('') || '\n'
        const { id } = await begins(appServer, text)
        const { state } = await over(appServer, id)
        assert.ok(state === 'completed' || state === 'analyze_failed', state)
      }),
      { numRuns: 25 },
    )
  })
})
