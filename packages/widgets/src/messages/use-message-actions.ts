import type { Channel, LocalMessage } from '@parley/client'
import { useContext } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { type TextKey, useTranslation } from '../i18n/translate.ts'
import { REPORT_UNDO_MS } from '../limits.ts'
import { usePersonActions } from '../moderation/use-person-actions.ts'
import { OpenThread, useComposerHere } from '../threads/thread-scope.ts'
import type { Asking, MessageAction } from './message-actions.ts'
import { messageSummary } from './message-summary.ts'
import { noteReaction } from './reaction-kinds.ts'
import { useRemoval } from './use-removal.ts'

/** The sentence for an action that fails [TOA-14…20, TOA-32]. */
export const failureNotices = {
  send: 'send.failed',
  edit: 'edit.failed',
  delete: 'delete.failed',
  pin: 'pin.failed',
  unpin: 'unpin.failed',
  markUnread: 'unread.failed',
  flag: 'flag.failed',
  unflag: 'flag.undo.failed',
  react: 'reaction.failed',
  copy: 'copy.failed',
  copyLink: 'copyLink.failed',
  translate: 'translate.failed',
} as const satisfies Record<string, TextKey>

export interface MessageActions {
  /** Runs one action of the menu; those that need a dialog or the composer first are not here. */
  run: (action: Exclude<MessageAction, 'react' | Asking>) => void
  pinFor: (seconds: number) => void
  toggleReaction: (type: string) => void
  delete: (options?: { forGood: boolean }) => void
}

/** What can be done with one message. Every failure keeps the message and says so in a notice. */
export function useMessageActions(channel: Channel, message: LocalMessage): MessageActions {
  const { client, notices, messageHref } = useChat()
  const { t, language } = useTranslation()
  const announce = useAnnounce()
  const composer = useComposerHere(channel)
  const openThread = useContext(OpenThread)
  const people = usePersonActions(channel)
  const remove = useRemoval(channel)

  const attempt = async (work: Promise<unknown>, failed: TextKey, done?: () => void) => {
    try {
      await work
      done?.()
    } catch (error) {
      notices.failed(failed, error)
    }
  }

  const translated = async () => {
    const { translate } = await import('../translation/TranslatedText.tsx')
    const text = await translate(client, message, language)
    if (text === undefined) notices.show('info', 'translate.same')
    else announce('translated', { text: messageSummary(t, { ...message, text }) })
  }

  return {
    run(action) {
      switch (action) {
        case 'reply':
          return composer.quote(message)
        case 'thread':
          return openThread?.(message.parent_id ?? message.id)
        case 'edit':
          return composer.edit(message)
        case 'copy':
          return void attempt(copyText(message.text), failureNotices.copy, () => announce('copied'))
        case 'copyLink': {
          const href = messageHref?.(channel.cid, message.id) ?? ''
          return void attempt(copyText(href), failureNotices.copyLink, () => announce('linkCopied'))
        }
        case 'translate':
          return void attempt(translated(), failureNotices.translate)
        case 'pin':
          return void attempt(client.pinMessage(message.id), failureNotices.pin, () => announce('pinned'))
        case 'unpin':
          return void attempt(client.unpinMessage(message.id), failureNotices.unpin, () => announce('unpinned'))
        case 'markUnread':
          return void attempt(channel.markUnread({ message_id: message.id }), failureNotices.markUnread, () =>
            announce('markedUnread'),
          )
        case 'flag':
          return void attempt(client.flagMessage(message.id), failureNotices.flag, () =>
            notices.show('success', 'flag.done', {
              action: {
                label: 'undo',
                run: () => void attempt(client.unflagMessage(message.id), failureNotices.unflag),
              },
              lifeMs: REPORT_UNDO_MS,
            }),
          )
        case 'mute':
        case 'unmute':
        case 'unban':
          return people[action](message.user)
        case 'resend':
          return void attempt(
            import('../composer/write-anew.ts').then(({ writeAnew }) => writeAnew(channel, composer, message)),
            failureNotices.delete,
          )
        case 'retry':
          return void attempt(retried(channel, message), retryNotice(message))
        default:
          return action satisfies never
      }
    },
    pinFor(seconds) {
      void attempt(client.pinMessage(message.id, seconds), failureNotices.pin, () => announce('pinned'))
    },
    toggleReaction(type) {
      const mine = message.own_reactions.some((reaction) => reaction.type === type)
      if (!mine) noteReaction(type)
      const work = mine ? channel.unreact(message.id, type) : channel.react(message.id, type)
      void attempt(work, failureNotices.react)
    },
    delete: (options) => remove(message, options),
  }
}

function retryNotice({ attempt = 'send' }: LocalMessage): TextKey {
  return failureNotices[attempt]
}

/** A retry that fails again resolves with the failed message; here that is a failure. */
async function retried(channel: Channel, message: LocalMessage) {
  const { error } = await channel.retry(message.id)
  if (error) throw new Error(error.message)
}

async function copyText(text: string) {
  await navigator.clipboard.writeText(text)
}
