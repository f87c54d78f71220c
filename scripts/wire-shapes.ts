/** The wire's shapes as TypeScript, generated from the schemas that validate them. */

import { Time } from '@parley/protocol/wire'

/** The fields of a schema that are read here. */
interface Schema {
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  const?: unknown
}

const saidOfTimes = (Time as Schema).description

/**
 * The fields of an object, a line each, with their descriptions except for times. `names` are types described apart.
 */
export function fieldsText(schema: object, names: ReadonlyMap<object, string>): string {
  const { properties = {}, required = [] } = schema as Schema
  const lines = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description && field.description !== saidOfTimes ? [`  /** ${field.description} */`] : []),
    `  ${name}${required.includes(name) ? '' : '?'}: ${typeText(field, names)}`,
  ])
  return `{\n${lines.join('\n')}\n}`
}

function typeText(schema: Schema, names: ReadonlyMap<object, string>): string {
  const { type, properties, required = [], patternProperties, items, anyOf } = schema
  const known = properties && names.get(properties)
  if (known) return known
  if (anyOf) return anyOf.map((one) => typeText(one, names)).join(' | ')
  if (schema.const !== undefined) return `'${schema.const}'`
  if (items) {
    const item = typeText(items, names)
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (patternProperties) return `Record<string, ${typeText(Object.values(patternProperties)[0] ?? {}, names)}>`
  if (properties) {
    const field = (name: string) => (required.includes(name) ? name : `${name}?`)
    const fields = Object.entries(properties).map(([name, of]) => `${field(name)}: ${typeText(of, names)}`)
    return `{ ${fields.join('; ')} }`
  }
  return type === 'integer' ? 'number' : (type ?? 'unknown')
}
