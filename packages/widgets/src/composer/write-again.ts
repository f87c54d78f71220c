import type { Attachment, Channel, Composer, LocalMessage } from '@parley/client'

/** All of a message that did not get through moves back to where one writes, before what has been begun there since. */
export function writeAgain(channel: Channel, composer: Composer, message: LocalMessage): Promise<unknown> {
  const { text, quoted, uploads } = composer.snapshot()
  // What moderation stopped says so in place of its own words.
  const words = message.moderation?.original_text ?? message.text
  composer.setText([words, text].filter(Boolean).join('\n'))
  for (const user of message.mentioned_users) composer.mention(user)
  if (!quoted) composer.quote(channel.snapshot().messages.find(({ id }) => id === message.quoted_message_id))
  if (message.poll_id) composer.setPoll(message.poll_id)
  // The card of a link comes back with the link.
  const files = message.attachments.filter(({ og_scrape_url }) => !og_scrape_url)
  const finished = uploads.flatMap((upload) => (upload.status === 'finished' ? upload.attachment : [])) as Attachment[]
  if (files.length > 0) void composer.context.withUploads((all) => all.restore([...files, ...finished]))
  return channel.remove(message.id)
}
