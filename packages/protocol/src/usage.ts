import Type, { type Static } from 'typebox'
import { answer, NonEmpty } from './wire.ts'

/** Teams in one answer. */
const TEAMS_PAGE_MAX = 30

export const TeamUsageRequest = Type.Object({
  month: Type.Optional(
    Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: '`YYYY-MM`; the current month if absent' }),
  ),
  start_date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  end_date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: TEAMS_PAGE_MAX })),
  next: Type.Optional(NonEmpty),
})
export type TeamUsageRequest = Static<typeof TeamUsageRequest>

/** A number for the whole time, and, where dates were asked for, for each day of it. */
export const UsageMetric = Type.Object({
  total: Type.Integer(),
  daily: Type.Optional(Type.Array(Type.Object({ date: Type.String(), value: Type.Integer() }))),
})
export type UsageMetric = Static<typeof UsageMetric>

/** How much one team used [administration.md 14.7]; an empty name means no team. */
export const TeamUsage = Type.Object({
  team: Type.String(),
  users_daily: UsageMetric,
  messages_daily: UsageMetric,
  translations_daily: UsageMetric,
  image_moderations_daily: UsageMetric,
  concurrent_users: UsageMetric,
  concurrent_connections: UsageMetric,
  users_total: UsageMetric,
  users_last_24_hours: UsageMetric,
  users_last_30_days: UsageMetric,
  users_month_to_date: UsageMetric,
  users_engaged_last_30_days: UsageMetric,
  users_engaged_month_to_date: UsageMetric,
  messages_total: UsageMetric,
  messages_last_24_hours: UsageMetric,
  messages_last_30_days: UsageMetric,
  messages_month_to_date: UsageMetric,
})
export type TeamUsage = Static<typeof TeamUsage>

export const TeamUsageAnswer = answer({ teams: Type.Array(TeamUsage), next: Type.Optional(Type.String()) })
