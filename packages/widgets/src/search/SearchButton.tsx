import type { Channel, ChannelState } from '@parley/client'
import { may } from '../chat/channel-facts.ts'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { SearchIcon } from '../theme/icons.tsx'

export interface SearchButtonProps {
  channel: Channel
  pressed: boolean
  onPress: () => void
}

/** Opens and closes the search beside a conversation; absent without the capability to search it [PERM-5]. */
export function SearchButton({ channel, pressed, onPress }: SearchButtonProps) {
  const t = useTranslate()
  if (!useChannelPart(channel, maySearch)) return null
  return (
    <IconButton label={t('search.open')} aria-pressed={pressed} onClick={onPress}>
      <SearchIcon />
    </IconButton>
  )
}

export const maySearch = (state: ChannelState) => may(state, 'search-messages')
