/** Some clients cannot omit an id and send an empty one: it counts as absent, and is never looked up or stored. */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { endpoints } from '../operations.ts'
import { fieldsIn, holding, type Place } from '../testing/schema-fields.ts'
import { Validator } from './validate.ts'

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
  'message.attachments.[].type': 'an attachment of no kind, drawn by what it has',
}

/** How an empty string is treated at a place: as absent, refused with the field’s name, or kept as an empty string. */
function leftOf({ root, path }: Place): unknown {
  try {
    const sent = new Validator(root).checkSent(holding(path, ''))
    return path.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name === '[]' ? 0 : name === '*' ? 'any' : name],
      sent,
    )
  } catch {
    return undefined
  }
}

it('[HTTP-21] an empty id, type or list name is absent at every endpoint', () => {
  const places = endpoints
    .flatMap(({ method, path, body, payload }) =>
      [body, payload].flatMap((sent) => (sent ? [...fieldsIn(`${method} ${path}`, sent)] : [])),
    )
    .filter(({ path, isRequired }) => !isRequired && isName(path.at(-1)!))
  assert.ok(places.length > 150, `${places.length}`)
  const kept = places.filter((place) => leftOf(place) === '' && !Object.hasOwn(meaningful, place.path.join('.')))
  assert.deepEqual(
    kept.map(({ where, path }) => `${where} ${path.join('.')}`),
    [],
  )
})
