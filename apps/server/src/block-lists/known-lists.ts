import { profaneWords } from '@2toad/profanity'
import type { BlockList } from '@parley/protocol/block-lists'
import { isoOf, type Micros } from '../micros.ts'
import { type Search, searchFor } from './word-search.ts'

/** Always there, and never changed [administration.md 5.1]. */
export const PROFANITY = 'profanity_en_2020_v1'

/** What is stored of a list besides its name and times. */
export type StoredBlockList = Omit<BlockList, 'name' | 'created_at' | 'updated_at'>

/** A list with what finds its words, which is made when it is needed first. */
export interface KnownList {
  list: BlockList
  search: Search
  /** The same within words, whatever the list says itself. */
  searchWithin: Search
}

export function knownList(name: string, stored: StoredBlockList, createdAt: Micros, updatedAt: Micros): KnownList {
  const list = { name, ...stored, created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) }
  const isWithin = list.is_substring_matching_enabled
  let made: Search | undefined
  let madeWithin: Search | undefined
  const search: Search = (text) => {
    made ??= searchFor(list)
    return made(text)
  }
  return {
    list,
    search,
    searchWithin(text) {
      madeWithin ??= isWithin ? search : searchFor({ ...list, is_substring_matching_enabled: true })
      return madeWithin(text)
    },
  }
}

/** What the library takes for profane, and people say every day and are called: here it stops nobody. */
const innocent: ReadonlySet<string> = new Set(
  `balls bloody breasts bum butt butts cipa cok cox dink dinks dirsa doggin dogging fanny flange fook gaylord hoar hoare
   hoer hoes hore kock kum lust lusting masochist muff nazi nob pawn pecker poop pron sadist screwing sex shag snatch
   spac spunk tit titt wang willies willy`.split(/\s+/),
)

/**
 * English words; whoever writes in other languages makes lists of their own.
 *
 * @param madeAt since when built-in things exist
 */
export function profanity(madeAt: Micros): KnownList {
  if (!builtIn) {
    const words = [...(profaneWords.get('en') ?? [])].filter((word) => !innocent.has(word))
    builtIn = knownList(PROFANITY, { ...usual, words }, madeAt, madeAt)
  }
  return builtIn
}
let builtIn: KnownList | undefined

/** How a list finds its words where nobody says otherwise. */
export const usual = {
  type: 'word',
  is_leet_check_enabled: false,
  is_plural_check_enabled: false,
  is_substring_matching_enabled: false,
  is_confusable_folding_enabled: false,
} as const
