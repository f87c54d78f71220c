import { useTranslate } from '../i18n/translate.tsx'

/** What is said until chat is there. Without scripts it never will be, and the page says that instead. */
export function Connecting() {
  const t = useTranslate()
  return (
    <>
      <span className="scripted">{t('chat.connecting')}</span>
      <noscript>
        <style>{'.scripted{display:none}'}</style>
        {t('chat.noScript')}
      </noscript>
    </>
  )
}
