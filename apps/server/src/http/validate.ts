import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { ChatError } from '../chat-error.ts'

/** Checks values against a schema, compiled once. */
export class Validator {
  #schema: TSchema
  #compiled: ReturnType<typeof Compile>
  constructor(schema: TSchema) {
    this.#schema = schema
    this.#compiled = Compile(schema)
  }

  /**
   * Checks what somebody sent. What need not be said may be null or empty as well, since programs in some languages
   * cannot leave a field out; where that is no value of the field's, the field is taken out.
   *
   * @throws ChatError InputError (4) — as `check`
   */
  checkSent(value: unknown) {
    if (this.#compiled.Check(value)) return
    dropBlanks(this.#schema, value)
    this.check(value)
  }

  /** @throws ChatError InputError (4) — with every wrong field by its path */
  check(value: unknown) {
    if (this.#compiled.Check(value)) return
    const fields: Record<string, string> = {}
    for (const { instancePath, message, params } of this.#compiled.Errors(value)) {
      const path = instancePath.slice(1).replaceAll('/', '.')
      const { requiredProperties: missing, type } = params as { requiredProperties?: string[]; type?: string }
      if (missing) for (const name of missing) fields[join(path, name)] ??= `${join(path, name)} is a required field`
      else if (type !== undefined)
        fields[path || 'body'] ??=
          `expected ${type} for field "${path || 'body'}" but got ${typeAt(value, instancePath)}`
      else fields[path || 'body'] ??= `${path || 'the body'} ${message}`
    }
    const texts = Object.values(fields)
    throw new ChatError('InputError', texts[0] ?? 'the input is not valid', { fields })
  }
}

/** What of a schema says where fields that need not be there can stand. */
interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  required?: readonly string[]
  patternProperties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: readonly TSchema[]
}

function dropBlanks(schema: TSchema, value: unknown) {
  if (typeof value !== 'object' || value === null) return
  const { properties = {}, required = [], patternProperties = {}, items, anyOf = [] } = schema as Shape
  const kind = Array.isArray(value) ? 'array' : 'object'
  for (const option of anyOf) if ((option as Shape).type === kind) return dropBlanks(option, value)
  if (Array.isArray(value)) {
    if (items) for (const item of value) dropBlanks(items, item)
    return
  }
  const fields = value as Record<string, unknown>
  const [others] = Object.values(patternProperties)
  for (const [name, field] of Object.entries(fields)) {
    const shape = Object.hasOwn(properties, name) ? properties[name]! : others
    if (!shape) continue
    const isBlank = field === null || field === ''
    if (!isBlank) dropBlanks(shape, field)
    else if (Object.hasOwn(properties, name) && !required.includes(name) && !Value.Check(shape, field))
      delete fields[name]
  }
}

/** What stands at a JSON pointer, in the words of JSON. */
function typeAt(value: unknown, pointer: string): string {
  let at = value
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown> | null)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  if (at === null) return 'null'
  return Array.isArray(at) ? 'array' : typeof at
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
