/**
 * The tables of the chat server. Every row carries its app. Times are microseconds, flags 0 or 1,
 * columns ending in `_json` (and `data`, the custom fields) hold JSON text in both databases.
 */

import type { CampaignStatus } from '@parley/protocol/campaigns'
import type { ImportState } from '@parley/protocol/imports'
import type { VotingVisibility } from '@parley/protocol/polls'
import type { Micros } from '../micros.ts'

type Flag = 0 | 1
type Json = string

declare const assigned: unique symbol
/** A role that was checked: `permissions/assign-role.ts` returns it, and the tables take no other. */
export type AssignedRole = string & { readonly [assigned]: true }

export interface AppRow {
  id: string
  key: string
  secret: string
  name: string
  created_at: Micros
  /** What differs from the defaults. */
  settings_json: Json
}

/** What an app's administrators made: few rows, always read together. */
export interface AppRuleRow {
  app: string
  kind:
    | 'channel_type'
    | 'role'
    | 'permission'
    | 'command'
    | 'block_list'
    | 'push_provider'
    | 'push_template'
    | 'moderation'
  name: string
  body_json: Json
  created_at: Micros
  updated_at: Micros
}

export interface UserRow {
  app: string
  id: string
  role: AssignedRole
  name: string | null
  /** The name as names are compared; null for one that cannot be taken. */
  name_key: string | null
  image: string | null
  language: string
  invisible: Flag
  teams_json: Json | null
  teams_role_json: Json | null
  privacy_json: Json | null
  data: Json
  created_at: Micros
  updated_at: Micros
  last_active: Micros | null
  deactivated_at: Micros | null
  deleted_at: Micros | null
  /** How a deleted user was deleted; null for others. */
  deleted_how: 'soft' | 'pruning' | 'hard' | null
  revoke_before: Micros | null
  /** In the whole app. */
  banned: Flag
  shadow_banned: Flag
  ban_expires: Micros | null
  /** What they write is not held against anything. */
  bypass_moderation: Flag
  /** How often they answered others, and what all that took together; nothing while the app does not want to know. */
  answers: number
  answer_micros: Micros
}

export interface ChannelRow {
  app: string
  cid: string
  type: string
  id: string
  created_by: string
  team: string | null
  name: string | null
  image: string | null
  frozen: Flag
  disabled: Flag
  cooldown: number
  data: Json
  /** A hash of the sorted member ids of a channel made from its members; null for one with an id of its own. */
  distinct_members: string | null
  created_at: Micros
  updated_at: Micros
  last_message_at: Micros | null
  /** `last_message_at`, else `created_at`: what lists are sorted by, so that one index serves them. */
  activity_at: Micros
  member_count: number
  /** Number of the newest event. */
  seq: number
  /** Messages in its history now. */
  message_count: number
  /** Countable messages there ever were: the ordinal of the newest one. */
  counted: number
  /** Time of the newest event; the next one is later. */
  event_at: Micros
  truncated_at: Micros | null
  /** The user who truncated it last; null where the app's server named none. */
  truncated_by: string | null
  deleted_at: Micros | null
  /** Whether some member may have hidden it: the next message that counts looks for them. */
  hidden_by_some: Flag
  /** Where it does otherwise than its type; null where it does not. */
  overrides_json: Json | null
  /** Every message is also translated into this language; where it is null, into those of the members. */
  auto_translation_enabled: Flag
  auto_translation_language: string | null
}

/** A user in a channel, who may be a member. */
export type Place = Pick<MemberRow, 'cid' | 'user_id'>

export interface MemberRow {
  app: string
  cid: string
  user_id: string
  channel_role: AssignedRole
  /** `member`, `pending`, `accepted` or `rejected` */
  status: string
  data: Json
  created_at: Micros
  updated_at: Micros
  banned: Flag
  shadow_banned: Flag
  ban_expires: Micros | null
  hidden: Flag
  /** The member blocked the only other one: the channel is hidden, and the member receives no events of it. */
  blocked: Flag
  hide_before: Micros | null
  pinned_at: Micros | null
  archived_at: Micros | null
  invite_accepted_at: Micros | null
  invite_rejected_at: Micros | null
}

/** How far a member has read. Unread messages are the channel's `counted` less `ordinal`, less what does not count. */
export interface ReadRow {
  app: string
  cid: string
  user_id: string
  last_read: Micros
  last_read_message_id: string | null
  ordinal: number
  /** Own messages after the read position; they never count. */
  own_after: number
}

export interface MessageRow {
  app: string
  id: string
  cid: string
  user_id: string
  type: string
  text: string
  created_at: Micros
  updated_at: Micros
  text_updated_at: Micros | null
  deleted_at: Micros | null
  /** How many countable messages the channel had up to and with this one. */
  ordinal: number
  /** Whether it can be unread at all [READ-7…14]. */
  counted: Flag
  silent: Flag
  /** Of a shadow-banned author: only they and moderators see it. */
  shadowed: Flag
  /** Ids of its recipients besides its author; null means everyone. */
  restricted_json: Json | null
  /** Users who receive and count it: author, recipients, and users who may read all messages; null means everyone. */
  audience_json: Json | null
  /** Built-in fields that few messages have, in wire format: see `MessageExtras`. */
  extras_json: Json | null
  parent_id: string | null
  show_in_channel: Flag
  quoted_message_id: string | null
  reply_count: number
  deleted_reply_count: number
  thread_participants_json: Json | null
  attachments_json: Json | null
  mentions_json: Json | null
  reaction_groups_json: Json | null
  pinned_at: Micros | null
  pinned_by: string | null
  pin_expires: Micros | null
  poll_id: string | null
  /** The slash command it came from, and the words after it. */
  command: string | null
  args: string | null
  data: Json
}

/** A countable message that was deleted: it counts no more for those who had not read it. */
export interface UncountedRow {
  app: string
  cid: string
  ordinal: number
  user_id: string
}

export interface ReactionRow {
  app: string
  message_id: string
  user_id: string
  type: string
  score: number
  data: Json
  created_at: Micros
  updated_at: Micros
}

/** What happened in a channel, in order: `/sync` and the repair of gaps read it. Kept 30 days. */
export interface EventRow {
  app: string
  cid: string
  seq: number
  at: Micros
  type: string
  /** Set when the event is for this user alone. */
  user_id: string | null
  /** Set when it is for these users alone. */
  users_json: Json | null
  /** Set when it is not for this user. */
  except_id: string | null
  body: string
}

/** A user muted another, from `created_at` until `until`, or for ever. */
export interface UserMuteRow {
  app: string
  user_id: string
  target_id: string
  created_at: Micros
  updated_at: Micros
  /** When it ends or ended; messages between count no more afterwards either. */
  until: Micros | null
}

/** One user wants nothing from another where just the two of them are. */
export interface BlockRow {
  app: string
  user_id: string
  blocked_id: string
  created_at: Micros
}

/** A device registered for push. */
export interface DeviceRow {
  app: string
  user_id: string
  id: string
  push_provider: string
  push_provider_name: string | null
  voip: Flag
  hardware_id: string | null
  created_at: Micros
  /** Why nothing is sent to it any more; null for one that works. */
  disabled_reason: string | null
}

/** A user's push preference: for a channel, or, where `cid` is '', for all. */
export interface PushPreferenceRow {
  app: string
  user_id: string
  cid: string
  /** `chat_level`, `call_level`, `feeds_level` and `chat_preferences`, as far as they were set. */
  levels_json: Json
  disabled_until: Micros | null
}

/** Messages of the channel up to `until` do not count for the user. */
export interface ChannelMuteRow {
  app: string
  user_id: string
  cid: string
  created_at: Micros
  updated_at: Micros
  until: Micros | null
}

/** A message with replies; the thread has the id of that message [THR-31]. */
export interface ThreadRow {
  app: string
  id: string
  cid: string
  /** The first user who replied. */
  created_by: string
  /** Null for a thread that is called after its parent's text. */
  title: string | null
  data: Json
  created_at: Micros
  updated_at: Micros
  last_message_at: Micros
}

/** A thread participant, and how far they have read it. */
export interface ThreadParticipantRow {
  app: string
  thread_id: string
  user_id: string
  created_at: Micros
  last_read: Micros
  last_read_message_id: string | null
  /** Time of their newest reply; null for a parent's author who never replied. */
  last_message_at: Micros | null
  /** When they left the channel; null for who is there. */
  left_at: Micros | null
}

/** A ban from one channel or, where `cid` is '', from the whole app. */
export interface BanRow {
  app: string
  target_id: string
  cid: string
  banned_by: string | null
  reason: string | null
  /** A shadow ban: the user may write, but no other user sees it. */
  shadow: Flag
  created_at: Micros
  expires: Micros | null
  /** It ran out, and the target is marked no more. */
  lapsed: Flag
}

/** Where a user called from; an address, or a network of IPv6. */
export interface UserNetworkRow {
  app: string
  user_id: string
  network: string
  seen_at: Micros
}

/** No user can write from this network while the ban of the target holds. */
export interface BannedNetworkRow {
  app: string
  network: string
  target_id: string
  shadow: Flag
  expires: Micros | null
}

/** The target is banned from each channel that the banning user adds them to. */
export interface FutureBanRow {
  app: string
  banned_by: string
  target_id: string
  reason: string | null
  shadow: Flag
  created_at: Micros
  expires: Micros | null
}

/** A draft in a channel, or in one of its threads. */
export interface DraftRow {
  app: string
  user_id: string
  /** The cid, or for a thread the cid and the id of its parent. */
  place: string
  cid: string
  parent_id: string | null
  message_json: Json
  created_at: Micros
}

/** The ephemeral result of a command, which waits for its sender's action; no other user sees it. */
export interface EphemeralMessageRow {
  app: string
  id: string
  cid: string
  user_id: string
  command: string
  args: string
  /** As it would be sent. */
  message_json: Json
  created_at: Micros
  expires: Micros
}

/** A report by a user or an engine of a message, a user or something else. */
export interface FlagRow {
  app: string
  /** Empty for an engine's report. */
  user_id: string
  /** `message:<id>`, `user:<id>`, or `entity:<type>:<id>` of what the app makes of its own. */
  subject: string
  /** 0, or one more for each thing that was found besides. */
  n: number
  /** `user_report`, `blocklist`, `velocity` … */
  type: string
  entity_type: string
  entity_id: string
  /** The message and its channel; null for anything else. */
  cid: string | null
  message_id: string | null
  /** The message's author, the user, or the creator of the thing; empty if unknown. */
  target_id: string
  reason: string | null
  data: Json
  created_at: Micros
  updated_at: Micros
  reviewed_at: Micros | null
  reviewed_by: string | null
}

/** All flags of one message together; it has the id of that message. */
export interface FlagReportRow {
  app: string
  id: string
  cid: string
  /** The message's author. */
  message_user_id: string
  flags_count: number
  created_at: Micros
  updated_at: Micros
  /** Null while there are flags without a review. */
  review_result: string | null
  review_details_json: Json | null
  reviewed_at: Micros | null
  reviewed_by: string | null
}

/** Something to look at, with all that was reported of it; one for each subject of flags. */
export interface ReviewItemRow {
  app: string
  /** A UUID. */
  id: string
  subject: string
  entity_type: string
  entity_id: string
  creator_id: string | null
  cid: string | null
  teams_json: Json
  /** Its content at the review, without the custom fields. */
  payload_json: Json
  /** The custom fields of that content. */
  data: Json
  has_text: number
  has_image: number
  has_video: number
  has_media: number
  config_key: string | null
  recommended_action: string
  /** 0 to 100 */
  severity: number
  flags_count: number
  labels_json: Json
  latest_action: string
  /** The row of a message that was stopped; it is stored nowhere else. */
  held_json: Json | null
  escalation_json: Json | null
  escalated_at: Micros | null
  escalated_by: string | null
  assigned_to: string | null
  assigned_until: Micros | null
  /** Null while some of it is not reviewed. */
  reviewed_at: Micros | null
  reviewed_by: string | null
  created_at: Micros
  updated_at: Micros
}

/** A moderator's action on a reported item. */
export interface ReviewActionRow {
  app: string
  id: string
  /** Empty where it was done without one. */
  item_id: string
  type: string
  reason: string
  user_id: string
  target_user_id: string
  reporter_type: 'moderator' | 'api_integration'
  data: Json
  created_at: Micros
}

/** A message bounced to its author; sent again, it is handled differently. */
export interface BouncedMessageRow {
  app: string
  id: string
  user_id: string
  at: Micros
}

/** Work that goes on after the answer, in pages; a restart goes on where it stopped. */
export interface TaskRow {
  app: string
  /** A UUID. */
  id: string
  kind: string
  /** The tasks among which it waits for its turn: those of its kind and app, and for the same hook. */
  lane: string
  status: 'waiting' | 'running' | 'completed' | 'failed'
  input_json: Json
  /** Where the next page begins; null before the first is done. */
  progress_json: Json | null
  result_json: Json | null
  error_json: Json | null
  attempts: number
  /** The worker that runs it; no other does until `claimed_until`. */
  claim: string | null
  claimed_until: Micros
  created_at: Micros
  updated_at: Micros
}

/** Something that happens at a set time, once: a reminder, the end of a pin. */
export interface ScheduledJobRow {
  app: string
  kind: string
  id: string
  /** The channel that is locked when it happens. */
  cid: string
  at: Micros
}

/** A pending message that the app's server must commit; only its author sees it [messaging.md 5.2]. */
export interface PendingMessageRow {
  app: string
  id: string
  cid: string
  user_id: string
  /** The row that will be posted. */
  row_json: Json
  metadata_json: Json | null
  created_at: Micros
  /** No push is sent when it is posted. */
  skip_push: Flag
  /** A rule's verdict, which reaches the moderators when it is posted. */
  verdict_json: Json | null
}

/** The content of a message before an edit. */
export interface MessageVersionRow {
  app: string
  message_id: string
  written_at: Micros
  written_by: string
  replaced_at: Micros
  replaced_by: string
  text: string
  attachments_json: Json | null
  data: Json
}

/** There is one row while messages wait to be made searchable: those whose app and id come after it. */
export interface UnindexedAfterRow {
  app: string
  id: string
}

/** An uploaded file; its bytes are in the storage under its id. */
export interface FileRow {
  /** Cannot be guessed. */
  id: string
  app: string
  /** What it was uploaded as; or one that the app's server gets or gives in one piece, and that goes by itself. */
  kind: 'file' | 'image' | 'export' | 'import'
  /** Null for one that belongs to no channel. */
  cid: string | null
  user_id: string
  name: string
  mime_type: string
  size: number
  /** Of a picture that can be read. */
  width: number | null
  height: number | null
  created_at: Micros
  /** When it was last known to be referenced; 0 if not checked yet. */
  named_at?: Micros
}

/** What was made of a file, kept under `<file id>.<variant>`. */
export interface FileVariantRow {
  file_id: string
  variant: string
  mime_type: string
  size: number
}

/** Values shared by all nodes and no one else. */
export interface KeyRow {
  name: string
  value: string
}

/** A question with options to vote for; it is shown by the messages that carry its id. */
export interface PollRow {
  app: string
  id: string
  name: string
  description: string
  voting_visibility: VotingVisibility
  enforce_unique_vote: Flag
  /** Null for no limit. */
  max_votes_allowed: number | null
  allow_user_suggested_options: Flag
  allow_answers: Flag
  is_closed: Flag
  options_json: Json
  /** How many votes each option has; options without any are left out. */
  counts_json: Json
  answers_count: number
  created_by: string
  data: Json
  created_at: Micros
  /** A vote changes it too; every change is later than the one before. */
  updated_at: Micros
}

/** One user's vote for one option, or, where `option_id` is '', the user's one answer in own words [POL-33]. */
export interface PollVoteRow {
  app: string
  id: string
  poll_id: string
  user_id: string
  option_id: string
  answer_text: string | null
  /** An answer of a shadow-banned voter: only they see it. */
  shadowed: Flag
  created_at: Micros
  updated_at: Micros
}

/** A message that one user deleted for themselves alone. */
export interface DeletedForMeRow {
  app: string
  cid: string
  user_id: string
  message_id: string
  at: Micros
}

/** A message reminder of a user. */
export interface ReminderRow {
  app: string
  user_id: string
  message_id: string
  cid: string
  /** Null for one that is only saved for later. */
  remind_at: Micros | null
  created_at: Micros
  updated_at: Micros
}

/** A location that is shared until its end; the message holds its position. */
export interface LiveLocationRow {
  app: string
  message_id: string
  cid: string
  user_id: string
  end_at: Micros
}

/** The newest message of a channel that has reached a member. */
export interface DeliveryRow {
  app: string
  cid: string
  user_id: string
  message_id: string
  message_at: Micros
  delivered_at: Micros
}

/** An unread reminder that was sent for a channel; kept while it could be sent again. */
export interface UnreadReminderRow {
  app: string
  cid: string
  user_id: string
  at: Micros
}

/** Up to when the messages of an app were checked for unread ones. */
export interface UnreadLookRow {
  app: string
  at: Micros
}

/** A set of users or channels that campaigns go to. */
export interface SegmentRow {
  app: string
  id: string
  /** Its targets are kept under this; an id may be used again before those of its last bearer are gone. */
  key: string
  type: 'user' | 'channel'
  name: string
  description: string
  filter_json: string | null
  all_users: 0 | 1
  all_sender_channels: 0 | 1
  size: number
  /** The count of what its filter matches, while it is under way. */
  task_id: string | null
  created_at: Micros
  updated_at: Micros
}

/** A user, by id, or a channel, by cid, that was put into a segment by hand. */
export interface SegmentTargetRow {
  app: string
  /** The key of the segment. */
  segment: string
  target_id: string
  created_at: Micros
}

/** One message to very many. */
export interface CampaignRow {
  app: string
  id: string
  /** The ids of its messages are derived from it; it is secret. */
  key: string
  name: string
  description: string
  sender_id: string
  segment_ids_json: Json
  user_ids_json: Json
  /** What it sends, where and how. */
  plan_json: Json
  status: CampaignStatus
  scheduled_for: Micros | null
  stop_at: Micros | null
  /** The task that sends it, or sent it; its targets are kept under this. */
  run: string | null
  started_at: Micros | null
  completed_at: Micros | null
  /** Counted when they are gathered. */
  targets: number
  /** Those that had their turn. */
  done: number
  users_sent: number
  users_read: number
  channels_created: number
  messages_sent: number
  created_at: Micros
  updated_at: Micros
}

/** A user, by id, or a channel, by cid, that a campaign targets. */
export interface CampaignTargetRow {
  app: string
  run: string
  target_id: string
  /** The channel was made for it. */
  made: 0 | 1
  /** Null until its message is there. */
  message_id: string | null
}

/** Lines of a file that become users, channels and messages [administration.md 10.5]. */
export interface ImportRow {
  app: string
  /** That of its task. */
  id: string
  path: string
  mode: 'upsert' | 'insert'
  merge_custom: Flag
  state: ImportState
  size: number
  result_json: Json | null
  history_json: Json
  created_at: Micros
  updated_at: Micros
}

/** An item of a running import; lines that refer to it find it here. */
export interface ImportItemRow {
  app: string
  import_id: string
  /** What it is and what it is called, as JSON. */
  name: string
  /** Of a message its channel and what it replies to, as JSON. */
  about: Json | null
}

/** What one node counted of a team on a day in UTC; a team without a name is that of those without a team. */
export interface UsageDayRow {
  app: string
  team: string
  /** `YYYY-MM-DD` */
  day: string
  node: string
  messages: number
  translations: number
  /** The most that were here at one moment. */
  users_peak: number
  connections_peak: number
}

/** A user was active on a day. */
export interface UsageUserRow {
  app: string
  team: string
  day: string
  user_id: string
  wrote: Flag
}

/** How often a node has committed. */
export interface CommitMarkRow {
  node: string
  number: number
  at: Micros
}

export interface Tables {
  commit_marks: CommitMarkRow
  apps: AppRow
  app_rules: AppRuleRow
  users: UserRow
  channels: ChannelRow
  members: MemberRow
  reads: ReadRow
  messages: MessageRow
  polls: PollRow
  poll_votes: PollVoteRow
  uncounted: UncountedRow
  reactions: ReactionRow
  events: EventRow
  threads: ThreadRow
  drafts: DraftRow
  thread_participants: ThreadParticipantRow
  user_mutes: UserMuteRow
  bans: BanRow
  future_bans: FutureBanRow
  user_networks: UserNetworkRow
  banned_networks: BannedNetworkRow
  flags: FlagRow
  flag_reports: FlagReportRow
  review_items: ReviewItemRow
  review_actions: ReviewActionRow
  bounced_messages: BouncedMessageRow
  ephemeral_messages: EphemeralMessageRow
  channel_mutes: ChannelMuteRow
  tasks: TaskRow
  files: FileRow
  file_variants: FileVariantRow
  keys: KeyRow
  blocks: BlockRow
  devices: DeviceRow
  push_preferences: PushPreferenceRow
  due: ScheduledJobRow
  pending_messages: PendingMessageRow
  deleted_for_me: DeletedForMeRow
  reminders: ReminderRow
  unread_reminders: UnreadReminderRow
  unread_looks: UnreadLookRow
  live_locations: LiveLocationRow
  deliveries: DeliveryRow
  unindexed_after: UnindexedAfterRow
  message_versions: MessageVersionRow
  segments: SegmentRow
  segment_targets: SegmentTargetRow
  campaigns: CampaignRow
  campaign_targets: CampaignTargetRow
  imports: ImportRow
  usage_days: UsageDayRow
  usage_users: UsageUserRow
  import_items: ImportItemRow
}
