import { useEffect, useState } from 'react'
import { FileName } from '../attachments/FileName.tsx'
import { useFetched, wanted } from '../attachments/use-fetched.ts'
import { useTranslate } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { PauseIcon, PlayIcon } from '../theme/more-icons.tsx'
import type { Gif } from './gif.ts'

export interface GifPictureProps {
  gif: Gif
  entered: boolean
  /** its reader has just asked for it, and may still send it or not */
  mine: boolean
}

/**
 * An animation in a box of its final size. With reduced motion, data saving, or the preference set, its first frame is
 * shown with a play button; its name, if there is no first frame or it is not loaded yet. Every user can stop it
 * [interface.md 4.5].
 *
 * Style hooks: `.chat-gif[data-playing]`, `.chat-picture[data-asked]`.
 */
export default function GifPicture({ gif, entered, mine }: GifPictureProps) {
  const t = useTranslate()
  const { title, url, still, width, height } = gif
  const [{ gifs }] = usePreferences()
  const fetched = useFetched()
  const waits = fetched === 'asked' && !mine && !wanted.has(url)
  const [playing, setPlaying] = useState(() => gifs && fetched !== 'small' && !waits && !prefersLittleMotion())
  useEffect(() => {
    if (mine || playing) wanted.add(url)
  }, [mine, playing, url])
  const shown = playing ? url : waits ? undefined : still
  const name = title || t('gif.untitled')
  return (
    <figure className="chat-gif" data-playing={playing || undefined}>
      {shown ? (
        <img src={shown} alt={name} width={width} height={height} decoding="async" />
      ) : (
        <span className="chat-picture" data-asked style={{ inlineSize: width, aspectRatio: `${width} / ${height}` }}>
          <FileName name={name} />
        </span>
      )}
      <IconButton
        label={t(playing ? 'gif.pause' : 'gif.play')}
        className="chat-gif-button"
        tabIndex={entered ? 0 : -1}
        onClick={() => setPlaying(!playing)}
      >
        {playing ? <PauseIcon /> : <PlayIcon />}
      </IconButton>
    </figure>
  )
}

function prefersLittleMotion(): boolean {
  return typeof window === 'undefined' || window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
