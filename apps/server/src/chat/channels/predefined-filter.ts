import type { QueryChannelsRequest } from '@parley/protocol/channels'
import { type PredefinedFilter, Sort } from '@parley/protocol/filters'
import { FILTER_BYTES, PREDEFINED_FILTERS } from '@parley/protocol/limits'
import type { Static } from 'typebox'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { Validator } from '../../platform/http/validate.ts'
import type { App } from '../apps/app.ts'

const NAME = /^[A-Za-z0-9_-]{1,64}$/
/** A placeholder for a value. */
const GAP = /^\{\{([^{}]+)\}\}$/

const checkSort = new Validator(Sort)

type Request = Static<typeof QueryChannelsRequest>

/** @throws ChatError InputError (4) — the name has other characters, the filter is too long, or there are too many */
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
 * Resolves a query that names a predefined filter of the app, with the caller's values filled in [messaging.md 4.3].
 * The caller may set the sort when the filter has none.
 *
 * @throws ChatError InputError (4) — no such filter, a second filter beside it, or a missing or invalid value
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

/** A value is only compared with and never becomes part of the filter, so a caller cannot widen the filter. */
function given(name: string, field: string, values: Record<string, unknown>): unknown {
  const path = `${field}.${name}`
  if (!Object.hasOwn(values, name)) throw inputError(path, `${path} is a required field`)
  const value = values[name]
  const parts = Array.isArray(value) ? value : [value]
  if (parts.some((part) => typeof part === 'object' && part !== null))
    throw inputError(path, `${path} must be a text, a number, a boolean, null, or a list of these`)
  return value
}
