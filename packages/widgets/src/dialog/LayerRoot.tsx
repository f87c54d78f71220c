import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria/I18nProvider'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { useChat } from '../chat/chat-context.ts'
import { useTranslation } from '../i18n/translate.ts'

/** What lies over the chat is drawn inside of it, and what the layers say by themselves is in its language. */
export function LayerRoot({ children }: { children: ReactNode }) {
  const { root } = useChat()
  const { language } = useTranslation()
  return (
    <I18nProvider locale={language}>
      <UNSAFE_PortalProvider getContainer={root}>{children}</UNSAFE_PortalProvider>
    </I18nProvider>
  )
}
