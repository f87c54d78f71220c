/** A date left empty by mistake must not delete, show, send or ban more than the date would have. */
import assert from 'node:assert/strict'
import { importLines } from '@parley/protocol/imports'
import { BLANK } from '@parley/protocol/wire'
import { describe, it } from 'vitest'
import { endpoints } from '../../operations.ts'
import type { ChatError } from '../../platform/chat-error.ts'
import { Validator } from '../../platform/http/validate.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { fieldsIn, holding, type Place, type FieldShape as Shape } from '../../testing/schema-fields.ts'
import { path } from '../../testing/test-user.ts'

/** Time and duration fields that may be blank, and the effect of a blank. */
const harmless: Record<string, string> = {
  'created_at_before created_at_before_or_equal created_at_after created_at_after_or_equal created_at_around':
    'only look',
  'pinned_at_before pinned_at_before_or_equal pinned_at_after pinned_at_after_or_equal pinned_at_around': 'only look',
  'id_around month start_date end_date': 'only look',
  'pin_expires end_at remind_at disabled_until': 'nothing ends, and nothing is gone',
  'created_at message_timestamp last_sync_at content_published_at disabled_at': 'now, or refused for being missing',
  'cdn_expiration_seconds timeout_ms before_message_send_hook_attempt_timeout_ms': 'the usual',
  'lock_duration fast_spam_ttl slow_spam_ttl ttl': 'the usual',
  revoke_tokens_issued_before: 'null undoes a revocation, and an empty text is refused [AUTH-13]',
}
const known = new Set(Object.keys(harmless).flatMap((names) => names.split(' ')))

const isAboutTime = (name: string, text: string) =>
  /^(\{"anyOf":\[)?\{"type":"string","minLength":1,"format":"date-time"/.test(text) ||
  /_(at|before|after|since|until|ttl|timeout_ms|seconds|duration|or_equal|around)$|^(month|start_date|end_date|timeout|expiration|ttl|scheduled_for)$/.test(
    name,
  )

const places = [
  ...endpoints.flatMap(({ method, path, body, payload, query }) =>
    [body, payload, query].flatMap((said) => (said ? [...fieldsIn(`${method} ${path}`, said)] : [])),
  ),
  ...Object.entries(importLines).flatMap(([type, line]) => [...fieldsIn(`import of a ${type}`, line)]),
].filter(({ path, schema }) => isAboutTime(path.at(-1)!, JSON.stringify(schema)))

const deciding = places.filter(({ schema }) => (schema as Shape)[BLANK])

function refusedFields({ root, path }: Place, value: unknown): string[] {
  try {
    new Validator(root).checkSent(holding(path, value))
    return []
  } catch (error) {
    return Object.keys((error as ChatError).fields ?? {})
  }
}

describe('every time field', () => {
  it('[HTTP-29] is either harmless when blank, or refuses a blank', () => {
    assert.ok(places.length > 100, `${places.length}`)
    const unclear = places.filter(({ path, schema }) => !(schema as Shape)[BLANK] && !known.has(path.at(-1)!))
    assert.deepEqual(
      unclear.map(({ where, path }) => `${where} ${path.join('.')}`),
      [],
    )
    for (const what of [
      'truncated_at',
      'hide_history_before',
      'messages_since',
      'stop_at',
      'timeout',
      'hide_messages_before',
    ])
      assert.ok(
        deciding.some(({ path }) => path.at(-1) === what),
        what,
      )
  })

  for (const place of deciding)
    it(`[HTTP-29] ${place.where}: ${place.path.join('.')} is never empty`, () => {
      const name = place.path.map((step) => (step === '[]' ? '0' : step === '*' ? 'any' : step)).join('.')
      assert.ok(refusedFields(place, '').includes(name), 'an empty text')
      if ((place.schema as Shape)[BLANK] === 'never') assert.ok(refusedFields(place, null).includes(name), 'null')
      else assert.ok(!refusedFields(place, null).includes(name), 'null counts as absent')
      if ((place.schema as { type?: string }).type === 'integer')
        for (const value of [-1, 1.5, '5', Number.MAX_SAFE_INTEGER, false])
          assert.ok(refusedFields(place, value).includes(name), String(value))
    })
})

const noTimes = ['', ' ', 'yesterday', '0', '2026', '2026-13-45T00:00:00Z', '2026-01-01', 'null', 'NaN']

onEveryStorage((fixture) => {
  for (const time of [...noTimes, null, 0, 1, -1, {}, [], true])
    it(`[HTTP-29] ${JSON.stringify(time)} as a time deletes, shows, revokes and sends nothing`, async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada])
      await ada.sends(room, 'kept')
      const refuses = async (method: string, address: string, body: object, field: string) => {
        const { exception_fields } = await appServer.isRefused(4, method, address, { body })
        const fields = Object.keys(exception_fields ?? {})
        assert.ok(
          fields.some((name) => name === field || name.startsWith(`${field}.`)),
          `${method} ${address} names ${fields}`,
        )
      }
      await refuses('POST', `${path(room)}/truncate`, { truncated_at: time }, 'truncated_at')
      await refuses('POST', `${path(room)}/truncate`, { truncated_at: time, hard_delete: true }, 'truncated_at')
      await refuses('POST', `${path(room)}/truncate`, { truncated_at: time, member_ids: ['ada'] }, 'truncated_at')
      await refuses('POST', path(room), { add_members: ['bo'], hide_history_before: time }, 'hide_history_before')
      assert.deepEqual(
        (await ada.opensChannel(room)).messages.map(({ text }) => text),
        ['kept'],
      )
      await bo.isRefused(17, 'POST', `${path(room)}/query`)
      if (time === null) return
      const revoked = { revoke_tokens_issued_before: time }
      await refuses('PATCH', '/users', { users: [{ id: 'ada', set: revoked }] }, 'revoke_tokens_issued_before')
      await refuses('PATCH', '/app', revoked, 'revoke_tokens_issued_before')
      await ada.does('GET', '/devices')
      for (const name of ['messages_since', 'messages_until'])
        await refuses('POST', '/export_channels', { channels: [{ cid: room, [name]: time }] }, `channels.0.${name}`)
      await refuses(
        'POST',
        '/moderation/ban',
        { target_user_id: 'bo', user_id: 'ada', timeout: time === 0 || time === 1 ? -1 : time },
        'timeout',
      )
      assert.deepEqual((await appServer.does('GET', '/query_banned_users')).bans, [])
    })
})
