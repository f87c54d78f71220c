export type { ImageSize, UploadAnswer } from '@parley/protocol/attachments'
export type { VoteRequest } from '@parley/protocol/polls'
export type { NativeFile, Uploadable, UploadOptions } from './attachments/upload-calls.ts'
export { type Prepare, type Upload, Uploads } from './attachments/uploads.ts'
export { Channel, type ChannelQuery, type MessagePageOptions } from './channels/channel.ts'
export type { ChannelUpdate } from './channels/channel-calls.ts'
export type { PinnedOptions } from './channels/channel-extras.ts'
export type { ChannelState, LoadedThread, ReadState } from './channels/channel-state.ts'
export type { OwnEvent } from './channels/own-events.ts'
export {
  type ChannelsQueryOptions,
  ChatClient,
  type ChatClientOptions,
  compatibleWith,
  type Unread,
} from './chat-client.ts'
export { ChatError, type ClientCode, type GenericCode, type RateLimit } from './chat-error.ts'
export { type Clock, systemClock } from './clock.ts'
export { type CommandText, usableCommands } from './composer/command-text.ts'
export type { Composer, Composition } from './composer/composer.ts'
export type { LinkPreview } from './composer/link-previews.ts'
export type { Connection } from './connection/connection.ts'
export type * from './custom-data.ts'
export type { Device, PushLevel, PushPreference, PushProviderKind } from './devices/device-calls.ts'
export type { AnsweredEvent, ChatEvent, ChatEventName, ChatEvents, CustomEvent, Subscription } from './events.ts'
export type { Method, RequestOptions } from './http.ts'
export { Cell, type Live } from './live.ts'
export { byTime, type LocalMessage, type MessageError, type MessageStatus } from './messages/local-message.ts'
export type { MessageSet } from './messages/message-sets.ts'
export type { MessageDraft, ReactionDraft, Removal, SendOptions } from './messages/outbox.ts'
export type { Moderation } from './moderation/moderation.ts'
export type { BanOptions, BanScope, FlagOptions, FlagReport } from './moderation/moderation-calls.ts'
export type {
  ModerationAction,
  ModerationConfig,
  ModerationPayload,
  ReviewQueueItem,
} from './moderation/review-calls.ts'
export { AllowAll, DenyAll, type Policy } from './permissions/policies.ts'
export { Poll } from './polls/poll.ts'
export type { PollOptionFields } from './polls/poll-calls.ts'
export type { Polls } from './polls/polls.ts'
export type { ReminderRequest } from './reminders/reminder-calls.ts'
export type { SearchState, SearchWithin } from './search/search.ts'
export type { SearchAnswer, SearchOptions } from './search/search-calls.ts'
export type {
  Acting,
  Answer,
  Around,
  Attachment,
  Ban,
  CallOptions,
  ChannelConfig,
  ChannelData,
  ChannelMute,
  ChannelRequest,
  ChannelStateAnswer,
  Command,
  Draft,
  Filter,
  Flag,
  Me,
  Member,
  MemberRequest,
  Message,
  MessageRequest,
  Mute,
  OwnDraft,
  OwnUser,
  Page,
  PageOptions,
  PartialUpdate,
  PollData,
  PollOption,
  PollRequest,
  PollVote,
  QuotedMessage,
  Reaction,
  ReactionGroup,
  Reminder,
  Sort,
  ThreadData,
  ThreadParticipant,
  UnreadAnswer,
  User,
  UserRequest,
  WireChannel,
} from './shapes.ts'
export type { ClientStorage } from './storage/storage.ts'
export { Thread, type ThreadState } from './threads/thread.ts'
export type { ThreadQuery, ThreadsQuery } from './threads/thread-list.ts'
export type { ThreadFields } from './threads/thread-state.ts'
export type { ThreadListState, Threads } from './threads/threads.ts'
export type { TokenOrProvider } from './token.ts'
export type { SharedLocation } from './users/location-calls.ts'
