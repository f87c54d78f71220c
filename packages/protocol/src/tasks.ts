import Type, { type Static } from 'typebox'
import { answer, Time } from './wire.ts'

/** Work that goes on after the answer that named it [administration.md 10.1]. */
export const TaskAnswer = answer({
  task_id: Type.String(),
  status: Type.Enum(['waiting', 'pending', 'running', 'completed', 'failed']),
  created_at: Time,
  updated_at: Time,
  /** There once it is completed. */
  result: Type.Optional(Type.Object({}, { additionalProperties: true })),
  /** There once it failed. */
  error: Type.Optional(Type.Object({ type: Type.String(), description: Type.String() })),
})
export type TaskAnswer = Static<typeof TaskAnswer>
