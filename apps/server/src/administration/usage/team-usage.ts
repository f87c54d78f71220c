import type { TeamUsage, TeamUsageRequest, UsageMetric } from '@parley/protocol/usage'
import { sql } from 'kysely'
import type { App } from '../../chat/apps/app.ts'
import { inputError } from '../../platform/chat-error.ts'
import { type Entity, tieBreak } from '../../platform/database/filter-compiler.ts'
import { pages } from '../../platform/database/keyset.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { DAY_MS, dayOf } from './usage.ts'
import { type DayOfTeam, type Days, daysOfTeams, messagesWithin, teamsWithin, usersWithin } from './usage-store.ts'

const TEAMS_PAGE = 30
/** Maximum days of one request. */
const DAYS_MAX = 366
/** A date before all others. */
const EVER = ''
const byTeam: Entity = { filterName: '', custom: undefined, fields: {}, tieBreak: [tieBreak('t.team')] }

/**
 * The usage of each team in a month, or between two days. The number of queries grows neither with the teams nor
 * with the days.
 *
 * @throws ChatError InputError (4) — an invalid day, or the end is before the beginning
 */
export async function teamUsage(
  server: Server,
  app: App,
  request: TeamUsageRequest,
): Promise<{ teams: TeamUsage[]; next?: string }> {
  const { read, dialect } = server.database
  await server.usage.write()
  const { from, to, isDaily } = timeOf(request, server.clock.now())
  const { limit = TEAMS_PAGE, next, month, start_date, end_date } = request
  const listing = { name: ['team usage', app.id], entity: byTeam, limit, sort: [] }
  const { query, paged } = pages(dialect, listing, {
    filter: { month, start_date, end_date },
    ...(next !== undefined && { next }),
  })
  // Without teams there is one usage, that of the app, which this list does not describe.
  const isListed = app.settings.multi_tenant_enabled ? sql<boolean>`1 = 1` : sql<boolean>`t.team <> ''`
  const { shown, around } = paged(await teamsWithin(read, app.id, { from, to }, query(isListed)))
  const teams = shown.map(({ team }) => team)
  if (teams.length === 0) return { teams: [] }
  const dates = daysBetween(from, to)
  const asked = isDaily ? dates : [to]
  const windows = {
    total: asked.map((day) => ({ from: EVER, to: day })),
    last_24_hours: asked.map((day) => ({ from: day, to: day })),
    last_30_days: asked.map((day) => ({ from: dayBefore(day, 29), to: day })),
    month_to_date: asked.map((day) => ({ from: `${day.slice(0, 7)}-01`, to: day })),
  }
  const days = await daysOfTeams(read, dialect, app.id, teams, { from, to })
  const users = await usersWithin(
    read,
    dialect,
    app.id,
    teams,
    dates.map((day) => ({ from: day, to: day })),
  )
  const usersIn = (times: readonly Days[]) => usersWithin(read, dialect, app.id, teams, times)
  const messagesIn = (times: readonly Days[]) => messagesWithin(read, dialect, app.id, teams, times)
  const people = {
    total: await usersIn(windows.total),
    last_24_hours: await usersIn(windows.last_24_hours),
    last_30_days: await usersIn(windows.last_30_days),
    month_to_date: await usersIn(windows.month_to_date),
  }
  const messages = {
    total: await messagesIn(windows.total),
    last_24_hours: await messagesIn(windows.last_24_hours),
    last_30_days: await messagesIn(windows.last_30_days),
    month_to_date: await messagesIn(windows.month_to_date),
  }

  const usageOf = (team: string): TeamUsage => {
    const own = new Map(days.filter((row) => row.team === team).map((row) => [row.day, row]))
    const here = new Map(users.filter((row) => row.team === team).map((row) => [row.to, row.users]))
    const daily = (values: readonly number[], total: number): UsageMetric => ({
      total,
      ...(isDaily && { daily: dates.map((date, i) => ({ date, value: values[i]! })) }),
    })
    const summed = (numberOf: (day: string) => number) => {
      const values = dates.map(numberOf)
      return daily(
        values,
        values.reduce((sum, value) => sum + value, 0),
      )
    }
    const greatest = (field: keyof Pick<DayOfTeam, 'users_peak' | 'connections_peak'>) => {
      const values = dates.map((day) => own.get(day)?.[field] ?? 0)
      return daily(values, Math.max(...values))
    }
    const latest = <Row extends { team: string; to: string }>(rows: readonly Row[], numberOf: (row: Row) => number) => {
      const byDay = new Map(rows.filter((row) => row.team === team).map((row) => [row.to, numberOf(row)]))
      return daily(
        dates.map((day) => byDay.get(day) ?? 0),
        byDay.get(to) ?? 0,
      )
    }
    const present = (row: { users: number }) => row.users
    const engaged = (row: { engaged: number }) => row.engaged
    const count = (row: { count: number }) => row.count
    return {
      team,
      users_daily: summed((day) => here.get(day) ?? 0),
      messages_daily: summed((day) => own.get(day)?.messages ?? 0),
      translations_daily: summed((day) => own.get(day)?.translations ?? 0),
      // This server does not moderate images.
      image_moderations_daily: summed(() => 0),
      concurrent_users: greatest('users_peak'),
      concurrent_connections: greatest('connections_peak'),
      users_total: latest(people.total, present),
      users_last_24_hours: latest(people.last_24_hours, present),
      users_last_30_days: latest(people.last_30_days, present),
      users_month_to_date: latest(people.month_to_date, present),
      users_engaged_last_30_days: latest(people.last_30_days, engaged),
      users_engaged_month_to_date: latest(people.month_to_date, engaged),
      messages_total: latest(messages.total, count),
      messages_last_24_hours: latest(messages.last_24_hours, count),
      messages_last_30_days: latest(messages.last_30_days, count),
      messages_month_to_date: latest(messages.month_to_date, count),
    }
  }
  return { teams: teams.map(usageOf), ...(around.next !== undefined && { next: around.next }) }
}

function timeOf({ month, start_date, end_date }: TeamUsageRequest, now: number): Days & { isDaily: boolean } {
  const today = dayOf(now)
  if (start_date === undefined && end_date === undefined) {
    const first = `${month ?? today.slice(0, 7)}-01`
    const [year, number] = first.split('-').map(Number) as [number, number]
    const last = dayOf(Date.UTC(year, number, 0))
    return { from: first, to: first <= today && today < last ? today : last, isDaily: false }
  }
  if (month !== undefined) throw inputError('month', 'month and start_date exclude each other')
  const from = checked('start_date', start_date)
  const to = checked('end_date', end_date)
  if (to < from) throw inputError('end_date', 'end_date lies before start_date')
  if ((msOf(to) - msOf(from)) / DAY_MS >= DAYS_MAX)
    throw inputError('end_date', `there are more than ${DAYS_MAX} days from start_date to end_date`)
  return { from, to, isDaily: true }
}

function checked(field: string, date: string | undefined): string {
  if (date === undefined) throw inputError(field, `${field} is a required field`)
  if (microsOf(`${date}T00:00:00Z`) === undefined) throw inputError(field, `${field} is no day`)
  return date
}

function dayBefore(day: string, days: number): string {
  return dayOf(msOf(day) - days * DAY_MS)
}

function daysBetween(from: string, to: string): string[] {
  const count = (msOf(to) - msOf(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, i) => dayOf(msOf(from) + i * DAY_MS))
}

function msOf(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return Date.UTC(year, month - 1, date)
}
