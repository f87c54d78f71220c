import type { Channel, ChatClient, ChatError, Composer, LocalMessage } from '@parley/client'
import { errorKinds } from '@parley/protocol/errors'
import type { useAnnounce } from '../announcer/use-announce.ts'
import { NOTICE_LIFE_MS, REPORT_UNDO_MS } from '../limits.ts'
import { type Ban, personActions } from '../moderation/person-actions.ts'
import type { Notices } from '../notices/notices.ts'
import { plainText } from './marks.ts'
import { isPreview } from './message-parts.ts'

/** The infrequent actions of a message. */
export type Rare =
  | { action: 'translate' | 'dropPreview' | 'unpin' | 'markUnread' | 'flag' | 'mute' | 'unmute' | 'unban' | 'resend' }
  | { action: 'pin'; seconds?: number }
  | { action: 'ban'; how: Ban }

/** The message and the context of an action. */
export interface Scene {
  client: ChatClient
  notices: Notices
  announce: ReturnType<typeof useAnnounce>
  channel: Channel
  composer: Composer
  message: LocalMessage
  language: string
}

/**
 * Runs the action and reports success in a notice. Rejects if it is refused; actions on a user have notices of their
 * own.
 */
export async function act(rare: Rare, scene: Scene): Promise<void> {
  const { client, notices, announce, channel, composer, message } = scene
  const people = personActions(client, notices, channel)
  switch (rare.action) {
    case 'translate':
      return translated(scene)
    case 'dropPreview': {
      const attachments = message.attachments.filter((one) => !isPreview(one))
      await client.partialUpdateMessage(message.id, { set: { attachments } }, undefined, { skip_enrich_url: true })
      return announce('edited')
    }
    case 'pin':
      await client.pinMessage(message.id, rare.seconds)
      return offerUnpin(scene)
    case 'unpin':
      await client.unpinMessage(message.id)
      return announce('unpinned')
    case 'markUnread':
      return markedUnread(scene)
    case 'flag':
      await client.flagMessage(message.id)
      return offerUnflag(scene)
    case 'mute':
    case 'unmute':
    case 'unban':
      return people[rare.action](message.user)
    case 'ban':
      return people.ban(message.user, rare.how)
    case 'resend': {
      const { writeAgain } = await import('../composer/write-again.ts')
      await writeAgain(channel, composer, message)
      return
    }
    default:
      return rare satisfies never
  }
}

/** The server refuses a message as too old that the loaded messages do not prove to be [READ-17, TOA-32]. */
async function markedUnread({ channel, notices, announce, message }: Scene) {
  try {
    await channel.markUnread({ message_id: message.id })
  } catch (error) {
    const { code } = error as Partial<ChatError>
    if (code !== 'CLIENT_MARK_UNREAD_TOO_OLD' && code !== errorKinds.InputError.code) throw error
    notices.failed('unread.tooOld', error)
    return
  }
  announce('markedUnread')
}

async function translated({ client, notices, announce, message, language }: Scene) {
  const { translate } = await import('../translation/TranslatedText.tsx')
  const text = await translate(client, message, language)
  if (text === undefined) notices.show('info', 'translate.same')
  else announce('translated', { text: plainText(text) })
}

/** The announcement of the notice is that of the pin. */
function offerUnpin({ client, notices, message }: Scene) {
  const unpin = () => client.unpinMessage(message.id).catch((error) => notices.failed('unpin.failed', error))
  // The menu of the message unpins as well: the notice need not stay.
  notices.show('success', 'said.pinned', {
    action: { label: 'undo', run: () => void unpin() },
    lifeMs: NOTICE_LIFE_MS,
  })
}

function offerUnflag({ client, notices, message }: Scene) {
  const unflag = async () => {
    try {
      await client.unflagMessage(message.id)
    } catch (error) {
      notices.failed('flag.undo.failed', error)
    }
  }
  notices.show('success', 'flag.done', { action: { label: 'undo', run: () => void unflag() }, lifeMs: REPORT_UNDO_MS })
}
