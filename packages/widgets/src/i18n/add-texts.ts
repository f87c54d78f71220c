/**
 * Custom texts and further languages, at run time. A separate entry point: its parser is bundled only by a page that
 * uses it.
 */
import type { Messages } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { english } from './english.ts'
import { givenTexts } from './given-texts.ts'
import type { TextKey } from './translate.ts'

/** Some or all texts of the kit by key, in the ICU format: `{name}`, `{count, plural, one {…} other {…}}`. */
export type Texts = Partial<Record<TextKey, string>>

/** A text in Lingui's format. */
type Token = string | [name: string, kind?: string, cases?: unknown]

/** The supported formats of a value; the kit formats times and the like itself, and passes strings. */
const KINDS = ['plural', 'selectordinal', 'select', 'number']

const additions = new Set<{ language: string; messages: Messages }>()

/**
 * Replaces texts of the kit, or adds a language, from now on and in every chat. Texts added later override earlier
 * ones; texts missing in a new language are in English.
 *
 * A text that could not be shown, as one with an unknown placeholder, is left out and logged: the kit's own is used. So
 * is a missing plural form: `other` is used.
 *
 * @param language  as in `<Chat language>`: `'de'`, `'sv'`, `'zh-Hant'`
 * @returns removes them
 */
export function addTexts(language: string, texts: Texts): () => void {
  if (!isTag(language)) {
    log(`"${language}" is not the tag of a language; its texts are left out.`)
    return () => {}
  }
  const messages: Messages = {}
  for (const [key, text] of Object.entries(texts)) {
    try {
      messages[key] = checked(language, key, text) as Messages[string]
    } catch (error) {
      log(`The text of "${key}" in "${language}" is left out: ${error instanceof Error ? error.message : error}`)
    }
  }
  const addition = { language, messages }
  additions.add(addition)
  tell()
  return () => {
    if (additions.delete(addition)) tell()
  }
}

/** @throws Error with the reason why a text cannot be shown */
function checked(language: string, key: string, text: unknown): Token[] {
  const own = Object.hasOwn(english, key) ? (english[key] as unknown as Token[]) : undefined
  if (!own) throw new Error('the kit has no text of this name.')
  if (typeof text !== 'string' || !text.trim()) throw new Error('it says nothing.')
  const tokens = compileMessageOrThrow(text) as Token[]
  const known = new Set(argumentsOf(own).map(({ name }) => name))
  for (const { name, kind, cases } of argumentsOf(tokens)) {
    if (!known.has(name)) throw new Error(`nobody fills in {${name}}.`)
    if (kind && !KINDS.includes(kind)) throw new Error(`{${name}} cannot be a ${kind}.`)
    if (kind && kind !== 'number' && !cases.includes('other')) throw new Error(`{${name}} has no case "other".`)
    const missing = kind === 'plural' ? formsOf(language).filter((form) => !cases.includes(form)) : []
    if (missing.length > 0)
      log(`The text of "${key}" in "${language}" has no form for ${missing.join(' and ')}; "other" is taken.`)
  }
  return tokens
}

/** All placeholders of a message, including those inside of cases. */
function argumentsOf(tokens: Token[]): { name: string; kind?: string; cases: string[] }[] {
  return tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    const [name, kind, cases] = token
    if (typeof cases !== 'object' || cases === null) return [{ name, kind, cases: [] }]
    const inside = Object.values(cases).filter(Array.isArray).flatMap(argumentsOf)
    return [{ name, kind, cases: Object.keys(cases) }, ...inside]
  })
}

const formsOf = (language: string) => new Intl.PluralRules(language).resolvedOptions().pluralCategories

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

function tell() {
  const texts: Record<string, Messages> = {}
  for (const { language, messages } of additions) texts[language] = { ...texts[language], ...messages }
  givenTexts.set(texts)
}

const log = (problem: string) => console.warn(problem)
