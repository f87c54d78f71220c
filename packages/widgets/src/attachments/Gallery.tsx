import type { Channel } from '@parley/client'
import { Suspense, useContext, useState } from 'react'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { PICTURES_SHOWN } from '../limits.ts'
import { RetryIcon } from '../theme/icons.tsx'
import { InThread } from '../threads/thread-scope.ts'
import { boxOf, isDrawnByFew, type Picture } from './pictures.ts'
import { useFetched } from './use-fetched.ts'

const AskedPicture = lazyPart(() => import('./AskedPicture.tsx'))
const FileCard = lazyPart(() => import('./FileCard.tsx'))
const Lightbox = lazyPart(() => import('./Lightbox.tsx'))

export interface GalleryProps {
  channel: Channel
  pictures: readonly Picture[]
  /** the reader entered the row with Enter: the pictures are tab stops */
  entered: boolean
  onJump?: (messageId: string) => void
}

/**
 * The pictures of a message: one in its own ratio, several in a grid. Each opens the lightbox.
 *
 * Style hooks: `.chat-gallery[data-count]` · `.chat-picture`, with `[data-asked]` until the user loads it.
 */
export function Gallery({ channel, pictures, entered, onJump }: GalleryProps) {
  const t = useTranslate()
  const threadId = useContext(InThread)
  const [open, setOpen] = useState<Picture>()
  const shown = pictures.slice(0, PICTURES_SHOWN)
  const more = pictures.length - shown.length
  return (
    <div className="chat-gallery" data-count={shown.length}>
      {shown.map((picture, place) => (
        <Thumbnail
          key={picture.key}
          picture={picture}
          alone={shown.length === 1}
          more={place === PICTURES_SHOWN - 1 && more > 0 ? more : undefined}
          tabIndex={entered ? 0 : -1}
          onOpen={() => setOpen(picture)}
        />
      ))}
      {open !== undefined && (
        <Suspense fallback={null}>
          <Lightbox
            channel={channel}
            threadId={threadId}
            start={open}
            onClose={() => setOpen(undefined)}
            onShow={onJump}
          />
        </Suspense>
      )}
      {more > 0 && <span className="chat-hidden">{t('gallery.count', { count: pictures.length })}</span>}
    </div>
  )
}

interface ThumbnailProps {
  picture: Picture
  alone: boolean
  /** how many pictures are not shown */
  more: number | undefined
  tabIndex: number
  onOpen: () => void
}

function Thumbnail({ picture, alone, more, tabIndex, onOpen }: ThumbnailProps) {
  const t = useTranslate()
  const fetched = useFetched()
  const [broken, setBroken] = useState(false)
  const [failures, setFailures] = useState(0)
  // A description by its sender is more useful than the file name [ATT-19].
  const name = picture.about || picture.name || t('message.photo')
  const box = alone ? boxOf(picture.attachment) : undefined
  const size = box && { inlineSize: box.width, aspectRatio: `${box.width} / ${box.height}` }
  // A file that cannot be drawn can still be saved.
  if (broken && (failures > 1 || isDrawnByFew(picture.attachment))) {
    return (
      <Suspense fallback={<div className="chat-file" />}>
        <FileCard attachment={picture.attachment} tabIndex={tabIndex} />
      </Suspense>
    )
  }
  if (broken) {
    return (
      <span className="chat-picture" data-broken style={size}>
        <bdi>{name}</bdi>
        <button
          type="button"
          className="chat-button"
          data-kind="quiet"
          tabIndex={tabIndex}
          onClick={() => setBroken(false)}
        >
          <RetryIcon />
          <span>{t('retry')}</span>
        </button>
      </span>
    )
  }
  let { url, thumb } = picture
  const still = picture.attachment.mime_type === 'image/gif' && thumb !== url
  if (fetched === 'full') thumb = url
  if (fetched === 'small') url = thumb
  const shown = (
    <button
      type="button"
      className="chat-picture"
      style={size}
      tabIndex={tabIndex}
      aria-label={t('message.openPhoto', { name })}
      onClick={onOpen}
    >
      <picture>
        {still && <source media="(prefers-reduced-motion: reduce)" srcSet={picture.thumb} />}
        <img
          src={alone || still ? url : thumb}
          srcSet={alone && !still ? `${thumb}, ${url} 2x` : undefined}
          alt={name}
          width={box?.width}
          height={box?.height}
          loading="lazy"
          decoding="async"
          onError={() => {
            setBroken(true)
            setFailures(failures + 1)
          }}
        />
      </picture>
      {more !== undefined && (
        // Drawn by the style sheet: the button's name is that of its picture.
        <span className="chat-picture-more" data-more={t('gallery.more', { count: more })} />
      )}
    </button>
  )
  if (fetched !== 'asked') return shown
  return (
    <Suspense fallback={<span className="chat-picture" style={size} />}>
      <AskedPicture picture={picture} name={name} more={more}>
        {shown}
      </AskedPicture>
    </Suspense>
  )
}
