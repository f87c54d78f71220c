import type { BLANK } from '@parley/protocol/wire'
import type { TSchema } from 'typebox'

/** A field of a schema, and where it is. */
export interface Place {
  where: string
  root: TSchema
  /** Names on the way, `[]` for an item of a list, `*` for a value of a map. */
  path: string[]
  schema: TSchema
  isRequired: boolean
}

export interface FieldShape {
  properties?: Record<string, TSchema>
  required?: readonly string[]
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
  [BLANK]?: 'null' | 'never'
}

/** Every field of a schema, at any depth. */
export function* fieldsIn(where: string, root: TSchema, schema: TSchema = root, path: string[] = []): Generator<Place> {
  const { properties = {}, required = [], patternProperties = {}, items, anyOf = [] } = schema as FieldShape
  for (const [name, field] of Object.entries(properties)) {
    yield { where, root, path: [...path, name], schema: field, isRequired: required.includes(name) }
    yield* fieldsIn(where, root, field, [...path, name])
  }
  for (const value of Object.values(patternProperties)) yield* fieldsIn(where, root, value, [...path, '*'])
  if (items) yield* fieldsIn(where, root, items, [...path, '[]'])
  for (const option of anyOf) yield* fieldsIn(where, root, option, path)
}

/** A value with nothing in it but the value at a path. */
export function holding(path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (name === '[]') return [holding(rest, value)]
  return { [name === '*' ? 'any' : name]: holding(rest, value) }
}
