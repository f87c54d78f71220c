import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { RetryIcon } from '../theme/icons.tsx'
import type { Picture } from './pictures.ts'
import { fitOnSide, type View } from './zoom.ts'

export interface LightboxPictureProps {
  picture: Picture
  /** its alternative text */
  name: string
  view: View
}

/** The picture in the lightbox. The thumbnail is shown until the full picture is loaded. */
export function LightboxPicture({ picture, name, view }: LightboxPictureProps) {
  const t = useTranslate()
  const [state, setState] = useState<'loading' | 'loaded' | 'broken'>('loading')
  const image = useRef<HTMLImageElement>(null)
  const [fit, setFit] = useState(1)
  const onSide = view.turns % 2 === 1
  // biome-ignore lint/correctness/useExhaustiveDependencies: a loaded picture has another size.
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height, parentElement: zoomArea } = image.current ?? {}
    if (!onSide || !zoomArea || !width || !height) return setFit(1)
    setFit(fitOnSide({ width: zoomArea.clientWidth, height: zoomArea.clientHeight }, { width, height }))
  }, [onSide, state])
  if (state === 'broken') {
    return (
      <div className="chat-lightbox-broken">
        <bdi>{name}</bdi>
        <button type="button" className="chat-button" onClick={() => setState('loading')}>
          <RetryIcon />
          <span>{t('retry')}</span>
        </button>
      </div>
    )
  }
  return (
    <>
      <img
        src={picture.url}
        alt={name}
        draggable={false}
        width={picture.attachment.original_width}
        height={picture.attachment.original_height}
        style={{
          transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale * fit}) rotate(${view.turns * 90}deg)`,
          backgroundImage: state === 'loading' ? `url(${JSON.stringify(picture.thumb)})` : undefined,
        }}
        ref={image}
        onLoad={() => setState('loaded')}
        onError={() => setState('broken')}
      />
      {state === 'loading' && <span className="chat-spinner" aria-hidden="true" />}
    </>
  )
}
