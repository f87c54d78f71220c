import { useId, useState } from 'react'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { countGraphemes } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { GROUP_NAME_CHARS } from '../limits.ts'

export interface NameDialogProps {
  name: string
  onClose: () => void
  onName: (name: string) => void
}

/** Renames a group. */
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
    <QuestionDialog
      title={t('details.rename')}
      confirm={t('details.name.save')}
      onClose={onClose}
      onConfirm={() => {
        setTried(true)
        if (problem) return
        if (name.trim() !== before) onName(name.trim())
        onClose()
      }}
    >
      <label className="chat-field">
        <span>{t('details.name')}</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to type.
          autoFocus
          type="text"
          className="chat-input"
          dir="auto"
          placeholder=" "
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
    </QuestionDialog>
  )
}
