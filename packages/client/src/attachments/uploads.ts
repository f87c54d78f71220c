/** The files that go with a message, from being picked to being uploaded [client.md 5.8]. */

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

/** What the server takes as an image; everything else is a file [ATT-15]. */
const IMAGE = /^image\/(bmp|gif|jpeg|png|webp|hei[cf](-sequence)?|svg\+xml)$/

/** One file on its way. A blocked one can never be sent; a failed one can be tried again. */
export type Upload = Picked &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'uploading'; readonly percent: number }
    | { readonly status: 'finished'; readonly attachment: Attachment }
    | { readonly status: 'failed'; readonly error: ChatError }
    /** `limit` is the most bytes it may have, when it has too many */
    | { readonly status: 'blocked'; readonly error: ChatError; readonly limit?: number }
  )

interface Picked {
  readonly id: string
  readonly file: File
  readonly kind: 'image' | 'file'
  /** Fields that the finished attachment has besides. */
  readonly more: Attachment
}

/** What becomes of it. */
type Progress<Each = Upload> = Each extends Upload ? Omit<Each, keyof Picked> : never

/** Makes a file ready before it goes, smaller for example; the limits are those of what it gives back. */
export type Prepare = (file: File) => Promise<File>

/** The uploads of a composer, with the files that were to be brought back. @param show  called on every change */
export function uploadsOf(context: ComposerContext, show: (uploads: readonly Upload[]) => void): Uploads {
  const { comingBack, uploads = new Uploads(context.channel, context.host.clock) } = context
  if (!context.uploads) uploads.subscribe(() => show(uploads.snapshot()))
  context.uploads = uploads
  context.comingBack = undefined
  if (comingBack) uploads.restore(comingBack)
  return uploads
}

/** Live for one composer; several files go up at once. */
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

  /** The files, in the order in which they were picked. */
  snapshot = (): readonly Upload[] => this.#cell.snapshot()
  /** Calls the listener after every change, until the function it gives back is called. */
  subscribe = (listener: () => void): (() => void) => this.#cell.subscribe(listener)

  /**
   * Checks each file and uploads those that may be [ATT-18]. Never rejects: what became of a file is its status.
   * @param more     fields that the finished attachment has besides, `{ type: 'voiceRecording', … }` for example
   * @param prepare  what happens to each file before; a file that it fails for goes as it is
   */
  async add(files: Iterable<File>, more: Attachment = {}, prepare?: Prepare): Promise<void> {
    const picked = [...files].map((file): Upload => {
      const kind = IMAGE.test(file.type) ? 'image' : 'file'
      return { id: randomID(), file, kind, more, status: 'pending' }
    })
    this.#cell.set([...this.snapshot(), ...picked])
    await Promise.all(picked.map(({ id }) => this.#start(id, prepare)))
  }

  /** Gives the finished attachment other fields besides; those that are undefined go. */
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

  /** Gives a file another place among the others, counted from 0. */
  move(id: string, to: number) {
    const uploads = this.snapshot()
    const moved = this.#find(id)
    if (moved) this.#cell.set(uploads.filter((one) => one !== moved).toSpliced(to, 0, moved))
  }

  /** Has these attachments, uploaded before, in place of others that were; those on their way stay. */
  restore(attachments: readonly Attachment[]) {
    const underway = this.snapshot().filter(({ status }) => status !== 'finished')
    this.#cell.set([...attachments.map(uploaded), ...underway])
  }

  /** Takes a file away; one that is on its way is given up. */
  remove(id: string) {
    this.#given.get(id)?.abort()
    this.#cell.set(this.snapshot().filter((one) => one.id !== id))
  }

  /** Takes all files away; those on their way are given up. */
  clear() {
    for (const { id } of this.snapshot()) this.remove(id)
  }

  /** @throws ChatError CLIENT_UPLOADS_UNFINISHED — a file is not uploaded, for whatever reason [ATT-9] */
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

  /** What broke off goes again by itself, later each time; what was refused does not. */
  async #send(id: string, tries = 0): Promise<void> {
    const upload = this.#find(id)
    if (!upload) return
    const giveUp = new AbortController()
    this.#given.set(id, giveUp)
    // A signed-out user uploads nothing more.
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

  /** Waits until fewer files than `UPLOADS_AT_ONCE` are on their way, and takes the free place. */
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

  /** Asked for until there is an answer; without one the server's own refusal has to do. */
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

  /** Nothing comes back of what has been taken away. */
  #becomes(id: string, progress: Progress & Partial<Picked>) {
    const change = (upload: Upload): Upload => {
      const { file, kind, more } = upload
      return upload.id === id ? ({ id, file, kind, more, ...progress } as Upload) : upload
    }
    if (this.#find(id)) this.#cell.set(this.snapshot().map(change))
  }
}

type UploadLimits = Partial<Record<'image' | 'file', UploadConfig>>

/** What was uploaded before the page came: an empty file with its name stands for it. */
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

/** Blocked wins [ATT-15]. Extensions may come without their dot, `image/*` names a family. */
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
