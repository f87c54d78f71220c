import type { Channel } from '@parley/client'
import { PINNED_IN_STATE } from '@parley/protocol/limits'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { PinIcon } from '../theme/icons.tsx'

export interface PinsButtonProps {
  channel: Channel
  pressed: boolean
  onPress: () => void
}

/** Opens and closes the list of pinned messages; rendered only if there are any. */
export function PinsButton({ channel, pressed, onPress }: PinsButtonProps) {
  const t = useTranslate()
  const count = useChannelPart(channel, ({ pinned_messages }) => pinned_messages.length)
  if (count === 0 && !pressed) return null
  // A channel's state contains only its newest pins; the list loads all.
  const many = count >= PINNED_IN_STATE
  return (
    <IconButton
      label={many ? t('pins.title') : t('pins.button', { count })}
      className="chat-pins-button"
      data-spare
      aria-pressed={pressed}
      title={t('pins.title')}
      onClick={onPress}
    >
      <PinIcon />
      {count > 0 && (
        <span className="chat-badge" data-muted aria-hidden="true">
          {many ? `${PINNED_IN_STATE - 1}+` : count}
        </span>
      )}
    </IconButton>
  )
}
