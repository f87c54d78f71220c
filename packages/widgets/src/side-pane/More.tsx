import { useTranslate } from '../i18n/translate.ts'

/** The way on at the end of a list that is read page by page; it keeps the focus while the next page is on its way. */
export function More({ loading, onMore }: { loading: boolean; onMore: () => void }) {
  const t = useTranslate()
  return (
    <p className="chat-aside-more">
      <button
        type="button"
        className="chat-button"
        data-kind="quiet"
        aria-disabled={loading || undefined}
        onClick={() => loading || onMore()}
      >
        {t('more')}
      </button>
    </p>
  )
}
