import { use } from 'react'
import { ChatContext } from '../chat/use-chat.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { badge } from '../shell/badge.ts'

/** The page's title in the browser's tab, after the unread count: "(3) Settings – Parley". */
export function PageTitle({ children }: { children?: string }) {
  const t = useTranslate()
  const unread = badge(use(ChatContext)?.state.unreadCount ?? 0)
  const name = [children, t('app.name')].filter(Boolean).join(' – ')
  return <title>{unread ? `(${unread}) ${name}` : name}</title>
}
