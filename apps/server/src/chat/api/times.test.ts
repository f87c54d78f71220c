/** Every time that a client can send is read by one parser, which refuses what no calendar has. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { describe, it } from 'vitest'
import { endpoints } from '../../operations.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { Validator } from '../../platform/http/validate.ts'

const source = new URL('../../', import.meta.url)

/** Names of fields that contain a time. */
const TIMELY = /(_at|_since|_until|_for|expires|timestamp)$|_at_(before|after|around)|_issued_before|history_before/

interface Shape {
  type?: string
  format?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: readonly TSchema[]
}

/** The fields of a schema, by path, with a value that has just this field. */
function* fieldsOf(schema: TSchema, path: string[] = []): Generator<{ path: string[]; shape: Shape }> {
  const shape = schema as Shape
  if (path.length > 6) return
  yield { path, shape }
  for (const option of shape.anyOf ?? []) yield* fieldsOf(option, path)
  for (const [name, field] of Object.entries(shape.properties ?? {})) yield* fieldsOf(field, [...path, name])
  if (shape.items) yield* fieldsOf(shape.items, [...path, '0'])
}

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => (name === '0' ? [inner] : { [name]: inner }), value)

describe('a time in a request', () => {
  const requests = endpoints.flatMap(({ method, path, body, payload }) =>
    [body, payload].flatMap((schema) => (schema ? [{ name: `${method} ${path}`, schema }] : [])),
  )

  it('is of the type of times, by its name', () => {
    for (const { name, schema } of requests)
      for (const { path, shape } of fieldsOf(schema))
        if (shape.type === 'string' && TIMELY.test(path.at(-1) ?? ''))
          assert.equal(shape.format, 'date-time', `${name} ${path.join('.')}`)
  })

  it('[HTTP-33] is refused by its name if no calendar has it', () => {
    let count = 0
    for (const { name, schema } of requests) {
      const validator = new Validator(schema)
      for (const { path, shape } of fieldsOf(schema)) {
        if (shape.format !== 'date-time') continue
        count += 1
        for (const text of ['2024-02-30T10:00:00Z', '2024-03-01T24:00:00Z', 'yesterday']) {
          const refusal = refusalOf(() => validator.checkSent(nested(path, text)))
          assert.ok(refusal?.fields?.[path.join('.')], `${name} ${path.join('.')} accepts ${text}`)
        }
      }
    }
    assert.ok(count > 20, 'times were found')
  })

  it('is parsed in one place', () => {
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/test|testing/.test(file))
    const filesWith = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(new URL(file, source), 'utf8')))
    assert.deepEqual(filesWith(/Date\.parse\(/), ['platform/micros.ts'])
    // The others format a number.
    assert.deepEqual(filesWith(/new Date\(\w/).sort(), [
      'administration/usage/usage.ts',
      'features/attachments/serve-file.ts',
      'platform/micros.ts',
    ])
  })
})

function refusalOf(check: () => unknown): ChatError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    assert.ok(error instanceof ChatError)
    return error
  }
}
