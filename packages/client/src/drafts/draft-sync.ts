import { messageIn } from '../channels/channel-state.ts'
import type { Composer, ComposerContext } from '../composer/composer.ts'
import type { StoredDraft, Words } from '../composer/draft.ts'
import { DRAFT_SYNC_MS, OTHER_DRAFT_KEPT_MS } from '../limits.ts'
import { isEarlier, type LocalMessage } from '../messages/local-message.ts'
import { toWrite } from '../on-demand.ts'
import { randomID } from '../random-id.ts'
import type { OwnDraft } from '../shapes.ts'

/** What the composer keeps its draft with; all of this begins there, so it has been fetched [decision 0008]. */
const own = () => toWrite.module as NonNullable<typeof toWrite.module>

const noWords: Words = { text: '', mentioned: [] }

/**
 * Keeps the draft of a composer on the server as well, so that one goes on writing on another device [client.md 2.9].
 * From then on the composer's own `saveDraft`, `restoreDraft`, `clear` and `send` go by it. What was written on two
 * devices at the same time is not lost: one of them is in the composer, and the other is `otherDraft` for 24 hours.
 *
 * ```ts
 * import { DraftSync } from '@parley/client/drafts'
 *
 * const sync = new DraftSync(channel.composer)
 * channel.composer.restoreDraft()
 * ```
 */
export class DraftSync {
  #context: ComposerContext
  /** The id under which this page gives its words to the server. */
  #id = randomID()
  /** What the server is given at this moment. */
  #given: Words | undefined
  /** The server has it, and the state does not know yet. */
  #unseen: string | undefined
  /** The server may have it a moment longer, although it was sent or thrown away here. */
  #done: string | undefined
  /**
   * The last of what is to be said to the server: one thing after the other, so that nothing overtakes what is newer.
   */
  #turn: Promise<unknown> = Promise.resolve()
  #cancel = () => {}
  constructor(composer: Composer) {
    this.#context = composer.context
    composer.context.drafts = this
  }

  /** Changes what is written for `otherDraft`, which it is from then on. */
  exchange() {
    const other = this.#other
    if (!other) return
    const here = own().wordsIn(this.#context)
    this.forgetOther()
    if (!own().isEmpty(here)) this.#keepOther(here)
    this.#show(other)
    this.saved(other)
  }

  /** Throws `otherDraft` away. */
  forgetOther() {
    this.#context.host.storage.delete(this.#otherKey)
    this.#showOther()
  }

  /** Something is written here: it is on this device at once, on the server soon after the last of several calls. */
  saved(words: Words) {
    own().keepWords(this.#context, words)
    this.#pushSoon()
  }

  /**
   * It was thrown away here, or sent. The server ends the draft of a message by itself, but not of one that fails or is
   * a command.
   */
  removed(sending?: Promise<LocalMessage>) {
    const version = this.#forget()
    this.#inTurn(async () => {
      const message = await sending?.catch(() => undefined)
      if (version !== undefined && message?.status !== 'received') await this.#end(version)
    })
  }

  /** It was sent from elsewhere: what stands here stays only if it has become something else. */
  posted(text: string) {
    const stored = this.#stored
    this.#forget()
    // Also while the answer that says so is on its way.
    const known = stored?.isSynced ? stored : this.#given
    if (known && own().same(known, own().wordsIn(this.#context))) this.#show(noWords)
    if (this.#other && text.startsWith(this.#other.text)) this.forgetOther()
  }

  /** Restores the newer of the local and the server's draft. */
  restore() {
    const here = own().wordsIn(this.#context)
    const isWriting = !own().isEmpty(here)
    if (isWriting) this.saved(here)
    this.#showOther()
    const stored = this.#stored
    const remote = this.#remote
    if (remote && !isNewer(this.#unseen, remote.created_at)) this.#unseen = undefined
    if (remote && remote.message.id !== this.#id && isNewer(remote.created_at, stored?.version)) {
      this.#meet(remote, stored, isWriting)
    } else if (stored?.isSynced && !remote && this.#isAnswered && !this.#unseen) {
      // Sent or thrown away elsewhere.
      this.#forget()
      this.#keepOther(stored)
      this.#show(noWords)
    } else if (stored) {
      this.#show(stored)
      this.#pushSoon()
    }
  }

  /** The last writer wins, but nothing changes while the user types. */
  #meet(remote: OwnDraft, stored: StoredDraft | undefined, isWriting: boolean) {
    const version = remote.created_at
    const theirs = wordsOfDraft(remote)
    if (stored && own().same(stored, theirs)) theirs.caret = stored.caret
    const isLater = Date.parse(version) > (stored?.at ?? 0)
    if (!stored || stored.isSynced || own().same(stored, theirs) || (isLater && !isWriting)) {
      if (stored && !stored.isSynced) this.#keepOther(stored, theirs)
      this.#store({ ...theirs, at: Date.parse(version), version, isSynced: true })
      return this.#show(theirs)
    }
    this.#keepOther(theirs, stored)
    this.#store({ ...stored, version })
    this.#show(stored)
    this.#pushSoon()
  }

  #show(words: Words) {
    if (own().same(own().wordsIn(this.#context), words)) return
    const lost = (error: unknown) => this.#context.host.log('warn', 'The files of a draft are not shown yet.', error)
    own().showWords(this.#context, words).catch(lost)
  }

  /** Those that lose wait beside, unless those that win have grown from them. */
  #keepOther(words: Words, winner?: Words) {
    if (winner?.text.startsWith(words.text) && !words.attachments?.length) return
    this.#context.host.storage.set(this.#otherKey, { ...words, at: this.#context.host.clock.now() })
    this.#showOther()
  }

  #showOther() {
    const text = this.#other?.text
    if (this.#context.written().otherDraft?.text === text) return
    this.#context.change({ otherDraft: text === undefined ? undefined : { text } })
  }

  get #other(): StoredDraft | undefined {
    const { host } = this.#context
    const other = host.storage.get(this.#otherKey)
    return own().isDraft(other) && host.clock.now() - (other.at ?? 0) < OTHER_DRAFT_KEPT_MS ? other : undefined
  }

  get #stored(): StoredDraft | undefined {
    return own().storedDraft(this.#context)
  }

  #store(draft: StoredDraft) {
    this.#context.host.storage.set(this.#context.key(), draft)
  }

  /** @returns the time of the server's draft that was forgotten, if it has one */
  #forget(): string | undefined {
    const stored = this.#stored
    this.#cancel()
    this.#context.host.storage.delete(this.#context.key())
    if (stored) this.#done = this.#remote?.created_at
    return stored?.version
  }

  /** What the server has, as far as one knows. */
  get #remote(): OwnDraft | undefined {
    const { channel, parentID } = this.#context
    const draft = parentID ? messageIn(channel.state, parentID)?.draft : channel.state.draft
    const isGone = draft?.created_at === this.#done || (!this.#stored && draft?.message.id === this.#id)
    return isGone ? undefined : draft
  }

  /** Whether the server's drafts are loaded. */
  get #isAnswered(): boolean {
    const { channel, parentID } = this.#context
    return channel.initialized && (!parentID || messageIn(channel.state, parentID) !== undefined)
  }

  #pushSoon() {
    this.#cancel()
    const push = () => this.#inTurn(() => this.#push())
    if (!this.#stored?.isSynced) this.#cancel = this.#context.host.clock.after(DRAFT_SYNC_MS, push)
  }

  #inTurn(task: () => Promise<void>) {
    // What fails stays on this device, and the next word tries again; or it has ended elsewhere.
    this.#turn = this.#turn.then(task).catch(() => {})
  }

  async #push() {
    const { channel, host, parentID } = this.#context
    if (!channel.initialized) return
    await host.connected()
    const given = this.#stored
    if (!given || given.isSynced) return
    this.#given = given
    const { text, mentioned, quotedMessageID, attachments, pollID, showInChannel } = given
    const giving = channel.createDraft({
      id: this.#id,
      text,
      mentioned_users: mentioned.map((user) => user.id),
      attachments: [...(attachments ?? [])],
      ...(quotedMessageID && { quoted_message_id: quotedMessageID }),
      ...(pollID && { poll_id: pollID }),
      ...(parentID && { parent_id: parentID, show_in_channel: showInChannel ?? false }),
    })
    const { draft } = await giving.finally(() => {
      this.#given = undefined
    })
    const now = this.#stored
    if (!now) return this.#end(draft.created_at)
    this.#unseen = this.#remote?.created_at === draft.created_at ? undefined : draft.created_at
    this.#store({ ...now, version: draft.created_at, isSynced: own().same(now, given) })
    this.#pushSoon()
  }

  /** The server still has what is gone here. */
  async #end(version: string) {
    const { channel, host, parentID } = this.#context
    const stored = this.#stored
    // Other words are written by now; they will take its place there.
    if (stored) return this.#store({ ...stored, version: stored.version ?? version })
    await host.connected()
    await channel.deleteDraft(parentID ? { parent_id: parentID } : {})
  }

  get #otherKey() {
    return `other-${this.#context.key()}`
  }
}

/** Whether a time of the server comes after another one. */
function isNewer(at: string | undefined, before: string | undefined): boolean {
  return at !== undefined && (before === undefined || isEarlier(before, at))
}

function wordsOfDraft({ message }: OwnDraft): Words {
  const { text, mentioned_users, quoted_message_id, attachments, poll_id, show_in_channel } = message
  return {
    text,
    mentioned: mentioned_users,
    quotedMessageID: quoted_message_id,
    attachments,
    pollID: poll_id,
    showInChannel: show_in_channel ?? false,
  }
}
