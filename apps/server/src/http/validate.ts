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
      const missing = (params as { requiredProperties?: string[] }).requiredProperties
      if (missing) for (const name of missing) fields[join(path, name)] ??= `${join(path, name)} is a required field`
      else fields[path || 'body'] ??= `${path || 'the body'} ${message}`
    }
    const texts = Object.values(fields)
    throw new ChatError('InputError', texts[0] ?? 'the input is not valid', { fields })
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
