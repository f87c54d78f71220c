import type { Channel } from '@parley/client'
import { type ChangeEvent, Suspense, useRef } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { isTouch } from '../composer/touch.ts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { AttachIcon } from '../theme/icons.tsx'
import { mayUpload, useAttach } from './use-attach.ts'
import { useFormShortcut } from './use-form-shortcut.ts'

const CameraButton = lazyPart(() => import('./CameraButton.tsx'), 'nothing')

export interface AttachButtonProps {
  channel: Channel
}

/**
 * Picks files for the message; absent without the capability to upload [PERM-5]. A shortcut in the composer presses it.
 * On a phone the camera is beside it.
 */
export function AttachButton({ channel }: AttachButtonProps) {
  const t = useTranslate()
  const allowed = useChannelPart(channel, mayUpload)
  const attach = useAttach(channel)
  const picker = useRef<HTMLInputElement>(null)
  useFormShortcut(picker, 'attach', () => picker.current?.click())
  if (!allowed) return null
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    attach([...(currentTarget.files ?? [])])
    // The same file may be picked again after it was removed.
    currentTarget.value = ''
  }
  return (
    <>
      <IconButton label={t('uploads.attach')} onClick={() => picker.current?.click()}>
        <AttachIcon />
      </IconButton>
      <input ref={picker} type="file" multiple hidden onChange={take} />
      {isTouch() && (
        <Suspense fallback={null}>
          <CameraButton onTake={take} />
        </Suspense>
      )}
    </>
  )
}
