import { IS_FILTER } from '@parley/protocol/filters'
import { BLANK } from '@parley/protocol/wire'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Value } from 'typebox/value'
import { ChatError } from '../chat-error.ts'
import { microsOf } from '../micros.ts'
import { spellOutSort } from './spelled-sort.ts'

// Every time of a schema is one that the server can read.
Format.Set('date-time', (text) => microsOf(text) !== undefined)

/** Checks values against a schema, compiled once. */
export class Validator {
  #schema: TSchema
  #compiled: ReturnType<typeof Compile>
  constructor(schema: TSchema) {
    this.#schema = schema
    this.#compiled = Compile(schema)
  }

  /**
   * Checks a value that a client sent, and normalises it. An optional field may also be null or empty, since programs
   * in some languages cannot leave a field out; where that is no valid value, the field is removed, unless it decides
   * what is deleted [HTTP-29]. An object without fields may be an empty list, as PHP writes it, a list of ids may name
   * them by objects, and a sort may be written short.
   *
   * @param name the name of the value as a whole, by its place: a body, or a query parameter
   * @throws ChatError InputError (4) — as `check`
   */
  checkSent(value: unknown, name?: string): unknown {
    if (this.#compiled.Check(value)) return value
    const meant = isEmptyObject(this.#schema, value) ? {} : value
    dropBlanks(this.#schema, meant)
    spellOutSort(this.#schema, meant)
    this.check(meant, name)
    return meant
  }

  /** @throws ChatError InputError (4) — with every wrong field by its path */
  check(value: unknown, name = 'body') {
    if (this.#compiled.Check(value)) return
    const fields: Record<string, string> = {}
    const errors = this.#compiled.Errors(value) as readonly Wrong[]
    for (const [pointer, wrong] of Map.groupBy(errors, ({ instancePath }) => instancePath)) {
      const path = pointer.slice(1).replaceAll('/', '.')
      const missing = wrong.flatMap(({ params }) => params.requiredProperties ?? [])
      for (const field of missing) fields[join(path, field)] = `${join(path, field)} is a required field`
      // Where a value may have several shapes, an error inside one of them explains more than a mismatch with another.
      const isInside = missing.length > 0 || errors.some(({ instancePath }) => instancePath.startsWith(`${pointer}/`))
      if (!isInside) fields[path || name] = textOf(path || name, wrong, typeAt(value, pointer))
    }
    const texts = Object.values(fields)
    throw new ChatError('InputError', texts[0] ?? 'the input is not valid', { fields })
  }
}

/** An error at a JSON pointer, as TypeBox reports it. */
interface Wrong {
  keyword: string
  instancePath: string
  message: string
  params: {
    type?: string
    requiredProperties?: readonly string[]
    allowedValue?: unknown
    allowedValues?: readonly unknown[]
  }
}

/** The keywords of errors about a value of the wrong type. */
const aboutKinds: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'anyOf'])

/** What is wrong with one field, which may fail at several shapes. */
function textOf(field: string, wrong: readonly Wrong[], got: string): string {
  if (wrong.some(({ keyword }) => keyword === 'boolean')) return `${field} is no field that can be set here`
  if (wrong.some(({ keyword }) => keyword === 'format')) return `${field} is not a time`
  // It is of a type it may have, and yet too small, too long, or written otherwise.
  const measured = wrong.find(({ keyword }) => !aboutKinds.has(keyword))
  if (measured) return `${field} ${measured.message}`
  const types = wrong.flatMap(({ params }) => params.type ?? [])
  const allowed = wrong.flatMap(({ params }) => params.allowedValues ?? params.allowedValue ?? [])
  if (types.some((type) => type !== 'null') || allowed.length === 0)
    return `expected ${[...new Set(types)].join(' or ')} for field "${field}" but got ${got}`
  return `${field} must be ${choice(allowed.filter((value) => value !== ''))}`
}

function choice(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}

/** The parts of a schema with optional fields. */
interface Shape {
  type?: string
  [IS_FILTER]?: true
  [BLANK]?: 'null' | 'never'
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
    const areIds = (items as Shape | undefined)?.type === 'string'
    for (const [i, item] of value.entries())
      if (areIds) value[i] = idOf(item)
      else if (items) dropBlanks(items, item)
    return
  }
  const fields = value as Record<string, unknown>
  const [others] = Object.values(patternProperties)
  for (const [name, field] of Object.entries(fields)) {
    const shape = Object.hasOwn(properties, name) ? properties[name]! : others
    if (!shape) continue
    const isBlank = field === null || field === ''
    if (isEmptyObject(shape, field)) fields[name] = {}
    else if (!isBlank) dropBlanks(shape, field)
    else if (Object.hasOwn(properties, name) && !required.includes(name) && !Value.Check(shape, field)) {
      const { [BLANK]: counts } = shape as Shape
      if (counts === undefined || (counts === 'null' && field === null)) delete fields[name]
    }
  }
}

/** What is listed by an id, or by an object with one, as answers have it [HTTP-28]. */
export function idOf(item: unknown): unknown {
  const { id } = Object(item)
  return typeof id === 'string' ? id : item
}

/** Whether an empty list means an object; not for a filter, where an empty list may have its own meaning. */
function isEmptyObject(schema: TSchema, value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 0) return false
  const { type, anyOf = [], [IS_FILTER]: isFilter } = schema as Shape
  const types = [type, ...anyOf.map((option) => (option as Shape).type)]
  return types.includes('object') && !types.includes('array') && !isFilter
}

/** The JSON type of the value at a JSON pointer. */
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
