/** The path of a conversation. */
export const channelPath = (cid: string) => `/chat/${encodeURIComponent(cid)}`

/** The path of a message: its conversation, scrolled to the message. */
export function messagePath(cid: string, messageId: string): string {
  return `${channelPath(cid)}?message=${encodeURIComponent(messageId)}`
}
