/** Where a conversation is found. */
export const channelPath = (cid: string) => `/chat/${encodeURIComponent(cid)}`

/** Where a message is found: its conversation, gone to the message. */
export function messagePath(cid: string, messageId: string): string {
  return `${channelPath(cid)}?message=${encodeURIComponent(messageId)}`
}
