/** The draft of a composer, kept on this device while the channel is closed [client.md 2.9, 5.8]. */
import { messageIn } from '../channels/channel-state.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import type { Attachment, User } from '../shapes.ts'
import type { Caret, ComposerContext } from './composer.ts'

/** The parts of a composition that are stored. */
export interface Words {
  text: string
  mentioned: readonly User[]
  quotedMessageID?: string | undefined
  /** The uploaded files. */
  attachments?: readonly Attachment[]
  pollID?: string | undefined
  showInChannel?: boolean
  /** The author's caret in the text. */
  caret?: Caret | undefined
}

/** A draft on this device, with its relation to the server's draft. */
export interface StoredDraft extends Words {
  /** When it was written, in ms. */
  at?: number
  /** The time of the server's draft that this one equals or was edited from. */
  version?: string | undefined
  /** Whether the server has exactly this draft. */
  isSynced?: boolean
}

export function saveDraft(context: ComposerContext) {
  const words = wordsIn(context)
  if (isEmpty(words)) removeDraft(context)
  else if (context.drafts) context.drafts.saved(words)
  else keepWords(context, words)
}

/** A changed draft is no longer the one of the server, which does not store the caret. */
export function keepWords(context: ComposerContext, words: Words) {
  const { host } = context
  const stored = storedDraft(context)
  if (!stored || !same(words, stored))
    host.storage.set(context.key(), { ...words, at: host.clock.now(), version: stored?.version, isSynced: false })
  else if (words.caret?.from !== stored.caret?.from || words.caret?.to !== stored.caret?.to)
    host.storage.set(context.key(), { ...stored, caret: words.caret })
}

export function storedDraft(context: ComposerContext): StoredDraft | undefined {
  const stored = context.host.storage.get(keyOf(context))
  return isDraft(stored) ? stored : undefined
}

export function restoreDraft(context: ComposerContext) {
  if (context.drafts) return context.drafts.restore()
  const stored = storedDraft(context)
  if (stored && isEmpty(wordsIn(context))) return showWords(context, stored)
}

/** @param sending  the message that the draft is sent as, if any */
export function removeDraft(context: ComposerContext, sending?: Promise<LocalMessage>) {
  if (context.drafts) context.drafts.removed(sending)
  else context.host.storage.delete(keyOf(context))
}

export function sentElsewhere(context: ComposerContext, text: string) {
  if (context.drafts) context.drafts.posted(text)
  else context.host.storage.delete(keyOf(context))
}

/** A draft that was written before the server named the channel moves to the new name. */
function keyOf(context: ComposerContext): string {
  const { storage } = context.host
  const key = context.key()
  const before = context.key(context.firstCid)
  const words = before !== key && storage.get(before)
  if (words) {
    storage.delete(before)
    storage.set(key, words)
  }
  return key
}

/** The current draft; during an edit, the one that is restored afterwards. */
export function wordsIn(context: ComposerContext): Words {
  const { text, mentioned, quoted, uploads, pollID, showInChannel } = context.written()
  const attachments = uploads.flatMap((upload) => (upload.status === 'finished' ? upload.attachment : []))
  return {
    text,
    mentioned: [...mentioned],
    quotedMessageID: quoted?.id,
    attachments: context.comingBack ?? (attachments as Attachment[]),
    pollID,
    showInChannel,
    caret: context.caret,
  }
}

/** Rejects if its files cannot be shown yet: they appear with the next file, and are sent either way. */
export async function showWords(context: ComposerContext, words: Words) {
  const { text, mentioned, quotedMessageID, attachments = [], pollID, showInChannel = false } = words
  context.caret = words.caret
  const quoted = quotedMessageID ? messageIn(context.channel.state, quotedMessageID) : undefined
  context.change({ text, mentioned, quoted, pollID, showInChannel })
  if (JSON.stringify(attachments) === JSON.stringify(wordsIn(context).attachments)) return
  context.comingBack = attachments
  await context.withUploads(() => {})
}

export function isEmpty({ text, quotedMessageID, attachments, pollID }: Words): boolean {
  return !(text.trim() || quotedMessageID || attachments?.length || pollID)
}

/** A stored draft may have been written by an older version. */
export function isDraft(stored: unknown): stored is StoredDraft {
  const { text, mentioned } = (stored ?? {}) as Partial<Words>
  return typeof text === 'string' && Array.isArray(mentioned)
}

export function same(a: Words, b: Words): boolean {
  return inWriting(a) === inWriting(b)
}

function inWriting({ text, mentioned, quotedMessageID, attachments = [], pollID, showInChannel }: Words): string {
  const ids = mentioned.map(({ id }) => id)
  return JSON.stringify([text, ids, quotedMessageID, attachments, pollID, showInChannel || false])
}
