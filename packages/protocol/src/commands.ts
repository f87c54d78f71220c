import Type, { type Static } from 'typebox'
import { Time } from './wire.ts'

/** What a slash text may begin with [administration.md 4.1]. */
export const Command = Type.Object({
  name: Type.String(),
  description: Type.String(),
  args: Type.String(),
  set: Type.String(),
  created_at: Type.Optional(Time),
  updated_at: Type.Optional(Time),
})
export type Command = Static<typeof Command>
