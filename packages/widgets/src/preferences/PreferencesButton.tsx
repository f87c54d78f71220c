import { Suspense, useState } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { SettingsIcon } from '../theme/icons.tsx'

const PreferencesDialog = lazyPart(() => import('./PreferencesDialog.tsx'))

/** Opens the preferences. */
export function PreferencesButton(root: RootProps<HTMLButtonElement>) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  const label = t('preferences.title')
  const own = { className: 'chat-icon-button', 'aria-label': label, title: label, onClick: () => setOpen(true) }
  return (
    <>
      <button type="button" aria-haspopup="dialog" {...rootProps<HTMLButtonElement>(own, root)}>
        <SettingsIcon />
      </button>
      {open && (
        <Suspense fallback={null}>
          <PreferencesDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
