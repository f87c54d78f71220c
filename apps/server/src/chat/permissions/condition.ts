/**
 * Conditions of permissions: the filter language over the acting user and the resource.
 * @see administration.md 3.3
 */
import { inputError } from '../../platform/chat-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a condition tests: objects in their wire form. */
export interface Facts {
  subject: Fields
  resource: Fields
}

const DEPTH_MAX = 5

const comparisons: Record<string, (value: unknown, given: unknown) => boolean> = {
  $eq: (value, given) => (Array.isArray(value) ? value.includes(given) : value === given),
  $ne: (value, given) => (Array.isArray(value) ? !value.includes(given) : value !== given),
  $in: (value, given) => asList(value).some((item) => asList(given).includes(item)),
  $nin: (value, given) => !asList(value).some((item) => asList(given).includes(item)),
  $gt: (value, given) => compare(value, given) > 0,
  $gte: (value, given) => compare(value, given) >= 0,
  $lt: (value, given) => compare(value, given) < 0,
  $lte: (value, given) => compare(value, given) <= 0,
  $exists: (_, given) => given === true,
}
const groups: Record<string, (parts: boolean[]) => boolean> = {
  $and: (parts) => parts.every(Boolean),
  $or: (parts) => parts.some(Boolean),
  $nor: (parts) => !parts.some(Boolean),
}

/** Whether the condition holds. A missing field never matches. */
export function holds(condition: Fields, facts: Facts): boolean {
  return Object.entries(condition).every(([key, wanted]) => {
    if (Object.hasOwn(groups, key)) return groups[key]!((wanted as Fields[]).map((part) => holds(part, facts)))
    const value = valueAt(key, facts)
    const operators = isFields(wanted) ? wanted : { $eq: wanted }
    return Object.entries(operators).every(([operator, given]) => {
      if (value === undefined) return operator === '$exists' && given === false
      return comparisons[operator]!(value, given)
    })
  })
}

/** @throws ChatError InputError (4) — not a valid condition */
export function checkCondition(condition: Fields, depth = 0) {
  if (depth > DEPTH_MAX) throw inputError('condition', 'the condition is nested too deep')
  for (const [key, wanted] of Object.entries(condition)) {
    if (Object.hasOwn(groups, key)) {
      if (!Array.isArray(wanted) || !wanted.every(isFields))
        throw inputError('condition', `${key} takes a list of conditions`)
      for (const part of wanted) checkCondition(part, depth + 1)
    } else {
      if (!/^\$(subject|resource)\.[\w.-]+$/.test(key))
        throw inputError('condition', `"${key}" is neither $subject.<field> nor $resource.<field>`)
      if (isFields(wanted))
        for (const [operator, given] of Object.entries(wanted)) {
          if (!Object.hasOwn(comparisons, operator)) throw inputError('condition', `unknown operator ${operator}`)
          if ((operator === '$in' || operator === '$nin') && !Array.isArray(given))
            throw inputError('condition', `${operator} takes a list`)
        }
    }
  }
}

function valueAt(path: string, { subject, resource }: Facts): unknown {
  const [root, ...keys] = path.split('.')
  let value: unknown = root === '$subject' ? subject : resource
  for (const key of keys) value = isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value ?? undefined
}

/** Negative, zero or positive; NaN for values that cannot be compared. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return Number.NaN
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
