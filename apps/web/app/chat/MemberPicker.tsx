import type { Elements } from '@parley/widgets'
import { useTranslate } from '../i18n/translate.tsx'
import type { Membership } from '../members/member-store.server.ts'
import { useMemberSearch } from '../members/use-member-search.ts'
import { PeopleIcon } from '../ui/later-icons.tsx'
import { Pager } from '../ui/Pager.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { selectionKey } from './chat-state.ts'
import { useChat } from './use-chat.ts'

/** The search field, a page of people and the pager, for one person or for several. */
export function MemberPicker({ row, children }: MemberPickerProps) {
  const t = useTranslate()
  const { state, dispatch } = useChat()
  const { search, searchFor, found, loading, failed, page, showPage, retry } = useMemberSearch()
  function submit(value: string) {
    // While the dialog fades out, the search has already left the address.
    if (!state.newChatModalOpen) return
    dispatch({ type: 'SearchSubmitted', query: value })
    searchFor(value)
  }

  const rows = found?.memberships ?? []
  return (
    <div className="picker">
      <SearchField label={t('newChat.search')} search={search} onSearch={submit} autoFocus />
      {children}
      <p className="unseen" aria-live="polite">
        {found && !loading ? t('newChat.results', { count: found.membershipsCount }) : ''}
      </p>
      <div className="picker-list" aria-busy={loading}>
        {failed ? (
          <div className="empty">
            <p>{t('newChat.searchFailed')}</p>
            <button type="button" className="button" onClick={retry}>
              {t('newChat.retry')}
            </button>
          </div>
        ) : !found ? (
          <Skeleton />
        ) : rows.length === 0 ? (
          <div className="empty">
            <PeopleIcon />
            <p>{search ? t('newChat.nobody', { search }) : t('newChat.empty')}</p>
          </div>
        ) : (
          <ul className="rows" aria-label={t('newChat.people')}>
            {rows.map((membership) => (
              <li key={keyOf(membership)}>{row(membership)}</li>
            ))}
          </ul>
        )}
      </div>
      {found && !failed && <Pager page={page} pageCount={found.membershipsPageCount} onPage={showPage} />}
    </div>
  )
}

interface MemberPickerProps {
  row: (membership: Membership) => Elements
  /** Shown between the search field and the list. */
  children?: Elements
}

/** A person in two organizations is two rows [NEW-35]. */
export function keyOf({ user, organization }: Membership): string {
  return selectionKey({ userId: user.id, orgId: organization.id })
}

const SKELETON_ROWS = [0, 1, 2, 3, 4, 5]

function Skeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      {SKELETON_ROWS.map((row) => (
        <i key={row} />
      ))}
    </div>
  )
}
