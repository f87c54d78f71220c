import type { Attachment, Channel, Composer, LocalMessage } from '@parley/client'

/** Moves the content of a failed message back to the composer, before any draft begun since. */
export function writeAgain(channel: Channel, composer: Composer, message: LocalMessage): Promise<unknown> {
  const { text, quoted, uploads } = composer.snapshot()
  // A message stopped by moderation shows the reason in place of its own text.
  const words = message.moderation?.original_text ?? message.text
  composer.setText([words, text].filter(Boolean).join('\n'))
  for (const user of message.mentioned_users) composer.mention(user)
  if (!quoted) composer.quote(channel.snapshot().messages.find(({ id }) => id === message.quoted_message_id))
  if (message.poll_id) composer.setPoll(message.poll_id)
  // The preview of a link is created again with the link.
  const files = message.attachments.filter(({ og_scrape_url }) => !og_scrape_url)
  const finished = uploads.flatMap((upload) => (upload.status === 'finished' ? upload.attachment : [])) as Attachment[]
  if (files.length > 0) void composer.context.withUploads((all) => all.restore([...files, ...finished]))
  return channel.remove(message.id)
}
