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

export const CreateCommandRequest = Type.Object({
  name: Type.String(),
  description: Type.String(),
  args: Type.Optional(Type.String()),
  set: Type.Optional(Type.String({ description: 'what it can be named by together with others, in a channel type' })),
})
export type CreateCommandRequest = Static<typeof CreateCommandRequest>
export const UpdateCommandRequest = Type.Object({
  description: Type.Optional(Type.String()),
  args: Type.Optional(Type.String()),
  set: Type.Optional(Type.String()),
})
export type UpdateCommandRequest = Static<typeof UpdateCommandRequest>
