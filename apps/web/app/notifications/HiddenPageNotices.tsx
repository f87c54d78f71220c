import type { ChatClient, OwnUser } from '@parley/client'
import { quietUntil } from '@parley/widgets/quiet'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { messagePath } from '../chat/message-path.ts'
import { useChat } from '../chat/use-chat.ts'
import { type Translate, useTranslate } from '../i18n/translate.tsx'
import { useSession } from '../session/use-session.ts'
import { renew } from './device.ts'
import { wantsNotices } from './notification-preferences.ts'
import { shortened } from './shortened.ts'
import { concerns, groupNameOf, isLoudEnough, isPutOff, isWorthNotifying, type NewMessage } from './whom-to-notify.ts'

/** The events with a new message, for watched channels and for others. */
const events = ['message.new', 'notification.message_new'] as const

/**
 * Shows notifications of new messages while the page is open and hidden. While no page is open the server sends them,
 * and only to users who are not connected, so no notification comes twice.
 */
export default function HiddenPageNotices() {
  const t = useTranslate()
  const { client } = useChat()
  const { user } = useSession()
  const navigate = useNavigate()

  useEffect(() => {
    if (!client) return
    const ears = events.map((name) =>
      client.on(name, (event) => {
        if (document.visibilityState === 'visible' || !wantsNotices(user.id, 'hidden')) return
        void noticeOf(client, user.id, event as unknown as NewMessage, t)
          .then((notice) => notice && show(notice, () => navigate(notice.url)))
          .catch(console.error)
      }),
    )
    return () => {
      for (const ear of ears) ear.unsubscribe()
    }
  }, [client, user.id, t, navigate])

  useEffect(() => {
    renew(user.id).catch(console.error)
  }, [user.id])

  useEffect(() => {
    const workers = navigator.serviceWorker
    const open = ({ data, ports: [worker] }: MessageEvent) => {
      if (data?.type !== 'open' || typeof data.url !== 'string') return
      worker?.postMessage('opened')
      void navigate(data.url)
    }
    workers?.addEventListener('message', open)
    return () => workers?.removeEventListener('message', open)
  }, [navigate])

  return null
}

interface Notice {
  title: string
  body: string
  tag: string
  url: string
}

/** The same text as the server's [see notify.server.ts]; undefined for a message that needs no notification. */
async function noticeOf(
  client: ChatClient,
  personId: string,
  event: NewMessage,
  t: Translate,
): Promise<Notice | undefined> {
  const { cid, message } = event
  const [type, id] = cid.split(':') as [string, string]
  const senderId = message.user?.id
  if (isMuted(client, cid) || (senderId !== undefined && client.userMuteStatus(senderId))) return undefined
  const everywhere = (client.user as OwnUser | undefined)?.push_preferences
  const here = client.channel(type, id).state.push_preferences
  if (isPutOff([here], Date.now()) || quietUntil(client) > Date.now()) return undefined
  const level = here?.chat_level ?? everywhere?.chat_level
  const isMentioned = message.mentioned_users?.some(({ id }) => id === personId) === true
  if (!isLoudEnough(level, isMentioned)) return undefined
  if (!isWorthNotifying(event) || !concerns(event, personId)) return undefined

  const group = groupNameOf(event)
  const sender = message.user?.name || t('notifications.somebody')
  const text = message.text ?? ''
  // Without a connection the text is shown as it was typed.
  const plain = await import('@parley/protocol/text/plain-text').then(
    ({ plainText }) => plainText(text),
    () => text,
  )
  return {
    title: group ? t('notifications.inGroup', { sender, group }) : sender,
    body: shortened(plain) || t(message.poll_id ? 'notifications.poll' : 'notifications.attachment'),
    tag: message.id,
    url: messagePath(cid, message.id),
  }
}

/** Also works for channels that this client has not loaded, such as a new one. */
function isMuted({ mutedChannels }: ChatClient, cid: string): boolean {
  const now = Date.now()
  return mutedChannels.some(({ channel, expires }) => channel.cid === cid && !(expires && Date.parse(expires) <= now))
}

/** The service worker knows whether another page is visible; without one this page shows the notification itself. */
async function show(notice: Notice, open: () => void) {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active) {
    registration.active.postMessage({ type: 'notice', notice })
    return
  }
  const { title, body, tag } = notice
  const notification = new Notification(title, { body, tag, icon: '/icon-192.png' })
  notification.onclick = () => {
    window.focus()
    notification.close()
    open()
  }
}
