import { useAnnounce } from '../announcer/use-announce.ts'
import { copyText } from '../clipboard/copy-text.ts'
import { useTranslate } from '../i18n/translate.ts'
import { useNotices } from '../notices/use-notices.ts'
import { CopyIcon } from '../theme/more-icons.tsx'

export interface CodeBlockProps {
  code: string
  language?: string
  tabIndex: 0 | -1
}

/** Code with its language and a copy button; long lines scroll inside, by keyboard too. */
export function CodeBlock({ code, language, tabIndex }: CodeBlockProps) {
  const t = useTranslate()
  const announce = useAnnounce()
  const notices = useNotices()
  const copy = async () => {
    try {
      await copyText(code)
      announce('copied')
    } catch {
      notices.show('error', 'copy.failed')
    }
  }
  return (
    <div className="chat-code">
      <div className="chat-code-head">
        <span>{language ?? t('message.code')}</span>
        <button
          type="button"
          className="chat-icon-button"
          tabIndex={tabIndex}
          onClick={copy}
          title={t('message.copyCode')}
        >
          <CopyIcon />
          <span className="chat-hidden">{t('message.copyCode')}</span>
        </button>
      </div>
      <pre tabIndex={tabIndex} dir="ltr">
        <code>{code}</code>
      </pre>
    </div>
  )
}
