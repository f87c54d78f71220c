/** The objects of the wire as an application sees them: with its own custom fields. */
import type * as channelTypes from '@parley/protocol/channel-types'
import type * as channels from '@parley/protocol/channels'
import type * as commands from '@parley/protocol/commands'
import type { Filter, Sort as WireSort } from '@parley/protocol/filters'
import type * as members from '@parley/protocol/members'
import type * as messages from '@parley/protocol/messages'
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

export type User = users.User & CustomUserData
export type OwnUser = users.OwnUser & CustomUserData
export type UserRequest = users.UserRequest & Partial<CustomUserData>
export type Mute = users.Mute
export type ChannelMute = users.ChannelMute
export type Member = members.Member & CustomMemberData
export type MemberRequest = members.MemberRequest
export type Attachment = messages.Attachment & CustomAttachmentData
export type Message = messages.Message & CustomMessageData
export type MessageRequest = messages.MessageRequest & Partial<CustomMessageData>
export type Reaction = reactions.Reaction & CustomReactionData
export type ReactionGroup = reactions.ReactionGroup
export type UnreadAnswer = reads.UnreadAnswer
export type ChannelConfig = channelTypes.ChannelConfig
export type ChannelRequest = channels.ChannelRequest & Partial<CustomChannelData>
/** A channel with its messages, members and read entries, as queries answer it [messaging.md 4.2]. */
export type ChannelStateAnswer = channels.ChannelState

/** What is known of a channel. Before its first query that is only what was given to `client.channel()`. */
export type ChannelData = Partial<Known<channels.Channel>> & Custom & Partial<CustomChannelData>

export type PollOption = polls.PollOption & CustomPollOptionData
export type Poll = polls.Poll & CustomPollData & { options: PollOption[] }
export type PollRequest = polls.PollRequest & Partial<CustomPollData>
export type Command = commands.Command & Partial<CustomCommandData>

/** A message to come back to. */
export type Reminder = reminders.Reminder
/** A thread as answers and events bring it. */
export type ThreadData = threads.Thread & CustomThreadData

/** Every JSON answer says how long the server took. */
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
  /** Gives the call up; it then rejects with the code `ERR_CANCELED`. */
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
