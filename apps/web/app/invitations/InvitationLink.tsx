import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { Icon } from '../ui/Icon.tsx'

/** The link of a new invitation, to be passed on; it is shown once. */
export function InvitationLink({ link, email, onClose }: { link: string; email: string; onClose: () => void }) {
  const t = useTranslate()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    // Pages served over plain http from another machine may not write to the clipboard; the link can be selected.
    await navigator.clipboard?.writeText(link).then(() => setCopied(true), console.error)
  }
  return (
    <>
      <p>{t('invite.made', { email })}</p>
      <div className="invitation-link">
        <output aria-label={t('invite.link')}>{link}</output>
        <button type="button" className="button" data-size="small" onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} />
          {t(copied ? 'invite.copied' : 'invite.copy')}
        </button>
      </div>
      <p className="field-hint">{t('invite.once')}</p>
      <div className="dialog-foot">
        <button type="button" className="button" data-kind="primary" onClick={onClose}>
          {t('invite.done')}
        </button>
      </div>
    </>
  )
}
