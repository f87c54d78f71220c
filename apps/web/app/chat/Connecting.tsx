import { useTranslate } from '../i18n/translate.tsx'

/** Shown until chat has connected. Without scripts it never does, and the page shows that instead. */
export function Connecting() {
  const t = useTranslate()
  return (
    <>
      <span className="scripted">{t('chat.connecting')}</span>
      <noscript>
        <style>{'.scripted{display:none}'}</style>
        <span>{t('chat.noScript')}</span>
      </noscript>
    </>
  )
}
