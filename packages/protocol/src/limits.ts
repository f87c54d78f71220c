/**
 * The numbers of the wire, each once, with its unit [LIM-4].
 * @see messaging.md 12
 */

/** Custom data of one object, in bytes of JSON. */
export const CUSTOM_DATA_BYTES = 5_120
/** Custom data of one reaction, in bytes of JSON. */
export const REACTION_DATA_BYTES = 1_024
export const REACTION_TYPE_CHARS = 30
export const USER_ID_CHARS = 255
/** The name of a team, in bytes of UTF-8. */
export const TEAM_BYTES = 100
export const TEAMS_PER_USER = 250
export const CHANNEL_ID_CHARS = 64
export const MESSAGE_ID_CHARS = 255
export const MENTIONS_PER_MESSAGE = 25
/** Devices of one user; the oldest make room for more [DEV-11]. */
export const DEVICES_PER_USER = 25
export const ATTACHMENTS_PER_MESSAGE = 30
/** Members added, removed or invited in one call [MEM-27]. */
export const MEMBERS_PER_CALL = 100
/** Users in one upsert, partial update or delete [USR-21]. */
export const USERS_PER_CALL = 100

/** Channels one query gives: by default, and at most [CHN-58]. */
export const CHANNELS_PAGE = 10
export const CHANNELS_PAGE_MAX = 30
export const CHANNELS_PER_DELETION = 100
/** Channels, or users, that go into one export [IMP-8]. */
export const EXPORTED_PER_CALL = 25
/** Bytes of a file that is imported. */
export const IMPORT_BYTES = 300 * 1024 * 1024
export const CHANNELS_OFFSET_MAX = 1_000
/** Messages per channel in a query: by default, and at most [CHN-58, LIM-5]. */
export const MESSAGES_PAGE = 25
export const MESSAGES_PAGE_MAX = 300
export const REPLIES_PAGE = 100
/** Members and watchers in a channel query: by default and at most [LIM-5]. */
export const MEMBERS_PAGE_MAX = 100
export const MEMBERS_OFFSET_MAX = 10_000
/** Of a query of members alone; `user_id_gt` and its like lead on [messaging.md 4.10]. */
export const QUERIED_MEMBERS_OFFSET_MAX = 1_000
export const USERS_PAGE = 30
export const USERS_PAGE_MAX = 100
export const USERS_OFFSET_MAX = 1_000
export const REACTIONS_PAGE = 100
export const REACTIONS_PAGE_MAX = 300
export const REACTIONS_OFFSET_MAX = 1_000
export const REACTIONS_QUERY_PAGE = 10
/** Pins that one call returns by default [PIN-7]. */
export const PINS_PAGE = 10
/** Channels that one call can mark as delivered. */
export const DELIVERED_PER_CALL = 100
export const REMINDERS_PAGE = 25
export const REMINDERS_PAGE_MAX = 100
export const DRAFTS_PAGE = 25
export const DRAFTS_PAGE_MAX = 100
export const PINNED_IN_STATE = 10
/** Own pending messages a channel shows, and the days after which one that was not committed is dropped. */
export const PENDING_IN_STATE = 100
export const PENDING_DAYS = 3
/** The longest that an app can let one wait. */
export const PENDING_DAYS_MAX = 30
/** The longest that a sender can be made to wait for the app's own server. */
export const HOOK_MS_MAX = 6_000
/** Members of a channel that an app's own server is shown, the newest ones. */
export const HOOK_MEMBERS = 50
/** The size of one push, and of the template it is made from [administration.md 16]. */
export const PUSH_BYTES = 4_096
export const PUSH_TEMPLATE_CHARS = 10_000
/** Channels that one is reminded of at a time, and messages of each. */
export const REMINDER_CHANNELS = 10
export const REMINDER_MESSAGES = 5
/** Messages of one channel that one user may delete for themselves. */
export const DELETED_FOR_ME = 100
export const LATEST_REACTIONS = 10
/** Types of reactions on one message: its readers and the recipients of a reaction event get all of them. */
export const REACTION_TYPES = 100
export const THREAD_PARTICIPANTS = 100
/** `max_votes_allowed` of a poll is at most this [POL-31]. */
export const VOTES_PER_USER = 10
export const POLL_OPTIONS = 100
/** A question, its description, an option, an answer. */
export const POLL_TEXT_CHARS = 1_000
/** The newest votes a poll shows of each option, and the newest answers. */
export const LATEST_VOTES = 10
/** Polls, or votes, one query gives. */
export const POLLS_PAGE = 25
export const POLLS_PAGE_MAX = 100
/** Threads one query gives, and replies shown of each: by default and at most [messaging.md 6.2]. */
export const THREADS_PAGE = 10
export const THREADS_PAGE_MAX = 25
export const THREAD_REPLIES = 2
export const THREAD_REPLIES_MAX = 100
/** Only one of the newest this many channel messages can be marked unread [READ-17]. */
export const MARK_UNREAD_WINDOW = 100
export const MUTES_PER_USER = 1000
export const BANS_PAGE_MAX = 100
export const FLAGS_PAGE = 30
export const FLAGS_PAGE_MAX = 100
export const REVIEW_RESULT_CHARS = 64
/** What something before the moderators is called: its type, and its id, which for a reaction has three parts. */
export const ENTITY_TYPE_CHARS = 64
export const ENTITY_ID_CHARS = 560
/** Things to look at, flags, actions and configurations in an answer: by default, at most [administration.md 7.3]. */
export const REVIEW_PAGE = 25
export const REVIEW_PAGE_MAX = 100
/** Things one moderator takes at once, and the seconds they are kept for them. */
export const REVIEW_LOCKS = 25
export const REVIEW_LOCK_SECONDS = 300
export const REVIEW_LOCK_SECONDS_MAX = 86_400
/** How far the things to look at are counted. */
export const REVIEW_COUNTED = 10_000
/** Flags, and actions, that are shown with a thing, the newest ones. */
export const REVIEW_FLAGS_SHOWN = 100
/** Findings of one call of an engine of the app's own. */
export const CUSTOM_CHECK_FLAGS = 10
export const PAYLOAD_MEDIA = 30
/** What is to be checked, or a configuration, in bytes of JSON. */
export const PAYLOAD_BYTES = 65_536
/** Of an app. */
export const MODERATION_CONFIGS = 100
export const CONFIG_RULES = 100
/** Messages, and seconds, a rule about the pace of messages looks back at most. */
export const PACE_MESSAGES = 100
export const PACE_SECONDS = 3_600
/** Users or channels one call mutes. */
export const MUTES_PER_CALL = 50
/** Earlier versions of messages one query gives. */
export const MESSAGE_HISTORY_PAGE = 25
export const MESSAGE_HISTORY_PAGE_MAX = 100
/**
 * Channels one search looks in, and messages one call of it gives: by default and at most [SRCH-7, messaging.md 8.1].
 */
export const SEARCH_CHANNELS_MAX = 500
export const SEARCH_PAGE_MAX = 100
export const SEARCH_OFFSET_MAX = 1_000
export const COOLDOWN_SECONDS_MAX = 120
/** A ban or a mute ends after a hundred years at most, or never. */
export const TIMEOUT_MINUTES_MAX = 52_560_000
export const EXPIRATION_MS_MAX = TIMEOUT_MINUTES_MAX * 60_000

export const SYNC_CHANNELS_MAX = 255
export const SYNC_EVENTS_MAX = 1_000
export const SYNC_DAYS = 30
export const UNREAD_CHANNELS_LISTED = 100

export const FILTER_BYTES = 5_120
/** Conditions of one filter; a list of values is one. */
export const FILTER_CONDITIONS = 100
/** Words one filter looks for in texts, over all its `$q` and `$autocomplete`. */
export const FILTER_WORDS = 20
export const PREDEFINED_FILTERS = 100
export const FILTER_DEPTH = 5

/** Sockets one user may have open at once [messaging.md 2.5]. */
export const CONNECTIONS_PER_USER = 50
export const CONNECTIONS_IN_DEVELOPMENT = 3
/** The server's own health check on an idle socket, at least this often [CON-21]. */
export const SERVER_HEALTH_CHECK_MS = 30_000
/** A socket from which nothing came for this long is dropped [CON-21]. */
export const SERVER_SILENCE_MS = 60_000
/** Clock difference the server accepts in `iat` and `nbf` [AUTH-19]. */
export const TOKEN_SKEW_MS = 5_000

/** Client side: ping, silence, connect wait, offline announcement, backoff cap [CON-3…CON-9]. */
export const PING_MS = 25_000
export const SILENCE_MS = 35_000
export const CONNECT_WAIT_MS = 15_000
export const CONNECT_WAIT_WITH_FALLBACK_MS = 6_000
export const OFFLINE_ANNOUNCED_AFTER_MS = 5_000
export const ONLINE_RECONNECT_MS = 10
export const BACKOFF_CAP_MS = 25_000
export const REQUEST_TIMEOUT_MS = 3_000

/** Typing: repeat, stop after silence, forget, sweep [TYP-1…3, CON-16]. */
export const TYPING_REPEAT_MS = 2_000
export const TYPING_STOP_MS = 1_000
export const TYPING_FORGET_MS = 7_000
export const SWEEP_MS = 500

/** Of one channel. */
export const FILTER_TAGS = 100
export const FILTER_TAG_CHARS = 100

export const CHANNEL_TYPES = 50
export const ROLES_OF_ONES_OWN = 25

/** Of an app; the one that is always there does not count [BLK-5]. */
export const BLOCK_LISTS = 15
export const BLOCK_LIST_WORDS = 10_000
export const BLOCK_LIST_WORD_CHARS = 40
export const BLOCK_LIST_PATTERN_CHARS = 500

/** Of a segment, and of the ids one call adds to it or takes out of it [administration.md 12.1]. */
export const SEGMENT_ID_CHARS = 255
export const SEGMENT_NAME_CHARS = 128
export const SEGMENT_DESCRIPTION_CHARS = 256
export const SEGMENT_TARGETS_PER_CALL = 10_000
/** Targets one query gives: by default, and at most. */
export const SEGMENT_TARGETS_PAGE = 100
export const SEGMENT_TARGETS_PAGE_MAX = 10_000
export const SEGMENTS_PAGE = 25
export const SEGMENTS_PAGE_MAX = 100

/** Of a campaign [CAM-14]. */
export const CAMPAIGN_ID_CHARS = 255
export const CAMPAIGN_NAME_CHARS = 255
export const CAMPAIGN_DESCRIPTION_CHARS = 1_000
export const CAMPAIGN_TEXT_CHARS = 20_000
/** With its placeholders. */
export const CHANNEL_TEMPLATE_ID_CHARS = 255
export const CAMPAIGN_SEGMENTS = 25
export const CAMPAIGN_USERS = 10_000
/** Users a campaign shows at a time: by default, and at most. */
export const CAMPAIGN_USERS_PAGE = 100
export const CAMPAIGN_USERS_PAGE_MAX = 1_000
export const CAMPAIGNS_PAGE = 25
export const CAMPAIGNS_PAGE_MAX = 100
