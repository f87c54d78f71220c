import { useTranslation } from '../i18n/translate.ts'
import { FoldedText, type SaidTextProps } from '../messages/FoldedText.tsx'
import { translationOf } from './translate.ts'
import { showTranslation, useShowsTranslation } from './translated.ts'

// One chunk: the code that translates is needed just before the code that shows it.
export { translate } from './translate.ts'

/**
 * The text of a message in the reader's language, with a button for the original. An edit removes the translation, and
 * then only the original is shown.
 *
 * Style hooks: `.chat-translated`.
 */
export default function TranslatedText({ message, entered }: SaidTextProps) {
  const { t, language } = useTranslation()
  const shown = useShowsTranslation(message.id)
  const text = translationOf(message, language)
  if (text === undefined) return <FoldedText message={message} entered={entered} />
  const from = message.i18n?.language
  return (
    <>
      {shown ? (
        <FoldedText message={message} text={text} lang={language} entered={entered} />
      ) : (
        <FoldedText message={message} lang={from} entered={entered} />
      )}
      <p className="chat-translated">
        {shown && from && <span>{t('message.translated', { language: languageName(language, from) })}</span>}
        <button
          type="button"
          className="chat-fold-button"
          tabIndex={entered ? 0 : -1}
          onClick={() => showTranslation(message.id, !shown)}
        >
          {t(shown ? 'message.showOriginal' : 'message.showTranslation')}
        </button>
      </p>
    </>
  )
}

/** A language by its name, or by its code if there is no name for it. */
function languageName(language: string, code: string): string {
  return new Intl.DisplayNames(language, { type: 'language', fallback: 'code' }).of(code) ?? code
}
