/** Where a message is found: its conversation, gone to the message. */
export function messagePath(cid: string, messageId: string): string {
  return `/chat/${encodeURIComponent(cid)}?message=${encodeURIComponent(messageId)}`
}
