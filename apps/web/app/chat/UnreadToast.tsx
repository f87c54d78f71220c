import { quietUntil as pausedUntil } from '@parley/widgets/quiet'
import { useEffect, useRef } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { LIFE_MS, PHONE, say, unsay } from '../ui/notices.tsx'
import { useMedia } from '../ui/use-media.ts'
import { unreadToast } from './chat-state.ts'
import { newestUnreadChannel } from './newest-unread-channel.ts'
import { useChat } from './use-chat.ts'

const TOAST_ID = 'unread'

/** Once closed, the toast stays away at least this long. */
const QUIET_MS = 30_000

/**
 * Says how much is unread while chat is not on screen. One toast that changes in place, gone at 0 [TOA-3…6]. Whoever
 * has paused notifications reads the same at the launcher.
 */
export function UnreadToast() {
  const t = useTranslate()
  const { state, dispatch, client } = useChat()
  const quietUntil = useRef(0)
  // On phones it would cover the page for good; the launcher goes on saying the same.
  const phone = useMedia(PHONE)
  const said = unreadToast(state)
  const text = said && t('unread.toast', said)
  const action = t('unread.toast.view')

  useEffect(() => {
    if (!text || !client || pausedUntil(client) > Date.now()) {
      unsay(TOAST_ID)
      return
    }
    if (Date.now() < quietUntil.current) return
    const beQuiet = () => {
      quietUntil.current = Date.now() + QUIET_MS
    }
    say((toast) =>
      toast(text, {
        id: TOAST_ID,
        duration: phone ? LIFE_MS : Number.POSITIVE_INFINITY,
        onDismiss: beQuiet,
        onAutoClose: beQuiet,
        action: {
          label: action,
          onClick: async () => {
            const channelId = await newestUnreadChannel(client).catch(() => undefined)
            dispatch({ type: 'ChatWidgetOpenClicked' })
            if (channelId) dispatch({ type: 'BilateralOrganizationalChatSelected', channelId })
          },
        },
      }),
    )
  }, [text, action, client, dispatch, phone])

  return null
}
