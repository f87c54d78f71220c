import type { LocalMessage } from '../messages/local-message.ts'
import type { SendOptions } from '../messages/outbox.ts'
import { randomID } from '../random-id.ts'
import type { Composer } from './composer.ts'
import { removeDraft } from './draft.ts'

/** Sends the content of a composer, or saves the edit [client.md 5.8]. */
export async function sendWritten(composer: Composer, options: SendOptions): Promise<LocalMessage | undefined> {
  // Checked here, in the same turn as the text is taken: a second call while this module loads must not send it again.
  if (composer.isEmpty) return undefined
  const { context } = composer
  const { channel, host, parentID } = context
  // Throws before the text is taken if nothing can be sent.
  channel.getClient()
  const { text, mentioned, quoted, editing, showInChannel, pollID, linkPreview } = composer.snapshot()
  const mentioned_users = mentioned.filter((user) => text.includes(`@${user.name || user.id}`)).map(({ id }) => id)
  channel.stopTyping(parentID).catch(() => {}) // Other clients remove a typist after a timeout anyway.
  if (editing) {
    composer.cancelEdit()
    return channel.edit(editing.id, { text, mentioned_users })
  }
  const attachments = [...context.finishedUploads(), ...(linkPreview?.sends ?? [])]
  context.empty()
  const id = `${host.me()?.id}-${randomID()}`
  const message = {
    id,
    text,
    mentioned_users,
    ...(attachments.length > 0 && { attachments }),
    ...(quoted && { quoted_message_id: quoted.id }),
    ...(pollID && { poll_id: pollID }),
    ...(parentID && { parent_id: parentID, show_in_channel: showInChannel }),
  }
  const sending = channel.send(message, linkPreview?.sends ? { skip_enrich_url: true, ...options } : options)
  removeDraft(context, sending)
  return sending
}
