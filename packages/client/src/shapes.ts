/** The objects of the wire as an application sees them: with its custom fields. */
import type * as channelTypes from '@parley/protocol/channel-types'
import type * as channels from '@parley/protocol/channels'
import type * as commands from '@parley/protocol/commands'
import type * as drafts from '@parley/protocol/drafts'
import type { Filter, Sort as WireSort } from '@parley/protocol/filters'
import type * as members from '@parley/protocol/members'
import type * as messages from '@parley/protocol/messages'
import type * as moderation from '@parley/protocol/moderation'
import type * as polls from '@parley/protocol/polls'
import type * as reactions from '@parley/protocol/reactions'
import type * as reads from '@parley/protocol/reads'
import type * as reminders from '@parley/protocol/reminders'
import type * as threads from '@parley/protocol/threads'
import type * as users from '@parley/protocol/users'
import type { Custom } from '@parley/protocol/wire'
import type {
  CustomAttachmentData,
  CustomChannelData,
  CustomCommandData,
  CustomMemberData,
  CustomMessageData,
  CustomPollData,
  CustomPollOptionData,
  CustomReactionData,
  CustomThreadData,
  CustomUserData,
} from './custom-data.ts'

/** A wire shape whose nested objects have custom fields, too; `Other` are nested objects under other names. */
export type Owned<Shape, Other = unknown> = {
  [Field in keyof Shape]: Field extends keyof Other
    ? Other[Field] | Extract<Shape[Field], null | undefined>
    : Field extends keyof Parts
      ? Parts[Field] | Extract<Shape[Field], null | undefined>
      : Shape[Field]
}

/** Nested objects, by the names that the wire always gives them. */
interface Parts {
  attachments: Attachment[]
  channel: WireChannel
  created_by: User
  draft: OwnDraft
  latest_answers: PollVote[]
  latest_reactions: Reaction[]
  latest_replies: Message[]
  latest_votes_by_option: Record<string, PollVote[]>
  me: OwnUser
  members: Member[]
  membership: Member
  mentioned_users: User[]
  message: Message
  messages: Message[]
  options: PollOption[]
  own_reactions: Reaction[]
  own_votes: PollVote[]
  parent_author: User
  parent_message: Message
  pending_messages: Owned<messages.PendingMessage>[]
  pinned_by: User
  pinned_messages: Message[]
  poll: PollData
  poll_vote: PollVote
  reaction: Reaction
  read: Owned<reads.Read>[]
  reminder: Reminder
  thread: ThreadData
  truncated_by: User
  user: User
  watchers: User[]
}

export type User = users.User & CustomUserData
export type OwnUser = Owned<users.OwnUser, { mutes: Mute[]; channel_mutes: ChannelMute[] }> & CustomUserData
/** The own user; the private fields are present once connected. */
export type Me = User & Partial<OwnUser>
export type UserRequest = Known<users.UserRequest> & Partial<CustomUserData>
export type Mute = Owned<users.Mute, { target: User }>
export type ChannelMute = Owned<users.ChannelMute, { channel: { cid: string } }>
export type Member = Owned<members.Member> & CustomMemberData
export type MemberRequest = string | (Known<Exclude<members.MemberRequest, string>> & Partial<CustomMemberData>)
export type Attachment = messages.Attachment & CustomAttachmentData
export type Message = MessageFields & CustomMessageData
/** A message without its custom fields. */
export type MessageFields = Owned<messages.Message, { quoted_message: QuotedMessage; thread_participants: User[] }>
/** A quoted message; it never quotes another. */
export type QuotedMessage = Owned<messages.QuotedMessage, { thread_participants: User[] }> & CustomMessageData
export type MessageRequest = Owned<Known<messages.MessageRequest>, RequestParts> & Partial<CustomMessageData>
/** A user's unsent message in a channel or a thread; only its author sees it. */
export type OwnDraft = Owned<messages.OwnDraft, { message: Owned<messages.OwnDraft['message']> }>
/** A draft with its channel, and its parent and quoted message. */
export type Draft = Owned<drafts.Draft, { message: OwnDraft['message']; quoted_message: Message }>
/** A ban of a user; of one channel if it names one. */
export type Ban = Owned<moderation.Ban, { banned_by: User }>
/** A report of a message or a user. */
export type Flag = Owned<moderation.Flag, { target_message: Message; target_user: User }>
export type Reaction = Owned<reactions.Reaction> & CustomReactionData
export type ReactionGroup = reactions.ReactionGroup
export type UnreadAnswer = reads.UnreadAnswer
export type ChannelConfig = channelTypes.ChannelConfig
export type ChannelRequest = Owned<Known<channels.ChannelRequest>, RequestParts> & Partial<CustomChannelData>
/** A channel with its messages, members and read entries, as queries return it [messaging.md 4.2]. */
export type ChannelStateAnswer = Owned<channels.ChannelState>
/** A channel as the server sends it. */
export type WireChannel = Owned<channels.Channel> & CustomChannelData

/** The known fields of a channel. Before its first query, only the data given to `client.channel()`. */
export type ChannelData = Partial<Known<Owned<channels.Channel>>> & Custom & Partial<CustomChannelData>

export type PollOption = polls.PollOption & CustomPollOptionData
export type PollVote = Owned<polls.PollVote>
export type PollData = Owned<polls.Poll> & CustomPollData
export type PollRequest = Owned<Known<polls.PollRequest>, RequestParts> & Partial<CustomPollData>
export type Command = commands.Command & Partial<CustomCommandData>

/** A reminder of a message. */
export type Reminder = Owned<reminders.Reminder>
/** A thread in answers and events. */
export type ThreadData = Owned<threads.Thread, { thread_participants: ThreadParticipant[] }> & CustomThreadData
/** A user who replied in a thread, or wrote its parent message [THR-31]. */
export type ThreadParticipant = Owned<threads.ThreadParticipant>

/** A request has fewer fields than the server's objects. */
interface RequestParts {
  created_by: { id: string }
  invites: MemberRequest[]
  members: MemberRequest[]
  mentioned_users: string[]
  options: ({ id?: string; text: string } & Partial<CustomPollOptionData>)[]
  user: { id: string }
}

/** The acting user, for a client with the secret; other clients act as their own user. */
export type Acting = { user_id?: string }
/** The cursors of the next and the previous page; absent if there is none. */
export type Around = { next?: string; prev?: string }
/** One page of a list, with the cursors of its neighbours. */
export type Page<Fields> = Answer<Fields & Around>
/** The page to query: the first, or the one at a cursor. */
export type PageOptions = Around & { limit?: number }

/** Every JSON answer has the time the server took. */
export type Answer<Fields = unknown> = Fields & { duration: string }

export type { Filter }
/** `{ last_message_at: -1 }`, a list of those, or the wire's `{ field, direction }`. */
export type Sort = Readonly<Record<string, 1 | -1>> | readonly (Readonly<Record<string, 1 | -1>> | WireSort[number])[]

/** The named fields of a shape, without the index signature of its custom fields. */
export type Known<Shape> = {
  [Field in keyof Shape as string extends Field ? never : number extends Field ? never : Field]: Shape[Field]
}

export type PartialUpdate = { set?: Record<string, unknown>; unset?: readonly string[] }

/** The last argument of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the code `ERR_CANCELED`. */
  signal?: AbortSignal
}

/** `{ last_message_at: -1 }` → `[{ field: 'last_message_at', direction: -1 }]` [messaging.md 1.9]. */
export function wireSort(sort: Sort): WireSort {
  const list: readonly object[] = Array.isArray(sort) ? sort : [sort]
  return list.flatMap((entry) =>
    'field' in entry && typeof entry.field === 'string'
      ? [entry as WireSort[number]]
      : Object.entries(entry).map(([field, direction]) => ({ field, direction: direction as 1 | -1 })),
  )
}
