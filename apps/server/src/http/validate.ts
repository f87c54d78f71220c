import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ChatError } from '../chat-error.ts'

/** Checks values against a schema, compiled once. */
export class Validator {
  #compiled: ReturnType<typeof Compile>
  constructor(schema: TSchema) {
    this.#compiled = Compile(schema)
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
