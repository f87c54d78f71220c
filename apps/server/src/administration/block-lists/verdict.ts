import type { Access } from '../../chat/channels/channel-access.ts'
import { BUILT_IN_LIST } from '../../chat/channels/check-block-lists.ts'
import type { Verdict } from '../../chat/messages/text-moderation.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { moderationOf } from '../review/known-configs.ts'
import { blockListsOf, type KnownList } from './known-lists.ts'

/** A block list to check messages against, and the action on a match. */
export interface NamedList {
  blocklist: string
  behavior: Verdict['does']
  /** Also matches within words, whatever the list's own setting. */
  within?: boolean
  config?: string
}

const byStrength: readonly Verdict['does'][] = [
  'ban',
  'block',
  'shadow_block',
  'bounce_remove',
  'bounce_flag',
  'bounce',
  'mask',
  'flag',
]
/** The fields of attachments and their parts that users may write, and the lists of parts. */
const texts = ['title', 'text', 'pretext', 'fallback', 'author_name', 'footer', 'value'] as const
const parts = ['fields', 'actions'] as const

/**
 * The verdict of a channel's block lists on a text and its attachments; the strongest counts
 * [BLK-5, administration.md 5.2].
 */
export function verdictOn(
  { apps }: Server,
  { channel, config }: Access,
  text: string,
  attachments: readonly Record<string, unknown>[],
): Verdict | undefined {
  const app = apps.of(channel.app)
  const named: NamedList[] = [
    ...(config.blocklist ? [{ blocklist: config.blocklist, behavior: config.blocklist_behavior ?? 'flag' }] : []),
    ...(config.blocklists ?? []),
    ...(config.automod === 'simple' ? [{ blocklist: BUILT_IN_LIST, behavior: config.automod_behavior }] : []),
    ...(moderationOf(app).of(channel)?.lists ?? []),
  ]
  if (named.length === 0) return undefined
  const said = [text, ...attachments.flatMap(textsIn)].join('\n')
  return foundBy(blockListsOf(app), named, said, text, channel.team)
}

/** The strongest verdict of these lists; lists of other teams are skipped. */
export function foundBy(
  known: ReadonlyMap<string, KnownList>,
  named: readonly NamedList[],
  said: string,
  text: string,
  team: ChannelRow['team'],
): Verdict | undefined {
  for (const { blocklist, behavior, within = false, config } of named.toSorted(
    (a, b) => byStrength.indexOf(a.behavior) - byStrength.indexOf(b.behavior),
  )) {
    const found = known.get(blocklist)
    if (!found || (found.list.team !== undefined && found.list.team !== team)) continue
    const word = within ? found.searchWithin(said) : found.search(said)
    if (word !== undefined)
      return { does: behavior, by: 'blocklist', list: blocklist, word, text, ...(config !== undefined && { config }) }
  }
  return undefined
}

/** The stronger of two verdicts. */
export function stronger(a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined {
  if (!a || !b) return a ?? b
  return byStrength.indexOf(b.does) < byStrength.indexOf(a.does) ? b : a
}

function textsIn(attachment: unknown): string[] {
  if (typeof attachment !== 'object' || attachment === null) return []
  const of = attachment as Record<string, unknown>
  const own = texts.map((key) => of[key]).filter((value) => typeof value === 'string')
  return [...own, ...parts.flatMap((key) => (Array.isArray(of[key]) ? of[key].flatMap(textsIn) : []))]
}
