import type { Custom } from '@parley/protocol/wire'
import type { ChatError } from '../chat-error.ts'
import type { CustomMessageData } from '../custom-data.ts'
import type { Known, Message, MessageFields, ReactionGroup } from '../shapes.ts'

/** `sending` and `failed` messages are known to this client only, except for a failed edit [client.md 2.7]. */
export type MessageStatus = 'sending' | 'received' | 'failed'

/** Why sending, editing or deleting failed. A `status` of 403 means "not allowed". */
export type MessageError = Pick<ChatError, 'code' | 'status' | 'message' | 'retry'>

/** A message in the state: the server's, with dates as `Date` and with fields that only this client knows. */
export type LocalMessage = Omit<Known<MessageFields>, 'created_at' | 'updated_at' | 'deleted_at' | 'pinned_at'> & {
  created_at: Date
  updated_at: Date
  deleted_at?: Date
  pinned_at: Date | null
  /** `created_at` as the server wrote it: a Date drops the microseconds that decide the order. */
  createdAtIso: string
  /** `received` unless this client is sending or changing it, or failed to [MSG-4]. */
  status: MessageStatus
  /** Set while `status` is `failed`. */
  error?: MessageError
  /** The action under way or failed, so that a retry repeats it. */
  attempt?: 'send' | 'edit'
  /** Known only from the answer to sending it, not yet from an event: earlier messages may be missing. */
  unheard?: true
} & Custom &
  Partial<CustomMessageData>

/** Converts the server's message to the state's. */
export function localMessage(message: Message): LocalMessage {
  return {
    ...message,
    attachments: message.attachments ?? [],
    mentioned_users: message.mentioned_users ?? [],
    own_reactions: message.own_reactions ?? [],
    latest_reactions: message.latest_reactions ?? [],
    created_at: new Date(message.created_at),
    updated_at: new Date(message.updated_at),
    deleted_at: dateOf(message.deleted_at),
    pinned_at: dateOf(message.pinned_at) ?? null,
    createdAtIso: message.created_at,
    reaction_groups: anyGroup(message.reaction_groups ?? groupsFromCounts(message)),
    status: 'received',
  } as LocalMessage
}

/** The date of a wire time; undefined without one. */
export function dateOf(iso: string | null | undefined): Date | undefined {
  return iso ? new Date(iso) : undefined
}

/** Oldest first, to the microsecond; 0 for the same time, so that a stable sort keeps the order of arrival. */
export function byAge(a: LocalMessage, b: LocalMessage): number {
  return a.created_at.getTime() - b.created_at.getTime() || byFraction(a.createdAtIso, b.createdAtIso)
}

/** Whether one wire time is before another, to the last digit. */
export function isEarlier(a: string, b: string): boolean {
  return byTime(a, b) < 0
}

/** Orders wire times. Comparing them as text is wrong, because the server drops zeros at the end. */
export function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b) || byFraction(a, b)
}

function byFraction(a: string, b: string): number {
  const [fractionA, fractionB] = [fraction(a), fraction(b)]
  return fractionA < fractionB ? -1 : fractionA > fractionB ? 1 : 0
}

/** The digits after the second's dot, padded to nanoseconds so that they compare as text. */
function fraction(iso: string): string {
  return (/\.(\d+)/.exec(iso)?.[1] ?? '').padEnd(9, '0')
}

/** Without reactions always null; the wire also writes `{}`. */
export function anyGroup<Groups extends object>(groups: Groups | null): Groups | null {
  return groups && Object.keys(groups).length > 0 ? groups : null
}

/** Older answers have only counts and scores. */
function groupsFromCounts({ reaction_counts, reaction_scores, created_at }: Message) {
  if (!reaction_counts) return null
  const groups: Record<string, ReactionGroup> = {}
  for (const [type, count] of Object.entries(reaction_counts)) {
    const sum_scores = reaction_scores?.[type] ?? count
    groups[type] = { count, sum_scores, first_reaction_at: created_at, last_reaction_at: created_at }
  }
  return groups
}

/** Whether the message is shown in the channel itself, not only in a thread. */
export function isInChannel({ parent_id, show_in_channel }: Pick<Message, 'parent_id' | 'show_in_channel'>): boolean {
  return !parent_id || show_in_channel === true
}

/** Whether only its author sees it: an answer to a command, or a refusal. */
export function isMineAlone({ type }: Pick<Message, 'type'>): boolean {
  return type === 'ephemeral' || type === 'error'
}

export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}

/** The ids of users given by id or as objects. */
export function idsOf(users: readonly unknown[]): string[] {
  return users.map((user) => String((user as { id?: unknown } | null)?.id ?? user))
}
