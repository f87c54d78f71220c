import type { Composer, Upload } from '@parley/client'
import { type DragEvent, type KeyboardEvent, Suspense, useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAnnounce } from '../announcer/use-announce.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import type { Elements } from '../elements.ts'
import { percent } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { safeLink } from '../messages/safe-link.ts'
import { rove } from '../roving.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { BackIcon, CloseIcon, EditIcon, RetryIcon } from '../theme/icons.tsx'
import { FileIcon } from '../theme/more-icons.tsx'
import { FileName } from './FileName.tsx'
import { fileSize } from './file-words.ts'
import { altTextOf } from './pictures.ts'
import { wanted } from './use-fetched.ts'
import { useLocal } from './use-local.ts'
import { refusalOf, uploadFailure, useUploadNews } from './use-upload-news.ts'

/** A file of the tray is being dragged, by its id. */
const DRAGGED = 'application/x-chat-upload'

const AudioPlayer = lazyPart(() => import('./AudioPlayer.tsx'))
const DescribeDialog = lazyPart(() => import('./DescribeDialog.tsx'))

export interface UploadTrayProps {
  composer: Composer
  uploads: readonly Upload[]
  /** the last file was removed while it had the focus */
  onEmpty: () => void
}

/**
 * The files of the message being written, each with its upload progress. One tab stop: arrows move over the buttons,
 * Delete removes the file, Control with an arrow moves it among the others, as dragging does.
 *
 * Style hooks: `.chat-upload[data-status]` · `--chat-upload-done` (0…1) of a file being uploaded.
 */
export default function UploadTray({ composer, uploads, onEmpty }: UploadTrayProps) {
  const { t } = useTranslation()
  useUploadNews(composer, uploads)
  const [stop, setStop] = useState<string>()
  const current = uploads.some(({ id }) => id === stop) ? stop : uploads[0]?.id
  const remove = (id: string) => {
    const at = uploads.findIndex((upload) => upload.id === id)
    const next = uploads[at + 1] ?? uploads[at - 1]
    composer.remove(id)
    setStop(next?.id)
    if (next) document.getElementById(`upload-${next.id}`)?.focus()
    else onEmpty()
  }
  const announce = useAnnounce()
  const move = (id: string, to: number) => {
    const moved = uploads.find((upload) => upload.id === id)
    if (!moved || to < 0 || to >= uploads.length) return
    const focused = document.activeElement
    flushSync(() => composer.moveUpload(id, to))
    // An element that moves in the document loses the focus, and a button without use is removed.
    const kept = focused?.isConnected ? (focused as HTMLElement) : document.getElementById(`upload-${id}`)
    kept?.focus()
    announce('notice', { text: t('uploads.moved', { name: moved.file.name, number: to + 1, count: uploads.length }) })
  }
  const drop = (to: number) => (event: DragEvent) => {
    event.preventDefault()
    move(event.dataTransfer.getData(DRAGGED), to)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-upload]')?.dataset.upload
    if (event.key === 'Delete' && id) {
      event.preventDefault()
      remove(id)
    } else if (event.ctrlKey && id && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      event.preventDefault()
      const isForward = (event.key === 'ArrowLeft') === (getComputedStyle(event.currentTarget).direction === 'ltr')
      move(id, uploads.findIndex((upload) => upload.id === id) + (isForward ? -1 : 1))
    } else rove(event, '.chat-upload-buttons button', 'horizontal')
  }
  return (
    <ul className="chat-uploads" aria-label={t('uploads.label')} onKeyDown={press}>
      {uploads.map((upload, at) => (
        <li
          key={upload.id}
          className="chat-upload"
          data-upload={upload.id}
          data-status={upload.status}
          draggable={uploads.length > 1}
          onDragStart={(event) => event.dataTransfer.setData(DRAGGED, upload.id)}
          onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
          onDrop={drop(at)}
          onFocus={() => setStop(upload.id)}
        >
          <Tile
            upload={upload}
            tabIndex={upload.id === current ? 0 : -1}
            onRetry={() => {
              void composer.retry(upload.id)
              document.getElementById(`upload-${upload.id}`)?.focus()
            }}
            onRemove={() => remove(upload.id)}
            onForward={at > 0 ? () => move(upload.id, at - 1) : undefined}
            onDescribe={(alt_text) => composer.describeUpload(upload.id, { alt_text })}
          />
        </li>
      ))}
    </ul>
  )
}

interface TileProps {
  upload: Upload
  tabIndex: number
  onRetry: () => void
  onRemove: () => void
  /** it is not the first of them */
  onForward: (() => void) | undefined
  onDescribe: (words: string | undefined) => void
}

function Tile({ upload, tabIndex, onRetry, onRemove, onForward, onDescribe }: TileProps) {
  const { t } = useTranslation()
  const about = useId()
  const isVoice = upload.more.type === 'voiceRecording'
  const name = isVoice ? t('message.voice') : upload.file.name
  const unfinished = upload.status === 'pending' || upload.status === 'uploading'
  const removal = t(unfinished ? 'uploads.cancel' : 'uploads.remove', { name })
  const retry = t('uploads.retry', { name })
  const describe = t('uploads.describe', { name })
  const forward = t('uploads.forward', { name })
  const [describing, setDescribing] = useState(false)
  const described = altTextOf(upload.more)
  return (
    <>
      {isVoice ? <Voice upload={upload} /> : <Picture upload={upload} />}
      <span className="chat-upload-words" data-voice={isVoice || undefined}>
        {!isVoice && <FileName name={name} />}
        <span id={about} className="chat-upload-state">
          <State upload={upload} />
        </span>
        {described && (
          <span className="chat-upload-described" dir="auto">
            {described}
          </span>
        )}
      </span>
      <span className="chat-upload-buttons">
        {upload.status === 'failed' && (
          <IconButton label={retry} tabIndex={tabIndex} aria-describedby={about} onClick={onRetry}>
            <RetryIcon />
          </IconButton>
        )}
        {onForward && (
          <IconButton label={forward} tabIndex={tabIndex} onClick={onForward}>
            <BackIcon />
          </IconButton>
        )}
        {upload.kind === 'image' && upload.status !== 'blocked' && (
          <IconButton label={describe} tabIndex={tabIndex} aria-haspopup="dialog" onClick={() => setDescribing(true)}>
            <EditIcon />
          </IconButton>
        )}
        <IconButton
          label={removal}
          id={`upload-${upload.id}`}
          tabIndex={tabIndex}
          aria-describedby={about}
          onClick={onRemove}
        >
          <CloseIcon />
        </IconButton>
      </span>
      {describing && (
        <Suspense fallback={null}>
          <DescribeDialog upload={upload} onClose={() => setDescribing(false)} onDescribe={onDescribe} />
        </Suspense>
      )}
    </>
  )
}

function State({ upload }: { upload: Upload }): Elements {
  const { t, language } = useTranslation()
  switch (upload.status) {
    case 'pending':
      return <span>{t('uploads.waiting')}</span>
    case 'uploading':
      return (
        <>
          <span>{percent(language, upload.percent / 100)}</span>
          <span
            role="progressbar"
            className="chat-upload-bar"
            aria-label={t('uploads.progress', { name: upload.file.name })}
            aria-valuenow={upload.percent}
            style={{ '--chat-upload-done': upload.percent / 100 } as React.CSSProperties}
          />
        </>
      )
    case 'finished':
      return <span>{fileSize(language, upload.file.size || Number(upload.attachment.file_size ?? 0))}</span>
    case 'failed':
      return <span>{t(uploadFailure(upload))}</span>
    case 'blocked': {
      const refusal = refusalOf(upload, language)
      return refusal && <span>{t(refusal.key, refusal.values)}</span>
    }
    default:
      return upload satisfies never
  }
}

/** A recording can be played before it is sent. */
function Voice({ upload }: { upload: Upload }) {
  const url = useLocal(upload.file)
  const fallback = <div className="chat-audio" />
  if (url === undefined) return fallback
  return (
    <Suspense fallback={fallback}>
      <AudioPlayer attachment={upload.more} local={upload.file.size > 0 ? url : undefined} tabIndex={0} />
    </Suspense>
  )
}

/** The picture itself, if there is one to show. */
function Picture({ upload }: { upload: Upload }) {
  const { kind, file, more } = upload
  const here = useLocal(file)
  const uploaded = upload.status === 'finished' ? upload.attachment.image_url : undefined
  useEffect(() => {
    if (uploaded) wanted.add(safeLink(uploaded)?.href ?? '')
  }, [uploaded])
  // It was uploaded before the page was loaded: only the server has it.
  const url = file.size > 0 ? here : safeLink(more.thumb_url ?? more.image_url ?? '')?.href
  const [broken, setBroken] = useState(false)
  return (
    <span className="chat-upload-picture">
      {kind === 'image' && url && !broken ? <img src={url} alt="" onError={() => setBroken(true)} /> : <FileIcon />}
    </span>
  )
}
