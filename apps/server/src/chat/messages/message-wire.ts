import type { SharedLocation } from '@parley/protocol/locations'
import type { Attachment, Message, MessageExtras, QuotedMessage } from '@parley/protocol/messages'
import type { Poll } from '@parley/protocol/polls'
import type { ReactionGroup } from '@parley/protocol/reactions'
import type { MemberRow, MessageRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { UserSummaries } from '../users/user-summaries.ts'
import type { Kept } from './extras.ts'
import { htmlOf } from './html.ts'

/** What a message shows besides the fields of its row. */
export interface Surroundings {
  userSummaries: UserSummaries
  now: Micros
  /** Its author's membership, if any. */
  member?: MemberRow | undefined
  /** The reader; authors do not learn that their own messages are shadowed. */
  viewerId: string | undefined
  quoted?: MessageRow | undefined
  /** The polls that the message and the quoted message may show, by id. */
  polls?: ReadonlyMap<string, Poll> | undefined
  /** The messages the viewer deleted only for themselves, and when. */
  gone?: ReadonlyMap<string, Micros> | undefined
  /** Shows the content of soft-deleted messages. */
  showDeleted?: boolean
  /** For the app's server, even where it reads for the author [MSG-38]. */
  showShadowed?: boolean
}

/** A message as clients get it; a soft-deleted one keeps id, author and times, without content [MSG-36]. */
export function messageWire(row: MessageRow, around: Surroundings): Message {
  const message: Message = bareWire(row, around)
  if (around.member && around.member.status !== 'rejected')
    message.member = { channel_role: around.member.channel_role, notifications_muted: false }
  if (row.quoted_message_id === null) return message
  const { quoted, userSummaries, now, viewerId, polls, gone } = around
  message.quoted_message_id = row.quoted_message_id
  message.quoted_message = quoted ? bareWire(quoted, { userSummaries, now, viewerId, polls, gone }) : null
  return message
}

/** The viewer an event shows a message to: the author of a shadowed message, undefined for any other. */
export function eventViewerOf(row: MessageRow): string | undefined {
  return row.shadowed ? row.user_id : undefined
}

/** The location that a message shares, present or past; undefined if it shares none. */
export function locationIn({ extras_json, cid, id, user_id, created_at }: MessageRow): SharedLocation | undefined {
  const shared = extras_json === null ? undefined : (JSON.parse(extras_json) as MessageExtras).shared_location
  if (!shared) return undefined
  const at = isoOf(created_at)
  return { channel_cid: cid, message_id: id, user_id, created_at: at, updated_at: at, ...shared }
}

/** The ids of the polls that messages show; deleted messages show none. */
export function pollsIn(rows: readonly MessageRow[]): string[] {
  return rows.flatMap(({ poll_id, deleted_at }) => (poll_id !== null && deleted_at === null ? [poll_id] : []))
}

/** The same message with its poll, and that of the quoted message, as another user reads them. */
export function withPolls(message: Message, read: (poll: Poll) => Poll): Message {
  const { poll, quoted_message: quoted } = message
  if (!poll && !quoted?.poll) return message
  return {
    ...message,
    ...(poll && { poll: read(poll) }),
    ...(quoted?.poll && { quoted_message: { ...quoted, poll: read(quoted.poll) } }),
  }
}

/** The ids of all users a row refers to. */
export function usersIn({ user_id, mentions_json, thread_participants_json, pinned_by }: MessageRow): string[] {
  const ids = [user_id]
  if (mentions_json !== null) ids.push(...JSON.parse(mentions_json))
  if (thread_participants_json !== null) ids.push(...JSON.parse(thread_participants_json))
  if (pinned_by !== null) ids.push(pinned_by)
  return ids
}

/** A list holds hundreds of these: fields are added one by one, since copying an object costs more than making it. */
function bareWire(row: MessageRow, around: Surroundings): QuotedMessage {
  const { userSummaries, now, viewerId } = around
  const goneAt = around.gone?.get(row.id)
  const deletedAt = row.deleted_at ?? goneAt ?? null
  const deleted = deletedAt !== null && !around.showDeleted
  const extras: Kept = deleted || row.extras_json === null ? {} : JSON.parse(row.extras_json)
  const groups: Record<string, ReactionGroup> | null =
    row.reaction_groups_json === null ? null : JSON.parse(row.reaction_groups_json)
  const pinned = !deleted && row.pinned_at !== null && (row.pin_expires === null || row.pin_expires > now)
  const mentions: string[] = deleted || row.mentions_json === null ? [] : JSON.parse(row.mentions_json)
  const attachments: Attachment[] = deleted || row.attachments_json === null ? [] : JSON.parse(row.attachments_json)
  const message: QuotedMessage = {
    id: row.id,
    cid: row.cid,
    text: deleted ? '' : row.text,
    html: deleted ? '' : (extras.html ?? htmlOf(row.text)),
    type: deletedAt === null ? row.type : 'deleted',
    user: userSummaries.of(row.user_id),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    attachments,
    mentioned_users: mentions.flatMap((id) => userSummaries.known(id) ?? []),
    latest_reactions: [],
    own_reactions: [],
    reaction_counts: groups && mapValues(groups, ({ count }) => count),
    reaction_scores: groups && mapValues(groups, ({ sum_scores }) => sum_scores),
    reaction_groups: groups,
    reply_count: row.reply_count,
    deleted_reply_count: row.deleted_reply_count,
    silent: row.silent === 1,
    shadowed: row.shadowed === 1 && (around.showShadowed === true || row.user_id !== viewerId),
    pinned,
    pinned_at: pinned ? isoOf(row.pinned_at!) : null,
    pinned_by: pinned && row.pinned_by !== null ? userSummaries.of(row.pinned_by) : null,
    pin_expires: pinned && row.pin_expires !== null ? isoOf(row.pin_expires) : null,
    restricted_visibility: row.restricted_json === null ? [] : JSON.parse(row.restricted_json),
  }
  if (row.parent_id !== null) {
    message.parent_id = row.parent_id
    message.show_in_channel = row.show_in_channel === 1
  }
  if (row.thread_participants_json !== null) {
    const participants: string[] = JSON.parse(row.thread_participants_json)
    message.thread_participants = participants.map((id) => userSummaries.of(id))
  }
  if (row.command !== null && !deleted) {
    message.command = row.command
    message.args = row.args ?? ''
    message.command_info = { name: row.command }
  }
  const poll = deleted || row.poll_id === null ? undefined : around.polls?.get(row.poll_id)
  if (poll) {
    message.poll_id = poll.id
    message.poll = poll
  }
  if (row.text_updated_at !== null) message.message_text_updated_at = isoOf(row.text_updated_at)
  if (extras.written_by !== undefined) message.message_updated_by_id = extras.written_by
  if (deletedAt !== null) message.deleted_at = isoOf(deletedAt)
  if (goneAt !== undefined && row.deleted_at === null) message.deleted_for_me = true
  if (extras.shared_location !== undefined) {
    const location = locationIn(row)
    if (location) message.shared_location = location
  }
  if (extras.mml !== undefined) message.mml = extras.mml
  if (extras.i18n !== undefined) message.i18n = extras.i18n
  if (extras.image_labels !== undefined) message.image_labels = extras.image_labels
  return row.data === '{}' || deleted ? message : { ...JSON.parse(row.data), ...message }
}

function mapValues<Value, Result>(
  map: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
