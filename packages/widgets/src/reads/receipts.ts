import type { ChannelState, LocalMessage, ReadState, User } from '@parley/client'
import { isKeptBack } from '../messages/message-parts.ts'

/** The delivery status of an own message; a failed one has no receipt. */
export interface Receipt {
  /** `waiting`: held back until the product's own server approves it */
  delivery: 'sending' | 'waiting' | 'delivered' | 'read'
  /** all members who have read it, latest reader first */
  readers: readonly User[]
  /** the members who have read no newer own message: their avatars are shown here */
  readTo: readonly User[]
  /** only the newest own message with this status shows it as text; the others on demand */
  worded: boolean
}

export type Receipts = ReadonlyMap<string, Receipt>

/**
 * The receipts of the own messages shown, by message id. Recomputed only when messages, reads or held-back messages
 * change.
 */
export function receiptsOf(state: ChannelState, me: string, known?: Receipts): Receipts {
  const readers = Object.values(state.read)
    .filter((read) => read.user.id !== me)
    .sort((a, b) => b.last_read.getTime() - a.last_read.getTime())
  const receipts = new Map<string, Receipt>()
  const worded = new Set<Receipt['delivery']>()

  let passed = 0
  for (const message of state.messages.toReversed()) {
    if (message.user.id !== me || message.status === 'failed' || message.type !== 'regular') continue
    const from = passed
    const waits = isKeptBack(state, message)
    while (!waits && passed < readers.length && hasRead(readers[passed]!, message)) passed += 1
    const isSending = message.status === 'sending'
    const delivery = isSending ? 'sending' : waits ? 'waiting' : passed > 0 ? 'read' : 'delivered'
    const receipt: Receipt = {
      delivery,
      readers: waits ? [] : readers.slice(0, passed).map(({ user }) => user),
      readTo: readers.slice(from, passed).map(({ user }) => user),
      worded: !worded.has(delivery),
    }
    worded.add(delivery)
    receipts.set(message.id, unchanged(known?.get(message.id), receipt) ?? receipt)
  }
  return receipts
}

function hasRead({ last_read }: ReadState, message: LocalMessage): boolean {
  return last_read.getTime() >= message.created_at.getTime()
}

/** The former receipt if nothing in it changed, so that its row is not rendered again. */
function unchanged(before: Receipt | undefined, now: Receipt): Receipt | undefined {
  const same =
    before?.delivery === now.delivery &&
    before.worded === now.worded &&
    samePeople(before.readers, now.readers) &&
    samePeople(before.readTo, now.readTo)
  return same ? before : undefined
}

function samePeople(a: readonly User[], b: readonly User[]) {
  return a.length === b.length && a.every((user, place) => user.id === b[place]?.id)
}
