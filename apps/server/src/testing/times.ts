import { Time } from '@parley/protocol/wire'
import { isoOf, microsOf } from '../platform/micros.ts'

/** What stands for "never". */
const NEVER = '0001-01-01T00:00:00Z'

interface Shape {
  description?: string
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/**
 * The times in an answer or event that are not written as all others are: in UTC, without needless zeros
 * [messaging.md 1.9]. What an app keeps in fields of its own is its own affair.
 */
export function mistimed(schema: object, value: unknown): string[] {
  const { description, properties, patternProperties, items, anyOf } = schema as Shape
  if (anyOf) return anyOf.flatMap((shape) => mistimed(shape, value))
  if (typeof value === 'string' && description === (Time as Shape).description) return isWellTimed(value) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (items) return (value as unknown[]).flatMap((item) => mistimed(items, item))
  const [any] = Object.values(patternProperties ?? {})
  return Object.entries(value).flatMap(([name, item]) => {
    const shape = properties?.[name] ?? any
    return shape ? mistimed(shape, item) : []
  })
}

function isWellTimed(text: string): boolean {
  const at = microsOf(text)
  return text === NEVER || (at !== undefined && isoOf(at) === text)
}
