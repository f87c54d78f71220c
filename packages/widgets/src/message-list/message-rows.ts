import type { LocalMessage } from '@parley/client'
import { type GroupPlace, groupPlace, isDeleted, isSystem } from '../messages/message-parts.ts'
import type { ScrollRow } from './row-layout.ts'

/** One row of the message list: one message, or consecutive deleted messages, with the lines drawn above it. */
export interface MessageRow extends ScrollRow {
  kind: 'text' | 'media' | 'system' | 'deleted'
  /** The message of the row; for deleted messages, the oldest. */
  message: LocalMessage
  /** How many deleted messages the row represents; 1 for any other row. */
  count: number
  group: GroupPlace
  own: boolean
  /** Begins a new day: its date is drawn above. */
  startsDay: boolean
  /** The count on the new-messages line above the row. */
  newCount: number | undefined
  /** The author is muted: the text is hidden until the reader asks for it. */
  muted: boolean
  /** The reader entered the row with Enter: its links and buttons are tab stops. */
  entered: boolean
}

export interface RowSources {
  /** Oldest first. */
  messages: readonly LocalMessage[]
  me: string | undefined
  line: { before: string; count: number } | undefined
  mutedUserIds: ReadonlySet<string>
  entered: string | undefined
}

/**
 * Makes rows of messages. A row that equals its row in `known` keeps its identity, so that only changed rows are
 * rendered again.
 */
export function messageRows(sources: RowSources, known: readonly MessageRow[] = []): readonly MessageRow[] {
  const { messages, me, line, mutedUserIds, entered } = sources
  const before = new Map(known.map((row) => [row.key, row]))
  const shown = messages.filter((message) => !message.shadowed || message.user.id === me)
  const rows: MessageRow[] = []
  for (const [at, message] of shown.entries()) {
    const previous = shown[at - 1]
    const startsDay = !previous || !sameDay(previous.created_at, message.created_at)
    const newCount = line?.before === message.id ? line.count : undefined
    const last = rows.at(-1)
    if (last?.kind === 'deleted' && isTombstone(message) && !startsDay && newCount === undefined) {
      last.count += 1
      continue
    }
    const next = shown[at + 1]
    const joinsPrevious = !startsDay && newCount === undefined && !inRun(shown, at - 1)
    const joinsNext = next?.id !== line?.before && !inRun(shown, at + 1)
    rows.push({
      key: message.id,
      kind: kindOf(message),
      message,
      count: 1,
      group: inRun(shown, at)
        ? 'only'
        : groupPlace(joinsPrevious ? previous : undefined, message, joinsNext ? next : undefined),
      own: message.user.id === me,
      startsDay,
      newCount,
      muted: mutedUserIds.has(message.user.id) && !isSystem(message),
      entered: entered === message.id,
    })
  }
  return rows.map((row) => {
    const same = before.get(row.key)
    return same && sameRow(same, row) ? same : row
  })
}

function kindOf(message: LocalMessage): MessageRow['kind'] {
  if (isSystem(message)) return 'system'
  if (isTombstone(message)) return 'deleted'
  return message.attachments.length > 0 ? 'media' : 'text'
}

/** A message whose deletion failed stays, with its failure. */
function isTombstone(message: LocalMessage): boolean {
  return isDeleted(message) && message.status !== 'failed'
}

/** Consecutive deleted messages share a row, which belongs to no author's group. */
function inRun(messages: readonly LocalMessage[], at: number): boolean {
  const deleted = (place: number) => {
    const message = messages[place]
    return message !== undefined && isTombstone(message)
  }
  return deleted(at) && (deleted(at - 1) || deleted(at + 1))
}

export function sameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

function sameRow(a: MessageRow, b: MessageRow): boolean {
  return (Object.keys(b) as (keyof MessageRow)[]).every((name) => a[name] === b[name])
}
