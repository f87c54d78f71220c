/** What is being written, kept on this device while it is left [client.md 2.9, 5.8]. */
import { messageIn } from '../channels/channel-state.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import type { Attachment, User } from '../shapes.ts'
import type { Caret, ComposerDoor } from './composer.ts'

/** What of a composition outlives the page. */
export interface Words {
  text: string
  mentioned: readonly User[]
  quotedMessageID?: string | undefined
  /** The files that had been uploaded. */
  attachments?: readonly Attachment[]
  pollID?: string | undefined
  showInChannel?: boolean
  /** Where their author was in them. */
  caret?: Caret | undefined
}

/** Words on this device, and how they stand to those on the server. */
export interface StoredDraft extends Words {
  /** When they were written, in ms. */
  at?: number
  /** The time of the server's draft that these words are or grew from. */
  version?: string | undefined
  /** The server has exactly these. */
  isSynced?: boolean
}

export function saveDraft(door: ComposerDoor) {
  const words = wordsIn(door)
  if (isEmpty(words)) removeDraft(door)
  else if (door.drafts) door.drafts.saved(words)
  else keepWords(door, words)
}

/** Words that have changed are no longer those that the server has; it knows of no caret. */
export function keepWords(door: ComposerDoor, words: Words) {
  const { host } = door
  const stored = storedDraft(door)
  if (!stored || !same(words, stored))
    host.storage.set(door.key(), { ...words, at: host.clock.now(), version: stored?.version, isSynced: false })
  else if (words.caret?.from !== stored.caret?.from || words.caret?.to !== stored.caret?.to)
    host.storage.set(door.key(), { ...stored, caret: words.caret })
}

export function storedDraft(door: ComposerDoor): StoredDraft | undefined {
  const stored = door.host.storage.get(keyOf(door))
  return isDraft(stored) ? stored : undefined
}

export function restoreDraft(door: ComposerDoor) {
  if (door.drafts) return door.drafts.restore()
  const stored = storedDraft(door)
  if (stored && isEmpty(wordsIn(door))) return showWords(door, stored)
}

/** @param sending  the message it becomes, if it does */
export function removeDraft(door: ComposerDoor, sending?: Promise<LocalMessage>) {
  if (door.drafts) door.drafts.removed(sending)
  else door.host.storage.delete(keyOf(door))
}

export function sentElsewhere(door: ComposerDoor, text: string) {
  if (door.drafts) door.drafts.posted(text)
  else door.host.storage.delete(keyOf(door))
}

/** What was written before the server named the channel goes along. */
function keyOf(door: ComposerDoor): string {
  const { storage } = door.host
  const key = door.key()
  const before = door.key(door.firstCid)
  const words = before !== key && storage.get(before)
  if (words) {
    storage.delete(before)
    storage.set(key, words)
  }
  return key
}

/** While a message is changed: what comes back afterwards. */
export function wordsIn(door: ComposerDoor): Words {
  const { text, mentioned, quoted, uploads, pollID, showInChannel } = door.written()
  const attachments = uploads.flatMap((upload) => (upload.status === 'finished' ? upload.attachment : []))
  return {
    text,
    mentioned: [...mentioned],
    quotedMessageID: quoted?.id,
    attachments: door.comingBack ?? (attachments as Attachment[]),
    pollID,
    showInChannel,
    caret: door.caret,
  }
}

/** Rejects where its files cannot be shown yet: they are with the next file, and go with the message either way. */
export async function showWords(door: ComposerDoor, words: Words) {
  const { text, mentioned, quotedMessageID, attachments = [], pollID, showInChannel = false } = words
  door.caret = words.caret
  const quoted = quotedMessageID ? messageIn(door.channel.state, quotedMessageID) : undefined
  door.change({ text, mentioned, quoted, pollID, showInChannel })
  if (JSON.stringify(attachments) === JSON.stringify(wordsIn(door).attachments)) return
  door.comingBack = attachments
  await door.withUploads(() => {})
}

export function isEmpty({ text, quotedMessageID, attachments, pollID }: Words): boolean {
  return !(text.trim() || quotedMessageID || attachments?.length || pollID)
}

/** What is kept may have been written by an older version. */
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
