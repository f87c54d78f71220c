/** Files and images of a channel [client.md 4.5]; loaded on first use. */
import type { ImageSize, UploadAnswer } from '@parley/protocol/attachments'
import type { ChannelContext } from '../channels/channel-context.ts'
import type { Answer, CallOptions } from '../shapes.ts'

/** A browser's file, bytes, a Node stream, or a file as React Native describes it. */
export type Uploadable = Blob | Uint8Array | ReadableStream | AsyncIterable<Uint8Array> | NativeFile

export interface NativeFile {
  uri: string
  name?: string
  type?: string
}

export interface UploadOptions extends CallOptions {
  /** Whole percent; 100 only when the server has answered. */
  onUploadProgress?: (percent: number) => void
  /** Other sizes to create of an image; 10 at most. */
  upload_sizes?: readonly ImageSize[]
}

/**
 * Uploads a file: `file, name?, contentType?, user?, { onUploadProgress, signal }`. There is no timeout. The answer's
 * `file` is its URL, for a message attachment [ATT-1].
 */
export function sendFile(
  context: ChannelContext,
  file: Uploadable,
  name?: string,
  contentType?: string,
  user?: { id: string },
  options?: UploadOptions,
): Promise<UploadAnswer> {
  return upload(context, 'file', file, name, contentType, user, options)
}

/** Uploads an image; `upload_sizes` requests other sizes of it [ATT-2]. */
export function sendImage(
  context: ChannelContext,
  file: Uploadable,
  name?: string,
  contentType?: string,
  user?: { id: string },
  options?: UploadOptions,
): Promise<UploadAnswer> {
  return upload(context, 'image', file, name, contentType, user, options)
}

/** Deletes an uploaded file; messages that show it do not change [ATT-3]. */
export function deleteFile({ call }: ChannelContext, url: string, options: CallOptions = {}): Promise<Answer> {
  return call('DELETE', '/file', { query: { url }, ...options })
}

/** [ATT-4] */
export function deleteImage({ call }: ChannelContext, url: string, options: CallOptions = {}): Promise<Answer> {
  return call('DELETE', '/image', { query: { url }, ...options })
}

async function upload(
  { call, checkUsable }: ChannelContext,
  kind: 'file' | 'image',
  file: Uploadable,
  name = nameOf(file),
  contentType?: string,
  user?: { id: string },
  { onUploadProgress = () => {}, upload_sizes, signal }: UploadOptions = {},
): Promise<UploadAnswer> {
  checkUsable()
  const form = new FormData()
  if (isNative(file)) form.append('file', { name, type: contentType ?? file.type, uri: file.uri } as unknown as Blob)
  else form.append('file', await blobOf(file, contentType), name)
  if (user) form.append('user', JSON.stringify(user))
  if (upload_sizes) form.append('upload_sizes', JSON.stringify(upload_sizes))
  const telling = typeof XMLHttpRequest === 'undefined' ? undefined : fetchWithProgress(onUploadProgress)
  const answer = await call<UploadAnswer>('POST', `/${kind}`, { body: form, signal, fetch: telling })
  onUploadProgress(100)
  return answer
}

/** A `fetch` with upload progress: the browser's own reports none, but `XMLHttpRequest` does. */
function fetchWithProgress(progress: (percent: number) => void): typeof fetch {
  return (url, { method = 'POST', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(url))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) progress(Math.min(99, Math.floor((loaded / total) * 100)))
      }
      request.onload = () => {
        const lines = request.getAllResponseHeaders().matchAll(/^(.+?):\s*(.*)$/gm)
        const headers = [...lines].map(([, name = '', value = '']): [string, string] => [name, value])
        resolve(new Response(request.responseText, { status: request.status, headers }))
      }
      request.onerror = () => reject(new TypeError('The upload broke off'))
      request.onabort = () => reject(new DOMException('The upload was given up', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body as XMLHttpRequestBodyInit)
    })
}

async function blobOf(file: Exclude<Uploadable, NativeFile>, contentType: string | undefined): Promise<Blob> {
  if (file instanceof Blob && (!contentType || file.type === contentType)) return file
  const type = contentType ?? 'application/octet-stream'
  if (file instanceof Blob || file instanceof Uint8Array) return new Blob([file as BlobPart], { type })
  const parts: BlobPart[] = []
  for await (const part of file as AsyncIterable<Uint8Array>) parts.push(part as BlobPart)
  return new Blob(parts, { type })
}

function isNative(file: Uploadable): file is NativeFile {
  return 'uri' in file && typeof file.uri === 'string'
}

function nameOf(file: Uploadable): string {
  return 'name' in file && typeof file.name === 'string' && file.name !== '' ? file.name : 'file'
}
