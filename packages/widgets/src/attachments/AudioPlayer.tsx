import type { Attachment } from '@parley/client'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { partnerOf } from '../chat/channel-facts.ts'
import { useClient } from '../chat/use-client.ts'
import { clockTime } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { SEEK_S } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { DownloadIcon } from '../theme/more-icons.tsx'
import { PlayButton, SpeedButton, useSoundName, useTrack } from './audio-buttons.tsx'
import { addressOf, durationOf, isReceivedVoice, isVoice, type Said, type Sound, soundOf, usePlayer } from './player.ts'
import { wasPlayed } from './playing.ts'
import { resampled, strokes, waveformOf } from './waveform.ts'

/** Number of bars that fit beside a button in a bubble. */
const STROKES = 44
/** Where the device stores that the remaining time is shown instead of the time played. */
const LEFT_KEY = 'chat-audio-left'

export interface AudioPlayerProps {
  attachment: Attachment
  /** the message it belongs to; undefined while unsent */
  said?: Said
  /** the recording itself, before it is uploaded */
  local?: string | undefined
  tabIndex: number
}

/**
 * Shows an audio file and its state in the player of the chat: a voice message with its waveform, music with a progress
 * line. One file plays at a time; nothing is loaded before the user plays it.
 *
 * Style hooks: `.chat-audio[data-playing][data-unheard]`.
 */
export default function AudioPlayer({ attachment, said, local, tabIndex }: AudioPlayerProps) {
  const { t } = useTranslation()
  const { userID } = useClient()
  const player = usePlayer()
  const sound = useSound({ attachment, said, local })
  const { playing, position, measured, broken, begun } = useTrack(player, sound)
  const row = useRef<HTMLDivElement>(null)
  const [showsLeft, setShowsLeft] = useState(() => remembered(LEFT_KEY) === 'yes')
  const [isNew] = useState(() => isReceivedVoice(sound, userID) && !wasPlayed(addressOf(attachment)))
  const duration = durationOf(sound, { playing, position, measured, broken, begun })
  const name = useSoundName(sound)
  const waveform = waveformOf(attachment.waveform_data)
  const [address] = sound.sources
  const unheard = isNew && !begun

  useLayoutEffect(() => (row.current ? player.shows(row.current, sound.key) : undefined), [player, sound.key])
  const isSent = said !== undefined
  useEffect(() => {
    if (isSent) return
    // An unsent recording plays only where it is shown.
    return () => {
      if (player.sound.snapshot()?.key === sound.key) player.close()
    }
  }, [player, isSent, sound.key])

  const isBegun = position > 0 || playing
  const time = isBegun ? (showsLeft ? `−${clockTime(duration - position)}` : clockTime(position)) : clockTime(duration)
  const timeSwitch = t(showsLeft ? 'audio.showElapsed' : 'audio.showLeft')
  return (
    <div
      ref={row}
      className="chat-audio"
      data-unheard={unheard || undefined}
      data-playing={playing || undefined}
      data-broken={broken || undefined}
    >
      <PlayButton player={player} sound={sound} tabIndex={tabIndex} />
      <div className="chat-audio-words">
        {!isVoice(attachment) && (
          <bdi className="chat-audio-name" title={name}>
            {name}
          </bdi>
        )}
        <div className="chat-audio-line" data-waveform={waveform.length > 0 || undefined}>
          <Drawn waveform={waveform} share={duration > 0 ? Math.min(1, position / duration) : 0} />
          <input
            type="range"
            min={0}
            max={Math.max(duration, 0.1)}
            step={0.1}
            value={Math.min(position, duration)}
            tabIndex={tabIndex}
            aria-label={t('audio.position', { name })}
            aria-valuetext={t('audio.at', { time: clockTime(position), total: clockTime(duration) })}
            onChange={({ currentTarget }) => player.seek(sound, Number(currentTarget.value))}
            onKeyDown={(event) => {
              const by = { ArrowRight: SEEK_S, ArrowLeft: -SEEK_S }[event.key]
              const faster = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key]
              if (by !== undefined) player.seek(sound, position + by)
              else if (faster !== undefined) player.accelerate(faster)
              else if (event.key === ' ') player.toggle(sound)
              else return
              event.preventDefault()
              event.stopPropagation()
            }}
          />
        </div>
        <button
          type="button"
          className="chat-audio-time"
          tabIndex={tabIndex}
          aria-label={`${time} ${timeSwitch}`}
          title={timeSwitch}
          onClick={() => {
            setShowsLeft(!showsLeft)
            remember(LEFT_KEY, showsLeft ? 'no' : 'yes')
          }}
        >
          {time}
        </button>
        {unheard && <span className="chat-audio-unheard" role="img" aria-label={t('audio.unplayed')} />}
      </div>
      {!broken && <SpeedButton player={player} tabIndex={tabIndex} />}
      {address !== undefined && local === undefined && (
        <a
          className="chat-icon-button"
          href={address}
          download
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={tabIndex}
          aria-label={t('lightbox.download')}
          title={t('lightbox.download')}
        >
          <DownloadIcon />
        </a>
      )}
    </div>
  )
}

function useSound({ attachment, said, local }: Omit<AudioPlayerProps, 'tabIndex'>): Sound {
  const { userID } = useClient()
  const [, preferences] = usePreferences()
  const goesOn = () => {
    const { voices } = preferences.snapshot()
    if (!said || voices !== 'direct') return voices === 'all'
    return partnerOf(said.channel.snapshot(), userID) !== undefined
  }
  const sound = soundOf(attachment, said, goesOn)
  return local === undefined ? sound : { ...sound, key: local, sources: [local] }
}

/** The waveform; the part already played is coloured. */
function Drawn({ waveform, share }: { waveform: readonly number[]; share: number }) {
  const path = waveform.length > 0 ? strokes(resampled(waveform, STROKES)) : undefined
  const drawn = (
    <svg className="chat-wave" viewBox={`0 0 ${STROKES} 2`} preserveAspectRatio="none" aria-hidden="true">
      {path === undefined ? <line x1="0" x2={STROKES} y1="1" y2="1" /> : <path d={path} />}
    </svg>
  )
  return (
    <>
      {drawn}
      <span className="chat-audio-heard" style={{ clipPath: `inset(0 ${(1 - share) * 100}% 0 0)` }}>
        {drawn}
      </span>
    </>
  )
}
