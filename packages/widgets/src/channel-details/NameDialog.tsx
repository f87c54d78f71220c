import { useId, useState } from 'react'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { countGraphemes } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { GROUP_NAME_CHARS } from '../limits.ts'

export interface NameDialogProps {
  name: string
  onClose: () => void
  onName: (name: string) => void
}

/** Gives a group another name. */
export default function NameDialog({ name: before, onClose, onName }: NameDialogProps) {
  const t = useTranslate()
  const [name, setName] = useState(before)
  const [tried, setTried] = useState(false)
  const fault = useId()
  const isTooLong = countGraphemes(name.trim()) > GROUP_NAME_CHARS
  const problem =
    name.trim() === ''
      ? t('details.name.required')
      : isTooLong
        ? t('details.name.tooLong', { count: GROUP_NAME_CHARS })
        : ''
  const shown = problem && (tried || isTooLong)
  return (
    <ChatDialog title={t('details.rename')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (problem) return
          if (name.trim() !== before) onName(name.trim())
          onClose()
        }}
      >
        <label className="chat-field">
          <span>{t('details.name')}</span>
          <input
            // biome-ignore lint/a11y/noAutofocus: the dialog is there to be typed into.
            autoFocus
            type="text"
            className="chat-input"
            dir="auto"
            value={name}
            aria-invalid={shown ? true : undefined}
            aria-errormessage={shown ? fault : undefined}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {shown && (
          <p className="chat-field-fault" id={fault}>
            {problem}
          </p>
        )}
        <div className="chat-dialog-buttons">
          <button type="button" className="chat-button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="chat-button" data-kind="primary">
            {t('details.name.save')}
          </button>
        </div>
      </form>
    </ChatDialog>
  )
}
