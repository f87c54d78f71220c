import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { More } from '../side-pane/More.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'

/** Skeleton rows for the page that is loading. */
const SKELETON_ROWS = 4

export interface PageEndProps {
  at: 'loading' | 'loaded' | 'failed'
  isEmpty: boolean
  hasMore: boolean
  /** loads the next page, or retries the one that failed */
  load: () => void
  says: { loading: TextKey; none: TextKey; failed: TextKey }
}

/** The end of a paged list: loading, empty, or a button for the next page. */
export function PageEnd({ at, isEmpty, hasMore, load, says }: PageEndProps) {
  const t = useTranslate()
  const loading = at === 'loading'
  if (loading && isEmpty) return <Skeleton kind="rows" count={SKELETON_ROWS} label={t(says.loading)} />
  if (at === 'failed')
    return (
      <p className="chat-details-note">
        <span>{t(says.failed)}</span>
        <button type="button" className="chat-button" data-kind="quiet" onClick={load}>
          {t('retry')}
        </button>
      </p>
    )
  return (
    <>
      {isEmpty && <p className="chat-details-note">{t(says.none)}</p>}
      {hasMore && <More loading={loading} onMore={load} />}
    </>
  )
}
