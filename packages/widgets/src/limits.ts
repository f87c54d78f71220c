/**
 * The numbers of the kit, each once, with its unit [LIM-4]. Numbers of the wire stand in `@parley/protocol/limits`.
 * @see docs/spec LIM
 */

/** Messages in the first page of a channel [LIM-1]. */
export const MESSAGES_PAGE = 25
/** Messages loaded of an open channel at most, and how many are let go at once to keep to it. */
export const MESSAGES_KEPT = 1_000
export const MESSAGES_LET_GO = 250
/** Channels in one page of the channel list: the most one query gives. */
export const CHANNELS_PAGE = 30
/** A channel query looks no deeper than this; older conversations are found by search. */
export const CHANNELS_OFFSET_MAX = 1_000
/** An unread badge counts to here, then shows "99+". */
export const BADGE_MAX = 99

/** Messages of one author this close together share one group. */
export const GROUP_WINDOW_MS = 5 * 60_000
/** A message is said to be sending only after this long, so that a fast answer does not flicker. */
export const SENDING_SHOWN_AFTER_MS = 400
/** Longer messages fold, with "Show more". */
export const FOLD_AFTER_LINES = 24
/** A message of up to this many emoji and nothing else is drawn large. */
export const LARGE_EMOJI_MAX = 3
/** Reaction chips in a bubble before "+N", and names in the label of one chip. */
export const REACTIONS_SHOWN = 8
export const REACTION_NAMES_SHOWN = 10
/** Avatars of readers under a message before "+N". */
export const READERS_SHOWN = 3
/** Larger groups do not list who has not read yet. */
export const READERS_LISTED_MAX = 100
/** The way back from a jump is offered this long. */
export const BACK_OFFERED_MS = 30_000
/** Only one of the newest this many channel messages can be marked unread [READ-17]. */
export const MARK_UNREAD_WINDOW = 100

/** Members in one page of a channel too large to be known whole; messages in one page of its photos and files. */
export const MEMBERS_PAGE = 30
export const SHARED_PAGE = 30
/** People in one page of those who can be added to a channel; how many are added at once [MEM-27]. */
export const PEOPLE_PAGE = 30
export const MEMBERS_ADDED_MAX = 100
/** A search begins this long after the last key. */
export const SEARCH_REST_MS = 250
/** Pinned messages in one page of their list. */
export const PINS_PAGE = 25
/** User-perceived characters of the name of a group. */
export const GROUP_NAME_CHARS = 255
/** Seconds between two messages that slow mode offers; 0 is off [CHN-52]. */
export const COOLDOWNS_S = [0, 10, 30, 60, 120]
/** Characters of the reason of a ban. */
export const BAN_REASON_CHARS = 255

/** User-perceived characters in one message when the channel does not say; the counter shows from 80 % on. */
export const MESSAGE_LENGTH = 5_000
export const COUNTER_FROM = 0.8

/** Voters' faces beside an option of a poll, and voters in its results before "Show all". */
export const POLL_FACES_SHOWN = 3
export const POLL_VOTERS_SHOWN = 5
/** Characters of a question, an option or a comment of a poll. */
export const POLL_INPUT_CHARS = 255
/** Votes one may give where several are allowed [POL-6, POL-31]. */
export const POLL_VOTES_MIN = 2
export const POLL_VOTES_MAX = 10

/** People offered to narrow a search down to. */
export const SENDERS_SHOWN = 8
/** Messages found at a time; searches remembered. */
export const SEARCH_PAGE = 20
export const SEARCHES_KEPT = 5

/** What came of a command, and was not decided upon, leaves the list after this long. */
export const EPHEMERAL_LIFE_MS = 10 * 60_000

/** A finger that rests this long opens what a secondary click opens; so do two taps within this time. */
export const LONG_PRESS_MS = 400
export const DOUBLE_TAP_MS = 300
/** A finger that moved this far scrolls instead. */
export const PRESS_SLOP_PX = 10

/** Skeletons wait this long before they appear. */
export const SKELETON_AFTER_MS = 200

/** How long a notice stays, and how many stand on screen at once. */
export const NOTICE_LIFE_MS = 6_000
export const NOTICES_SHOWN = 3
/** A deletion of one's own can be undone this long [MSG-40]. */
export const DELETE_UNDO_MS = 5_000
/** An invitation that was declined can be taken up again this long. */
export const DECLINE_UNDO_MS = 10_000
/** A report can be taken back this long. */
export const REPORT_UNDO_MS = 10_000
/** "Connected" is shown this long after a loss; "Try now" appears after this long without a connection. */
export const BACK_SHOWN_MS = 2_000
export const TRY_NOW_AFTER_MS = 30_000

/** More than this many messages within the window are announced as one sentence. */
export const BURST_LIMIT = 3
export const BURST_WINDOW_MS = 2_000
/** Characters of a message read out when it arrives. */
export const ANNOUNCED_CHARS = 160

/** The translation loader: retries, the wait between two tries, reads at a time [I18N-8…10]. */
export const CATALOGUE_RETRIES = 5
export const CATALOGUE_RETRY_MS = 350
export const CATALOGUE_READS = 10

/** One page of the thread inbox: threads, participants of each, and replies of each [THR-11…THR-13]. */
export const INBOX_THREADS = 10
export const INBOX_PARTICIPANTS = 10
export const INBOX_REPLIES = 3

/** Ways to complete a word, at most; of people only the server knows, and how long the keys rest before it is asked. */
export const SUGGESTIONS_MAX = 50
export const MEMBERS_FOUND = 20
export const MEMBERS_REST_MS = 200
/** Emoji that a search in the picker shows. */
export const EMOJI_FOUND = 96
/** Emoji used lately that a browser remembers. */
export const EMOJI_REMEMBERED = 24

/** Characters that say what a picture shows [ATT-19]. */
export const ALT_TEXT_CHARS = 500
/** A voice recording lasts at most this long [ATT-17]; the end is told before it comes. */
export const RECORDING_MS_MAX = 5 * 60_000
export const RECORDING_WARNING_MS = 270_000
/** A recording without any sound says so after this long. */
export const SILENCE_MS = 10_000

/** What is being written is kept this long after the last key. */
export const DRAFT_REST_MS = 300
