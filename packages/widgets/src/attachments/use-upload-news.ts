import type { Composer, Upload } from '@parley/client'
import { useEffect } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { type TextKey, type TextValues, useTranslation } from '../i18n/translate.ts'
import { useNotices } from '../notices/use-notices.ts'
import { fileSize, fileType } from './file-words.ts'

/** Announces a file's upload result once, also to a user who returns to the conversation. */
const told = new WeakSet<Upload>()

/**
 * Announces the results of uploads: a failed file, a refused one, and that all are uploaded. Files above the maximum
 * number, or of a forbidden kind, are not added: a notice gives the reason [ATT-8, TOA-26, TOA-27].
 */
export function useUploadNews(composer: Composer, uploads: readonly Upload[]) {
  const { t, language } = useTranslation()
  const notices = useNotices()
  const announce = useAnnounce()
  useEffect(() => {
    const news = uploads.filter((upload) => !told.has(upload))
    for (const upload of news) told.add(upload)
    const unwanted = uploads.filter((upload) => upload.status === 'blocked' && unwantedBecause(upload))
    for (const key of new Set(unwanted.map(unwantedBecause))) if (key) notices.show('error', key)
    for (const { id } of unwanted) composer.remove(id)
    for (const upload of news) {
      if (upload.status === 'failed') notices.failed(uploadFailure(upload), upload.error)
      const refusal = refusalOf(upload, language)
      if (refusal) announce('problem', { text: t(refusal.key, refusal.values) })
    }
    const count = uploads.filter(({ status }) => status === 'finished').length
    const allArrived = news.some(({ status }) => status === 'finished') && uploads.every(isSettled)
    if (allArrived) announce('uploaded', { count })
  }, [uploads, composer, notices, announce, t, language])
  useWarning(!uploads.every(({ status }) => status === 'finished'))
}

/** Files that are not uploaded yet are lost when the page is closed, so the browser asks first. */
function useWarning(unfinished: boolean) {
  useEffect(() => {
    if (!unfinished) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [unfinished])
}

/** Which upload failed [TOA-21, TOA-22, TOA-23]. */
export function uploadFailure({ kind, file }: Upload): TextKey {
  if (kind === 'image') return 'upload.image.failed'
  return /^(audio|video)\//.test(file.type) ? 'upload.attachment.failed' : 'upload.file.failed'
}

/** Why this file cannot be sent [TOA-24, TOA-25]. */
export function refusalOf(upload: Upload, language: string): { key: TextKey; values: TextValues } | undefined {
  if (upload.status !== 'blocked' || unwantedBecause(upload)) return undefined
  const { file, limit } = upload
  if (limit === undefined) return { key: 'upload.type', values: { type: fileType(file) } }
  return { key: 'upload.tooLarge', values: { size: fileSize(language, file.size), limit: fileSize(language, limit) } }
}

function unwantedBecause(upload: Upload): TextKey | undefined {
  if (upload.status !== 'blocked') return undefined
  if (upload.error.code === 'CLIENT_UPLOAD_COUNT') return 'upload.count'
  return upload.error.code === 'CLIENT_UPLOAD_PERMISSION' ? 'upload.permission' : undefined
}

function isSettled({ status }: Upload): boolean {
  return status !== 'pending' && status !== 'uploading'
}
