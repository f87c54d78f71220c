import type { Draft } from '@parley/protocol/drafts'
import type { Message } from '@parley/protocol/messages'
import { channelsShown } from '../../chat/channels/channels-shown.ts'
import { openChannels, type ReadBy } from '../../chat/channels/open-channels.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { isWithin, sightOf } from '../../chat/messages/message-access.ts'
import { messagesNamed } from '../../chat/messages/messages-of-threads.ts'
import type { DraftRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { draftWires } from './own-drafts.ts'

/**
 * Drafts with their channels, parents and quoted messages; the number of queries does not grow with the drafts.
 * Where the author has lost access, only the draft itself is returned.
 */
export async function wholeDrafts(
  server: Server,
  author: UserRow,
  rows: readonly DraftRow[],
  by: ReadBy = {},
): Promise<Draft[]> {
  if (rows.length === 0) return []
  const { app } = author
  const drafts = await draftWires(server, app, rows)
  const open = await openChannels(server, author, [...new Set(rows.map((row) => row.cid))], by)
  const channels = await channelsShown(server, server.database.read, app, [...open.keys()])
  const ids = drafts.flatMap(({ message, parent_id }) => [parent_id, message.quoted_message_id])
  const named = await messagesNamed(
    server,
    app,
    ids.filter((id) => id !== undefined),
  )
  const seen = named.filter((row) => open.has(row.cid) && isWithin(row, sightOf(open.get(row.cid)!)))
  const messages = await composeMessages(server, app, seen, author.id)
  const messageOf = (id: string | undefined, cid: string): Message | undefined =>
    messages.find((message) => message.id === id && message.cid === cid)

  return drafts.map((draft) => {
    const channel = channels.get(draft.channel_cid)
    const parent = messageOf(draft.parent_id, draft.channel_cid)
    const quoted = messageOf(draft.message.quoted_message_id, draft.channel_cid)
    return {
      ...draft,
      ...(channel && { channel }),
      ...(parent && { parent_message: parent }),
      ...(quoted && { quoted_message: quoted }),
    }
  })
}
