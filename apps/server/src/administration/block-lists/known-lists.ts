import { profaneWords } from '@2toad/profanity'
import type { BlockList } from '@parley/protocol/block-lists'
import { BUILT_IN_AT } from '../../chat/apps/app.ts'
import { perApp } from '../../chat/apps/per-app.ts'
import { BUILT_IN_LIST } from '../../chat/channels/check-block-lists.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import { type Search, searchFor } from './word-search.ts'

/** The stored part of a list, without its name and times. */
export type StoredBlockList = Omit<BlockList, 'name' | 'created_at' | 'updated_at'>

/** A list with its compiled search, which is built on first use. */
export interface KnownList {
  list: BlockList
  search: Search
  /** The same within words, whatever the list's own setting. */
  searchWithin: Search
}

/** The block lists of an app: its own, and the built-in one. */
export const blockListsOf = perApp(
  (app): ReadonlyMap<string, KnownList> =>
    new Map([
      [BUILT_IN_LIST, profanity(BUILT_IN_AT)],
      ...app
        .rulesOf('block_list')
        .map(
          ({ name, body_json, created_at, updated_at }) =>
            [name, knownList(name, JSON.parse(body_json), created_at, updated_at)] as const,
        ),
    ]),
)

function knownList(name: string, stored: StoredBlockList, createdAt: Micros, updatedAt: Micros): KnownList {
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

/** Everyday words and names that the library considers profane: allowed here. */
const innocent: ReadonlySet<string> = new Set(
  `balls bloody breasts bum butt butts cipa cok cox dink dinks dirsa doggin dogging fanny flange fook gaylord hoar hoare
   hoer hoes hore kock kum lust lusting masochist muff nazi nob pawn pecker poop pron sadist screwing sex shag snatch
   spac spunk tit titt wang willies willy`.split(/\s+/),
)

/**
 * English words; apps in other languages create their own lists.
 *
 * @param madeAt creation time of built-in objects
 */
export function profanity(madeAt: Micros): KnownList {
  if (!builtIn) {
    const words = [...(profaneWords.get('en') ?? [])].filter((word) => !innocent.has(word))
    builtIn = knownList(BUILT_IN_LIST, { ...usual, words }, madeAt, madeAt)
  }
  return builtIn
}
let builtIn: KnownList | undefined

/** The default search settings of a list. */
export const usual = {
  type: 'word',
  is_leet_check_enabled: false,
  is_plural_check_enabled: false,
  is_substring_matching_enabled: false,
  is_confusable_folding_enabled: false,
} as const
