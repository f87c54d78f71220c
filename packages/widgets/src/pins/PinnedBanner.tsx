import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { useLayoutEffect, useRef, useState } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useLatest } from '../chat/use-latest.ts'
import { truncate } from '../i18n/graphemes.ts'
import { useTranslation } from '../i18n/translate.ts'
import { PIN_BANNER_CHARS } from '../limits.ts'
import { nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { PinIcon } from '../theme/icons.tsx'

const pinsOf = ({ pinned_messages }: ChannelState) => pinned_messages

export interface PinnedBannerProps {
  channel: Channel
  onJump: (messageId: string) => void
  /** called if it disappears while it has the focus, when the last pin is removed */
  onGone: () => void
}

/**
 * The newest pinned message in one line over the conversation. A press goes to it and then shows the one pinned before,
 * after the last the newest again; a new pin is shown at once. Renders nothing without pins.
 *
 * Style hooks: `.chat-pins-banner`.
 */
export default function PinnedBanner({ channel, onJump, onGone }: PinnedBannerProps) {
  const pins = useChannelPart(channel, pinsOf).toReversed()
  const newest = pins[0]?.id
  const [turned, setTurned] = useState({ newest, place: 0 })
  const place = turned.newest === newest ? turned.place % pins.length : 0
  const pin = pins[place]
  if (!pin) return null
  const follow = () => {
    onJump(pin.id)
    setTurned({ newest, place: place + 1 })
  }
  return <PinnedLine pin={pin} number={place + 1} count={pins.length} onPress={follow} onGone={onGone} />
}

interface PinnedLineProps {
  pin: LocalMessage
  number: number
  count: number
  onPress: () => void
  onGone: () => void
}

function PinnedLine({ pin, number, count, onPress, onGone }: PinnedLineProps) {
  const { t } = useTranslation()
  const me = useClient().userID
  const button = useRef<HTMLButtonElement>(null)
  const gone = useLatest(onGone)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (element === document.activeElement) gone.current()
    }
  }, [gone])
  return (
    <button type="button" ref={button} className="chat-pin-jump chat-pins-banner" onClick={onPress}>
      <PinIcon />
      <span className="chat-hidden">{t('pins.banner', { number, count })}</span>
      <span className="chat-pin-words">
        <span className="chat-pin-top">
          <bdi className="chat-pin-author">{nameOf(t, pin, pin.user.id === me)}</bdi>
        </span>
        <span className="chat-pin-text" dir="auto">
          {truncate(messageSummary(t, pin), PIN_BANNER_CHARS)}
        </span>
      </span>
      {count > 1 && (
        <span className="chat-pin-about" aria-hidden="true">
          {`${number}/${count}`}
        </span>
      )}
    </button>
  )
}
