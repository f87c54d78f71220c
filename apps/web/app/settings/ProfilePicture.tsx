import { useEffect } from 'react'
import { useFetcher } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { fullName, type Person } from '../people/person.ts'
import { noticeDone, noticeError } from '../ui/notices.tsx'
import { PictureButton } from '../ui/PictureButton.tsx'
import type { PictureAnswer } from './change-picture.ts'

/** The profile picture and its buttons. A picture is saved as soon as it is chosen. */
export function ProfilePicture({ user }: { user: Person }) {
  const t = useTranslate()
  const fetcher = useFetcher<PictureAnswer>()
  const busy = fetcher.state !== 'idle'

  useEffect(() => {
    if (fetcher.state !== 'idle' || !fetcher.data) return
    if (fetcher.data.type === 'success') noticeDone(fetcher.data.notice)
    else noticeError(fetcher.data.error)
  }, [fetcher.state, fetcher.data])

  const send = (picture?: File) => {
    const form = new FormData()
    if (picture) form.set('picture', picture)
    void fetcher.submit(form, { method: 'post', action: '/settings/picture', encType: 'multipart/form-data' })
  }

  return (
    <div className="profile-picture" aria-busy={busy}>
      <Avatar {...user} size={80} />
      <div className="profile-name">
        <strong>
          <bdi>{fullName(user)}</bdi>
        </strong>
        <span className="muted">{user.email}</span>
        <div className="actions">
          <PictureButton busy={busy} onPick={send}>
            {t(user.image ? 'settings.picture.change' : 'settings.picture.add')}
          </PictureButton>
          {user.image && (
            <button
              type="button"
              className="button"
              data-size="small"
              aria-disabled={busy || undefined}
              onClick={() => !busy && send()}
            >
              {t('settings.picture.remove')}
            </button>
          )}
        </div>
        <span className="field-hint">{t('settings.picture.hint')}</span>
      </div>
    </div>
  )
}
