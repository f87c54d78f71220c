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

/** What is being written, and about what. */
export interface Composition {
  /** All of it, with the command it begins with. */
  readonly text: string
  /** The command the text begins with, and its arguments; undefined while the text is only a text. */
  readonly command: CommandText | undefined
  /** People picked while writing; only those whose name is still in the text are mentioned in the end. */
  readonly mentioned: readonly User[]
  readonly quoted: LocalMessage | undefined
  /** The message being changed, when this is an edit. */
  readonly editing: LocalMessage | undefined
  /** For a thread: also show the reply in the channel. */
  readonly showInChannel: boolean
  /** The files that go with it; it cannot be sent before all of them are uploaded [ATT-9]. */
  readonly uploads: readonly Upload[]
  /** The poll that goes with it. */
  readonly pollID: string | undefined
  /** What the first link of the text leads to; undefined without a link, and without `LinkPreviews`. */
  readonly linkPreview: LinkPreview | undefined
  /** What had to give way to what was written on another device at the same time; see `DraftSync`. */
  readonly otherDraft: { readonly text: string } | undefined
}

/** Places in the words of a text box, counted from 0: the caret where both are the same, else what is marked. */
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

/** What the parts of a composer that are fetched may do with it. */
export interface ComposerContext {
  readonly channel: Channel
  readonly host: ClientContext
  readonly parentID: string | undefined
  /** What keeps drafts on the server, if anything does. */
  drafts?: DraftSync
  /**
   * Where somebody is in the words of the draft, once the field has said so since it changed: kept with it and back with
   * it. Nobody is told of it.
   */
  caret?: Caret | undefined
  /** What looks at its links, if anything does. */
  links?: LinkPreviews
  /** Those of its files that are uploads, once there was one. */
  uploads?: Uploads
  /** Files that are being brought back, while what uploads is fetched. */
  comingBack?: readonly Attachment[] | undefined
  /** Where the words rest on this device; under the name that the channel has now, unless another one is given. */
  key(cid?: string): string
  /** What the channel was called when this began: a temporary name, where the server had not named it yet. */
  readonly firstCid: string
  /** What is being written; while a message is changed, what comes back afterwards. */
  written(): Composition
  change(change: Partial<Composition>): void
  /** Leaves nothing written, at once. */
  empty(): void
  /** @throws ChatError CLIENT_UPLOADS_UNFINISHED */
  finishedUploads(): readonly Attachment[]
  /** Fetches what uploads, with the first file. */
  withUploads<Result>(use: (uploads: Uploads) => Result): Promise<Awaited<Result>>
}

/** What is being written in a channel or in one of its threads; knows no screen [client.md 5.8]. */
export class Composer implements Live<Composition> {
  /** What its other parts do with it. */
  readonly context: ComposerContext
  #cell = new Cell<Composition>(nothing)
  /** What was being written before an edit took its place. */
  #setAside: Composition | undefined
  constructor(channel: Channel, host: ClientContext, parentID?: string) {
    // Whose words these are, also after they were signed out.
    const ownerID = host.me()?.id ?? ''
    const context: ComposerContext = {
      channel,
      host,
      parentID,
      firstCid: channel.cid,
      key: (cid = channel.cid) => `draft:${ownerID}:${cid}${parentID ? `:${parentID}` : ''}`,
      // Files are those of the composer, whatever is written in it.
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

  /** What is being written; see `Composition`. */
  snapshot = (): Composition => this.#cell.snapshot()
  /** Calls the listener after every change, until the function it gives back is called. */
  subscribe = (listener: () => void): (() => void) => {
    // Where it is shown somebody may write, also when the network has gone. Whoever does asks again, and hears of it.
    toWrite.fetch().catch(() => {})
    return this.#cell.subscribe(listener)
  }

  /** Whether there is something to send. */
  get isEmpty(): boolean {
    const { text, uploads, pollID } = this.snapshot()
    return text.trim() === '' && uploads.length === 0 && !pollID
  }

  /** The current text of the field. */
  setText(text: string) {
    if (!this.#setAside) this.context.caret = undefined
    this.#set({ text })
  }

  /** Remembers who is meant by the name in the text. */
  mention(user: User) {
    const { mentioned } = this.snapshot()
    if (!mentioned.some(({ id }) => id === user.id)) this.#set({ mentioned: [...mentioned, user] })
  }

  /** Quotes a message, or nothing. */
  quote(message: LocalMessage | undefined) {
    this.#set({ quoted: message })
  }

  /** For a thread: whether the reply is also shown in the channel. */
  setShowInChannel(showInChannel: boolean) {
    this.#set({ showInChannel })
  }

  /** The poll that goes with the message, or none; it has been created with `client.createPoll()`. */
  setPoll(pollID: string | undefined) {
    this.#set({ pollID })
  }

  /**
   * Uploads files for the message. The result of each is in `uploads`; nothing is rejected.
   * @param more     fields that the finished attachments have besides
   * @param prepare  what happens to each file before it goes
   */
  attach(files: Iterable<File>, more: Attachment = {}, prepare?: Prepare): Promise<void> {
    return this.context.withUploads((uploads) => uploads.add(files, more, prepare))
  }

  /** Uploads a file again that failed. */
  retry(id: string): Promise<void> {
    return this.context.withUploads((uploads) => uploads.retry(id))
  }

  /** Adds details to a picked file, `{ alt_text: 'The harbour at dusk' }` for example. */
  describeUpload(id: string, fields: Attachment) {
    this.#changeUploads((uploads) => uploads.describe(id, fields))
  }

  /** Gives a file another place among the files, counted from 0. */
  moveUpload(id: string, to: number) {
    this.#changeUploads((uploads) => uploads.move(id, to))
  }

  /** Takes a file away again; one that is on its way is given up. */
  remove(id: string) {
    this.#changeUploads((uploads) => uploads.remove(id))
  }

  /** Starts to change a message; what was being written comes back afterwards. */
  edit(message: LocalMessage) {
    const written = this.snapshot()
    this.#setAside ??= written
    const { text, mentioned_users: mentioned } = message
    this.#cell.set({ ...nothing, uploads: written.uploads, text, mentioned, editing: message })
  }

  /** Ends an edit; what was being written before comes back. */
  cancelEdit() {
    if (!this.#setAside) return
    const written = this.context.written()
    this.#setAside = undefined
    this.#set(written)
  }

  /** Forgets what was written, with its files and its draft. */
  clear() {
    this.context.empty()
    this.#later((module) => module.removeDraft(this.context))
  }

  /**
   * Sends what is written, or saves the edit, and leaves an empty composer at once.
   * @throws ChatError CLIENT_UPLOADS_UNFINISHED — a file is not uploaded yet, has failed or is blocked
   * @returns the message after the server's answer; undefined when there was nothing to send
   */
  send(options: SendOptions = {}): Promise<LocalMessage | undefined> {
    return toWrite.use((module) => module.sendWritten(this, options))
  }

  /** Stores what is written, on leaving; an edit is not a draft. */
  saveDraft() {
    this.#later((module) => module.saveDraft(this.context))
  }

  /**
   * Restores the stored draft, unless the user has typed meanwhile. With `DraftSync`, the one of the server
   * as well: call it again when that changes and nobody is writing.
   */
  restoreDraft() {
    if (!this.snapshot().editing) this.#later((module) => module.restoreDraft(this.context))
  }

  /** A message of one's own came from elsewhere: the draft was sent on another device [client.md 2.9]. */
  posted(text: string) {
    this.#later((module) => module.sentElsewhere(this.context, text))
  }

  #changeUploads(change: (uploads: Uploads) => void) {
    this.#later(() => this.context.withUploads(change))
  }

  /** Runs in the background: a failure is only logged. */
  #later(task: (module: typeof import('../lazy-chunk-composer.ts')) => unknown) {
    toWrite.use(task).catch((error) => this.context.host.log('error', 'A draft or its files were lost.', error))
  }

  #set(change: Partial<Composition>) {
    const next = merged(this.snapshot(), change)
    const { text, editing, command: known } = next
    const command = editing ? undefined : toWrite.module?.commandIn(this.context.channel.data, text, known)
    this.#cell.set(merged(next, { command }))
    if ('text' in change) this.context.links?.read()
  }
}
