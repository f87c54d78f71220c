import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { More } from '../side-pane/More.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'

/** Rows that stand for what is still to come. */
const SKELETON_ROWS = 4

export interface PageEndProps {
  at: 'loading' | 'loaded' | 'failed'
  isEmpty: boolean
  hasMore: boolean
  /** reads the next page, or once more the one that failed */
  load: () => void
  says: { loading: TextKey; none: TextKey; failed: TextKey }
}

/** What stands under a list that is read page by page: that it loads, that there is nothing, or the way on. */
export function PageEnd({ at, isEmpty, hasMore, load, says }: PageEndProps) {
  const t = useTranslate()
  const loading = at === 'loading'
  if (loading && isEmpty) return <Skeleton kind="rows" count={SKELETON_ROWS} label={t(says.loading)} />
  if (at === 'failed')
    return (
      <p className="chat-details-note">
        {t(says.failed)}
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
