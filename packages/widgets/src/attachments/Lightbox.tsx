import type { Channel } from '@parley/client'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { fullTime, percent } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { BackIcon, ChatIcon, CloseIcon, Icon, RetryIcon } from '../theme/icons.tsx'
import { DownloadIcon, LinkIcon, ZoomInIcon, ZoomOutIcon } from '../theme/more-icons.tsx'
import { download } from './download.ts'
import { type Picture, picturesOf } from './pictures.ts'
import { useStage } from './use-stage.ts'
import { fitOnSide, fitted, type View, ZOOM_STEP } from './zoom.ts'

/** Px a zoomed picture moves with one press of an arrow key. */
const STEP_PX = 80
/** Pages of older messages that are read through in search of one more picture. */
const PAGES_MAX = 4

export interface LightboxProps {
  channel: Channel
  /** for pictures of a thread */
  threadId: string | undefined
  /** the picture to begin with */
  start: Picture
  onClose: () => void
  /** goes to the message of a picture */
  onShow?: (messageId: string) => void
}

/**
 * One picture at a time, out of all in the conversation; older ones are loaded on the way. Loaded when a picture is
 * first opened.
 *
 * Style hooks: `.chat-lightbox`, which is always dark.
 */
export default function Lightbox({ channel, threadId, start, onClose, onShow }: LightboxProps) {
  const { t, language, locale } = useTranslation()
  const { root, client } = useChat()
  const notices = useNotices()
  const announce = useAnnounce()
  const pictures = usePictures(channel, threadId)
  // A picture whose message is deleted meanwhile stays until one turns the page.
  const [picture, setPicture] = useState(start)
  const [view, setView] = useState(fitted)
  const at = Math.max(
    0,
    pictures.findIndex(({ key }) => key === picture.key),
  )

  const turnTo = (next: Picture | undefined, number: number, count: number) => {
    if (!next) return
    setPicture(next)
    setView(fitted)
    announce('picture', { number, count })
  }
  const turn = async (by: 1 | -1) => {
    if (by < 0 && at === 0 && threadId === undefined) {
      const older = await olderPictures(channel)
      if (older.length > pictures.length) turnTo(older[older.length - pictures.length - 1], 1, older.length)
      return
    }
    turnTo(pictures[at + by], at + by + 1, pictures.length)
  }
  const rotate = () => setView(({ turns }) => ({ ...fitted, turns: (turns + 1) % 4 }))
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const acts: Record<string, () => unknown> = {
      ArrowLeft: () => (view.scale > 1 ? stage.move({ x: STEP_PX, y: 0 }) : turn(rightToLeft ? 1 : -1)),
      ArrowRight: () => (view.scale > 1 ? stage.move({ x: -STEP_PX, y: 0 }) : turn(rightToLeft ? -1 : 1)),
      ArrowUp: () => stage.move({ x: 0, y: STEP_PX }),
      ArrowDown: () => stage.move({ x: 0, y: -STEP_PX }),
      PageUp: () => turn(-1),
      PageDown: () => turn(1),
      '+': () => stage.zoom(ZOOM_STEP),
      '=': () => stage.zoom(ZOOM_STEP),
      '-': () => stage.zoom(1 / ZOOM_STEP),
      '0': () => setView(fitted),
      r: rotate,
    }
    const act = acts[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    void act()
  }
  // The keys are heard where the focus is, after a press beside every button, too.
  const all = useRef<HTMLDivElement>(null)
  useEffect(() => all.current?.focus(), [])
  const stage = useStage(view, setView, { turn, close: onClose })
  usePreloaded(pictures[at + 1]?.url)

  const name = picture.name || t('message.photo')
  const about = picture.about || name
  const save = async () => {
    try {
      await download(picture.url, name)
    } catch (error) {
      notices.show('error', 'download.failed', { details: detailsOf(error) })
    }
  }
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(picture.url)
      announce('linkCopied')
    } catch (error) {
      notices.show('error', 'copyLink.failed', { details: detailsOf(error) })
    }
  }
  const show = () => {
    onClose()
    // The focus first comes back to the thumbnail, then it goes to the message.
    setTimeout(() => onShow?.(picture.message.id))
  }
  return (
    <UNSAFE_PortalProvider getContainer={root}>
      <ModalOverlay className="chat-lightbox chat-theme-dark" isOpen onOpenChange={(open) => !open && onClose()}>
        <Modal className="chat-lightbox-modal">
          <Dialog className="chat-lightbox-dialog" aria-label={t('lightbox.label')}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the whole dialog. */}
            <div ref={all} className="chat-lightbox-all" tabIndex={-1} onKeyDown={press}>
              <header className="chat-lightbox-head">
                <div className="chat-lightbox-words">
                  <p className="chat-lightbox-author">
                    <bdi>{nameOf(t, picture.message, picture.message.user.id === client.userID)}</bdi>
                  </p>
                  <p className="chat-lightbox-time">
                    <time dateTime={picture.message.created_at.toISOString()}>
                      {fullTime(locale, picture.message.created_at)}
                    </time>
                  </p>
                </div>
                {onShow && <Tool label={t('lightbox.show')} icon={<ChatIcon />} onPress={show} />}
                <Tool label={t('lightbox.copyLink')} icon={<LinkIcon />} onPress={() => void copyLink()} />
                <a
                  className="chat-icon-button"
                  href={picture.url}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={t('lightbox.original')}
                  title={t('lightbox.original')}
                >
                  <OpenIcon />
                </a>
                <Tool label={t('lightbox.download')} icon={<DownloadIcon />} onPress={() => void save()} />
                <Tool label={t('lightbox.close')} icon={<CloseIcon />} onPress={onClose} />
              </header>
              <div
                ref={stage.ref}
                className="chat-lightbox-stage"
                data-zoomed={view.scale > 1 || undefined}
                {...stage.listeners}
              >
                <Shown key={picture.key} picture={picture} name={about} view={view} />
              </div>
              {picture.about && (
                // Heard as the name of the picture.
                <p className="chat-lightbox-about" dir="auto" aria-hidden="true">
                  {picture.about}
                </p>
              )}
              <footer className="chat-lightbox-foot">
                <Tool
                  label={t('lightbox.previous')}
                  icon={<BackIcon />}
                  disabled={at === 0 && !mayHaveOlder(channel, threadId)}
                  onPress={() => void turn(-1)}
                />
                <p className="chat-lightbox-count">
                  {t('lightbox.count', { number: at + 1, count: Math.max(pictures.length, at + 1) })}
                </p>
                <Tool
                  label={t('lightbox.next')}
                  icon={<BackIcon />}
                  onward
                  disabled={at >= pictures.length - 1}
                  onPress={() => void turn(1)}
                />
                <span className="chat-lightbox-gap" />
                <Tool label={t('lightbox.rotate')} icon={<RotateIcon />} onPress={rotate} />
                <Tool
                  label={t('lightbox.zoomOut')}
                  icon={<ZoomOutIcon />}
                  disabled={view.scale === 1}
                  onPress={() => stage.zoom(1 / ZOOM_STEP)}
                />
                <button
                  type="button"
                  className="chat-lightbox-scale"
                  title={t('lightbox.zoomReset')}
                  onClick={() => setView(fitted)}
                >
                  {percent(language, view.scale)}
                </button>
                <Tool label={t('lightbox.zoomIn')} icon={<ZoomInIcon />} onPress={() => stage.zoom(ZOOM_STEP)} />
              </footer>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </UNSAFE_PortalProvider>
  )
}

interface ToolProps {
  label: string
  icon: React.ReactNode
  /** leads onward: its arrow is turned round */
  onward?: boolean
  disabled?: boolean
  onPress: () => void
}

/** A button that cannot do anything now keeps its place and the focus. */
function Tool({ label, icon, onward, disabled, onPress }: ToolProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={disabled || undefined}
      data-onward={onward || undefined}
      onClick={() => !disabled && onPress()}
    >
      {icon}
    </IconButton>
  )
}

/** The small picture stands until the whole one is there. */
function Shown({ picture, name, view }: { picture: Picture; name: string; view: View }) {
  const { t } = useTranslation()
  const [state, setState] = useState<'loading' | 'loaded' | 'broken'>('loading')
  const image = useRef<HTMLImageElement>(null)
  const [fit, setFit] = useState(1)
  const onSide = view.turns % 2 === 1
  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture that has come has another size.
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height, parentElement: stage } = image.current ?? {}
    if (!onSide || !stage || !width || !height) return setFit(1)
    setFit(fitOnSide({ width: stage.clientWidth, height: stage.clientHeight }, { width, height }))
  }, [onSide, state])
  if (state === 'broken') {
    return (
      <div className="chat-lightbox-broken">
        <bdi>{name}</bdi>
        <button type="button" className="chat-button" onClick={() => setState('loading')}>
          <RetryIcon />
          {t('retry')}
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

/** All pictures of the channel that are loaded, or of one of its threads, oldest first. */
function usePictures(channel: Channel, threadId: string | undefined): readonly Picture[] {
  const { messages, replies } = useChannelState(channel)
  const here = threadId === undefined ? messages : (replies[threadId] ?? messages)
  return useMemo(() => here.flatMap(picturesOf), [here])
}

function mayHaveOlder(channel: Channel, threadId: string | undefined): boolean {
  return threadId === undefined && (channel.snapshot().sets.find(({ current }) => current)?.hasOlder ?? false)
}

/** Loads older messages until there is one more picture, the beginning is reached, or it has been enough. */
async function olderPictures(channel: Channel): Promise<readonly Picture[]> {
  const all = () => channel.snapshot().messages.flatMap(picturesOf)
  const before = all().length
  const more = () => all().length === before && mayHaveOlder(channel, undefined)
  try {
    for (let page = 0; page < PAGES_MAX && more(); page++) await channel.loadOlder()
  } catch {
    // Nothing older comes now; pressing again asks again.
  }
  return all()
}

/** The next picture is there when it is asked for. */
function usePreloaded(url: string | undefined) {
  useEffect(() => {
    if (url) new Image().src = url
  }, [url])
}
