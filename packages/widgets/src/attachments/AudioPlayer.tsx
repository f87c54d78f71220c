import type { Attachment } from '@parley/client'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { safeLink } from '../messages/safe-link.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'
import { DownloadIcon, PauseIcon, PlayIcon } from '../theme/more-icons.tsx'
import { noteHeard, playNext, playsAlone, waitsToBeHeard, wasHeard } from './playing.ts'
import { clockTime, resampled, strokes, waveformOf } from './waveform.ts'

/** Strokes that fit beside a button in a bubble. */
const STROKES = 44
/** Seconds an arrow key moves, and how fast it may be heard. */
const SEEK_S = 5
const SPEEDS = [1, 1.5, 2]
/** Where the device remembers the speed. */
const SPEED_KEY = 'chat-audio-speed'
/** Where the device remembers that the time left is wanted instead of the time played. */
const LEFT_KEY = 'chat-audio-left'

export interface AudioPlayerProps {
  attachment: Attachment
  /** the sound itself, when it has not been uploaded yet */
  local?: string | undefined
  /** somebody else's voice, which may not have been heard yet */
  received?: boolean
  /** the next voice that was not heard follows by itself */
  goesOn?: boolean
  tabIndex: number
}

/**
 * Plays sound: a voice message with its waveform, music with a line. One sound is heard at a time; nothing is loaded before
 * somebody plays it.
 *
 * Style hooks: `.chat-audio[data-playing][data-unheard]`.
 */
export default function AudioPlayer({ attachment, local, received, goesOn, tabIndex }: AudioPlayerProps) {
  const { t, language } = useTranslation()
  const notices = useNotices()
  const audio = useRef<HTMLAudioElement>(null)
  // A place chosen before the sound was loaded.
  const later = useRef<number>(undefined)
  const [playing, setPlaying] = useState(false)
  const [position, setPosition] = useState(0)
  const [measured, setMeasured] = useState<number>()
  const [speed, setSpeed] = useState(rememberedSpeed)
  const [broken, setBroken] = useState(false)
  const [showsLeft, setShowsLeft] = useState(() => localStorage.getItem(LEFT_KEY) === 'yes')
  const sources = local === undefined ? sourcesOf(attachment) : [local]
  const told = Number(attachment.duration)
  const duration = told > 0 ? told : (measured ?? 0)
  const isVoice = attachment.type === 'voiceRecording'
  const name = isVoice ? t('message.voice') : attachment.title || attachment.fallback || t('message.audio')
  const waveform = waveformOf(attachment.waveform_data)
  const address = attachment.asset_url ?? ''
  const [unheard, setUnheard] = useState(() => received === true && isVoice && !wasHeard(address))

  const fail = (error?: unknown) => {
    setPlaying(false)
    setBroken(true)
    notices.show('error', 'recording.play.failed', error === undefined ? {} : { details: detailsOf(error) })
  }
  const toggle = async () => {
    const element = audio.current
    if (!element) return
    if (!element.paused) return element.pause()
    if (broken) element.load()
    setBroken(false)
    element.playbackRate = speed
    try {
      await element.play()
    } catch (error) {
      // Pressing pause before it began is no failure; one of all addresses is told by the last of them.
      if (!isNamed(error, 'AbortError') && !isNamed(error, 'NotSupportedError')) fail(error)
    }
  }
  const latestToggle = useRef(toggle)
  useEffect(() => {
    latestToggle.current = toggle
  })
  useEffect(() => {
    const element = audio.current
    if (unheard && element) return waitsToBeHeard({ element, play: () => void latestToggle.current() })
  }, [unheard])
  const seek = (to: number) => {
    const element = audio.current
    const wanted = Math.max(0, Math.min(duration, to))
    if (!element) return
    if (element.readyState === 0) {
      later.current = wanted
      setPosition(wanted)
      return
    }
    later.current = undefined
    const { seekable } = element
    const reaches = seekable.length > 0 && wanted <= seekable.end(seekable.length - 1) + 1
    if (!reaches) return notices.show('error', 'recording.seek.failed')
    element.currentTime = wanted
    setPosition(wanted)
  }
  const accelerate = (to: number) => {
    setSpeed(to)
    localStorage.setItem(SPEED_KEY, String(to))
    if (audio.current) audio.current.playbackRate = to
  }

  const isBegun = position > 0 || playing
  const time = isBegun ? (showsLeft ? `−${clockTime(duration - position)}` : clockTime(position)) : clockTime(duration)
  const timeSwitch = t(showsLeft ? 'audio.showElapsed' : 'audio.showLeft')
  return (
    <div
      className="chat-audio"
      data-unheard={unheard || undefined}
      data-playing={playing || undefined}
      data-broken={broken || undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: people send voices without words written down. */}
      <audio
        ref={audio}
        preload="none"
        onPlay={(event) => {
          playsAlone(event.currentTarget)
          setPlaying(true)
          setUnheard(false)
          if (received && isVoice) noteHeard(address)
        }}
        onPause={() => setPlaying(false)}
        onEnded={({ currentTarget }) => {
          setPlaying(false)
          setPosition(0)
          if (goesOn) playNext(currentTarget)
        }}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setMeasured(currentTarget.duration)
          if (later.current !== undefined) seek(later.current)
        }}
        onTimeUpdate={({ currentTarget }) => later.current === undefined && setPosition(currentTarget.currentTime)}
      >
        {sources.map((src, place) => (
          <source key={src} src={src} onError={() => place === sources.length - 1 && fail()} />
        ))}
      </audio>
      <button
        type="button"
        className="chat-audio-play"
        tabIndex={tabIndex}
        aria-label={t(playing ? 'audio.pause' : 'audio.play', { name })}
        onClick={() => void toggle()}
      >
        {playing ? <PauseIcon /> : <PlayIcon />}
      </button>
      <div className="chat-audio-words">
        {!isVoice && (
          <bdi className="chat-audio-name" title={name}>
            {name}
          </bdi>
        )}
        <div className="chat-audio-line" data-waveform={waveform.length > 0 || undefined}>
          <Sound waveform={waveform} share={duration > 0 ? Math.min(1, position / duration) : 0} />
          <input
            type="range"
            min={0}
            max={Math.max(duration, 0.1)}
            step={0.1}
            value={Math.min(position, duration)}
            tabIndex={tabIndex}
            aria-label={t('audio.position', { name })}
            aria-valuetext={t('audio.at', { time: clockTime(position), total: clockTime(duration) })}
            onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
            onKeyDown={(event) => {
              const by = { ArrowRight: SEEK_S, ArrowLeft: -SEEK_S }[event.key]
              const faster = { ArrowUp: 1, ArrowDown: -1 }[event.key]
              if (by !== undefined) seek(position + by)
              else if (faster !== undefined) accelerate(SPEEDS[SPEEDS.indexOf(speed) + faster] ?? speed)
              else if (event.key === ' ') void toggle()
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
            localStorage.setItem(LEFT_KEY, showsLeft ? 'no' : 'yes')
          }}
        >
          {time}
        </button>
        {unheard && <span className="chat-audio-unheard" role="img" aria-label={t('audio.unplayed')} />}
      </div>
      {broken && sources[0] !== undefined && local === undefined ? (
        <a
          className="chat-icon-button"
          href={sources[0]}
          download
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={tabIndex}
          aria-label={t('lightbox.download')}
          title={t('lightbox.download')}
        >
          <DownloadIcon />
        </a>
      ) : (
        <button
          type="button"
          className="chat-audio-speed"
          tabIndex={tabIndex}
          aria-label={t('audio.speed', { speed: speedIn(language, speed) })}
          title={t('audio.speed', { speed: speedIn(language, speed) })}
          onClick={() => accelerate(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}
        >
          {speedIn(language, speed)}
        </button>
      )}
    </div>
  )
}

/** The sound as a picture; what has been heard is in colour. */
function Sound({ waveform, share }: { waveform: readonly number[]; share: number }) {
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

/** The server's rendition plays everywhere; it comes first for voices, whose own format some browsers cannot play. */
function sourcesOf({ type, asset_url = '', rendition_url }: Attachment): string[] {
  const own = safeLink(asset_url)?.href
  const rendition = typeof rendition_url === 'string' ? safeLink(rendition_url)?.href : undefined
  const both = type === 'voiceRecording' ? [rendition, own] : [own, rendition]
  return both.filter((url) => url !== undefined)
}

function speedIn(language: string, speed: number): string {
  return `${new Intl.NumberFormat(language).format(speed)}×`
}

function rememberedSpeed(): number {
  const speed = Number(localStorage.getItem(SPEED_KEY))
  return SPEEDS.includes(speed) ? speed : 1
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
