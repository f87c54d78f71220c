/** Finds the words of a block list in texts [administration.md 5.1]. */
import type { BlockList } from '@parley/protocol/block-lists'
import { foldedCase, folded as foldedText, visible } from '@parley/protocol/text/folding'
import { RE2JS } from 're2js'

/** Returns the first match in a text; undefined when it is clean. */
export type Search = (text: string) => string | undefined

/** The characters around a word. Vowel signs of some scripts are marks and belong to it; emoji marks do not. */
const edges = /^[[^\p{L}\p{M}\p{N}]\u20E3\uFE0E\uFE0F]+|[[^\p{L}\p{M}\p{N}]\u20E3\uFE0E\uFE0F]+$/gv
/** The same without symbols, which are often part of a word: a list may contain `a$$` and not mean `a`. */
const punctuation = /^[[^\p{L}\p{M}\p{N}\p{S}]\u20E3\uFE0E\uFE0F]+|[[^\p{L}\p{M}\p{N}\p{S}]\u20E3\uFE0E\uFE0F]+$/gv
/** Marks of messages, which may be drawn or not: `gro**bian**`. */
const marks = /[*_~`]+/g
/** Characters that replace a letter; `1` replaces two. */
const leet: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }
const ones = ['i', 'l']
/** Letters of Cyrillic and Greek that look like Latin ones. */
const lookalikes = new Map(
  ['аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs ԁd ɡg ոn ѵv']
    .concat('αa βb εe ιi κk νv οo ρp τt υu χx')
    .flatMap((pairs) => pairs.split(' ').map((pair) => [...pair] as [string, string])),
)

/** Compile once per list; a search takes time linear in the text, whatever its content. */
export function searchFor(list: BlockList): Search {
  switch (list.type) {
    case 'word':
      return wordSearch(list)
    case 'regex': {
      const patterns = list.words.map((word) => [word, compiled(word)] as const)
      return (text) => {
        const forms = formsOf(text)
        return patterns.find(([, pattern]) => forms.some((form) => pattern.matcher(form).find()))?.[0]
      }
    }
    case 'domain':
    case 'domain_allowlist':
      return namesSearch(list, hostsIn, (host, word) => host === word || host.endsWith(`.${word}`))
    case 'email':
    case 'email_allowlist':
      return namesSearch(
        list,
        addressesIn,
        (address, word) => address === word || address.endsWith(`@${word.replace(/^@/, '')}`),
      )
  }
}

/** @throws Error — the pattern is invalid, or cannot be matched in linear time */
export function compiled(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
}

function wordSearch({ words, ...list }: BlockList): Search {
  const fold = list.is_confusable_folding_enabled ? folded : foldedCase
  const found = new Map(words.map((word) => [partsOf(fold(word), punctuation).join(' '), word]))
  found.delete('')
  const lengths = new Set([...found.keys()].map((word) => word.split(' ').length))
  return (text) => {
    const forms = formsOf(text).map(fold)
    for (const written of list.is_leet_check_enabled ? forms.flatMap((form) => [form, ...spelledOut(form)]) : forms)
      for (const around of [punctuation, edges]) {
        const parts = partsOf(written, around)
        for (const length of lengths)
          for (let start = 0; start + length <= parts.length; start++) {
            const said = parts.slice(start, start + length).join(' ')
            for (const form of list.is_plural_check_enabled ? singularsOf(said) : [said])
              if (found.has(form)) return found.get(form)
          }
        if (!list.is_substring_matching_enabled) continue
        const whole = parts.join(' ')
        for (const [form, word] of found) if (whole.includes(form)) return word
      }
    return undefined
  }
}

/** Splits at white space and hyphens, and strips the characters around each word. */
function partsOf(text: string, around: RegExp): string[] {
  return text
    .split(/[\s-]+/)
    .map((part) => part.replace(around, ''))
    .filter(Boolean)
}

/** A text as it was typed and, where these differ, as it is seen: without invisible signs, and without marks. */
function formsOf(text: string): string[] {
  const seen = visible(text)
  return [...new Set([text, seen, seen.replace(marks, '')])]
}

function folded(text: string): string {
  return Array.from(foldedText(text), (letter) => lookalikes.get(letter) ?? letter).join('')
}

function spelledOut(text: string): string[] {
  return ones.map((one) => Array.from(text, (letter) => (letter === '1' ? one : (leet[letter] ?? letter))).join(''))
}

function singularsOf(word: string): string[] {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')]
}

/** An allow list matches every name that is not on it. */
function namesSearch(
  { type, words }: BlockList,
  namesIn: (text: string) => string[],
  fits: (name: string, word: string) => boolean,
): Search {
  const allowed = type.endsWith('_allowlist')
  // Without marks, words that are no name may become one: only what is forbidden is sought in that form.
  const forms = (text: string) => (allowed ? [visible(text)] : formsOf(text)).map(foldedCase)
  return (text) =>
    forms(text)
      .flatMap(namesIn)
      .find((name) => words.some((word) => fits(name, word)) !== allowed)
}

/** Possible addresses and host names. */
function tokensIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}.@+_%-]+/u).map((token) => token.replace(edges, ''))
}

function hostsIn(text: string): string[] {
  return tokensIn(text).filter((token) => !token.includes('@') && isHost(token))
}

function addressesIn(text: string): string[] {
  return tokensIn(text).filter((token) => {
    const [name, host, ...more] = token.split('@')
    return Boolean(name) && host !== undefined && more.length === 0 && isHost(host)
  })
}

function isHost(name: string): boolean {
  const labels = name.split('.')
  return labels.length > 1 && labels.every(Boolean) && /^\p{L}{2,}$/u.test(labels.at(-1)!)
}
