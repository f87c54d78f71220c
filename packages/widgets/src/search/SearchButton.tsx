import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { SearchIcon } from '../theme/icons.tsx'

/** Opens and closes the search beside a conversation. */
export function SearchButton({ pressed, onPress }: { pressed: boolean; onPress: () => void }) {
  const t = useTranslate()
  return (
    <IconButton label={t('search.open')} aria-pressed={pressed} onClick={onPress}>
      <SearchIcon />
    </IconButton>
  )
}
