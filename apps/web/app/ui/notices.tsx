import { Toaster, toast } from 'sonner'
import { useTranslate } from '../i18n/translate.tsx'
import { useMedia } from './use-media.ts'

/** On phones the bottom edge belongs to the composer. */
export const PHONE = '(width < 768px)'

/** Below the bar with the menu button. */
const BELOW_THE_BAR = { top: 'calc(4rem + env(safe-area-inset-top))' }

export const LIFE_MS = 6_000

/** Where short notices appear: at the start of the bottom edge, on phones at the top. */
export function Notices() {
  const t = useTranslate()
  const phone = useMedia(PHONE)
  return (
    <Toaster
      position={phone ? 'top-center' : 'bottom-left'}
      offset={phone ? BELOW_THE_BAR : undefined}
      mobileOffset={BELOW_THE_BAR}
      visibleToasts={3}
      duration={LIFE_MS}
      theme="system"
      containerAriaLabel={t('notice.label')}
      className="notices"
      toastOptions={{ closeButton: true, closeButtonAriaLabel: t('notice.close') }}
    />
  )
}

/** The same sentence again takes the place of the one before. */
export function noticeError(text: string) {
  toast.error(text, { id: text })
}

export function noticeDone(text: string, action?: { label: string; onClick: () => void }) {
  toast.success(text, { id: text, action })
}
