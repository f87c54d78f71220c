import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import { REMINDERS_PAGE_MAX } from './limits.ts'
import { Message, OwnReminder } from './messages.ts'
import { User } from './users.ts'
import { actor, answer, cursors, Time } from './wire.ts'

/** A user's reminder of a message; without a time it is only saved for later [messaging.md 5.11]. */
export const Reminder = Type.Object({
  ...OwnReminder.properties,
  user: Type.Optional(User),
  message: Type.Optional(Message),
  channel: Type.Optional(Channel),
})
export type Reminder = Static<typeof Reminder>

export const ReminderRequest = Type.Object({
  remind_at: Type.Optional(Type.Union([Time, Type.Null()])),
  ...actor,
})
export const ReminderAnswer = answer({ reminder: Reminder })

export const QueryRemindersRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REMINDERS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  ...cursors,
  ...actor,
})
export const RemindersAnswer = answer({
  reminders: Type.Array(Reminder),
  ...cursors,
})
