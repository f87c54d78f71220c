import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { LIFE_MS, PHONE, say, unsay } from '../ui/notices.tsx'
import { useMedia } from '../ui/use-media.ts'
import { unreadToast } from './chat-state.ts'
import { newestUnreadChannel } from './newest-unread-channel.ts'
import { useChat } from './use-chat.ts'

const TOAST_ID = 'unread'

/** Once closed, the toast stays away at least this long. */
const SNOOZE_MS = 30_000

/**
 * Shows the unread counts while chat is not on screen, on the page that the user looked at last. It is one toast that
 * updates in place, and closes at 0 [TOA-3…6]. A user who has paused notifications sees the same counts at the
 * launcher.
 */
export function UnreadToast() {
  const t = useTranslate()
  const { state, dispatch, client, failed, need, isLastSeen, quietUntil } = useChat()
  const closedUntil = useRef(0)
  // On phones it would cover the page permanently; the launcher shows the same counts.
  const phone = useMedia(PHONE)
  const [viewing, setViewing] = useState(false)
  const said = isLastSeen ? unreadToast(state) : undefined
  const text = said && t('unread.toast', said)
  const action = t('unread.toast.view')

  const isPaused = useEffectEvent(() => quietUntil() > Date.now())
  useEffect(() => {
    if (!text || isPaused()) {
      unsay(TOAST_ID)
      return
    }
    if (Date.now() < closedUntil.current) return
    const setDoNotDisturb = () => {
      closedUntil.current = Date.now() + SNOOZE_MS
    }
    say((toast) =>
      toast(text, {
        id: TOAST_ID,
        duration: phone ? LIFE_MS : Number.POSITIVE_INFINITY,
        onDismiss: setDoNotDisturb,
        onAutoClose: setDoNotDisturb,
        action: { label: action, onClick: () => setViewing(true) },
      }),
    )
  }, [text, action, phone])

  useEffect(() => {
    if (!viewing) return
    need()
    if (!client && !failed) return
    setViewing(false)
    const view = (channelId?: string) => {
      dispatch({ type: 'ChatWidgetOpenClicked' })
      if (channelId) dispatch({ type: 'BilateralOrganizationalChatSelected', channelId })
    }
    if (client) newestUnreadChannel(client).then(view, () => view())
    else view()
  }, [viewing, need, client, failed, dispatch])

  return null
}
