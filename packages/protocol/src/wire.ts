/**
 * What every answer and object on the wire has in common.
 * @see messaging.md 1.7, 1.9
 */
import Type, { type Static, type TProperties } from 'typebox'
import { TEAM_BYTES, USER_ID_CHARS } from './limits.ts'

const rfc3339 = { minLength: 1, format: 'date-time', description: 'RFC 3339 in UTC, up to microseconds' }
/** For example `2024-03-01T10:00:00.120034Z`. */
export const Time = Type.String(rfc3339)

/**
 * Marks a field that decides what is deleted, hidden, exported, sent, or who is banned until when: an empty text there
 * is a mistake, and must not mean "everything" or "for ever" [HTTP-29]. With `never`, null is refused as well.
 */
export const BLANK = 'x-blank'
export const refusesEmpty = { [BLANK]: 'null' } as const
export const refusesBlank = { [BLANK]: 'never' } as const

/** A time that decides; null counts as absent. */
export const DecidingTime = Type.String({ ...rfc3339, ...refusesEmpty })
/** A time that decides what is gone, or is sent when: without it, it would be everything, or now. */
export const CutoffTime = Type.String({ ...rfc3339, ...refusesBlank })

/** Every JSON answer has its duration, with a unit: `"12.34ms"`. */
export const Duration = Type.String({ description: 'time taken, with a unit' })

/** A non-empty text: an optional one that is empty counts as absent [HTTP-21]. */
export const NonEmpty = Type.String({ minLength: 1 })

/** As long as the id of a user may be. */
export const UserId = Type.String({ minLength: 1, maxLength: USER_ID_CHARS })

/** A team of users and channels [messaging.md 12]. */
export const TeamName = teamName()
/** One that is required. */
export const SomeTeamName = teamName({ minLength: 1 })

/** The pages behind and before this one: an answer names them, and a request asks for one of them. */
export const cursors = { next: Type.Optional(NonEmpty), prev: Type.Optional(NonEmpty) }

/** Custom fields are flat beside the built-in ones. */
export type Custom = { [field: string]: unknown }

/**
 * Marks a shape that has custom fields: all that are none of its properties, nor among `others`. In v2 they are nested
 * under `custom`, and so are, a second time, those of `both`.
 */
export const CUSTOM = 'x-custom'
export interface CustomMark {
  /** Built-in fields that only some answers have, or that no answer has. */
  others: readonly string[]
  /** Built-in fields in v1 that are custom ones in v2. */
  both: readonly string[]
}

export const hasCustom: { [CUSTOM]: CustomMark } = { [CUSTOM]: { others: [], both: [] } }

/** As `hasCustom`, with names divided by spaces. */
export function customBeside(others: string, both = ''): { [CUSTOM]: CustomMark } {
  const listed = (names: string) => names.split(/\s+/).filter(Boolean)
  return { [CUSTOM]: { others: listed(others), both: listed(both) } }
}

/** A JSON answer: the given fields and `duration`. */
export function answer<const Fields extends TProperties>(fields: Fields) {
  return Type.Object({ ...fields, duration: Duration })
}

/** An answer that only confirms success. */
export const Done = answer({})
export type Done = Static<typeof Done>

/** The acting user of a server-side call may be in the body [messaging.md 1.2]. */
export const actor = {
  user_id: Type.Optional(NonEmpty),
  user: Type.Optional(Type.Object({ id: Type.String() }, hasCustom)),
}

/** `set` and `unset` of a partial update; dots address nested custom fields [messaging.md 1.9]. */
export const PartialUpdate = Type.Object({
  set: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  unset: Type.Optional(Type.Array(Type.String())),
})
export type PartialUpdate = Static<typeof PartialUpdate>

/** Its bytes count, where a schema by itself counts characters. */
function teamName(options: { minLength?: number } = {}) {
  return Type.Refine(
    Type.String({ ...options, maxLength: TEAM_BYTES, description: `at most ${TEAM_BYTES} bytes of UTF-8` }),
    (name) => new TextEncoder().encode(name).length <= TEAM_BYTES,
    () => `must not have more than ${TEAM_BYTES} bytes`,
  )
}
