import { useTranslate } from '../i18n/translate.ts'

/**
 * The reason of a failure, in the server's text: for support, and collapsed for every other reader [interface.md 2.1].
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
