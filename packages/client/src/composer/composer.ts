import type { Prepare, Upload, Uploads } from '../attachments/uploads.ts'
import type { Channel } from '../channels/channel.ts'
import type { ClientContext } from '../client-context.ts'
import type { DraftSync } from '../drafts/draft-sync.ts'
import { Cell, type Live, merged } from '../live.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import type { SendOptions } from '../messages/outbox.ts'
import { OnDemand, toWrite } from '../on-demand.ts'
import type { Attachment, User } from '../shapes.ts'
import type { CommandText } from './command-text.ts'
import type { LinkPreview, LinkPreviews } from './link-previews.ts'

/** The content of a composer and its context: edit, quote, thread options and files. */
export interface Composition {
  /** The whole text, with the command it begins with. */
  readonly text: string
  /** The command at the start of the text, and its arguments; undefined without a command. */
  readonly command: CommandText | undefined
  /** Users picked while writing. The message mentions only those whose name is still in the text. */
  readonly mentioned: readonly User[]
  readonly quoted: LocalMessage | undefined
  /** The message being edited, if any. */
  readonly editing: LocalMessage | undefined
  /** For a thread: also show the reply in the channel. */
  readonly showInChannel: boolean
  /** The files of the message, which cannot be sent before all of them are uploaded [ATT-9]. */
  readonly uploads: readonly Upload[]
  /** The poll of the message. */
  readonly pollID: string | undefined
  /** The preview of the first link in the text; undefined without a link, and without `LinkPreviews`. */
  readonly linkPreview: LinkPreview | undefined
  /** The draft that lost to a draft written on another device at the same time; see `DraftSync`. */
  readonly otherDraft: { readonly text: string } | undefined
}

/** A selection in the text, as offsets counted from 0; both are equal where only the caret is. */
export interface Caret {
  readonly from: number
  readonly to: number
}

const nothing: Composition = {
  text: '',
  command: undefined,
  mentioned: [],
  quoted: undefined,
  editing: undefined,
  showInChannel: false,
  uploads: [],
  pollID: undefined,
  linkPreview: undefined,
  otherDraft: undefined,
}

const uploading = new OnDemand(() => import('../attachments/uploads.ts'))

/** What the lazily loaded parts of a composer may do with it. */
export interface ComposerContext {
  readonly channel: Channel
  readonly host: ClientContext
  readonly parentID: string | undefined
  /** Keeps drafts on the server; undefined without `DraftSync`. */
  drafts?: DraftSync
  /**
   * The caret in the draft's text, if the text field has set it since the text changed. Stored and restored with the
   * draft; listeners are not notified.
   */
  caret?: Caret | undefined
  /** Previews the links; undefined without `LinkPreviews`. */
  links?: LinkPreviews
  /** The uploads, once a file was added. */
  uploads?: Uploads
  /** Files to restore once the upload code is loaded. */
  comingBack?: readonly Attachment[] | undefined
  /** The storage key of the draft on this device, by the channel's current name unless another one is given. */
  key(cid?: string): string
  /** The channel's name when the composer was created: a temporary one if the server had not named the channel yet. */
  readonly firstCid: string
  /** The draft; during an edit, the draft that is restored afterwards. */
  written(): Composition
  change(change: Partial<Composition>): void
  /** Empties the composer at once. */
  empty(): void
  /** @throws ChatError CLIENT_UPLOADS_UNFINISHED */
  finishedUploads(): readonly Attachment[]
  /** Loads the upload code, with the first file. */
  withUploads<Result>(use: (uploads: Uploads) => Result): Promise<Awaited<Result>>
}

/** The composer of a channel or of one of its threads, independent of any view [client.md 5.8]. */
export class Composer implements Live<Composition> {
  /** The context for the composer's other parts. */
  readonly context: ComposerContext
  #cell = new Cell<Composition>(nothing)
  /** The draft that an edit replaced. */
  #setAside: Composition | undefined
  constructor(channel: Channel, host: ClientContext, parentID?: string) {
    // The author of the draft, also after they have signed out.
    const ownerID = host.me()?.id ?? ''
    const context: ComposerContext = {
      channel,
      host,
      parentID,
      firstCid: channel.cid,
      key: (cid = channel.cid) => `draft:${ownerID}:${cid}${parentID ? `:${parentID}` : ''}`,
      // The files belong to the composer, whatever it contains.
      written: () => ({ ...(this.#setAside ?? this.snapshot()), uploads: this.snapshot().uploads }),
      change: (change) => {
        if (this.#setAside) this.#setAside = { ...this.#setAside, ...change }
        else this.#set(change)
      },
      empty: () => {
        this.#setAside = undefined
        context.comingBack = undefined
        context.caret = undefined
        context.uploads?.clear()
        this.#set({ ...nothing, otherDraft: this.snapshot().otherDraft })
      },
      finishedUploads: () => context.comingBack ?? context.uploads?.finished() ?? [],
      withUploads: (use) =>
        uploading.use(({ uploadsOf }) => use(uploadsOf(context, (uploads) => this.#set({ uploads })))),
    }
    this.context = context
  }

  /** The content; see `Composition`. */
  snapshot = (): Composition => this.#cell.snapshot()
  /** Calls the listener after every change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => {
    // Loads the code for writing as soon as a composer is shown, in case the network is lost later. Later callers load
    // it again and get the error.
    toWrite.fetch().catch(() => {})
    return this.#cell.subscribe(listener)
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    const { text, uploads, pollID } = this.snapshot()
    return text.trim() === '' && uploads.length === 0 && !pollID
  }

  /** The current text of the field. */
  setText(text: string) {
    if (!this.#setAside) this.context.caret = undefined
    this.#set({ text })
  }

  /** Mentions this user where the text has their name. */
  mention(user: User) {
    const { mentioned } = this.snapshot()
    if (!mentioned.some(({ id }) => id === user.id)) this.#set({ mentioned: [...mentioned, user] })
  }

  /** Quotes a message; undefined removes the quote. */
  quote(message: LocalMessage | undefined) {
    this.#set({ quoted: message })
  }

  /** For a thread: whether the reply is also shown in the channel. */
  setShowInChannel(showInChannel: boolean) {
    this.#set({ showInChannel })
  }

  /** The poll of the message, created with `client.createPoll()`; undefined removes it. */
  setPoll(pollID: string | undefined) {
    this.#set({ pollID })
  }

  /**
   * Uploads files for the message. `uploads` has the result of each; never rejects.
   * @param more     more fields of the finished attachments
   * @param prepare  called with each file before its upload
   */
  attach(files: Iterable<File>, more: Attachment = {}, prepare?: Prepare): Promise<void> {
    return this.context.withUploads((uploads) => uploads.add(files, more, prepare))
  }

  /** Uploads a failed file again. */
  retry(id: string): Promise<void> {
    return this.context.withUploads((uploads) => uploads.retry(id))
  }

  /** Adds details to a picked file, for example `{ alt_text: 'The harbour at dusk' }`. */
  describeUpload(id: string, fields: Attachment) {
    this.#changeUploads((uploads) => uploads.describe(id, fields))
  }

  /** Moves a file to another position, counted from 0. */
  moveUpload(id: string, to: number) {
    this.#changeUploads((uploads) => uploads.move(id, to))
  }

  /** Removes a file, and aborts its upload. */
  remove(id: string) {
    this.#changeUploads((uploads) => uploads.remove(id))
  }

  /** Starts to edit a message; the draft is restored afterwards. */
  edit(message: LocalMessage) {
    const written = this.snapshot()
    this.#setAside ??= written
    const { text, mentioned_users: mentioned } = message
    this.#cell.set({ ...nothing, uploads: written.uploads, text, mentioned, editing: message })
  }

  /** Ends the edit and restores the draft. */
  cancelEdit() {
    if (!this.#setAside) return
    const written = this.context.written()
    this.#setAside = undefined
    this.#set(written)
  }

  /** Removes the text, its files and its draft. */
  clear() {
    this.context.empty()
    this.#later((module) => module.removeDraft(this.context))
  }

  /**
   * Sends the message, or saves the edit, and empties the composer at once.
   * @throws ChatError CLIENT_UPLOADS_UNFINISHED — a file is not uploaded yet, has failed or is blocked
   * @returns the message after the server's answer; undefined when there was nothing to send
   */
  send(options: SendOptions = {}): Promise<LocalMessage | undefined> {
    return toWrite.use((module) => module.sendWritten(this, options))
  }

  /** Stores the draft when the user leaves; an edit is not a draft. */
  saveDraft() {
    this.#later((module) => module.saveDraft(this.context))
  }

  /**
   * Restores the stored draft, unless the user has typed meanwhile. With `DraftSync`, also the server's draft: call it
   * again when that changes and the user is not typing.
   */
  restoreDraft() {
    if (!this.snapshot().editing) this.#later((module) => module.restoreDraft(this.context))
  }

  /** The user's own message arrived from another device: the draft was sent there [client.md 2.9]. */
  posted(text: string) {
    this.#later((module) => module.sentElsewhere(this.context, text))
  }

  #changeUploads(change: (uploads: Uploads) => void) {
    this.#later(() => this.context.withUploads(change))
  }

  /** Runs in the background: a failure is only logged. */
  #later(task: (module: typeof import('../lazy-chunk-composer.ts')) => unknown) {
    toWrite.use(task).catch((error) => this.context.host.log('error', 'A draft was lost.', error))
  }

  #set(change: Partial<Composition>) {
    const next = merged(this.snapshot(), change)
    const { text, editing, command: known } = next
    const command = editing ? undefined : toWrite.module?.commandIn(this.context.channel.data, text, known)
    this.#cell.set(merged(next, { command }))
    if ('text' in change) this.context.links?.read()
  }
}
