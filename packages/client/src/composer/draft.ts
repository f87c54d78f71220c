/** What is being written, kept on this device while it is left [client.md 2.9, 5.8]. */
import { messageIn } from '../channels/channel-state.ts'
import type { LocalMessage } from '../messages/local-message.ts'
import type { Attachment, User } from '../shapes.ts'
import type { ComposerDoor } from './composer.ts'

/** What of a composition outlives the page. */
export interface Words {
  text: string
  mentioned: readonly User[]
  quotedMessageID?: string | undefined
  /** The files that had been uploaded. */
  attachments?: readonly Attachment[]
  pollID?: string | undefined
  showInChannel?: boolean
}

/** Files that are being brought back. */
const coming = new WeakMap<ComposerDoor, readonly Attachment[]>()

export function saveDraft(door: ComposerDoor) {
  const { host, key, drafts } = door
  const words = wordsIn(door)
  if (isEmpty(words)) removeDraft(door)
  else if (drafts) drafts.saved(words)
  else host.storage.set(key, { ...(host.storage.get(key) as object), ...words, at: host.clock.now() })
}

export function restoreDraft(door: ComposerDoor) {
  const { host, key, drafts } = door
  if (drafts) return drafts.restore()
  const stored = host.storage.get(key)
  if (isDraft(stored) && isEmpty(wordsIn(door))) showWords(door, stored)
}

/** @param sending  the message it becomes, if it does */
export function removeDraft({ host, key, drafts }: ComposerDoor, sending?: Promise<LocalMessage>) {
  if (drafts) return drafts.removed(sending)
  host.storage.delete(key)
}

export function sentElsewhere(door: ComposerDoor, text: string) {
  if (door.drafts) door.drafts.posted(text)
  else removeDraft(door)
}

/** While a message is changed: what comes back afterwards. */
export function wordsIn(door: ComposerDoor): Words {
  const { text, mentioned, quoted, uploads, pollID, showInChannel } = door.written()
  const attachments = uploads.flatMap((upload) => (upload.status === 'finished' ? upload.attachment : []))
  return {
    text,
    mentioned: [...mentioned],
    quotedMessageID: quoted?.id,
    attachments: coming.get(door) ?? (attachments as Attachment[]),
    pollID,
    showInChannel,
  }
}

export function showWords(door: ComposerDoor, words: Words) {
  const { text, mentioned, quotedMessageID, attachments = [], pollID, showInChannel = false } = words
  const quoted = quotedMessageID ? messageIn(door.channel.state, quotedMessageID) : undefined
  door.change({ text, mentioned, quoted, pollID, showInChannel })
  if (JSON.stringify(attachments) === JSON.stringify(wordsIn(door).attachments)) return
  coming.set(door, attachments)
  void door.restoreUploads(attachments).finally(() => coming.delete(door))
}

export function isEmpty({ text, quotedMessageID, attachments, pollID }: Words): boolean {
  return !(text.trim() || quotedMessageID || attachments?.length || pollID)
}

/** What is kept may have been written by an older version. */
export function isDraft(stored: unknown): stored is Words & { at?: number } {
  const { text, mentioned } = (stored ?? {}) as Partial<Words>
  return typeof text === 'string' && Array.isArray(mentioned)
}
