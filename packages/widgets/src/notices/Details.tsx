import { useTranslate } from '../i18n/translate.ts'

/**
 * Why something failed, in the words of the server: for support, and out of the way of everybody else
 * [interface.md 2.1].
 */
export function Details({ text }: { text: string }) {
  const t = useTranslate()
  return (
    <details className="chat-notice-details">
      <summary>{t('notices.details')}</summary>
      <p dir="auto">{text}</p>
    </details>
  )
}
