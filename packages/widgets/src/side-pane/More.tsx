import { useTranslate } from '../i18n/translate.ts'

/** The button for the next page of a list; it keeps the focus while the page is loading. */
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
