import { isBeside, type List, type Page, type Place, type SortValue } from '../../platform/database/cursor.ts'
import type { SortTerm } from '../../platform/database/filter-compiler.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { isUnspaced, spaced } from '../../platform/database/words.ts'

/** Among this many of the newest matches, those with an exact phrase come first. */
const WEIGHED = 100
/** More may lie between the first and the last of those later on: messages that were edited or imported. */
const WEIGHED_LATER = 1_000

/** Where a match stands: among those with the phrases, among the other weighed ones, or behind all of them. */
const WITH_PHRASES = 0
const WITHOUT = 1
const BEHIND = 2
const groupTerm = { kind: 'number', isNeverNull: true, direction: 1 } as const

/** A found message with the values it is sorted by. */
export interface Match {
  row: MessageRow
  values: readonly SortValue[]
}

/** Reads matches in their order, from a place on, and within the bound of another place. */
export type ReadMatches = (
  range: Pick<Page, 'limit'> & Partial<Page> & { within?: Place | undefined },
) => Promise<Match[]>

/**
 * What a cursor of weighed matches holds: the group and the sort values of a match, and those of the newest and the
 * oldest match that were weighed for the first page. Between these two the later pages weigh again.
 */
export function weighedKeys(terms: readonly SortTerm[]): List['keys'] {
  return [groupTerm, ...terms, ...terms, ...terms]
}

/** A page of the newest, and one match more if there is one, with those that have the exact phrases first. */
export async function weighed(
  read: ReadMatches,
  phrases: readonly string[],
  terms: readonly SortTerm[],
  { limit, offset, place }: Page,
): Promise<Match[]> {
  const count = terms.length
  const [, at = [], newest, oldest] = place ? partsOf(place.values, count) : []
  const block =
    newest && oldest
      ? await read({
          limit: WEIGHED_LATER,
          place: { side: 'after', isIncluded: true, values: newest },
          within: { side: 'before', isIncluded: true, values: oldest },
        })
      : await read({ limit: WEIGHED })
  const ends = [...(newest ?? block[0]?.values ?? []), ...(oldest ?? block.at(-1)?.values ?? [])]
  const inGroup = (group: number, found: readonly Match[]) =>
    found.map(({ row, values }) => ({ row, values: [group, ...values, ...ends] }))
  const first = block.filter(({ row }) => hasPhrases(row, phrases))
  const others = block.filter((match) => !first.includes(match))
  const ofBlock = [...inGroup(WITH_PHRASES, first), ...inGroup(WITHOUT, others)]
  const wanted = limit + 1
  const isBehind = place?.values[0] === BEHIND
  const behindBlock: Place | undefined = oldest && { side: 'after', isIncluded: false, values: oldest }

  if (place?.side === 'before') {
    const found = isBehind ? await read({ limit: wanted, place: { ...place, values: at }, within: behindBlock }) : []
    const before = ofBlock.filter(({ values }) => isBeside([groupTerm, ...terms], values, place)).reverse()
    return [...inGroup(BEHIND, found), ...before].slice(0, wanted)
  }
  const after = place
    ? ofBlock.filter(({ values }) => isBeside([groupTerm, ...terms], values, place))
    : ofBlock.slice(offset)
  const missing = wanted - after.length
  const areAll = !place && block.length < WEIGHED
  if (missing <= 0 || areAll) return after.slice(0, wanted)
  const from = isBehind ? { ...place!, values: at } : (behindBlock ?? afterLast(block))
  const rest = await read({ limit: missing, offset: Math.max(0, offset - ofBlock.length), place: from })
  return [...after, ...inGroup(BEHIND, rest)]
}

/** The group, and three times the values of as many terms. */
function partsOf([group, ...values]: readonly SortValue[], count: number) {
  const from = (part: number) => values.slice(part * count, (part + 1) * count)
  return [[group], from(0), from(1), from(2)] as const
}

function afterLast(block: readonly Match[]): Place {
  return { side: 'after', isIncluded: false, values: block.at(-1)!.values }
}

function hasPhrases({ text }: MessageRow, phrases: readonly string[]): boolean {
  const words = spaced(text)
  return phrases.every((phrase) => words.includes(isUnspaced(phrase) ? phrase : ` ${phrase}`))
}
