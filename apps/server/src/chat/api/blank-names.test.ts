/** Some clients cannot omit an id and send an empty one: it counts as absent, and is never looked up or stored. */
import assert from 'node:assert/strict'
import { Value } from 'typebox/value'
import { it } from 'vitest'
import { endpoints } from '../../operations.ts'
import { fieldsIn } from '../../testing/schema-fields.ts'

/** Fields that name things: ids, types, roles, lists, providers. */
const isName = (field: string) =>
  /(^|_)(id|cid)$|^(type|role|channel_role|channel_type|list|predefined_filter|push_provider_name|created_by)$/.test(
    field,
  )

/** Fields whose empty string has a meaning, and which. */
const meaningful: Record<string, string> = {
  'apn_config.bundle_id': 'takes the setting back',
  'apn_config.team_id': 'takes the setting back',
  'apn_config.key_id': 'takes the setting back',
  'huawei_config.id': 'takes the setting back',
  'data.created_by_id': 'the rule reads it, since a client may send anything there',
  'data.created_by': 'the rule reads it, since a client may send anything there',
  'push_provider.apn_key_id': 'takes the setting back',
  'push_provider.apn_team_id': 'takes the setting back',
  'push_provider.huawei_app_id': 'takes the setting back',
  'message.attachments.[].type': 'an attachment of no kind, drawn by what it has',
  'message_template.attachments.[].type': 'an attachment of no kind, drawn by what it has',
}

it('[HTTP-21] an empty id, type or list name is absent at every endpoint', () => {
  const places = endpoints
    .flatMap(({ method, path, body, payload }) =>
      [body, payload].flatMap((sent) => (sent ? [...fieldsIn(`${method} ${path}`, sent)] : [])),
    )
    .filter(({ path, isRequired }) => !isRequired && isName(path.at(-1)!))
  assert.ok(places.length > 150, `${places.length}`)
  // An empty text that is no value of the field is dropped, or refused where the field decides; a value is kept.
  const kept = places.filter(
    ({ path, schema }) => Value.Check(schema, '') && !Object.hasOwn(meaningful, path.join('.')),
  )
  assert.deepEqual(
    kept.map(({ where, path }) => `${where} ${path.join('.')}`),
    [],
  )
})
