/**
 * Writes the emoji that the composer and the picker offer, and their names in each language. Run it for a new version
 * of Unicode, and commit its output:
 *
 *     node scripts/run.mjs scripts/write-emoji.ts
 *
 * Order and short names come from Emojibase (MIT), names and search words from the CLDR (Unicode License v3).
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const sources = ['emojibase-data@17.0.0', 'cldr-annotations-full@48.2.0']
const languages = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'tr']
const written = join(import.meta.dirname, '../packages/widgets/src/emoji/names')
/** Newer ones are empty boxes on many devices. */
const NEWEST_VERSION = 15.1
/** Search words beside the name; all of them would double the size. */
const WORDS_KEPT = 5
/** Of words with the same first letters, this many, one is enough. */
const STEM_CHARS = 5
/** Groups of Emojibase where 2 holds the skin tones and the like. */
const COMPONENTS = 2

interface Emoji {
  emoji: string
  hexcode: string
  group?: number
  order: number
  version: number
}
type Annotations = Record<string, { default: string[]; tts: string[] }>

const folder = mkdtempSync(join(tmpdir(), 'emoji-'))
try {
  for (const source of sources) unpack(source)
  writeAll()
} finally {
  rmSync(folder, { recursive: true })
}

function unpack(source: string) {
  const archive = execFileSync('npm', ['pack', '--silent', source], { cwd: folder, encoding: 'utf8' }).trim()
  const into = join(folder, source.split('@')[0]!)
  mkdirSync(into)
  execFileSync('tar', ['xzf', join(folder, archive), '-C', into, '--strip-components=1'])
}

function writeAll() {
  const all: Emoji[] = read('emojibase-data/en/data.json')
  const shortNames: Record<string, string | string[]> = read('emojibase-data/en/shortcodes/github.json')
  const english = annotationsOf('en')
  const offered = all
    .filter(({ group, version }) => group !== undefined && group !== COMPONENTS && version <= NEWEST_VERSION)
    // Browsers know the names of countries.
    .filter(({ emoji }) => bare(emoji) in english || isCountry(emoji))
    .toSorted((a, b) => a.order - b.order)
  const named = offered.filter(({ emoji }) => !isCountry(emoji))
  const groups = Object.values(Object.groupBy(named, ({ group }) => group!)).map((group) =>
    group!.map(({ emoji }) => asShown(emoji)).join(' '),
  )
  const countries = offered.filter(({ emoji }) => isCountry(emoji)).map(({ emoji }) => regionOf(emoji))
  write('emoji.json', {
    groups,
    countries: countries.join(' '),
    shortNames: named.map(({ emoji, hexcode }) =>
      [shortNames[hexcode] ?? []]
        .flat()
        .filter((name) => name !== underscored(english[bare(emoji)]!.tts[0]!))
        .join(' '),
    ),
  })
  for (const language of languages) {
    const annotations = annotationsOf(language)
    write(
      `${language}.json`,
      named.map(({ emoji }) => namesOf(emoji, annotations)),
    )
  }
}

/** The name and then its search words, as `party popper|celebrate|hooray`. */
function namesOf(emoji: string, annotations: Annotations): string {
  const { default: words, tts } = annotations[bare(emoji)]!
  const name = tts[0]!
  // Variants of one emoji are found by the search words of the first; the others by their names.
  const first = neutralOf(emoji)
  if (first !== undefined && bare(first) in annotations) return name
  const others: string[] = []
  for (const word of words) {
    const isNew = !name.toLowerCase().includes(word.toLowerCase())
    // "celebration" is found by "celebrat", too.
    if (isNew && !others.some((other) => other.slice(0, STEM_CHARS) === word.slice(0, STEM_CHARS))) others.push(word)
  }
  return [name, ...others.slice(0, WORDS_KEPT)].join('|')
}

function neutralOf(emoji: string): string | undefined {
  const gendered = /^(.*?)\u200d[♂♀]\ufe0f?$/u.exec(emoji)
  if (gendered) return gendered[1]
  const worker = /^[👨👩](\u200d.*)$/u.exec(emoji)
  return worker ? `🧑${worker[1]}` : undefined
}

/** The CLDR omits the variation selector for emoji presentation. */
function bare(emoji: string): string {
  return emoji.replaceAll('\ufe0f', '')
}

/** An emoji that needs no variation selector goes without it. */
function asShown(emoji: string): string {
  return /^\p{Emoji_Presentation}\ufe0f$/u.test(emoji) ? bare(emoji) : emoji
}

function isCountry(emoji: string): boolean {
  return /^\p{Regional_Indicator}{2}$/u.test(emoji)
}

function regionOf(emoji: string): string {
  return [...emoji].map((letter) => String.fromCodePoint(letter.codePointAt(0)! - 0x1f1e6 + 65)).join('')
}

function underscored(name: string): string {
  return name.replace(/[^a-z0-9]+/gi, '_')
}

function annotationsOf(language: string): Annotations {
  return read<{ annotations: { annotations: Annotations } }>(
    `cldr-annotations-full/annotations/${language}/annotations.json`,
  ).annotations.annotations
}

function read<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(folder, path), 'utf8'))
}

function write(name: string, content: unknown) {
  mkdirSync(written, { recursive: true })
  writeFileSync(join(written, name), `${JSON.stringify(content, null, 2)}\n`)
}
