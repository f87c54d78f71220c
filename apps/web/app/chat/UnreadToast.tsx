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
 * Says how much is unread while chat is not on screen. One toast that changes in place, gone at 0 [TOA-3…6], in the
 * page that was looked at last. Whoever has paused notifications reads the same at the launcher.
 */
export function UnreadToast() {
  const t = useTranslate()
  const { state, dispatch, client, failed, need, isLastSeen, quietUntil } = useChat()
  const closedUntil = useRef(0)
  // On phones it would cover the page for good; the launcher goes on saying the same.
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
