import type { Message, MessageModeration } from '@parley/protocol/messages'
import type { Access } from '../channels/channel-access.ts'
import { ChatError } from '../chat-error.ts'
import type { UserRow } from '../database/tables.ts'
import { untold } from '../messages/untold.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { PROFANITY } from './known-lists.ts'

/** What comes of a message that says what a block list names. */
export interface Verdict {
  does: 'flag' | 'shadow_block' | 'block'
  list: string
  word: string
  text: string
}

const byStrength: readonly Verdict['does'][] = ['block', 'shadow_block', 'flag']
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
  const named = [
    ...(config.blocklist ? [{ blocklist: config.blocklist, behavior: config.blocklist_behavior ?? 'flag' }] : []),
    ...(config.blocklists ?? []),
    ...(config.automod === 'simple' ? [{ blocklist: PROFANITY, behavior: config.automod_behavior }] : []),
  ].sort((a, b) => byStrength.indexOf(a.behavior) - byStrength.indexOf(b.behavior))
  if (named.length === 0) return undefined

  const said = [text, ...attachments.flatMap(textsIn)].join('\n')
  const known = apps.of(channel.app).blockLists
  for (const { blocklist, behavior } of named) {
    const found = known.get(blocklist)
    if (!found || (found.list.team !== undefined && found.list.team !== channel.team)) continue
    const word = found.search(said)
    if (word !== undefined) return { does: behavior, list: blocklist, word, text }
  }
  return undefined
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
 * Whether moderation looks at what somebody writes: at what the app's server says only where it asks for that
 * [administration.md 5.2].
 */
export function isModerated({ can }: Access, { fromServer, force }: { fromServer: boolean; force: boolean }): boolean {
  return fromServer ? force : !can('skip-message-moderation')
}

/** What the sender of a message that was stopped gets in its place; it is stored nowhere [MOD2-14]. */
export async function stopped(
  server: Server,
  { channel }: Access,
  author: UserRow,
  message: { id?: string; parent_id?: string | null },
  { list, text }: Verdict,
  createdAt?: Micros,
): Promise<Message> {
  const moderation: MessageModeration = {
    action: 'remove',
    original_text: text,
    blocklist_matched: list,
    blocklists_matched: [list],
  }
  const told = { ...message, type: 'error', text: 'Message was blocked by moderation policies' }
  return { ...(await untold(server, channel, author, told, {}, createdAt)), moderation }
}
