import type { Upload } from '@parley/client'
import { useId, useState } from 'react'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { ALT_TEXT_CHARS } from '../limits.ts'
import { altTextOf } from './pictures.ts'
import { useLocal } from './use-local.ts'

export interface DescribeDialogProps {
  upload: Upload
  onClose: () => void
  /** undefined removes the description */
  onDescribe: (words: string | undefined) => void
}

/** Edits the alternative text of a picture, for screen readers [ATT-19]. */
export default function DescribeDialog({ upload, onClose, onDescribe }: DescribeDialogProps) {
  const t = useTranslate()
  const [words, setWords] = useState(altTextOf(upload.more))
  const url = useLocal(upload.file)
  const hint = useId()
  return (
    <ChatDialog title={t('describe.title')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The form around is the composer, which must not be submitted.
          event.stopPropagation()
          onDescribe(words.trim() || undefined)
          onClose()
        }}
      >
        {url && <img className="chat-describe-picture" src={url} alt={upload.file.name} />}
        <label className="chat-field">
          <span>{t('describe.label')}</span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to type.
            autoFocus
            className="chat-input chat-describe-words"
            dir="auto"
            placeholder=" "
            rows={3}
            maxLength={ALT_TEXT_CHARS}
            value={words}
            aria-describedby={hint}
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <p className="chat-dialog-text" id={hint}>
          {t('describe.hint')}
        </p>
        <div className="chat-dialog-buttons">
          <button type="button" className="chat-button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="chat-button" data-kind="primary">
            {t('describe.save')}
          </button>
        </div>
      </form>
    </ChatDialog>
  )
}
