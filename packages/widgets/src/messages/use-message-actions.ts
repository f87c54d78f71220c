import type { Channel, LocalMessage } from '@parley/client'
import { useContext } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { copyText } from '../clipboard/copy-text.ts'
import { type TextKey, useTranslation } from '../i18n/translate.ts'
import type { Ban } from '../moderation/person-actions.ts'
import { OpenThread, useComposerHere } from '../threads/thread-scope.ts'
import type { Asking, MessageAction } from './message-actions.ts'
import type { Rare } from './rare-actions.ts'
import { isSameReaction, noteReaction } from './reaction-kinds.ts'
import { useRemoval } from './use-removal.ts'

/** The sentence for an action that fails [TOA-14…20, TOA-32]. */
export const failureNotices = {
  send: 'send.failed',
  edit: 'edit.failed',
  dropPreview: 'edit.failed',
  delete: 'delete.failed',
  pin: 'pin.failed',
  unpin: 'unpin.failed',
  markUnread: 'unread.failed',
  flag: 'flag.failed',
  mute: 'mute.failed',
  unmute: 'unmute.failed',
  ban: 'ban.failed',
  unban: 'unban.failed',
  react: 'reaction.failed',
  copy: 'copy.failed',
  copyLink: 'copyLink.failed',
  translate: 'translate.failed',
  resend: 'delete.failed',
} as const satisfies Record<string, TextKey>

export interface MessageActions {
  /** Runs one action of the menu; actions that need a dialog or the composer first are not here. */
  run: (action: Exclude<MessageAction, 'react' | Asking>) => void
  pinFor: (seconds: number) => void
  ban: (how: Ban) => void
  toggleReaction: (type: string) => void
  delete: (options?: { forGood: boolean }) => void
}

/** The actions of one message. Every failure keeps the message and shows a notice. */
export function useMessageActions(channel: Channel, message: LocalMessage): MessageActions {
  const { client, notices, messageHref } = useChat()
  const { language } = useTranslation()
  const announce = useAnnounce()
  const composer = useComposerHere(channel)
  const openThread = useContext(OpenThread)
  const remove = useRemoval(channel)

  const attempt = async (work: Promise<unknown>, failed: TextKey, done?: () => void) => {
    try {
      await work
      done?.()
    } catch (error) {
      notices.failed(failed, error)
    }
  }

  /** Infrequent actions are loaded when they are first run. */
  const rarely = (rare: Rare) => {
    const scene = { client, notices, announce, channel, composer, message, language }
    void attempt(
      import('./rare-actions.ts').then(({ act }) => act(rare, scene)),
      failureNotices[rare.action],
    )
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
        case 'retry':
          return void attempt(retried(channel, message), retryNotice(message))
        default:
          return rarely({ action })
      }
    },
    pinFor(seconds) {
      rarely({ action: 'pin', seconds })
    },
    ban: (how) => rarely({ action: 'ban', how }),
    toggleReaction(type) {
      const mine = message.own_reactions.filter((reaction) => isSameReaction(reaction.type, type))
      for (const reaction of mine) void attempt(channel.unreact(message.id, reaction.type), failureNotices.react)
      if (mine.length > 0) return
      noteReaction(type)
      // As the others have written it: then it is one reaction in every client.
      const given = Object.keys(message.reaction_groups ?? {}).find((other) => isSameReaction(other, type))
      void attempt(channel.react(message.id, given ?? type), failureNotices.react)
    },
    delete: (options) => remove(message, options),
  }
}

function retryNotice({ attempt = 'send' }: LocalMessage): TextKey {
  return failureNotices[attempt]
}

/** A retry that fails again resolves with the failed message; here that counts as a failure. */
async function retried(channel: Channel, message: LocalMessage) {
  const { error } = await channel.retry(message.id)
  if (error) throw new Error(error.message)
}
