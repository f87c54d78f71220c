import type { Channel, ChatEvent } from '@parley/client'
import { useEffect } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { channelName, partnerOf } from '../chat/channel-facts.ts'
import { nameOfUser, personName } from '../chat/seen-name.ts'
import { useClient } from '../chat/use-client.ts'
import { lasting } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { newestMessage } from '../message-list/loaded-sets.ts'
import { whenReadable } from '../messages/marks.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { reactionLook } from '../messages/reaction-kinds.ts'
import { usePreferences } from '../preferences/use-preferences.ts'

/**
 * Announces events while a channel is open and the window has focus: new messages, mentions, reactions to own messages,
 * restored messages in view, and unread messages elsewhere. Own messages are announced only if the preference is on
 * [interface.md 4.3].
 */
export function useChannelAnnouncements(channel: Channel) {
  const client = useClient()
  const announce = useAnnounce()
  const { t, language } = useTranslation()
  const [{ announcements: level, sent }] = usePreferences()
  useEffect(() => {
    if (!sent) return
    let sending: string | undefined
    return channel.subscribe(() => {
      const newest = newestMessage(channel.snapshot())
      if (newest?.status === 'sending' && newest.attempt !== 'edit') sending = newest.id
      if (newest?.status !== 'received' || newest.id !== sending) return
      sending = undefined
      announce('sent')
    })
  }, [channel, announce, sent])
  useEffect(() => {
    const me = client.userID
    if (level === 'off') return
    const spoken = (seconds: number) => lasting(language, Math.round(seconds), 'second')
    const isDirect = () => partnerOf(channel.snapshot(), me) !== undefined

    const posted = ({ message }: ChatEvent<'message.new'>) => {
      const { user } = message
      if (user.id === me || message.shadowed || client.userMuteStatus(user.id) || !document.hasFocus()) return
      if (message.parent_id && !message.show_in_channel) return
      const author = personName(user)
      if (message.mentioned_users.some(({ id }) => id === me)) {
        if (isDirect()) announce('mentionDirect', { author })
        else announce('mention', { author, channel: channelName(t, language, channel.snapshot(), me) })
      } else if (level === 'all' || isDirect())
        whenReadable(message.text, () => announce('message', { author, text: messageSummary(t, message, spoken) }))
    }
    const reacted = ({ message, reaction }: ChatEvent<'reaction.new'>) => {
      if (message.user.id !== me || reaction.user_id === me || !document.hasFocus()) return
      const { emoji, name } = reactionLook(reaction.type)
      announce('reaction', { author: nameOfUser(reaction), emoji: name ? t(name) : emoji })
    }
    let known = client.unread.snapshot().total
    // Own messages from elsewhere, and messages that do not count, leave nothing unread; marking unread adds no new
    // message.
    const elsewhere = (event: ChatEvent) => {
      const { total, channels } = client.unread.snapshot()
      const isNew = event.type === 'message.new' || event.type === 'notification.message_new'
      if (isNew && event.cid !== channel.cid && total > known) announce('elsewhere', { count: total, channels })
      known = total
    }
    const restored = ({ message }: ChatEvent<'message.undeleted'>) => {
      if (isOnScreen(message.id)) announce('restored')
    }
    const others = () => [
      channel.on('message.undeleted', restored),
      channel.on('reaction.new', reacted),
      client.on(elsewhere),
    ]
    const listening = [channel.on('message.new', posted), ...(level === 'all' ? others() : [])]
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
    }
  }, [channel, client, announce, t, language, level])
}

function isOnScreen(messageId: string): boolean {
  const box = document.querySelector(`[data-key="${CSS.escape(messageId)}"]`)?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}
