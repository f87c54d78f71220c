import { useTranslate } from '../i18n/translate.tsx'

/** The end of a form in a dialog: the way back, and the button that sends it. */
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
  /** What the button does that sends the form. */
  action: string
  kind?: 'primary' | 'danger'
  /** The form is on its way. */
  busy: boolean
  onClose: () => void
}
