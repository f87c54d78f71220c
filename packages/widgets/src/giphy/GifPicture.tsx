import { useState } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { PauseIcon, PlayIcon } from '../theme/more-icons.tsx'
import type { Gif } from './gif.ts'

/**
 * An animation in a box of its final size. Whoever wants little motion, or set so, sees its first picture and starts it;
 * everybody can stop it [ux 4.5].
 *
 * Style hooks: `.chat-gif[data-playing]`.
 */
export default function GifPicture({ gif, entered }: { gif: Gif; entered: boolean }) {
  const t = useTranslate()
  const { title, url, still, width, height } = gif
  const [{ gifs }] = usePreferences()
  const [playing, setPlaying] = useState(() => !still || (gifs && !prefersLittleMotion()))
  const name = title || t('gif.untitled')
  return (
    <figure className="chat-gif" data-playing={playing || undefined}>
      <img src={playing ? url : still} alt={name} width={width} height={height} decoding="async" />
      {still && (
        <IconButton
          label={t(playing ? 'gif.pause' : 'gif.play')}
          className="chat-gif-button"
          tabIndex={entered ? 0 : -1}
          onClick={() => setPlaying(!playing)}
        >
          {playing ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
      )}
    </figure>
  )
}

function prefersLittleMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
