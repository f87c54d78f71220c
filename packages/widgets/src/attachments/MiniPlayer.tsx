import type { Channel } from '@parley/client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { clockTime } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import type { FoundMessage } from '../search/MessageHit.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { ChatIcon, CloseIcon } from '../theme/icons.tsx'
import { PlayButton, SpeedButton, useTrack } from './audio-buttons.tsx'
import { durationOf, type Player, type Said, type Sound } from './player.ts'

/** Navigation back to the message that is playing. */
export interface WaysBack {
  /** the channel that is open here */
  cid?: string
  /** goes to a message of the channel that is open here */
  onShow?: (messageId: string) => void
  /** goes to a message of any channel */
  onMessage?: (message: FoundMessage) => void
  /** opens another channel */
  onChannel?: (channel: Channel) => void
}

interface MiniPlayerProps extends WaysBack {
  player: Player
}

/**
 * The player for audio whose row is out of view: the speaker, and the controls of the row. Loaded when it is first
 * needed.
 */
export default function MiniPlayer({ player, ...ways }: MiniPlayerProps) {
  const sound = useSyncExternalStore(player.sound.subscribe, player.sound.snapshot)
  return sound?.said && <Heard player={player} sound={sound} said={sound.said} {...ways} />
}

function Heard({ player, sound, said, ...ways }: MiniPlayerProps & { sound: Sound; said: Said }) {
  const { t } = useTranslation()
  const { client, notices } = useChat()
  const announce = useAnnounce()
  const root = useRef<HTMLElement>(null)
  const track = useTrack(player, sound)
  const { channel, message } = said
  const author = nameOf(t, message, message.user.id === client.userID)
  const label = t('audio.now', { author: nameOf(t, message) })
  const back = wayBack(player, said, { ...ways, gone: () => notices.show('info', 'message.unavailable') })
  const isHere = ways.cid === channel.cid

  useEffect(() => {
    if (player.told === sound.key) return
    player.told = sound.key
    announce('notice', { text: label })
  }, [player, sound.key, announce, label])
  useEffect(() => () => player.hold(false), [player])
  const { onShow } = ways
  useEffect(() => {
    if (!isHere || player.returning !== message.id) return
    player.returning = undefined
    onShow?.(message.id)
  }, [player, isHere, message.id, onShow])

  const close = () => {
    root.current?.closest('.chat-pane, .chat-channels')?.querySelector<HTMLElement>('[tabindex="0"], textarea')?.focus()
    player.close()
  }
  return (
    <section
      ref={root}
      className="chat-audio chat-audio-away"
      data-playing={track.playing || undefined}
      aria-label={label}
      onFocus={() => player.hold(true)}
      onBlur={({ currentTarget, relatedTarget }) => player.hold(currentTarget.contains(relatedTarget))}
    >
      <PlayButton player={player} sound={sound} />
      <div className="chat-audio-words">
        <div className="chat-audio-name" title={author}>
          <bdi>{author}</bdi>
        </div>
        <bdi className="chat-audio-time">
          {t('audio.at', { time: clockTime(track.position), total: clockTime(durationOf(sound, track)) })}
        </bdi>
      </div>
      <SpeedButton player={player} />
      {back && (
        <IconButton label={t('lightbox.show')} onClick={back}>
          <ChatIcon />
        </IconButton>
      )}
      <IconButton label={t('audio.stop')} onClick={close}>
        <CloseIcon />
      </IconButton>
    </section>
  )
}

function wayBack(
  player: Player,
  { channel, message }: Said,
  { cid, onShow, onMessage, onChannel, gone }: WaysBack & { gone: () => void },
) {
  if (cid === channel.cid) return onShow && (() => onShow(message.id))
  if (onMessage)
    return async () => {
      const { messages } = await channel.getMessagesById([message.id]).catch(() => ({ messages: [] }))
      if (messages[0]) onMessage(messages[0])
      else gone()
    }
  if (!onChannel) return undefined
  return () => {
    player.returning = message.id
    onChannel(channel)
  }
}
