import type { Composer, Upload } from '@parley/client'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { percent } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { rove } from '../roving.ts'
import { CloseIcon, EditIcon, FileIcon, RetryIcon } from '../theme/icons.tsx'
import { FileName } from './FileName.tsx'
import { fileSize } from './file-words.ts'
import { altTextOf } from './pictures.ts'
import { useLocal } from './use-local.ts'
import { failureOf, refusalOf, useUploadNews } from './use-upload-news.ts'

const AudioPlayer = lazy(() => import('./AudioPlayer.tsx'))
const DescribeDialog = lazy(() => import('./DescribeDialog.tsx'))

export interface UploadTrayProps {
  composer: Composer
  uploads: readonly Upload[]
  /** the last file was taken away while focus was here */
  onEmpty: () => void
}

/**
 * The files that go with the message, each with its way so far. One tab stop: arrows walk over the buttons, Delete takes the
 * file away.
 *
 * Style hooks: `.chat-upload[data-status]` · `--chat-upload-done` (0…1) of a file on its way.
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
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('[data-upload]')?.dataset.upload
    if (event.key === 'Delete' && id) {
      event.preventDefault()
      remove(id)
    } else rove(event, '.chat-upload-buttons button', 'horizontal')
  }
  return (
    <ul className="chat-uploads" aria-label={t('uploads.label')} onKeyDown={press}>
      {uploads.map((upload) => (
        <li
          key={upload.id}
          className="chat-upload"
          data-upload={upload.id}
          data-status={upload.status}
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
  onDescribe: (words: string | undefined) => void
}

function Tile({ upload, tabIndex, onRetry, onRemove, onDescribe }: TileProps) {
  const { t } = useTranslation()
  const about = useId()
  const isVoice = upload.more.type === 'voiceRecording'
  const name = isVoice ? t('message.voice') : upload.file.name
  const unfinished = upload.status === 'pending' || upload.status === 'uploading'
  const removal = t(unfinished ? 'uploads.cancel' : 'uploads.remove', { name })
  const retry = t('uploads.retry', { name })
  const describe = t('uploads.describe', { name })
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
          <button
            type="button"
            className="chat-icon-button"
            tabIndex={tabIndex}
            aria-label={retry}
            aria-describedby={about}
            title={retry}
            onClick={onRetry}
          >
            <RetryIcon />
          </button>
        )}
        {upload.kind === 'image' && upload.status !== 'blocked' && (
          <button
            type="button"
            className="chat-icon-button"
            tabIndex={tabIndex}
            aria-label={describe}
            aria-haspopup="dialog"
            title={describe}
            onClick={() => setDescribing(true)}
          >
            <EditIcon />
          </button>
        )}
        <button
          type="button"
          id={`upload-${upload.id}`}
          className="chat-icon-button"
          tabIndex={tabIndex}
          aria-label={removal}
          aria-describedby={about}
          title={removal}
          onClick={onRemove}
        >
          <CloseIcon />
        </button>
      </span>
      {describing && (
        <Suspense fallback={null}>
          <DescribeDialog upload={upload} onClose={() => setDescribing(false)} onDescribe={onDescribe} />
        </Suspense>
      )}
    </>
  )
}

function State({ upload }: { upload: Upload }): ReactNode {
  const { t, language } = useTranslation()
  switch (upload.status) {
    case 'pending':
      return t('uploads.waiting')
    case 'uploading':
      return (
        <>
          {percent(language, upload.percent / 100)}
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
      return fileSize(language, upload.file.size)
    case 'failed':
      return t(failureOf(upload))
    case 'blocked': {
      const refusal = refusalOf(upload, language)
      return refusal && t(refusal.key, refusal.values)
    }
    default:
      return upload satisfies never
  }
}

/** What was recorded can be heard before it is sent. */
function Voice({ upload }: { upload: Upload }) {
  const url = useLocal(upload.file)
  const fallback = <div className="chat-audio" />
  if (url === undefined) return fallback
  return (
    <Suspense fallback={fallback}>
      <AudioPlayer attachment={upload.more} local={url} tabIndex={0} />
    </Suspense>
  )
}

/** The picture itself where there is one to show. */
function Picture({ upload: { kind, file } }: { upload: Upload }) {
  const url = useLocal(file)
  const [broken, setBroken] = useState(false)
  return (
    <span className="chat-upload-picture">
      {kind === 'image' && url && !broken ? <img src={url} alt="" onError={() => setBroken(true)} /> : <FileIcon />}
    </span>
  )
}
