/**
 * The limits of the kit, each once, with its unit [LIM-4]. Limits of the wire are in `@parley/protocol/limits`.
 * @see docs/spec LIM
 */

/** Messages in the first page of a channel [LIM-1]. */
export const MESSAGES_PAGE = 25
/** Maximum number of loaded messages in an open channel, and how many are unloaded at once to keep to it. */
export const MESSAGES_KEPT = 1_000
export const MESSAGES_LET_GO = 250
/** Channels in one page of the channel list: the maximum of one query. */
export const CHANNELS_PAGE = 30
/** Conversations offered before a search. */
export const FIND_SHOWN = 8
/** The maximum offset of a channel query; older conversations are found by search. */
export const CHANNELS_OFFSET_MAX = 1_000
/** An unread badge counts to here, then shows "99+". */
export const BADGE_MAX = 99
/** The duration of the animation of a moved row in the list of conversations. */
export const ROWS_GLIDE_MS = 150
/** Letters typed within this time belong to one prefix. */
export const TYPED_TOGETHER_MS = 700
/** Members named in the title of a group without a name, before "…". */
export const GROUP_NAMES_SHOWN = 4

/** Messages of one author this close together share one group. */
export const GROUP_WINDOW_MS = 5 * 60_000
/** A message is shown as sending only after this long, so that a fast answer does not flicker. */
export const SENDING_SHOWN_AFTER_MS = 400
/** Longer messages fold, with "Show more". */
export const FOLD_AFTER_LINES = 24
/** A message of up to this many emoji and nothing else is drawn large. */
export const LARGE_EMOJI_MAX = 3
/** Characters of a quoted message; at most two lines are shown. */
export const QUOTE_CHARS = 240
/** Characters of a pinned message: in the list, with at most three lines, and in the banner with one. */
export const PIN_CHARS = 280
export const PIN_BANNER_CHARS = 140
/** Characters of a message in the delete dialog. */
export const DELETED_CHARS = 160
/** Characters of a message in the label of its menu button. */
export const NAMED_BY_CHARS = 40
/** Reaction chips in a bubble before "+N", and names in the label of one chip. */
export const REACTIONS_SHOWN = 8
export const REACTION_NAMES_SHOWN = 10
/** Users in one page of the reaction list; recent reactions offered beside a message. */
export const REACTIONS_PAGE = 50
export const REACTIONS_RECENT = 3
/** Avatars of readers under a message before "+N". */
export const READERS_SHOWN = 3
/** Larger groups do not list the members who have not read yet. */
export const READERS_LISTED_MAX = 100
/** The way back from a jump is offered this long. */
export const BACK_OFFERED_MS = 30_000
/** Only one of the newest this many channel messages can be marked unread [READ-17]. */
export const MARK_UNREAD_WINDOW = 100
/** The newest message counts as seen once it was on screen this long. */
export const SEEN_AFTER_MS = 500
/** Between two calls that mark a channel read. */
export const MARK_READ_EVERY_MS = 1_000
/** The target of a jump is highlighted this long. */
export const HIGHLIGHT_MS = 2_000
/** The floating date stays this long after the last movement. */
export const FLOATING_DATE_MS = 1_000
/** Number of messages requested of a day: the first ones may be visible to one user only. */
export const DAY_PAGE = 5

/** Members in one page of a channel too large to be loaded whole; messages in one page of its photos and files. */
export const MEMBERS_PAGE = 30
export const SHARED_PAGE = 30
/** Users in one page of those who can be added to a channel; how many are added at once [MEM-27]. */
export const PEOPLE_PAGE = 30
export const MEMBERS_ADDED_MAX = 100
/** A search begins this long after the last key. */
export const SEARCH_REST_MS = 250
/** Pinned messages in one page of their list. */
export const PINS_PAGE = 25
/** User-perceived characters of the name of a group. */
export const GROUP_NAME_CHARS = 255
/** Messages per request while a conversation is exported, and the interval of its progress announcements. */
export const SAVED_PAGE = 100
export const SAVED_SPOKEN = 1_000
/** Maximum length of a conversation's name in its file name; most systems allow 255 bytes. */
export const FILE_NAME_CHARS = 60
/** The slow mode intervals offered, in seconds; 0 is off [CHN-52]. */
export const COOLDOWNS_S = [0, 10, 30, 60, 120]
/** Characters of the reason of a ban. */
export const BAN_REASON_CHARS = 255

/** User-perceived characters in one message if the channel has no limit; the counter shows from 80 % on. */
export const MESSAGE_LENGTH = 5_000
export const COUNTER_FROM = 0.8

/** Avatars of voters beside an option of a poll, and voters in its results before "Show all". */
export const POLL_AVATARS_SHOWN = 3
export const POLL_VOTERS_SHOWN = 5
/** Votes of one query. */
export const POLL_VOTES_PAGE = 100
/** Characters of a question, an option or a comment of a poll. */
export const POLL_INPUT_CHARS = 255
/** Maximum votes per user if several are allowed [POL-6, POL-31]. */
export const POLL_VOTES_MIN = 2
export const POLL_VOTES_MAX = 10

/** Users offered in the sender filter of a search. */
export const SENDERS_SHOWN = 8
/** Messages in one page of search results; recent searches stored. */
export const SEARCH_PAGE = 20
export const SEARCHES_KEPT = 5
/** Maximum characters of a query: far more than needed. */
export const QUERY_CHARS = 255
/** Characters before the first match; the beginning of a longer text is cut, so that the match is visible. */
export const LEAD_CHARS = 40

/** An undecided ephemeral message expires after this long. */
export const EPHEMERAL_LIFE_MS = 10 * 60_000

/** A long press takes this long; so do both taps of a double tap together. */
export const LONG_PRESS_MS = 400
export const DOUBLE_TAP_MS = 300
/** A finger that moved this far scrolls instead. */
export const PRESS_SLOP_PX = 10

/** Dragging the messages down this far hides the on-screen keyboard. */
export const KEYBOARD_AWAY_PX = 80

/** Skeletons wait this long before they appear. */
export const SKELETON_AFTER_MS = 200

/** How long a notice stays, and how many are shown at once. */
export const NOTICE_LIFE_MS = 6_000
export const NOTICES_SHOWN = 3
/** A deletion of one's own can be undone this long [MSG-40]. */
export const DELETE_UNDO_MS = 5_000
/** Declining an invitation can be undone this long. */
export const DECLINE_UNDO_MS = 10_000
/** A report can be undone this long. */
export const REPORT_UNDO_MS = 10_000
/** "Connected" is shown this long after a reconnect; "Try now" appears after this long without a connection. */
export const BACK_SHOWN_MS = 2_000
export const TRY_NOW_AFTER_MS = 30_000
/** Minimum interval between two message sounds. */
export const SOUND_EVERY_MS = 2_000
/** A page without the focus leaves an event to a page with it for this long. */
export const SOUND_LEFT_TO_OTHERS_MS = 200

/** More than this many messages within the window are announced as one sentence. */
export const BURST_LIMIT = 3
export const BURST_WINDOW_MS = 2_000
/** Characters of a message announced when it arrives. */
export const ANNOUNCED_CHARS = 160
/**
 * An announced sentence is removed from the page after this long, so that screen reader users do not find it while
 * browsing.
 */
export const SPOKEN_STAYS_MS = 7_000

/** The translation loader: retries, the wait between two tries, concurrent loads [I18N-8…10]. */
export const CATALOGUE_RETRIES = 5
export const CATALOGUE_RETRY_MS = 350
export const CATALOGUE_READS = 10

/** One page of the thread inbox: threads, participants of each, and replies of each [THR-11…THR-13]. */
export const INBOX_THREADS = 10
export const INBOX_PARTICIPANTS = 10
export const INBOX_REPLIES = 3
/** Maximum number of threads that a refresh requests. */
export const INBOX_THREADS_AGAIN = 25
/** Marking all threads read loads at most this many pages; unread ones come first. */
export const MARKED_PAGES_MAX = 20

/** Maximum suggestions for a word; those of users found by the server, and the pause in typing before it is asked. */
export const SUGGESTIONS_MAX = 50
export const MEMBERS_FOUND = 20
export const MEMBERS_REST_MS = 200
/** Characters of a word that can still be completed: no name is longer. */
export const COMPLETED_CHARS = 40
/** Emoji that a search in the picker shows. */
export const EMOJI_FOUND = 96
/** Recent emoji that a browser stores. */
export const EMOJI_REMEMBERED = 24

/** The focus rests this long before the tooltip appears; its distance, and from a high row. */
export const TOOLTIP_RESTS_MS = 500
export const TOOLTIP_GAP_PX = 6
export const TOOLTIP_CLEARS_PX = 96

/** Avatars on the card at the start of a group's history. */
export const START_AVATARS = 5

export const HOUR_MS = 3_600_000
/** The morning at which do not disturb ends, and until when the night counts as that of the day before. */
export const MORNING_HOUR = 8
export const NIGHT_ENDS_HOUR = 5

/** Characters of the description of a picture [ATT-19]. */
export const ALT_TEXT_CHARS = 500
/** A voice recording lasts at most this long [ATT-17]; a warning comes before the end. */
export const RECORDING_MS_MAX = 5 * 60_000
export const RECORDING_WARNING_MS = 270_000
/** A recording without any sound shows a warning after this long. */
export const SILENCE_MS = 10_000
/** The longer side of a picture that is sent, and the JPEG quality of a photo. */
export const PICTURE_SIDE_PX_MAX = 2_560
export const PICTURE_QUALITY = 0.9
/** Maximum pictures shown of one message; the last shows how many more there are. */
export const PICTURES_SHOWN = 4
/** Maximum pages of older or newer messages that are loaded to find one more picture. */
export const PICTURE_PAGES_MAX = 4
/** A finger that rests this long on the microphone holds it; a shorter touch is a press. */
export const HOLD_MS = 250
/** If less than this was recorded when the finger lifts, it was a press rather than a hold. */
export const HOLD_MS_MIN = 500
/** Seconds an arrow key moves in the player. */
export const SEEK_S = 5
/** Played voice messages that a device stores. */
export const PLAYED_KEPT = 300

/** A draft is stored this long after the last key. */
export const DRAFT_REST_MS = 300
