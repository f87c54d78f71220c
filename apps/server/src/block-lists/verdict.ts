import type { Message, MessageModeration } from '@parley/protocol/messages'
import type { Access } from '../channels/channel-access.ts'
import { ChatError } from '../chat-error.ts'
import type { ChannelRow, UserRow } from '../database/tables.ts'
import { unpublishedError } from '../messages/unpublished-error.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { type KnownList, PROFANITY } from './known-lists.ts'

/** What comes of a message that says what a block list names, or that a rule of a configuration finds. */
export interface Verdict {
  does: 'ban' | 'block' | 'shadow_block' | 'bounce_remove' | 'bounce_flag' | 'bounce' | 'mask' | 'flag'
  /** What found it. */
  by: 'blocklist' | 'velocity' | 'flood'
  list?: string
  word?: string
  text: string
  /** The key of the configuration that says so, where one does. */
  config?: string
  /** How long its author is banned, in minutes, where they are; and how. */
  ban?: { minutes?: number | undefined; shadow?: boolean | undefined; withAddresses?: boolean | undefined }
}

/** A list that is held against messages, and what comes of what it finds. */
export interface NamedList {
  blocklist: string
  behavior: Verdict['does']
  /** Also within words, whatever the list says itself. */
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
/** What of an attachment, or of a part of one, somebody may have written themself, and the lists of parts. */
const texts = ['title', 'text', 'pretext', 'fallback', 'author_name', 'footer', 'value'] as const
const parts = ['fields', 'actions'] as const

/**
 * What the lists that the channel names say of a text and of what is attached to it; the strongest counts
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
    ...(config.automod === 'simple' ? [{ blocklist: PROFANITY, behavior: config.automod_behavior }] : []),
    ...(app.moderation.of(channel)?.lists ?? []),
  ]
  if (named.length === 0) return undefined
  const said = [text, ...attachments.flatMap(textsIn)].join('\n')
  return foundBy(app.blockLists, named, said, text, channel.team)
}

/** The strongest of what these lists find; lists of other teams are left out. */
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

/** The stronger of two. */
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

/**
 * Holds against the lists what somebody writes that is no message of their own: nothing could be answered in its place,
 * and nothing be shown to them alone, so that it is refused outright.
 *
 * @returns what the moderators are to be told, once it is written
 * @throws ChatError MessageModerationFailed (73)
 */
export function checkWords(
  server: Server,
  access: Access,
  text: string,
  attachments: readonly Record<string, unknown>[],
  { fromServer }: { fromServer: boolean },
): Verdict | undefined {
  if (!isModerated(access, { fromServer, force: false })) return undefined
  const verdict = verdictOn(server, access, text, attachments)
  if (verdict && verdict.does !== 'flag')
    throw new ChatError('MessageModerationFailed', 'what was written was blocked by moderation policies')
  return verdict
}

/**
 * Whether moderation looks at what somebody writes: at what the app's server says only where it asks for that, and not
 * at what those write whom the app trusts [administration.md 5.2].
 */
export function isModerated(
  { can, user }: Access,
  { fromServer, force }: { fromServer: boolean; force: boolean },
): boolean {
  if (user?.bypass_moderation) return false
  return fromServer ? force : !can('skip-message-moderation')
}

/**
 * What the sender of a message that was stopped gets in its place; it is stored nowhere [MOD2-14]. One that bounced
 * keeps its words, so that they can be written otherwise.
 */
export async function stopped(
  server: Server,
  { channel }: Access,
  author: UserRow,
  message: { id?: string; parent_id?: string | null },
  { does, list, text }: Verdict,
  createdAt?: Micros,
): Promise<Message> {
  const bounces = does.startsWith('bounce') || does === 'mask'
  const moderation: MessageModeration = {
    action: bounces ? 'bounce' : 'remove',
    original_text: text,
    ...(list !== undefined && { blocklist_matched: list, blocklists_matched: [list] }),
  }
  const told = { ...message, type: 'error', text: bounces ? text : 'Message was blocked by moderation policies' }
  return { ...(await unpublishedError(server, channel, author, told, {}, createdAt)), moderation }
}
