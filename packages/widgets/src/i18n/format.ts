/** Formats of times, lists and numbers in a language. */
import { dateFormat, daysBetween, once, relative } from './row-time.ts'
import type { Translate } from './translate.ts'

/** "3 Jun 2026, 14:05", "Jun 3, 2026, 2:05 PM" */
export function dateAndTime(language: string, date: Date): string {
  return dateFormat(language, 'moment', { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** "just now", "5 minutes ago", "yesterday", "3 months ago" */
export function timeAgo(t: Translate, language: string, date: Date, now: Date): string {
  const minutes = Math.round((now.getTime() - date.getTime()) / 60_000)
  // `Intl` only has "this minute", which no language says of somebody who was here.
  if (minutes < 1) return t('justNow')
  if (minutes < 60) return relative(language).format(-minutes, 'minute')
  if (minutes < 24 * 60) return relative(language).format(-Math.round(minutes / 60), 'hour')
  const days = Math.max(1, daysBetween(date, now))
  if (days < 31) return relative(language).format(-days, 'day')
  if (days < 365) return relative(language).format(-Math.round(days / 30.4), 'month')
  return relative(language).format(-Math.round(days / 365), 'year')
}

/** "Ann, Bob, and Cleo" */
export function listOf(language: string, parts: readonly string[]): string {
  return once(`${language} list`, () => new Intl.ListFormat(language, { type: 'conjunction' })).format(parts)
}

/** "Ann and Bob", within a sentence: with an honorific in languages that use one, 「田中さん、鈴木さん」. */
export function listOfPeople(t: Translate, language: string, names: readonly string[]): string {
  return listOf(
    language,
    names.map((name) => t('person.listed', { name })),
  )
}

/** "Ann, Bob": facts side by side, for the accessible name of a row. */
export function factsOf(language: string, parts: readonly string[]): string {
  return once(`${language} facts`, () => new Intl.ListFormat(language, { type: 'unit', style: 'short' })).format(parts)
}

/** "42%" for a ratio from 0 to 1. */
export function percent(language: string, share: number): string {
  return once(`${language} percent`, () => new Intl.NumberFormat(language, { style: 'percent' })).format(share)
}

/** "June 2026" */
export function monthName(language: string, date: Date): string {
  return dateFormat(language, 'month', { month: 'long', year: 'numeric' }).format(date)
}

/** "24 hours", "7 days" */
export function lasting(language: string, count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string {
  const make = () => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return once(`${language} lasting ${unit}`, make).format(count)
}

/** "0:07", "12:30" */
export function clockTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
