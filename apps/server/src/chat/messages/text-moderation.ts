/** The core's interface to text moderation; the block lists and rules themselves are plugged in. */
import type { Message, MessageModeration, MessageRequest } from '@parley/protocol/messages'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Access } from '../channels/channel-access.ts'
import { unpublishedError } from './unpublished-error.ts'

/** The result for a message that matches a block list or a rule of a configuration. */
export interface Verdict {
  does: 'ban' | 'block' | 'shadow_block' | 'bounce_remove' | 'bounce_flag' | 'bounce' | 'mask' | 'flag'
  /** The kind of rule that matched. */
  by: 'blocklist' | 'velocity' | 'flood'
  list?: string
  word?: string
  text: string
  /** The key of the matching configuration, if any. */
  config?: string
  /** The ban of the author, in minutes, if there is one, and its kind. */
  ban?: { minutes?: number | undefined; shadow?: boolean | undefined; withAddresses?: boolean | undefined }
}

/** The fields of a message needed to report it. */
export type Reported = Pick<MessageRow, 'app' | 'cid' | 'id' | 'user_id'> &
  Partial<Pick<MessageRow, 'text' | 'attachments_json'>>

type Attachments = readonly Record<string, unknown>[]

/** Judges what users write, and flags it for the moderators. */
export interface TextModeration {
  /** The verdict of a channel's block lists on a text. */
  verdictOn(server: Server, access: Access, text: string, attachments: Attachments): Verdict | undefined
  /** The same for a new message, with the rules on its author's pace. */
  judge(server: Server, access: Access, author: UserRow, text: string, attachments: Attachments): Verdict | undefined
  /** Carries out a verdict; returns the answer in place of the message, or undefined if the message is sent anyway. */
  holdMessage(
    server: Server,
    access: Access,
    author: UserRow,
    request: MessageRequest,
    row: MessageRow,
    verdict: Verdict,
  ): Promise<Message | undefined>
  noteRefusedEdit(server: Server, author: UserRow, was: MessageRow, verdict: Verdict): Promise<void>
  /** Updates the review queue item of an edited message. */
  noteEdit(server: Server, batch: Batch, message: MessageRow): Promise<void>
  /** Flags stored content for the moderators. */
  flagByList(server: Server, where: Reported, verdict: Verdict): Promise<void>
  /** The same inside another write. */
  raiseFlag(server: Server, batch: Batch, where: Reported, verdict: Verdict): Promise<void>
}

/** Moderates nothing. */
export const noTextModeration: TextModeration = {
  verdictOn: () => undefined,
  judge: () => undefined,
  holdMessage: async () => undefined,
  noteRefusedEdit: async () => {},
  noteEdit: async () => {},
  flagByList: async () => {},
  raiseFlag: async () => {},
}

/**
 * Whether moderation applies to a user's content: to content sent by the app's server only on request, and not to
 * content of users the app trusts [administration.md 5.2].
 */
export function isModerated(
  { can, user }: Access,
  { fromServer, force }: { fromServer: boolean; force: boolean },
): boolean {
  if (user?.bypass_moderation) return false
  return fromServer ? force : !can('skip-message-moderation')
}

/**
 * Checks user-written text that is not a message against the lists: it cannot be answered with another text or shown to
 * its author alone, so a match is refused outright.
 *
 * @returns the verdict to report to the moderators once the text is stored
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
  const verdict = server.extensions.textModeration.verdictOn(server, access, text, attachments)
  if (verdict && verdict.does !== 'flag')
    throw new ChatError('MessageModerationFailed', 'what was written was blocked by moderation policies')
  return verdict
}

/**
 * The answer to the sender of a rejected message; it is not stored [MOD2-14]. A bounced message
 * keeps its text, so that the sender can rewrite it.
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
  const shown = { ...message, type: 'error', text: bounces ? text : 'Message was blocked by moderation policies' }
  return { ...(await unpublishedError(server, channel, author, shown, {}, createdAt)), moderation }
}
