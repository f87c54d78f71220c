import { type ChangeEventHandler, useRef } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { Icon } from '../theme/icons.tsx'

/** Takes a picture for the message, on touch devices. */
export default function CameraButton({ onTake }: { onTake: ChangeEventHandler<HTMLInputElement> }) {
  const t = useTranslate()
  const lens = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={t('uploads.camera')} onClick={() => lens.current?.click()}>
        <CameraIcon />
      </IconButton>
      <input ref={lens} type="file" accept="image/*" capture="environment" hidden onChange={onTake} />
    </>
  )
}

const CameraIcon = () => (
  <Icon>
    <path d="M4.5 7.5h3l1.6-2.3h5.8l1.6 2.3h3A1.5 1.5 0 0 1 21 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5V9a1.5 1.5 0 0 1 1.5-1.5Z" />
    <circle cx="12" cy="13" r="3.5" />
  </Icon>
)
