import type { Channel } from '@parley/client'
import { useEffect, useRef } from 'react'
import { may } from '../chat/channel-facts.ts'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { AttachIcon } from '../theme/icons.tsx'
import { useComposerHere } from '../threads/thread-scope.ts'

/** Picks files for the message; absent where one may not upload any [PERM-5]. Alt+Shift+A in the composer presses it. */
export function AttachButton({ channel }: { channel: Channel }) {
  const t = useTranslate()
  const allowed = useChannelPart(channel, mayUpload)
  const composer = useComposerHere(channel)
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const form = picker.current?.form
    if (!allowed || !form) return
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      picker.current?.click()
    }
    form.addEventListener('keydown', press)
    return () => form.removeEventListener('keydown', press)
  }, [allowed])
  if (!allowed) return null
  return (
    <>
      <button
        type="button"
        className="chat-icon-button"
        aria-label={t('uploads.attach')}
        title={t('uploads.attach')}
        onClick={() => picker.current?.click()}
      >
        <AttachIcon />
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          void composer.attach([...(currentTarget.files ?? [])])
          // The same file may be picked again after it was taken away.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

export const mayUpload = (state: ReturnType<Channel['snapshot']>) => may(state, 'upload-file')

/** Alt+Shift+A, on Apple's keyboards Cmd+Option+A, where the letter is another one. */
function isShortcut({ altKey, shiftKey, metaKey, key, code }: KeyboardEvent): boolean {
  return altKey && (shiftKey || metaKey) && (key.toLowerCase() === 'a' || code === 'KeyA')
}
