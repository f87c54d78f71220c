/** The files of a message, from picking to upload [client.md 5.8]. */

import type { UploadConfig } from '@parley/protocol/apps'
import type { UploadAnswer } from '@parley/protocol/attachments'
import type { Channel } from '../channels/channel.ts'
import type { ChatClient } from '../chat-client.ts'
import { type ChatError, type ClientCode, clientError } from '../chat-error.ts'
import { type Clock, pause } from '../clock.ts'
import type { ComposerContext } from '../composer/composer.ts'
import { FILE_BYTES_MAX, FILES_MAX, UPLOAD_AGAIN_MAX, UPLOAD_AGAIN_MS, UPLOADS_AT_ONCE } from '../limits.ts'
import { Cell, type Live } from '../live.ts'
import { randomID } from '../random-id.ts'
import type { Attachment } from '../shapes.ts'

/** Types that the server accepts as an image; everything else is a file [ATT-15]. */
const IMAGE = /^image\/(bmp|gif|jpeg|png|webp|hei[cf](-sequence)?|svg\+xml)$/

/** One file of a composer. A blocked one can never be sent; a failed one can be retried. */
export type Upload = Picked &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'uploading'; readonly percent: number }
    | { readonly status: 'finished'; readonly attachment: Attachment }
    | { readonly status: 'failed'; readonly error: ChatError }
    /** `limit`: the largest allowed size in bytes, for a file that is too large */
    | { readonly status: 'blocked'; readonly error: ChatError; readonly limit?: number }
  )

interface Picked {
  readonly id: string
  readonly file: File
  readonly kind: 'image' | 'file'
  /** More fields of the finished attachment. */
  readonly more: Attachment
}

/** The result of checking or uploading a file. */
type Progress<Each = Upload> = Each extends Upload ? Omit<Each, keyof Picked> : never

/** Prepares a file for upload, for example makes it smaller; the limits apply to the returned file. */
export type Prepare = (file: File) => Promise<File>

/** The uploads of a composer, with the restored files. @param show  called on every change */
export function uploadsOf(context: ComposerContext, show: (uploads: readonly Upload[]) => void): Uploads {
  const { comingBack, uploads = new Uploads(context.channel, context.host.clock) } = context
  if (!context.uploads) uploads.subscribe(() => show(uploads.snapshot()))
  context.uploads = uploads
  context.comingBack = undefined
  if (comingBack) uploads.restore(comingBack)
  return uploads
}

/** The uploads of one composer, live; several files upload in parallel. */
export class Uploads implements Live<readonly Upload[]> {
  #channel: Channel
  #cell = new Cell<readonly Upload[]>([])
  #given = new Map<string, AbortController>()
  #settings: ReturnType<ChatClient['getAppSettings']> | undefined
  #running = 0
  #waiting: (() => void)[] = []
  #clock: Clock
  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
  }

  /** The files, in the order they were picked. */
  snapshot = (): readonly Upload[] => this.#cell.snapshot()
  /** Calls the listener after every change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => this.#cell.subscribe(listener)

  /**
   * Checks each file and uploads those that are allowed [ATT-18]. Never rejects: the result for a file is its status.
   * @param more     more fields of the finished attachment, for example `{ type: 'voiceRecording', … }`
   * @param prepare  called with each file before its upload; if it fails, the file is uploaded unchanged
   */
  async add(files: Iterable<File>, more: Attachment = {}, prepare?: Prepare): Promise<void> {
    const picked = [...files].map((file): Upload => {
      const kind = IMAGE.test(file.type) ? 'image' : 'file'
      return { id: randomID(), file, kind, more, status: 'pending' }
    })
    this.#cell.set([...this.snapshot(), ...picked])
    await Promise.all(picked.map(({ id }) => this.#start(id, prepare)))
  }

  /** Sets more fields of the finished attachment; undefined removes a field. */
  describe(id: string, fields: Attachment) {
    const upload = this.#find(id)
    if (!upload) return
    const more = defined({ ...upload.more, ...fields })
    const attachment = 'attachment' in upload && { attachment: defined({ ...upload.attachment, ...fields }) }
    this.#becomes(id, { ...upload, more, ...attachment })
  }

  /** Uploads a failed file again. Does nothing for any other. */
  async retry(id: string): Promise<void> {
    if (this.#find(id)?.status !== 'failed') return
    this.#becomes(id, { status: 'pending' })
    await this.#start(id)
  }

  /** Moves a file to another position, counted from 0. */
  move(id: string, to: number) {
    const uploads = this.snapshot()
    const moved = this.#find(id)
    if (moved) this.#cell.set(uploads.filter((one) => one !== moved).toSpliced(to, 0, moved))
  }

  /** Replaces the restored attachments with these, uploaded before; uploads under way stay. */
  restore(attachments: readonly Attachment[]) {
    const underway = this.snapshot().filter(({ status }) => status !== 'finished')
    this.#cell.set([...attachments.map(uploaded), ...underway])
  }

  /** Removes a file, and aborts its upload. */
  remove(id: string) {
    this.#given.get(id)?.abort()
    this.#cell.set(this.snapshot().filter((one) => one.id !== id))
  }

  /** Removes all files, and aborts their uploads. */
  clear() {
    for (const { id } of this.snapshot()) this.remove(id)
  }

  /** @throws ChatError CLIENT_UPLOADS_UNFINISHED — a file is not uploaded, for any reason [ATT-9] */
  finished(): Attachment[] {
    return this.snapshot().map((upload) => {
      if (upload.status === 'finished') return upload.attachment
      throw clientError('CLIENT_UPLOADS_UNFINISHED', 'Wait until all attachments have uploaded')
    })
  }

  async #start(id: string, prepare?: Prepare) {
    const limits = await this.#limits()
    let refusal = this.#refusal(id, limits)
    const given = this.#find(id)?.file
    if (given && prepare && (!refusal || refusal.limit !== undefined)) {
      this.#becomes(id, { status: 'pending', file: await prepare(given).catch(() => given) })
      refusal = this.#refusal(id, limits)
    }
    if (refusal) return this.#becomes(id, { status: 'blocked', ...refusal })
    await this.#turn()
    await this.#send(id)
    this.#running -= 1
    this.#waiting.shift()?.()
  }

  /** Uploads the file. Retries a broken connection, with growing delays; a refusal is final. */
  async #send(id: string, tries = 0): Promise<void> {
    const upload = this.#find(id)
    if (!upload) return
    const giveUp = new AbortController()
    this.#given.set(id, giveUp)
    // A user who signs out aborts the upload.
    const unsubscribe = this.#channel.preview.subscribe(() => this.#channel.disconnected && giveUp.abort())
    try {
      const onUploadProgress = (percent: number) => this.#becomes(id, { status: 'uploading', percent })
      onUploadProgress(0)
      const { file, kind } = upload
      const send = kind === 'image' ? 'sendImage' : 'sendFile'
      const options = { onUploadProgress, signal: giveUp.signal }
      const answer = await this.#channel[send](file, file.name, undefined, undefined, options)
      const attachment = attachmentOf(this.#find(id) ?? upload, answer)
      return this.#becomes(id, { status: 'finished', attachment })
    } catch (error) {
      const failed = error as ChatError
      if (failed.code !== 'ERR_NETWORK' || tries === UPLOAD_AGAIN_MAX)
        return this.#becomes(id, { status: 'failed', error: failed })
    } finally {
      unsubscribe()
      this.#given.delete(id)
    }
    this.#becomes(id, { status: 'pending' })
    await pause(this.#clock, UPLOAD_AGAIN_MS * 3 ** tries)
    return this.#send(id, tries + 1)
  }

  /** Waits for one of the `UPLOADS_AT_ONCE` places, and takes it. */
  async #turn() {
    while (this.#running >= UPLOADS_AT_ONCE) await new Promise<void>((free) => this.#waiting.push(free))
    this.#running += 1
  }

  /** In this order: permission, number, type, size [ATT-18]. */
  #refusal(id: string, limits: UploadLimits): { error: ChatError; limit?: number } | undefined {
    const upload = this.#find(id)
    if (!upload) return
    const { file, kind } = upload
    const capabilities = this.#channel.data.own_capabilities
    if (capabilities && !['upload-file', 'create-attachment'].every((right) => capabilities.includes(right)))
      return refused('CLIENT_UPLOAD_PERMISSION', 'Missing permissions to upload the attachment')
    const before = this.snapshot().filter(({ status }) => status !== 'blocked')
    if (before.findIndex((one) => one.id === id) >= FILES_MAX)
      return refused('CLIENT_UPLOAD_COUNT', "You've reached the maximum number of files")
    const config = limits[kind]
    if (!isAllowed(file, config))
      return refused('CLIENT_UPLOAD_TYPE', `Upload type: "${file.type || extensionOf(file)}" is not allowed`)
    const limit = Math.min(config?.size_limit || FILE_BYTES_MAX, FILE_BYTES_MAX)
    if (file.size > limit) {
      const text = `File is too large: ${inWords(file.size)}, maximum upload size is ${inWords(limit)}`
      return { ...refused('CLIENT_UPLOAD_SIZE', text), limit }
    }
  }

  /** Queries the limits until there is an answer. Without one, the server checks alone. */
  async #limits(): Promise<UploadLimits> {
    try {
      this.#settings ??= this.#channel.getClient().getAppSettings()
      const { app } = await this.#settings
      return { image: app.image_upload_config, file: app.file_upload_config } as UploadLimits
    } catch {
      this.#settings = undefined
      return {}
    }
  }

  #find(id: string): Upload | undefined {
    return this.snapshot().find((one) => one.id === id)
  }

  /** Sets the progress of a file, unless it was removed. */
  #becomes(id: string, progress: Progress & Partial<Picked>) {
    const change = (upload: Upload): Upload => {
      const { file, kind, more } = upload
      return upload.id === id ? ({ id, file, kind, more, ...progress } as Upload) : upload
    }
    if (this.#find(id)) this.#cell.set(this.snapshot().map(change))
  }
}

type UploadLimits = Partial<Record<'image' | 'file', UploadConfig>>

/** An attachment that was uploaded before the page loaded, represented by an empty file with its name. */
function uploaded(attachment: Attachment): Upload {
  const { type, title, fallback, mime_type } = attachment
  const file = new File([], title ?? fallback ?? '', { type: String(mime_type ?? '') })
  const kind = type === 'image' ? 'image' : 'file'
  return { id: randomID(), file, kind, more: attachment, status: 'finished', attachment }
}

function defined(fields: Attachment): Attachment {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Attachment
}

function refused(code: Extract<ClientCode, `CLIENT_UPLOAD_${string}`>, text: string) {
  return { error: clientError(code, text) }
}

function attachmentOf({ file, kind, more }: Picked, { file: url, thumb_url, ...answer }: UploadAnswer): Attachment {
  const common = { mime_type: file.type, file_size: file.size, ...(thumb_url && { thumb_url }) }
  const { original_width, original_height } = answer
  if (kind === 'image') {
    const size = original_width && original_height ? { original_width, original_height } : {}
    return { type: 'image', image_url: url, fallback: file.name, ...common, ...size, ...more }
  }
  const [family] = file.type.split('/')
  const type = family === 'video' || family === 'audio' ? family : 'file'
  const rendition = answer.rendition_url ? { rendition_url: answer.rendition_url } : {}
  return { type, asset_url: url, title: file.name, ...common, ...rendition, ...more }
}

/** Blocked types win [ATT-15]. Extensions may lack their dot; `image/*` means every image type. */
function isAllowed(file: File, config: UploadConfig | undefined): boolean {
  if (!config) return true
  const name = file.name.toLowerCase()
  const hasExtension = (given: string) => name.endsWith(`.${given.replace(/^\./, '').toLowerCase()}`)
  const hasType = (given: string) =>
    given.endsWith('/*') ? file.type.startsWith(given.slice(0, -1)) : file.type === given.toLowerCase()
  const { allowed_file_extensions = [], allowed_mime_types = [] } = config
  if (config.blocked_file_extensions?.some(hasExtension) || config.blocked_mime_types?.some(hasType)) return false
  const extensionFits = allowed_file_extensions.length === 0 || allowed_file_extensions.some(hasExtension)
  return extensionFits && (allowed_mime_types.length === 0 || allowed_mime_types.some(hasType))
}

function extensionOf(file: File): string {
  return /\.[^.]+$/.exec(file.name)?.[0] ?? file.name
}

/** 1536 → `1.5 kB` */
function inWords(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  const step = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1_024 ** step) * 10) / 10} ${units[step]}`
}
