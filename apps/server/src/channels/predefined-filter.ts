import type { QueryChannelsRequest } from '@parley/protocol/channels'
import { type PredefinedFilter, Sort } from '@parley/protocol/filters'
import { FILTER_BYTES, PREDEFINED_FILTERS } from '@parley/protocol/limits'
import type { Static } from 'typebox'
import type { App } from '../apps/app.ts'
import { ChatError, inputError } from '../chat-error.ts'
import { Validator } from '../http/validate.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** A text that stands for a value. */
const GAP = /^\{\{([^{}]+)\}\}$/

const checkSort = new Validator(Sort)

type Request = Static<typeof QueryChannelsRequest>

/** @throws ChatError InputError (4) — a name with other letters, too long a filter, or too many */
export function checkPredefinedFilters(filters: Record<string, PredefinedFilter>) {
  const names = Object.keys(filters)
  if (names.length > PREDEFINED_FILTERS)
    throw inputError('predefined_filters', `an app keeps at most ${PREDEFINED_FILTERS} filters`)
  for (const name of names) {
    if (!NAME.test(name))
      throw inputError('predefined_filters', `"${name}" must have 1 to 64 letters, digits, "_" and "-"`)
    if (Buffer.byteLength(JSON.stringify(filters[name])) > FILTER_BYTES)
      throw inputError(`predefined_filters.${name}`, `a filter has at most ${FILTER_BYTES} bytes`)
  }
}

/**
 * The query that is meant by one that names a filter of the app's, with the values filled in that its caller gives
 * [messaging.md 4.3]. Where that filter says nothing of an order, the caller may.
 *
 * @throws ChatError InputError (4) — no such filter, another one beside it, or a value that is missing or no value
 */
export function filledQuery({ settings }: App, request: Request): Request {
  const { predefined_filter: name, filter_values = {}, sort_values = {} } = request
  if (!name) return request
  if (!Object.hasOwn(settings.predefined_filters, name))
    throw inputError('predefined_filter', `there is no filter ${name}`)
  if (Object.keys(request.filter_conditions ?? {}).length > 0)
    throw inputError('filter_conditions', 'predefined_filter stands in place of filter_conditions')
  const { filter, sort } = settings.predefined_filters[name]!
  return {
    ...request,
    filter_conditions: filled(filter, 'filter_values', filter_values) as object as Record<string, unknown>,
    ...(sort?.length && { sort: sortOf(filled(sort, 'sort_values', sort_values)) }),
  }
}

function sortOf(sort: unknown): Sort {
  try {
    checkSort.check(sort)
  } catch (error) {
    throw error instanceof ChatError ? inputError('sort_values', error.message) : error
  }
  return sort as Sort
}

function filled(part: unknown, field: string, values: Record<string, unknown>): unknown {
  if (typeof part === 'string') {
    const [, name] = GAP.exec(part) ?? []
    return name === undefined ? part : given(name, field, values)
  }
  if (Array.isArray(part)) return part.map((item) => filled(item, field, values))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, filled(item, field, values)]))
}

/** A value is compared with, and never a part of the filter itself: what the filter holds back stays held back. */
function given(name: string, field: string, values: Record<string, unknown>): unknown {
  const path = `${field}.${name}`
  if (!Object.hasOwn(values, name)) throw inputError(path, `${path} is a required field`)
  const value = values[name]
  const parts = Array.isArray(value) ? value : [value]
  if (parts.some((part) => typeof part === 'object' && part !== null))
    throw inputError(path, `${path} must be a text, a number, a boolean, null, or a list of these`)
  return value
}
