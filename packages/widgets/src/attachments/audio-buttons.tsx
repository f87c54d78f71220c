import { useSyncExternalStore } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { PauseIcon, PlayIcon } from '../theme/more-icons.tsx'
import { isVoice, type Player, type Sound, type Track } from './player.ts'

export interface AudioButtonProps {
  player: Player
  sound: Sound
  tabIndex?: number
}

export function PlayButton({ player, sound, tabIndex }: AudioButtonProps) {
  const { t } = useTranslation()
  const { playing } = useTrack(player, sound)
  const name = useSoundName(sound)
  return (
    <button
      type="button"
      className="chat-audio-play"
      tabIndex={tabIndex}
      aria-label={t(playing ? 'audio.pause' : 'audio.play', { name })}
      onClick={() => player.toggle(sound)}
    >
      {playing ? <PauseIcon /> : <PlayIcon />}
    </button>
  )
}

export function SpeedButton({ player, tabIndex }: Omit<AudioButtonProps, 'sound'>) {
  const { t, language } = useTranslation()
  const speed = useSyncExternalStore(player.speed.subscribe, player.speed.snapshot, player.speed.snapshot)
  const shown = `${new Intl.NumberFormat(language).format(speed)}×`
  const label = t('audio.speed', { speed: shown })
  return (
    <button
      type="button"
      className="chat-audio-speed"
      tabIndex={tabIndex}
      aria-label={label}
      title={label}
      onClick={() => player.accelerate(1, { round: true })}
    >
      <bdi>{shown}</bdi>
    </button>
  )
}

/** The playback state of an audio file. */
export function useTrack(player: Player, sound: Pick<Sound, 'key'> | undefined): Track {
  const snapshot = () => player.trackOf(sound)
  return useSyncExternalStore(player.tracks.subscribe, snapshot, snapshot)
}

/** The title of an audio file. */
export function useSoundName({ attachment }: Pick<Sound, 'attachment'>): string {
  const { t } = useTranslation()
  return isVoice(attachment) ? t('message.voice') : attachment.title || attachment.fallback || t('message.audio')
}
