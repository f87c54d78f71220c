import { useTranslate } from '../i18n/translate.ts'
import { SearchIcon } from '../theme/icons.tsx'

/** Opens and closes the search beside a conversation. */
export function SearchButton({ pressed, onPress }: { pressed: boolean; onPress: () => void }) {
  const t = useTranslate()
  return (
    <button
      type="button"
      className="chat-icon-button"
      aria-pressed={pressed}
      aria-label={t('search.open')}
      title={t('search.open')}
      onClick={onPress}
    >
      <SearchIcon />
    </button>
  )
}
