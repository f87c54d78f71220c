import { useTranslate } from '../i18n/translate.tsx'
import { Icon } from './Icon.tsx'

/**
 * Previous and next, and the present page. The address has the page, so Back works. Renders nothing for a single page.
 */
export function Pager({ page, pageCount, onPage }: PagerProps) {
  const t = useTranslate()
  if (pageCount <= 1) return null
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <PagerButton label={t('pager.previous')} icon="left" disabled={page <= 1} onPress={() => onPage(page - 1)} />
      <span className="pager-place">{t('pager.page', { page, pages: pageCount })}</span>
      <PagerButton label={t('pager.next')} icon="right" disabled={page >= pageCount} onPress={() => onPage(page + 1)} />
    </nav>
  )
}

interface PagerProps {
  /** From 1. */
  page: number
  pageCount: number
  onPage: (page: number) => void
}

/** Stays focusable at the end of the list, so that the focus is not lost there. */
function PagerButton({ label, icon, disabled, onPress }: PagerButtonProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={() => !disabled && onPress()}
    >
      <Icon name={icon} />
    </button>
  )
}

interface PagerButtonProps {
  label: string
  icon: 'left' | 'right'
  disabled: boolean
  onPress: () => void
}
