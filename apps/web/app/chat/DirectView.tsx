import { useTranslate } from '../i18n/translate.tsx'
import { Avatar } from '../people/Avatar.tsx'
import { fullName } from '../people/person.ts'
import { Icon } from '../ui/Icon.tsx'
import { PeopleIcon } from '../ui/later-icons.tsx'
import { FirstMessage } from './FirstMessage.tsx'
import { keyOf, MemberPicker } from './MemberPicker.tsx'
import type { SelectedUser } from './start-chat.ts'
import type { FirstMessageFields } from './use-start-chat.ts'

/** Picks one person and opens the chat with them [NEW-3]. */
export function DirectView({ first, firstError, onFirst, busy, onStart, onGroup }: DirectViewProps) {
  const t = useTranslate()
  return (
    <MemberPicker
      row={(membership) => {
        const { user, organization } = membership
        const key = keyOf(membership)
        const name = fullName(user.identity)
        return (
          <button
            type="button"
            className="row"
            aria-disabled={busy !== undefined || undefined}
            aria-busy={busy === key || undefined}
            onClick={() => busy === undefined && onStart({ userId: user.id, orgId: organization.id })}
          >
            <Avatar id={user.id} {...user.identity} image={user.identity.imageUrl} />
            <span className="person-text">
              <bdi className="person-name">{name}</bdi>
              <span className="muted">{organization.displayName}</span>
            </span>
            {busy === key ? <span className="spinner" /> : <Icon name="right" />}
          </button>
        )
      }}
    >
      <button type="button" className="row" data-kind="action" onClick={onGroup}>
        <span className="row-mark">
          <PeopleIcon />
        </span>
        <span className="person-name">{t('newChat.newGroup')}</span>
        <Icon name="right" />
      </button>
      <details className="more" open={!!(first.firstMessage || first.picture) || undefined}>
        <summary>{t('newChat.more')}</summary>
        <FirstMessage first={first} error={firstError} onChange={onFirst} />
      </details>
    </MemberPicker>
  )
}

interface DirectViewProps {
  first: FirstMessageFields
  firstError?: string | undefined
  onFirst: (first: FirstMessageFields) => void
  /** The key of the row whose chat is being started. */
  busy?: string
  onStart: (user: SelectedUser) => void
  onGroup: () => void
}
