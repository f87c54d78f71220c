/**
 * Messages as a table [RFC 4180]: one row each, lists and objects as JSON. A text that a spreadsheet would run as a
 * formula gets a leading apostrophe, as OWASP recommends; numbers stay numbers.
 */
import { importLines } from '@parley/protocol/imports'

const builtIn = Object.keys(importLines.message.properties).filter((field) => field !== 'channel_member_ids')
/** All fields, with the custom fields in the last column. */
const CUSTOM = 'custom'
const usual = [...builtIn, CUSTOM]
/** The beginning of a formula, full-width signs included, and the whitespace spreadsheets skip before one. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/

/** The columns, for all fields or only some. */
export function columnsOf(fields: readonly string[] | undefined): readonly string[] {
  return fields ?? usual
}

export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join()}\r\n`
}

export function valuesOf(data: Record<string, unknown>, columns: readonly string[]): unknown[] {
  return columns.map((column) => (column === CUSTOM && columns === usual ? customOf(data) : data[column]))
}

function customOf(data: Record<string, unknown>): object | undefined {
  const custom = Object.entries(data).filter(([field]) => !builtIn.includes(field))
  return custom.length > 0 ? Object.fromEntries(custom) : undefined
}

function cellOf(value: unknown): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? harmless(value) : JSON.stringify(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
