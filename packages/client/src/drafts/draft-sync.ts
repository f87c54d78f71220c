import { messageIn } from '../channels/channel-state.ts'
import type { Composer, ComposerContext } from '../composer/composer.ts'
import type { StoredDraft, Words } from '../composer/draft.ts'
import { DRAFT_SYNC_MS, OTHER_DRAFT_KEPT_MS } from '../limits.ts'
import { isEarlier, type LocalMessage } from '../messages/local-message.ts'
import { toWrite } from '../on-demand.ts'
import { randomID } from '../random-id.ts'
import type { OwnDraft } from '../shapes.ts'

/** The composer's draft code; a sync begins there, so it is loaded [decision 0008]. */
const own = () => toWrite.module as NonNullable<typeof toWrite.module>

const noWords: Words = { text: '', mentioned: [] }

/**
 * Also keeps a composer's draft on the server, so that the user can continue it on another device [client.md 2.9]. From
 * then on, the composer's `saveDraft`, `restoreDraft`, `clear` and `send` include the server. Of drafts written on two
 * devices at the same time, none is lost: one is in the composer, the other is `otherDraft` for 24 hours.
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
  /** Identifies this page's drafts in events. */
  #id = randomID()
  /** The draft of the request under way. */
  #given: Words | undefined
  /** The time of a draft that the server has stored, but whose event has not arrived yet. */
  #unseen: string | undefined
  /** The time of a draft that was sent or deleted here, though the server may have it a little longer. */
  #done: string | undefined
  /** The last request: requests run one after the other, so that an older one never overwrites a newer one. */
  #turn: Promise<unknown> = Promise.resolve()
  #cancel = () => {}
  constructor(composer: Composer) {
    this.#context = composer.context
    composer.context.drafts = this
  }

  /** Swaps the draft with `otherDraft`. */
  exchange() {
    const other = this.#other
    if (!other) return
    const here = own().wordsIn(this.#context)
    this.forgetOther()
    if (!own().isEmpty(here)) this.#keepOther(here)
    this.#show(other)
    this.saved(other)
  }

  /** Deletes `otherDraft`. */
  forgetOther() {
    this.#context.host.storage.delete(this.#otherKey)
    this.#showOther()
  }

  /**
   * Called when the draft has changed: it is already stored on this device, and is sent to the server shortly after the
   * last call.
   */
  saved(words: Words) {
    own().keepWords(this.#context, words)
    this.#pushSoon()
  }

  /**
   * Called when the draft was deleted or sent here. The server deletes the draft of a posted message itself, but not of
   * one that fails or is a command.
   */
  removed(sending?: Promise<LocalMessage>) {
    const version = this.#forget()
    this.#inTurn(async () => {
      const message = await sending?.catch(() => undefined)
      if (version !== undefined && message?.status !== 'received') await this.#end(version)
    })
  }

  /** Called when the draft was sent on another device: the local draft stays only if it differs. */
  posted(text: string) {
    const stored = this.#stored
    this.#forget()
    // Also while the confirming answer is on its way.
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
      // Sent or deleted on another device.
      this.#forget()
      this.#keepOther(stored)
      this.#show(noWords)
    } else if (stored) {
      this.#show(stored)
      this.#pushSoon()
    }
  }

  /** Merges the server's draft: the last writer wins, but nothing changes while the user types. */
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

  /** Keeps the losing draft as `otherDraft`, unless the winner was edited from it. */
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

  /** The server's draft, as far as it is known. */
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
    // After a failure the draft is still on this device, and the next change retries; or it was deleted elsewhere.
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

  /** Deletes the server's draft after it was deleted here. */
  async #end(version: string) {
    const { channel, host, parentID } = this.#context
    const stored = this.#stored
    // The draft has changed meanwhile; the new version will replace the server's.
    if (stored) return this.#store({ ...stored, version: stored.version ?? version })
    await host.connected()
    await channel.deleteDraft(parentID ? { parent_id: parentID } : {})
  }

  get #otherKey() {
    return `other-${this.#context.key()}`
  }
}

/** Whether one server time is after another. */
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
