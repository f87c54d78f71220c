import { useTranslate } from '../i18n/translate.tsx'

/** The buttons of a form in a dialog: cancel and submit. */
export function FormFoot({ action, kind = 'primary', busy, onClose }: FormFootProps) {
  const t = useTranslate()
  return (
    <div className="dialog-foot">
      <button type="button" className="button" onClick={onClose}>
        {t('dialog.cancel')}
      </button>
      <button type="submit" className="button" data-kind={kind} aria-disabled={busy || undefined}>
        {action}
      </button>
    </div>
  )
}

interface FormFootProps {
  /** The label of the submit button. */
  action: string
  kind?: 'primary' | 'danger'
  /** The form is being submitted. */
  busy: boolean
  onClose: () => void
}
