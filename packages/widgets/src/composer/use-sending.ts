import { type Channel, ChatError } from '@parley/client'
import { errorKinds } from '@parley/protocol/errors'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useClient } from '../chat/use-client.ts'
import { useTranslate } from '../i18n/translate.ts'
import { MESSAGES_PAGE } from '../limits.ts'
import { failureOf } from '../messages/message-failure.ts'
import { failureNotices } from '../messages/use-message-actions.ts'
import { waitsNow } from '../messages/use-waits.ts'
import { useNotices } from '../notices/use-notices.ts'
import type { Writing } from './use-writing.ts'

const COOL_DOWN = errorKinds.CoolDownError.code

/** Sends or saves the content of the box, or shows why it cannot be sent. Returns true if the request is on its way. */
export function useSending(channel: Channel, writing: Writing): () => boolean {
  const t = useTranslate()
  const announce = useAnnounce()
  const submit = useSubmit(channel, writing)
  const { wait, commands, asked, blocked, length } = writing
  return () => {
    if (wait > 0) announce('slowModeBegins', { seconds: wait })
    else if (length.left < 0) announce('notice', { text: t('composer.tooLong', { count: -length.left }) })
    else if (commands.lacksSomebody && asked) announce('notice', { text: asked })
    if (!blocked) void submit()
    return !blocked
  }
}

/** A failed message stays in the list with its own failure line, and a notice reports it [TOA-13, TOA-14]. */
function useSubmit(channel: Channel, { composer }: Writing) {
  const notices = useNotices()
  const client = useClient()
  const announce = useAnnounce()
  // Slow mode began without an event, or the user sent from another device: the newest messages give the time to wait.
  const resync = () => void channel.query({ messages: { limit: MESSAGES_PAGE } }).catch(() => {})
  return async () => {
    const { editing, uploads } = composer.snapshot()
    const failed = editing ? failureNotices.edit : failureNotices.send
    try {
      const message = await composer.send()
      // The line under the message is announced; one failure is announced once.
      if (message?.error?.code === COOL_DOWN) resync()
      if (waitsNow(client, message)) return
      // The line has its own sentence for it, with what to do.
      if (message && failureOf(message)?.text === 'message.moderated') return
      if (message?.error) notices.show('error', failed, { details: message.error.message, silent: true })
      else if (editing) announce('edited')
    } catch (error) {
      const early = error instanceof ChatError && error.code === 'CLIENT_UPLOADS_UNFINISHED'
      const onTheWay = uploads.some(({ status }) => status === 'pending' || status === 'uploading')
      if (early) notices.show('warning', onTheWay ? 'upload.wait' : 'upload.stuck')
      else notices.show('error', failed, { details: String(error) })
    }
  }
}
