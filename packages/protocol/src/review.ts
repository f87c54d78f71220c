/**
 * Moderation, version 2: a queue of things to look at, whatever raised them.
 * @see administration.md 7
 */
import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import {
  CONFIG_RULES,
  CUSTOM_CHECK_FLAGS,
  ENTITY_ID_CHARS,
  ENTITY_TYPE_CHARS,
  MUTES_PER_CALL,
  PACE_MESSAGES,
  PACE_SECONDS,
  PAYLOAD_MEDIA,
  REVIEW_LOCK_SECONDS_MAX,
  REVIEW_LOCKS,
  REVIEW_PAGE_MAX,
  TIMEOUT_MINUTES_MAX,
} from './limits.ts'
import { Message } from './messages.ts'
import { Mute, User } from './users.ts'
import { actor, answer, cursors, NonEmpty, refusesEmpty, TeamName, Time, UserId } from './wire.ts'

/** What a chat message and a chat user are called here. Everything else belongs to the app itself. */
export const MESSAGE_ENTITY = 'stream:chat:v1:message'
export const USER_ENTITY = 'stream:user'
/** One reaction; its id is `<message id>:<user id>:<type>`. */
export const REACTION_ENTITY = 'stream:chat:v1:reaction'

const Fields = Type.Record(Type.String(), Type.Unknown())
const media = Type.Optional(Type.Array(Type.String(), { maxItems: PAYLOAD_MEDIA }))

/** What is to be looked at [administration.md 7.1]. */
export const ModerationPayload = Type.Object({
  texts: Type.Optional(Type.Array(Type.String())),
  images: media,
  videos: media,
  audios: media,
  other_media: media,
  custom: Type.Optional(Fields),
})
export type ModerationPayload = Static<typeof ModerationPayload>

/** One report of a thing, by a user or an engine. */
export const ModerationFlag = Type.Object({
  entity_type: Type.String(),
  entity_id: Type.String(),
  entity_creator_id: Type.Optional(Type.String()),
  type: Type.String({ description: '`user_report`, `blocklist`, `velocity`, `flood`, `custom_check_text` …' }),
  reason: Type.Optional(Type.String()),
  labels: Type.Optional(Type.Array(Type.String())),
  result: Type.Array(Fields),
  custom: Type.Optional(Fields),
  user_id: Type.String({ description: '"" for an engine' }),
  user: Type.Optional(User),
  review_queue_item_id: Type.Optional(Type.String()),
  created_at: Time,
  updated_at: Time,
})
export type ModerationFlag = Static<typeof ModerationFlag>

/** An action taken on an item. */
export const ActionLog = Type.Object({
  id: Type.String(),
  type: Type.String(),
  reason: Type.String(),
  user_id: Type.String(),
  user: Type.Optional(User),
  target_user_id: Type.String(),
  target_user: Type.Optional(User),
  reporter_type: Type.Enum(['user', 'moderator', 'automod', 'api_integration']),
  ai_providers: Type.Array(Type.String()),
  custom: Fields,
  review_queue_item_id: Type.Optional(Type.String()),
  created_at: Time,
})
export type ActionLog = Static<typeof ActionLog>

const CurrentBan = Type.Object({
  user: User,
  created_by: Type.Optional(User),
  reason: Type.Optional(Type.String()),
  expires: Type.Optional(Time),
  shadow: Type.Boolean(),
  channel_cid: Type.Optional(Type.String()),
  channel: Type.Optional(Channel),
  created_at: Time,
})

/** One thing in the queue, with everything that was reported of it [administration.md 7.3]. */
export const ReviewQueueItem = Type.Object({
  id: Type.String(),
  entity_type: Type.String(),
  entity_id: Type.String(),
  entity_creator_id: Type.Optional(Type.String()),
  entity_creator: Type.Optional(
    Type.Object({
      ...User.properties,
      ban_count: Type.Integer(),
      deleted_content_count: Type.Integer(),
      flagged_count: Type.Integer(),
      custom: Fields,
    }),
  ),
  /** Absent once it is gone for good; one that was stopped is there. */
  message: Type.Optional(Message),
  moderation_payload: Type.Optional(ModerationPayload),
  status: Type.Enum(['partial', 'complete'], { description: 'whether all checks are done' }),
  recommended_action: Type.String({ description: '`keep`, `flag`, `remove`, `shadow`, `bounce` …' }),
  severity: Type.Integer({ minimum: 0, maximum: 100 }),
  ai_text_severity: Type.String(),
  flags: Type.Array(ModerationFlag),
  flags_count: Type.Integer(),
  actions: Type.Array(ActionLog, { description: 'newest first' }),
  latest_moderator_action: Type.String({ description: '"" if none' }),
  bans: Type.Array(CurrentBan, { description: 'those of its creator that hold' }),
  languages: Type.Array(Type.String()),
  reviewed_by: Type.String({ description: '"" if not reviewed' }),
  reviewed_at: Type.Optional(Time),
  completed_at: Type.Optional(Time),
  assigned_to: Type.Optional(User),
  config_key: Type.Optional(Type.String()),
  teams: Type.Optional(Type.Array(Type.String())),
  escalated: Type.Boolean(),
  escalated_at: Type.Optional(Time),
  escalated_by: Type.Optional(Type.String()),
  escalation_metadata: Type.Optional(
    Type.Object({
      reason: Type.Optional(Type.String()),
      priority: Type.Optional(Type.Enum(['low', 'medium', 'high'])),
      notes: Type.Optional(Type.String()),
    }),
  ),
  created_at: Time,
  updated_at: Time,
})
export type ReviewQueueItem = Static<typeof ReviewQueueItem>

const entityType = Type.String({ minLength: 1, maxLength: ENTITY_TYPE_CHARS })
const entityId = Type.String({ minLength: 1, maxLength: ENTITY_ID_CHARS })
const entity = { entity_type: entityType, entity_id: entityId, entity_creator_id: Type.Optional(UserId) }

export const FlagContentRequest = Type.Object({
  ...entity,
  reason: Type.Optional(Type.String()),
  custom: Type.Optional(Fields),
  moderation_payload: Type.Optional(ModerationPayload),
  ...actor,
})
export const FlagContentAnswer = answer({ item_id: Type.String() })

export const MuteUsersRequest = Type.Object({
  target_ids: Type.Array(Type.String(), { minItems: 1, maxItems: MUTES_PER_CALL }),
  timeout: Type.Optional(Type.Integer({ minimum: 0, maximum: TIMEOUT_MINUTES_MAX, ...refusesEmpty })),
  ...actor,
})
export const LiftBanQuery = Type.Object({
  target_user_id: NonEmpty,
  channel_cid: Type.Optional(Type.String()),
  created_by: Type.Optional(Type.String()),
})
export const LiftBanRequest = Type.Object({
  unbanned_by_id: Type.Optional(NonEmpty),
  unbanned_by: Type.Optional(Type.Object({ id: Type.String() })),
  ...actor,
})

/** The users who muted and who blocked a user [administration.md 7.9]. */
export const UserReportQuery = Type.Object({ user_id: NonEmpty })
export const UserReportAnswer = answer({
  user: User,
  user_mutes: Type.Array(Mute),
  user_blocks: Type.Array(
    Type.Object({ blocked_by_user_id: Type.String(), blocked_user_id: Type.String(), blocked_at: Time }),
  ),
})

const page = {
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: REVIEW_PAGE_MAX })),
  ...cursors,
  ...actor,
}

export const QueryReviewQueueRequest = Type.Object({
  ...page,
  stats_only: Type.Optional(Type.Boolean()),
  lock_items: Type.Optional(Type.Boolean({ description: 'take them for oneself; false gives them back' })),
  lock_count: Type.Optional(Type.Integer({ minimum: 1, maximum: REVIEW_LOCKS })),
  lock_duration: Type.Optional(Type.Integer({ minimum: 1, maximum: REVIEW_LOCK_SECONDS_MAX, description: 's' })),
  exclude_default_action_config: Type.Optional(Type.Boolean()),
})
export type QueryReviewQueueRequest = Static<typeof QueryReviewQueueRequest>

/** A button for moderators of the queue. */
export const ActionConfig = Type.Object({
  action: Type.String(),
  description: Type.String(),
  entity_type: Type.String(),
  icon: Type.String(),
  order: Type.Integer(),
})
export type ActionConfig = Static<typeof ActionConfig>

export const ReviewQueueAnswer = answer({
  items: Type.Array(ReviewQueueItem),
  stats: Type.Object({ total: Type.Integer(), unreviewed: Type.Integer(), reviewed: Type.Integer() }),
  action_config: Type.Record(Type.String(), Type.Array(ActionConfig), { description: 'by entity_type' }),
  default_action_config: Type.Optional(Type.Array(ActionConfig)),
  filter_config: Type.Object({ llm_labels: Type.Array(Type.String()), config_keys: Type.Array(Type.String()) }),
  ...cursors,
})
export const ReviewQueueItemAnswer = answer({ item: ReviewQueueItem })
export const QueryReviewRequest = Type.Object(page)
export const ModerationFlagsAnswer = answer({ flags: Type.Array(ModerationFlag), ...cursors })
export const ActionLogsAnswer = answer({ logs: Type.Array(ActionLog), ...cursors })

/** What a moderator decides, with options under the name of the action [administration.md 7.4]. */
const reason = Type.Optional(Type.String())
const decision = Type.Optional(Type.Object({ decision_reason: reason }))
const yes = Type.Optional(Type.Boolean())
const id = Type.Optional(NonEmpty)
export const SubmitActionRequest = Type.Object({
  action_type: NonEmpty,
  item_id: id,
  appeal_id: id,
  mark_reviewed: Type.Optional(
    Type.Object({
      content_to_mark_as_reviewed_limit: Type.Optional(Type.Integer({ minimum: 0 })),
      disable_marking_content_as_reviewed: yes,
      decision_reason: reason,
    }),
  ),
  delete_message: Type.Optional(Type.Object({ hard_delete: yes, reason, entity_id: id, entity_type: id })),
  delete_reaction: Type.Optional(Type.Object({ hard_delete: yes, reason, entity_id: id })),
  delete_user: Type.Optional(
    Type.Object({
      hard_delete: yes,
      mark_messages_deleted: yes,
      delete_conversation_channels: yes,
      reason,
      entity_id: id,
    }),
  ),
  delete_user_messages: Type.Optional(
    Type.Object({
      delete_messages: Type.Enum(['soft', 'pruning', 'hard']),
      channel_cid: id,
      delete_reactions: yes,
      entity_id: id,
      reason,
    }),
  ),
  ban: Type.Optional(
    Type.Object({
      timeout: Type.Optional(
        Type.Integer({ minimum: 0, maximum: TIMEOUT_MINUTES_MAX, description: 'minutes', ...refusesEmpty }),
      ),
      reason,
      shadow: yes,
      ip_ban: yes,
      channel_ban_only: yes,
      channel_cid: id,
      delete_messages: Type.Optional(Type.Enum(['soft', 'pruning', 'hard', ''])),
      ban_from_future_channels: yes,
      target_user_id: id,
    }),
  ),
  unban: Type.Optional(
    Type.Object({ channel_cid: id, remove_future_channels_ban: yes, target_user_id: id, decision_reason: reason }),
  ),
  restore: decision,
  block: Type.Optional(Type.Object({ reason })),
  unblock: decision,
  shadow_block: Type.Optional(Type.Object({ reason })),
  unmask: decision,
  custom: Type.Optional(Type.Object({ id: NonEmpty, options: Type.Optional(Fields) })),
  escalate: Type.Optional(
    Type.Object({ reason, priority: Type.Optional(Type.Enum(['low', 'medium', 'high'])), notes: reason }),
  ),
  de_escalate: decision,
  ...actor,
})
export type SubmitActionRequest = Static<typeof SubmitActionRequest>
export const SubmitActionAnswer = answer({ item: Type.Optional(ReviewQueueItem) })

/** What comes of content that a rule finds [administration.md 7.6]. */
export const moderationActions = [
  'keep',
  'flag',
  'shadow',
  'remove',
  'bounce',
  'bounce_flag',
  'bounce_remove',
  'mask_flag',
  'ban',
] as const
const action = Type.Enum([...moderationActions])
export type ModerationAction = (typeof moderationActions)[number]

const switches = { enabled: yes, async: yes }
const rules = <const Rule extends Type.TSchema>(rule: Rule) => Type.Array(rule, { maxItems: CONFIG_RULES })
const labelled = Type.Optional(
  Type.Object({ ...switches, rules: rules(Type.Object({ label: Type.String(), threshold: Type.Number(), action })) }),
)
const severities = Type.Optional(
  rules(Type.Object({ severity: Type.Enum(['low', 'medium', 'high', 'critical']), action })),
)
const mediaRules = Type.Optional(
  Type.Object({
    ...switches,
    rules: rules(Type.Object({ label: Type.String(), min_confidence: Type.Number(), action })),
    ocr_rules: Type.Optional(rules(Type.Object({ label: Type.String(), action }))),
  }),
)
const threshold = Type.Optional(Type.Integer({ minimum: 1, maximum: PACE_MESSAGES }))
const seconds = Type.Optional(Type.Integer({ minimum: 1, maximum: PACE_SECONDS, description: 's' }))
const minutes = Type.Optional(
  Type.Integer({ minimum: 0, maximum: TIMEOUT_MINUTES_MAX, description: 'minutes', ...refusesEmpty }),
)
const Repetition = Type.Object({
  ...switches,
  threshold: Type.Integer({ minimum: 2, maximum: PACE_MESSAGES, description: 'this many are too many' }),
  ttl: seconds,
  action: Type.Optional(action),
})
export type Repetition = Static<typeof Repetition>

/** The rule for users who send too much in too short a time. */
export const VelocityRule = Type.Object({
  action,
  fast_spam_threshold: threshold,
  fast_spam_ttl: seconds,
  slow_spam_threshold: threshold,
  slow_spam_ttl: seconds,
  ban_duration: minutes,
  slow_spam_ban_duration: minutes,
  ip_ban: yes,
  shadow_ban: yes,
  url_only: yes,
  check_message_context: yes,
  probation_period: Type.Optional(Type.Integer({ minimum: 0 })),
  cascading_action: Type.Optional(action),
  cascading_threshold: threshold,
})
export type VelocityRule = Static<typeof VelocityRule>

const parts = {
  block_list_config: Type.Optional(
    Type.Object({
      ...switches,
      match_substring: yes,
      rules: rules(Type.Object({ name: NonEmpty, action, team: Type.Optional(Type.String()) })),
    }),
  ),
  automod_toxicity_config: labelled,
  automod_platform_circumvention_config: labelled,
  automod_semantic_filters_config: Type.Optional(
    Type.Object({ ...switches, rules: rules(Type.Object({ name: Type.String(), threshold: Type.Number(), action })) }),
  ),
  ai_text_config: Type.Optional(
    Type.Object({
      ...switches,
      profile: Type.Optional(Type.String()),
      rules: rules(Type.Object({ label: Type.String(), action: Type.Optional(action), severity_rules: severities })),
      severity_rules: severities,
    }),
  ),
  ai_image_config: mediaRules,
  ai_video_config: mediaRules,
  ai_audio_config: Type.Optional(Fields),
  velocity_filter_config: Type.Optional(
    Type.Object({
      ...switches,
      first_message_only: yes,
      cids_per_user: Type.Optional(Type.Integer()),
      cascading_actions: yes,
      advanced_filters: yes,
      rules: rules(VelocityRule),
    }),
  ),
  flood_config: Type.Optional(
    Type.Object({
      ...switches,
      allowlist: Type.Optional(Type.Array(Type.String(), { maxItems: CONFIG_RULES })),
      identical: Type.Optional(Repetition),
      similar: Type.Optional(Repetition),
    }),
  ),
  llm_config: Type.Optional(
    Type.Object({
      ...switches,
      app_context: Type.Optional(Type.String()),
      rules: rules(
        Type.Object({
          label: Type.String(),
          description: Type.Optional(Type.String()),
          action: Type.Optional(action),
          severity_rules: severities,
        }),
      ),
      severity_descriptions: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
  rule_builder_config: Type.Optional(Fields),
  video_call_rule_config: Type.Optional(Fields),
  google_vision_config: Type.Optional(Fields),
  aws_rekognition_config: Type.Optional(Fields),
  bodyguard_config: Type.Optional(Fields),
}
/** The content of a configuration, without its key. */
export const ConfigParts = Type.Object(parts)
export type ConfigParts = Static<typeof ConfigParts>

/** Replaces the configuration of that key and team as a whole. */
export const UpsertConfigRequest = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255, description: '`chat`, `chat:<type>`, `chat:<type>:<id>`, or any' }),
  team: Type.Optional(TeamName),
  async: yes,
  ...parts,
  ...actor,
})
export type UpsertConfigRequest = Static<typeof UpsertConfigRequest>
export const ModerationConfig = Type.Object({
  key: Type.String(),
  team: Type.String({ description: '"" for none' }),
  async: Type.Boolean(),
  ...parts,
  supported_video_call_harm_types: Type.Array(Type.String()),
  created_at: Time,
  updated_at: Time,
})
export type ModerationConfig = Static<typeof ModerationConfig>
export const ConfigQuery = Type.Object({ team: Type.Optional(Type.String()), user_id: Type.Optional(Type.String()) })
export const ConfigAnswer = answer({ config: ModerationConfig })
export const ConfigsAnswer = answer({ configs: Type.Array(ModerationConfig), ...cursors })

/** The result of a configuration for some content; the content itself is not changed [administration.md 7.7]. */
export const CheckRequest = Type.Object({
  entity_type: entityType,
  entity_id: entityId,
  entity_creator_id: UserId,
  moderation_payload: ModerationPayload,
  config_key: Type.Optional(NonEmpty),
  config_team: Type.Optional(Type.String()),
  config: Type.Optional(ConfigParts),
  options: Type.Optional(Fields),
  test_mode: yes,
  content_published_at: Type.Optional(Time),
  ...actor,
})
export type CheckRequest = Static<typeof CheckRequest>
const checks = Type.Enum(['complete', 'partial'])
export const TriggeredRule = Type.Object({
  rule_id: Type.String(),
  rule_name: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  actions: Type.Array(Type.String()),
})
export type TriggeredRule = Static<typeof TriggeredRule>
export const CheckAnswer = answer({
  recommended_action: Type.String(),
  status: checks,
  item: Type.Optional(ReviewQueueItem),
  triggered_rule: Type.Optional(TriggeredRule),
  triggered_rules: Type.Optional(Type.Array(TriggeredRule)),
})

/** What an engine of the app's own found. */
export const CustomCheckRequest = Type.Object({
  ...entity,
  flags: Type.Array(
    Type.Object({
      type: Type.Enum(['custom_check_text', 'custom_check_image', 'custom_check_video']),
      reason,
      labels: Type.Optional(Type.Array(Type.String(), { maxItems: CONFIG_RULES })),
      custom: Type.Optional(Fields),
    }),
    { minItems: 1, maxItems: CUSTOM_CHECK_FLAGS },
  ),
  moderation_payload: Type.Optional(ModerationPayload),
  ...actor,
})
export type CustomCheckRequest = Static<typeof CustomCheckRequest>
export const CustomCheckAnswer = answer({ id: Type.String(), status: checks, item: ReviewQueueItem })

export const FlagCountRequest = Type.Object({ entity_creator_id: NonEmpty, entity_type: id, ...actor })
export const FlagCountAnswer = answer({ count: Type.Integer() })
export const BypassRequest = Type.Object({ target_user_id: NonEmpty, enabled: Type.Boolean() })

/** The webhook events of the review queue; none of them goes through a socket [administration.md 7.8]. */
const created = { created_at: Time }
const aboutItem = Type.Object({
  ...created,
  review_queue_item: ReviewQueueItem,
  flags: Type.Optional(Type.Array(ModerationFlag, { description: 'the new ones' })),
  action: Type.Optional(ActionLog),
})
export const reviewHookEvents = {
  'review_queue_item.new': aboutItem,
  'review_queue_item.updated': aboutItem,
  'moderation_check.completed': Type.Object({
    ...created,
    entity_type: Type.String(),
    entity_id: Type.String(),
    recommended_action: Type.String(),
    review_queue_item_id: Type.String({ description: '"" where nothing was found' }),
  }),
  'moderation.flagged': Type.Object({ ...created, content_type: Type.String(), object_id: Type.String() }),
  'moderation.mark_reviewed': Type.Object({ ...created, item: ReviewQueueItem, message: Type.Optional(Message) }),
  'moderation.custom_action': Type.Object({
    ...created,
    action_id: Type.String(),
    action_options: Type.Optional(Fields),
    review_queue_item: Type.Optional(ReviewQueueItem),
    message: Type.Optional(Message),
  }),
} as const
