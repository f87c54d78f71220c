import type { Channel } from '@parley/client'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useClient } from '../chat/use-client.ts'
import { copyText } from '../clipboard/copy-text.ts'
import { LayerRoot } from '../dialog/LayerRoot.tsx'
import { percent } from '../i18n/format.ts'
import { fullTime } from '../i18n/row-time.ts'
import { type Translate, useTranslate, useTranslation } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import { useNotices } from '../notices/use-notices.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { BackIcon, ChatIcon, CloseIcon, Icon } from '../theme/icons.tsx'
import { DownloadIcon, LinkIcon, ZoomInIcon, ZoomOutIcon } from '../theme/more-icons.tsx'
import { download } from './download.ts'
import { LightboxPicture } from './LightboxPicture.tsx'
import type { Picture } from './pictures.ts'
import { useFetched } from './use-fetched.ts'
import { type PictureWalk, usePictureWalk } from './use-picture-walk.ts'
import { useZoom } from './use-zoom.ts'
import { fitted, ZOOM_STEP } from './zoom.ts'
import './lightbox.css'

/** Px a zoomed picture moves with one press of an arrow key. */
const STEP_PX = 80

export interface LightboxProps {
  channel: Channel
  /** for pictures of a thread */
  threadId: string | undefined
  /** the picture shown first */
  start: Picture
  onClose: () => void
  /** goes to the message of a picture */
  onShow?: (messageId: string) => void
}

/**
 * One picture at a time, out of all in the conversation; older and newer ones are loaded on the way. Loaded when a
 * picture is first opened.
 *
 * Style hooks: `.chat-lightbox`, which is always dark.
 */
export default function Lightbox({ onClose, onShow, ...from }: LightboxProps) {
  const t = useTranslate()
  const [view, setView] = useState(fitted)
  const fit = () => setView(fitted)
  const rotate = () => setView(({ turns }) => ({ ...fitted, turns: (turns + 1) % 4 }))
  const walk = usePictureWalk(from, fit)
  const { picture, next, turn } = walk
  const zoomArea = useZoom(view, setView, { turn, close: onClose })
  const isZoomed = view.scale > 1
  const name = nameOfPicture(t, picture)
  const fetched = useFetched()
  usePreloaded(fetched === 'auto' || fetched === 'full' ? next?.url : undefined)

  const press = (event: KeyboardEvent<HTMLElement>) => {
    const onward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const acts: Record<string, () => unknown> = {
      ArrowLeft: () => (isZoomed ? zoomArea.move({ x: STEP_PX, y: 0 }) : turn(onward === 1 ? -1 : 1)),
      ArrowRight: () => (isZoomed ? zoomArea.move({ x: -STEP_PX, y: 0 }) : turn(onward)),
      ArrowUp: () => zoomArea.move({ x: 0, y: STEP_PX }),
      ArrowDown: () => zoomArea.move({ x: 0, y: -STEP_PX }),
      PageUp: () => turn(-1),
      PageDown: () => turn(1),
      '+': () => zoomArea.zoom(ZOOM_STEP),
      '=': () => zoomArea.zoom(ZOOM_STEP),
      '-': () => zoomArea.zoom(1 / ZOOM_STEP),
      '0': fit,
      r: rotate,
    }
    const act = acts[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    void act()
  }
  // Keys are handled on the focused element, so that they also work after a press beside the buttons.
  const all = useRef<HTMLDivElement>(null)
  useEffect(() => all.current?.focus(), [])

  return (
    <LayerRoot>
      <ModalOverlay className="chat-lightbox chat-theme-dark" isOpen onOpenChange={(open) => !open && onClose()}>
        <Modal className="chat-lightbox-modal">
          <Dialog className="chat-lightbox-dialog" aria-label={t('lightbox.label')}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole dialog. */}
            <div ref={all} className="chat-lightbox-all" tabIndex={-1} onKeyDown={press}>
              <Head picture={picture} onClose={onClose} onShow={onShow} />
              <div
                ref={zoomArea.ref}
                className="chat-lightbox-stage"
                data-zoomed={isZoomed || undefined}
                {...zoomArea.listeners}
              >
                <LightboxPicture key={picture.key} picture={picture} name={picture.about || name} view={view} />
              </div>
              {picture.about && (
                // Read out as the name of the picture.
                <p className="chat-lightbox-about" dir="auto" aria-hidden="true">
                  {picture.about}
                </p>
              )}
              <Foot walk={walk} scale={view.scale} onRotate={rotate} onZoom={zoomArea.zoom} onFit={fit} />
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </LayerRoot>
  )
}

/** The sender and time of the picture, and its other actions. */
function Head({ picture, onClose, onShow }: Pick<LightboxProps, 'onClose' | 'onShow'> & { picture: Picture }) {
  const { t, locale } = useTranslation()
  const me = useClient().userID
  const notices = useNotices()
  const announce = useAnnounce()
  const { message, url } = picture
  const save = async () => {
    try {
      await download(url, nameOfPicture(t, picture))
    } catch (error) {
      notices.failed('download.failed', error)
    }
  }
  const copyLink = async () => {
    try {
      await copyText(url)
      announce('linkCopied')
    } catch (error) {
      notices.failed('copyLink.failed', error)
    }
  }
  const show = () => {
    onClose()
    // The focus first returns to the thumbnail, then moves to the message.
    setTimeout(() => onShow?.(message.id))
  }
  return (
    <header className="chat-lightbox-head">
      <div className="chat-lightbox-words">
        <p className="chat-lightbox-author">
          <bdi>{nameOf(t, message, message.user.id === me)}</bdi>
        </p>
        <p className="chat-lightbox-time">
          <time dateTime={message.created_at.toISOString()}>{fullTime(locale, message.created_at)}</time>
        </p>
      </div>
      {onShow && (
        <IconButton label={t('lightbox.show')} onClick={show}>
          <ChatIcon />
        </IconButton>
      )}
      <IconButton label={t('lightbox.copyLink')} onClick={() => void copyLink()}>
        <LinkIcon />
      </IconButton>
      <a
        className="chat-icon-button"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t('lightbox.original')}
        title={t('lightbox.original')}
      >
        <OpenIcon />
      </a>
      <IconButton label={t('lightbox.download')} onClick={() => void save()}>
        <DownloadIcon />
      </IconButton>
      <IconButton label={t('lightbox.close')} onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </header>
  )
}

interface FootProps {
  walk: PictureWalk
  /** multiple of its fitted size */
  scale: number
  onRotate: () => void
  onZoom: (factor: number) => void
  onFit: () => void
}

/** The buttons for other pictures and for zooming. A disabled button keeps its place and the focus. */
function Foot({ walk, scale, onRotate, onZoom, onFit }: FootProps) {
  const { t, language } = useTranslation()
  const { number, count, hasPrevious, hasNext, turn } = walk
  return (
    <footer className="chat-lightbox-foot">
      <IconButton
        label={t('lightbox.previous')}
        aria-disabled={!hasPrevious || undefined}
        onClick={() => void turn(-1)}
      >
        <BackIcon />
      </IconButton>
      <p className="chat-lightbox-count">{t('lightbox.count', { number, count })}</p>
      <IconButton
        label={t('lightbox.next')}
        aria-disabled={!hasNext || undefined}
        data-onward
        onClick={() => void turn(1)}
      >
        <BackIcon />
      </IconButton>
      <span className="chat-lightbox-gap" />
      <IconButton label={t('lightbox.rotate')} onClick={onRotate}>
        <RotateIcon />
      </IconButton>
      <IconButton
        label={t('lightbox.zoomOut')}
        aria-disabled={scale === 1 || undefined}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        <ZoomOutIcon />
      </IconButton>
      <button type="button" className="chat-lightbox-scale" title={t('lightbox.zoomReset')} onClick={onFit}>
        {percent(language, scale)}
      </button>
      <IconButton label={t('lightbox.zoomIn')} onClick={() => onZoom(ZOOM_STEP)}>
        <ZoomInIcon />
      </IconButton>
    </footer>
  )
}

function nameOfPicture(t: Translate, { name }: Picture): string {
  return name || t('message.photo')
}

/** The next picture is preloaded. */
function usePreloaded(url: string | undefined) {
  useEffect(() => {
    if (url) new Image().src = url
  }, [url])
}

const RotateIcon = () => (
  <Icon>
    <path d="M5 12a7 7 0 1 0 2.2-5.1M5 4v4.5h4.5" transform="matrix(-1 0 0 1 24 0)" />
  </Icon>
)
const OpenIcon = () => (
  <Icon directional>
    <path d="M13.5 4.5h6v6M19 5l-8 8M17.5 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4" />
  </Icon>
)
