import type { Composer } from '@parley/client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { useLatest } from '../chat/use-latest.ts'
import { clockTime } from '../i18n/format.ts'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { HOLD_MS_MIN, RECORDING_MS_MAX } from '../limits.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { BackIcon, CheckIcon, LockIcon, MicrophoneIcon } from '../theme/icons.tsx'
import { PauseIcon, TrashIcon } from '../theme/more-icons.tsx'
import type { Hold, HoldState } from './hold.ts'
import { type Recorded, Recording, RecordingError, type RecordingFault } from './recording.ts'
import { useFormShortcut } from './use-form-shortcut.ts'
import { strokes } from './waveform.ts'

/** Number of levels in the live waveform: the last seconds. */
const LEVELS_DRAWN = 32

const faults: Record<RecordingFault, TextKey> = {
  start: 'recording.start.failed',
  record: 'recording.failed',
  process: 'recording.process.failed',
  format: 'recording.format.failed',
  insecure: 'recording.insecure',
}

export interface VoiceRecorderProps {
  composer: Composer
  /** the finger that started it, if one did */
  hold?: Hold
  /** the recording has ended, with or without success */
  onEnd: () => void
}

/**
 * Records a voice message in place of the text box. Done adds it to the files of the message, where it can be played
 * before it is sent; leaving the conversation does the same, so that no recording is lost. Loaded when the user first
 * records.
 *
 * Style hooks: `.chat-recorder[data-at="asking" | "recording" | "paused"][data-held]` · `--chat-hold-cancel` and
 * `--chat-hold-lock` (0…1), how far a finger has slid.
 */
export default function VoiceRecorder({ composer, hold, onEnd }: VoiceRecorderProps) {
  const t = useTranslate()
  const { clock, notices } = useChat()
  const announce = useAnnounce()
  const bar = useRef<HTMLDivElement>(null)
  const keep = (recorded: Recorded | undefined) => {
    if (!recorded) return
    const { file, ...more } = recorded
    void composer.attach([file], { type: 'voiceRecording', ...more })
  }
  const complain = (error: unknown) => {
    const fault = error instanceof RecordingError ? error.fault : 'record'
    const cause = error instanceof RecordingError ? error.cause : error
    notices.failed(faults[fault], cause)
  }
  const onFault = (error: unknown) => {
    complain(error)
    onEnd()
  }
  const [recording] = useState(
    () =>
      new Recording(clock, {
        onWarning: () => announce('recordingWarning'),
        onEnd(recorded, why) {
          keep(recorded)
          if (why === 'limit') announce('recordingLimit')
          else complain(new RecordingError('record'))
          onEnd()
        },
        onFault,
      }),
  )
  const { at, elapsedMs, levels, silent } = useSyncExternalStore(recording.subscribe, recording.snapshot)

  useBegun(recording, {
    onStart: () => announce('recordingStarted'),
    onFault,
    onLeave: () => void recording.finish().then(keep, complain),
  })
  const held = useHold(hold)
  const isHeld = held.at === 'held'
  useEffect(() => {
    if (!isHeld) bar.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [isHeld])

  const finish = async () => {
    try {
      keep(await recording.finish())
      announce('recordingStopped')
    } catch (error) {
      complain(error)
    }
    onEnd()
  }
  const cancel = () => {
    recording.cancel()
    announce('recordingCancelled')
    onEnd()
  }
  const toggle = () => {
    if (at === 'asking') return
    if (at === 'paused') recording.resume()
    else recording.pause()
    announce(at === 'paused' ? 'recordingStarted' : 'recordingPaused')
  }
  useFormShortcut(bar, 'voice', () => void finish())
  useHoldEnd(held.at, {
    // Too short for speech: it was a press after all.
    released: () => (recording.snapshot().elapsedMs < HOLD_MS_MIN ? hold?.lock() : void finish()),
    cancelled: cancel,
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from any of its buttons.
    <div
      ref={bar}
      className="chat-recorder"
      data-at={at}
      data-held={isHeld || undefined}
      style={
        isHeld
          ? ({
              '--chat-hold-cancel': held.towardsCancel,
              '--chat-hold-lock': held.towardsLock,
            } as React.CSSProperties)
          : undefined
      }
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        cancel()
      }}
    >
      <IconButton label={t('voice.cancel')} onClick={cancel}>
        <TrashIcon />
      </IconButton>
      <span className="chat-recorder-dot" aria-hidden="true" />
      <span className="chat-recorder-time" role="timer" aria-label={t('voice.elapsed')}>
        {clockTime(elapsedMs / 1_000)}
      </span>
      <span className="chat-recorder-sound">
        {silent && at === 'recording' ? (
          t('voice.silent')
        ) : at === 'asking' ? (
          t('voice.asking')
        ) : (
          <Live levels={levels} />
        )}
      </span>
      {isHeld && (
        <span className="chat-recorder-hint">
          <BackIcon />
          <span>{t('voice.slide')}</span>
        </span>
      )}
      {isHeld && (
        <span className="chat-recorder-finger" aria-hidden="true">
          <span className="chat-recorder-lock">
            <LockIcon />
          </span>
          <MicrophoneIcon />
        </span>
      )}
      <span className="chat-recorder-left" aria-hidden="true">
        {clockTime((RECORDING_MS_MAX - elapsedMs) / 1_000)}
      </span>
      <IconButton
        label={t(at === 'paused' ? 'voice.resume' : 'voice.pause')}
        className="chat-recorder-pause"
        aria-disabled={at === 'asking' || undefined}
        onClick={toggle}
      >
        {at === 'paused' ? <MicrophoneIcon /> : <PauseIcon />}
      </IconButton>
      <button
        type="button"
        className="chat-send"
        data-first
        aria-label={t('voice.done')}
        title={t('voice.done')}
        onClick={() => void finish()}
      >
        <CheckIcon />
      </button>
    </div>
  )
}

/** The levels of the last seconds, the newest at the end. */
function Live({ levels }: { levels: readonly number[] }) {
  const last = levels.slice(-LEVELS_DRAWN)
  const drawn = [...Array(LEVELS_DRAWN - last.length).fill(0), ...last]
  return (
    <svg className="chat-wave" viewBox={`0 0 ${LEVELS_DRAWN} 2`} preserveAspectRatio="none" aria-hidden="true">
      <path d={strokes(drawn)} />
    </svg>
  )
}

const pressed: HoldState = { at: 'locked', towardsCancel: 0, towardsLock: 0 }

/** Where the finger that started the recording is; a recording started by a press has none. */
function useHold(hold: Hold | undefined): HoldState {
  return useSyncExternalStore(hold?.subscribe ?? forNothing, hold?.snapshot ?? (() => pressed))
}

const forNothing = () => () => {}

/** What happens when the finger lifts, or has slid to the side. */
function useHoldEnd(at: HoldState['at'], ends: { released: () => void; cancelled: () => void }) {
  const latest = useLatest(ends)
  useEffect(() => {
    if (at === 'released' || at === 'cancelled') latest.current[at]()
  }, [at, latest])
}

interface Begun {
  onStart: () => void
  onFault: (error: unknown) => void
  /** unmounted while it runs */
  onLeave: () => void
}

/** Starts once; a recording that is still running at unmount is kept. */
function useBegun(recording: Recording, handlers: Begun) {
  const latest = useLatest(handlers)
  useEffect(() => {
    recording.start().then(
      () => recording.snapshot().at === 'recording' && latest.current.onStart(),
      (error) => latest.current.onFault(error),
    )
    return () => latest.current.onLeave()
  }, [recording, latest])
}
