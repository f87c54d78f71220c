import type { ChatClient } from '@parley/client'

/** The cid of the channel with the newest unread message, if there is one [TOA-6]. */
export async function newestUnreadChannel(client: ChatClient): Promise<string | undefined> {
  const filter = { members: { $in: [client.userID!] }, has_unread: true }
  const [newest] = await client.queryChannels(filter, [{ last_message_at: -1 }], { limit: 1, watch: true })
  return newest?.cid
}
