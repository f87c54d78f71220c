/**
 * The shapes of v2, made from those of v1 and back by the schema of an endpoint, so that no rule knows of two. In v2
 * custom fields are nested under `custom`, where v1 has them flat, and a time may be an integer of nanoseconds.
 * @see docs/wire/v2-endpoints.md
 */
import { isDeepStrictEqual } from 'node:util'
import { IS_FILTER, SortOption } from '@parley/protocol/filters'
import { CUSTOM, type CustomMark } from '@parley/protocol/wire'
import type { TSchema } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'

/** Whether a client reads times as integers of nanoseconds since 1970, and not as RFC 3339. */
export interface V2Dialect {
  nanoseconds: boolean
}

/** TypeScript does not know it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): object }

type Fields = { [field: string]: unknown }

/** What is read of a schema. */
interface Shape {
  type?: string
  format?: string
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: readonly TSchema[]
  [IS_FILTER]?: true
  [CUSTOM]?: CustomMark
}

const PREFIX = 'custom.'
/** What stands for no time where one is required; 64 bits of nanoseconds do not reach back so far, and have 0 for it. */
const NO_TIME = '0001-01-01T00:00:00Z'
/** No number below is one of nanoseconds: it would be in the first days of 1970. */
const FEWEST_NANOS = 1e15

/**
 * A request of v2 in the shape of v1. What does not fit stays as it is: the schema refuses it by its name.
 *
 * @param path of the value, for errors
 * @throws ChatError InputError (4) — a custom field is given twice with two values, or `custom` is removed as a whole
 */
export function fromV2(schema: TSchema, value: unknown, path = ''): unknown {
  const shape = shapeFor(schema, value)
  if (shape.format === 'date-time' && (typeof value === 'number' || /^\d{16,}$/.test(String(value))))
    return timeOf(Number(value), value)
  if (typeof value !== 'object' || value === null) return value
  if (shape[IS_FILTER]) return filterFromV2(value)
  const { properties = {}, patternProperties = {}, items } = shape
  if (Array.isArray(value)) {
    if (items === SortOption) return value.map(sortFromV2)
    return items ? value.map((item, i) => fromV2(items, item, at(path, i))) : value
  }
  const [others] = Object.values(patternProperties)
  const fields = { ...value } as Fields
  for (const [name, field] of Object.entries(fields)) {
    const inside = Object.hasOwn(properties, name) ? properties[name] : others
    if (inside) define(fields, name, fromV2(inside, field, at(path, name)))
  }
  // What may be sent as a whole describes what `set` holds.
  const { set: setField, unset, message: whole } = properties
  if (setField && unset) return patchFromV2(fields, whole, path)
  return shape[CUSTOM] ? flat(fields, path) : fields
}

/** An answer of v1 in the shape of v2. */
export function toV2(schema: TSchema, value: unknown, dialect: V2Dialect): unknown {
  const shape = shapeFor(schema, value)
  if (typeof value === 'string') return dialect.nanoseconds && shape.format === 'date-time' ? nanosOf(value) : value
  if (typeof value !== 'object' || value === null) return value
  const { properties = {}, patternProperties = {}, items, [CUSTOM]: mark } = shape
  if (Array.isArray(value)) return items ? value.map((item) => toV2(items, item, dialect)) : value
  const [rest] = Object.values(patternProperties)
  const fields: Fields = {}
  const custom: Fields = {}
  for (const [name, field] of Object.entries(value)) {
    const inside = Object.hasOwn(properties, name) ? properties[name] : rest
    const isCustom = mark && !inside && !mark.others.includes(name)
    define(isCustom ? custom : fields, name, inside ? toV2(inside, field, dialect) : field)
    if (mark?.both.includes(name)) define(custom, name, field)
  }
  return mark ? { ...fields, custom } : fields
}

/** The schema that a value is of, where it may be one of several: the first of its JSON type. */
function shapeFor(schema: TSchema, value: unknown): Shape {
  const { anyOf } = schema as Shape
  if (!anyOf) return schema as Shape
  const type = Array.isArray(value) ? 'array' : typeof value
  const options = anyOf.map((option) => shapeFor(option, value))
  return options.find((option) => option.type === type || (type === 'number' && option.format === 'date-time')) ?? {}
}

/** Custom fields beside the built-in ones. */
function flat({ custom, ...fields }: Fields, path: string): Fields {
  if (!isFields(custom)) return custom === undefined || custom === null ? fields : { ...fields, custom }
  for (const [name, value] of Object.entries(custom)) {
    // Programs send back what they read, where some fields are in both places.
    if (Object.hasOwn(fields, name) && !isDeepStrictEqual(fields[name], value))
      throw inputError(at(path, name), `${at(path, name)} is given twice`)
    define(fields, name, value)
  }
  return fields
}

/** `set: {custom: {color}}` and `"custom.color"` both mean the custom field `color`. */
function patchFromV2({ set, unset, ...others }: Fields, whole: TSchema | undefined, path: string): Fields {
  const fields = { ...others }
  if (isFields(set)) {
    const inside = at(path, 'set')
    const named = Object.entries(whole ? (fromV2(whole, set, inside) as Fields) : flat(set, inside))
    fields.set = Object.fromEntries(named.map(([name, value]) => [unprefixed(name), value]))
  } else if (set !== undefined) fields.set = set
  if (Array.isArray(unset)) {
    if (unset.includes('custom')) throw inputError('unset', 'unset names each custom field, as "custom.<name>"')
    fields.unset = unset.map((name) => (typeof name === 'string' ? unprefixed(name) : name))
  } else if (unset !== undefined) fields.unset = unset
  return fields
}

function filterFromV2(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map(filterFromV2)
  if (!isFields(filter)) return filter
  const result: Fields = {}
  for (const [name, condition] of Object.entries(filter))
    define(result, unprefixed(name), name.startsWith('$') ? filterFromV2(condition) : conditionFromV2(name, condition))
  return result
}

/** Which fields are times no schema says: by their names, all end so. */
function conditionFromV2(name: string, condition: unknown): unknown {
  if (!/(_at|_active|expires)$/.test(name)) return condition
  if (typeof condition === 'number') return timeOf(condition)
  if (Array.isArray(condition)) return condition.map((value) => conditionFromV2(name, value))
  if (!isFields(condition)) return condition
  return Object.fromEntries(Object.entries(condition).map(([sign, value]) => [sign, conditionFromV2(name, value)]))
}

function sortFromV2(option: unknown): unknown {
  if (!isFields(option)) return option
  if (typeof option.field === 'string') return { ...option, field: unprefixed(option.field) }
  return Object.fromEntries(Object.entries(option).map(([field, direction]) => [unprefixed(field), direction]))
}

function unprefixed(field: string): string {
  return field.startsWith(PREFIX) ? field.slice(PREFIX.length) : field
}

/** Nanoseconds as RFC 3339; what means no time stays as it was sent, to be refused. */
function timeOf(nanos: number, sent: unknown = nanos): unknown {
  if (nanos === 0) return NO_TIME
  const micros = Math.round(nanos / 1_000)
  return nanos >= FEWEST_NANOS && Number.isSafeInteger(micros) ? isoOf(micros) : sent
}

/** All digits are written: a number has room for sixteen, and nanoseconds need nineteen. */
function nanosOf(time: string): unknown {
  const micros = microsOf(time)
  if (micros === undefined) return time
  return time === NO_TIME ? 0 : rawJson(`${BigInt(micros) * 1_000n}`)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A key such as `__proto__` is ordinary text here. */
function define(target: Fields, key: string, value: unknown) {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

function at(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`
}
