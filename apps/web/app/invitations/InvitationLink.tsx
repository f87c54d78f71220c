import { copyText } from '@parley/widgets/copy-text'
import { useRef, useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { Drawing, Icon } from '../ui/Icon.tsx'

const COPY =
  'M9.5 8.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5.5 15.5h-1v-10a1 1 0 0 1 1-1h10v1'

/** The link of a new invitation, for the user to pass on; it is shown once. */
export function InvitationLink({ link, email, onClose }: { link: string; email: string; onClose: () => void }) {
  const t = useTranslate()
  const [copied, setCopied] = useState(false)
  const shown = useRef<HTMLOutputElement>(null)
  const copy = async () => {
    try {
      await copyText(link)
      setCopied(true)
    } catch {
      // Where the browser does not let a page copy, the keyboard shortcut may work.
      getSelection()?.selectAllChildren(shown.current!)
    }
  }
  return (
    <>
      <p>{t('invite.made', { email })}</p>
      <div className="invitation-link">
        <output ref={shown} aria-label={t('invite.link')}>
          {link}
        </output>
        <button type="button" className="button" data-size="small" onClick={copy}>
          {copied ? <Icon name="check" /> : <Drawing name="copy" path={COPY} />}
          <span>{t(copied ? 'invite.copied' : 'invite.copy')}</span>
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
