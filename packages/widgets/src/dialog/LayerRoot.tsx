import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria/I18nProvider'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { useChat } from '../chat/chat-context.ts'
import { useTranslation } from '../i18n/translate.ts'

/** Layers over the chat are rendered inside it, and the built-in texts of the layers use its language. */
export function LayerRoot({ children }: { children: ReactNode }) {
  const { root } = useChat()
  const { language } = useTranslation()
  return (
    <I18nProvider locale={language}>
      <UNSAFE_PortalProvider getContainer={root}>{children}</UNSAFE_PortalProvider>
    </I18nProvider>
  )
}
