import Type, { type Static } from 'typebox'
import { answer } from './wire.ts'

/** What is left of a limit in this minute [messaging.md 1.8]. */
export const RateLimit = Type.Object({
  limit: Type.Integer(),
  remaining: Type.Integer(),
  reset: Type.Integer({ description: 'Unix seconds when the minute is over' }),
})
export type RateLimit = Static<typeof RateLimit>

const flag = Type.Optional(Type.String({ description: 'true or false' }))
/** Without a platform all are given; without endpoints all operations. */
export const RateLimitsQuery = Type.Object({
  server_side: flag,
  android: flag,
  ios: flag,
  web: flag,
  unity: flag,
  endpoints: Type.Optional(Type.String({ description: 'names of operations, divided by commas' })),
})

const limits = Type.Optional(Type.Record(Type.String(), RateLimit, { description: 'by the name of the operation' }))
/** By platform and operation [SET-3, administration.md 11]. */
export const RateLimitsAnswer = answer({
  server_side: limits,
  android: limits,
  ios: limits,
  web: limits,
  unity: limits,
})
