/** Applies a moderation verdict to a message [administration.md 5.4]. */

import type { Message, MessageRequest } from '@parley/protocol/messages'
import { banUser } from '../../chat/bans/ban.ts'
import type { Access } from '../../chat/channels/channel-access.ts'
import type { Verdict } from '../../chat/messages/text-moderation.ts'
import { stopped } from '../../chat/messages/text-moderation.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { blockListsOf } from '../block-lists/known-lists.ts'
import { stronger, verdictOn } from '../block-lists/verdict.ts'
import { flagByList } from '../moderation/flag-by-list.ts'
import { moderationOf } from './known-configs.ts'
import { noteBounce } from './review-store.ts'

/**
 * Checks a message that is about to be posted against the channel's rules: its text, and how fast its author writes.
 * Costs nothing without rules.
 */
export function judge(
  server: Server,
  access: Access,
  author: UserRow,
  text: string,
  attachments: readonly Record<string, unknown>[],
): Verdict | undefined {
  const { channel } = access
  const config = moderationOf(server.apps.of(channel.app)).of(channel)
  const hurried = config && server.pace.verdictOn(channel.app, author.id, text, config)
  return stronger(verdictOn(server, access, text, attachments), hurried)
}

/**
 * Applies the verdict to a message before it is posted.
 *
 * @returns what its author gets if it is rejected; undefined if it is posted, as `row` is then
 */
export async function holdMessage(
  server: Server,
  access: Access,
  author: UserRow,
  request: MessageRequest,
  row: MessageRow,
  verdict: Verdict,
): Promise<Message | undefined> {
  const instead = () => stopped(server, access, author, { ...request, id: row.id }, verdict)
  switch (verdict.does) {
    case 'flag':
      return undefined
    case 'mask':
      // Only the message text can be unmasked, not the text of a poll.
      verdict.text = row.text
      mask(server, access, row, verdict)
      return undefined
    case 'shadow_block':
      Object.assign(row, { shadowed: 1, counted: 0 })
      return undefined
    case 'bounce':
      return instead()
    case 'bounce_flag':
    case 'bounce_remove': {
      if (await isFirstBounce(server, row)) return instead()
      const next: Verdict = { ...verdict, does: verdict.does === 'bounce_flag' ? 'flag' : 'block' }
      return holdMessage(server, access, author, request, row, Object.assign(verdict, next))
    }
    case 'ban':
    case 'block':
      if (verdict.ban?.shadow && verdict.does === 'ban') {
        await banAuthor(server, author, verdict)
        // A shadow-banned author must not notice the ban.
        return holdMessage(server, access, author, request, row, Object.assign(verdict, { does: 'shadow_block' }))
      }
      await banAuthor(server, author, verdict)
      await flagByList(server, row, verdict, row)
      return instead()
    default:
      return verdict.does satisfies never
  }
}

/** Reports a refused edit to the moderators; the edit is stored only in the report. */
export async function noteRefusedEdit(server: Server, author: UserRow, was: MessageRow, verdict: Verdict) {
  if (verdict.does !== 'ban' && verdict.does !== 'block' && verdict.does !== 'shadow_block') return
  await banAuthor(server, author, verdict)
  await flagByList(server, was, verdict)
}

/** A message sent again under the same id gets the next verdict. */
function isFirstBounce(server: Server, { app, id, user_id }: MessageRow): Promise<boolean> {
  return server.commit.write(app, [], (batch) => noteBounce(batch.db, { app, id, user_id, at: batch.now() }))
}

async function banAuthor(server: Server, author: UserRow, { does, by, ban = {} }: Verdict) {
  if (does !== 'ban') return
  const { minutes, shadow = false, withAddresses = false } = ban
  const scope = { app: author.app, access: undefined }
  await banUser(server, scope, author.id, undefined, { minutes, shadow, withAddresses, reason: by })
}

/** Masks the matches with asterisks; attachments cannot be masked. */
function mask(server: Server, access: Access, row: MessageRow, { list }: Verdict) {
  const blockLists = blockListsOf(server.apps.of(row.app))
  for (let found = list; found !== undefined; ) {
    const before = row.text
    const { searchWithin, search } = blockLists.get(found)!
    row.text = masked(before, (text) => search(text) ?? searchWithin(text))
    if (row.text === before) return
    const again = verdictOn(server, access, row.text, [])
    found = again?.does === 'mask' ? again.list : undefined
  }
}

function masked(text: string, search: (text: string) => string | undefined): string {
  const stars = (part: string) => part.replace(/\S/gu, '*')
  const words = text.replace(/[^\s-]+/gu, (word) => (search(word) === undefined ? word : stars(word)))
  // A match that spans several words masks the whole text.
  return search(words) === undefined ? words : stars(text)
}
