import type { Prepare, Upload, Uploads } from '../attachments/uploads.ts'
import type { Channel } from '../channels/channel.ts'
import { messageIn } from '../channels/channel-state.ts'
import { Cell, type Live } from '../live.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import type { SendOptions } from '../messages/outbox.ts'
import { OnDemand } from '../on-demand.ts'
import type { Attachment, OwnUser, User } from '../shapes.ts'
import type { ClientStorage } from '../storage/storage.ts'

/** What was being written when it was left. */
interface StoredDraft {
  text: string
  mentioned: User[]
  quotedMessageID?: string
}

/** What is being written, and about what. */
export interface Composition {
  readonly text: string
  /** People picked while writing; only those whose name still stands in the text are mentioned in the end. */
  readonly mentioned: readonly User[]
  readonly quoted: LocalMessage | undefined
  /** The message being changed, when this is an edit. */
  readonly editing: LocalMessage | undefined
  /** For a thread: also show the reply in the channel. */
  readonly showInChannel: boolean
  /** The files that go with it; it cannot be sent before all of them are uploaded [ATT-9]. */
  readonly uploads: readonly Upload[]
}

const nothing: Composition = {
  text: '',
  mentioned: [],
  quoted: undefined,
  editing: undefined,
  showInChannel: false,
  uploads: [],
}

const uploading = new OnDemand(() => import('../attachments/uploads.ts'))

/** What is being written in a channel or in one of its threads; knows no screen [client.md 5.8]. */
export class Composer implements Live<Composition> {
  #channel: Channel
  #parentID: string | undefined
  #storage: ClientStorage
  /** Whose words these are, also after they were signed out. */
  #ownerID: string | undefined
  #cell = new Cell<Composition>(nothing)
  /** What was being written before an edit took its place. */
  #setAside: Composition | undefined
  #sendingID: string | undefined
  #uploads: Uploads | undefined
  constructor(
    channel: Channel,
    { storage, me }: { storage: ClientStorage; me(): OwnUser | User | undefined },
    parentID?: string,
  ) {
    this.#channel = channel
    this.#parentID = parentID
    this.#storage = storage
    this.#ownerID = me()?.id
  }

  /** What is being written; see `Composition`. */
  snapshot = () => this.#cell.snapshot()
  /** Calls the listener after every change, until the function it gives back is called. */
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  /** Whether there is something to send. */
  get isEmpty() {
    const { text, uploads } = this.snapshot()
    return text.trim() === '' && uploads.length === 0
  }

  /** What stands in the field now. */
  setText(text: string) {
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

  /**
   * Uploads files for the message. What became of each stands in `uploads`; nothing is rejected.
   * @param more     fields that the finished attachments have besides
   * @param prepare  what happens to each file before it goes
   */
  attach(files: Iterable<File>, more: Attachment = {}, prepare?: Prepare): Promise<void> {
    return uploading.use(({ Uploads }) => {
      this.#uploads ??= this.#followed(new Uploads(this.#channel))
      return this.#uploads.add(files, more, prepare)
    })
  }

  /** Uploads a file again that failed. */
  async retry(id: string): Promise<void> {
    await this.#uploads?.retry(id)
  }

  /** Says more of a file that is picked, `{ alt_text: 'The harbour at dusk' }` for example. */
  describeUpload(id: string, fields: Attachment) {
    this.#uploads?.describe(id, fields)
  }

  /** Takes a file away again; one that is on its way is given up. */
  remove(id: string) {
    this.#uploads?.remove(id)
  }

  /** Starts to change a message; what was being written comes back afterwards. */
  edit(message: LocalMessage) {
    if (!this.snapshot().editing) this.#setAside = this.snapshot()
    const { uploads } = this.snapshot()
    this.#cell.set({ ...nothing, uploads, text: message.text, mentioned: message.mentioned_users, editing: message })
  }

  /** Ends an edit; what was being written before comes back. */
  cancelEdit() {
    if (!this.snapshot().editing) return
    this.#cell.set({ ...(this.#setAside ?? nothing), uploads: this.#uploads?.snapshot() ?? [] })
    this.#setAside = undefined
  }

  /** Forgets what was written, with its files and its draft. */
  clear() {
    this.#setAside = undefined
    this.#uploads?.clear()
    this.#cell.set(nothing)
    this.#removeDraft()
  }

  /**
   * Sends what is written, or saves the edit, and leaves an empty composer at once.
   * @throws ChatError CLIENT_UPLOADS_UNFINISHED — a file is not uploaded yet, has failed or is blocked
   * @returns the message as it stands when the server has answered; undefined when there was nothing to send
   */
  async send(options: SendOptions = {}): Promise<LocalMessage | undefined> {
    if (this.isEmpty) return undefined
    const { text, mentioned, quoted, editing, showInChannel } = this.snapshot()
    const mentioned_users = mentioned.filter((user) => text.includes(`@${user.name || user.id}`)).map(({ id }) => id)
    this.#channel.stopTyping(this.#parentID).catch(() => {}) // Others forget a typist by themselves.
    if (editing) {
      this.cancelEdit()
      return this.#channel.edit(editing.id, { text, mentioned_users })
    }
    const attachments = this.#uploads?.finished() ?? []
    this.clear()
    const draft = {
      id: `${this.#ownerID}-${crypto.randomUUID()}`,
      text,
      mentioned_users,
      ...(attachments.length > 0 && { attachments }),
      ...(quoted && { quoted_message_id: quoted.id }),
      ...(this.#parentID && { parent_id: this.#parentID, show_in_channel: showInChannel }),
    }
    this.#sendingID = draft.id
    return this.#channel.send(draft, options)
  }

  /** Stores what is written, on leaving; an edit is not a draft. */
  saveDraft() {
    const written = this.snapshot().editing ? (this.#setAside ?? nothing) : this.snapshot()
    if (written.text.trim() === '' && !written.quoted) return this.#removeDraft()
    const { text, mentioned, quoted } = written
    const draft: StoredDraft = { text, mentioned: [...mentioned], quotedMessageID: quoted?.id }
    this.#storage.set(this.#key(), draft)
  }

  /** Brings the stored draft back, unless something has been written meanwhile. */
  restoreDraft() {
    const stored = this.#storage.get(this.#key())
    if (!isDraft(stored) || !this.isEmpty || this.snapshot().editing) return
    const quoted = stored.quotedMessageID ? messageIn(this.#channel.state, stored.quotedMessageID) : undefined
    this.#set({ text: stored.text, mentioned: stored.mentioned, quoted })
  }

  /** A message of one's own came from elsewhere: the draft was sent on another device [client.md 2.9]. */
  posted(messageID: string) {
    if (messageID !== this.#sendingID) this.#removeDraft()
  }

  #set(change: Partial<Composition>) {
    this.#cell.set({ ...this.snapshot(), ...change })
  }

  #followed(uploads: Uploads): Uploads {
    uploads.subscribe(() => this.#set({ uploads: uploads.snapshot() }))
    return uploads
  }

  #removeDraft() {
    this.#storage.delete(this.#key())
  }

  #key() {
    const where = this.#parentID ? `${this.#channel.cid}:${this.#parentID}` : this.#channel.cid
    return `draft:${this.#ownerID ?? ''}:${where}`
  }
}

/** What is kept may have been written by an older version. */
function isDraft(stored: unknown): stored is StoredDraft {
  const { text, mentioned } = (stored ?? {}) as Partial<StoredDraft>
  return typeof text === 'string' && Array.isArray(mentioned)
}
