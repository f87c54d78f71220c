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
/** Conversations that are offered before anybody looks for one. */
export const FIND_SHOWN = 8
/** A channel query looks no deeper than this; older conversations are found by search. */
export const CHANNELS_OFFSET_MAX = 1_000
/** An unread badge counts to here, then shows "99+". */
export const BADGE_MAX = 99
/** A row of the list of conversations takes this long to its new place. */
export const ROWS_GLIDE_MS = 150
/** Letters typed in a row belong together this long. */
export const TYPED_TOGETHER_MS = 700
/** People named in a group without a name of its own, before "…". */
export const GROUP_NAMES_SHOWN = 4

/** Messages of one author this close together share one group. */
export const GROUP_WINDOW_MS = 5 * 60_000
/** A message is said to be sending only after this long, so that a fast answer does not flicker. */
export const SENDING_SHOWN_AFTER_MS = 400
/** Longer messages fold, with "Show more". */
export const FOLD_AFTER_LINES = 24
/** A message of up to this many emoji and nothing else is drawn large. */
export const LARGE_EMOJI_MAX = 3
/** Characters of a quoted message; two lines are drawn at most. */
export const QUOTE_CHARS = 240
/** Characters of a pinned message: in the list, where three lines are drawn at most, and in the banner with its one. */
export const PIN_CHARS = 280
export const PIN_BANNER_CHARS = 140
/** Characters of a message shown again, so that one deletes the right one. */
export const DELETED_CHARS = 160
/** Characters of a message by which the button of its menu is told from the others. */
export const NAMED_BY_CHARS = 40
/** Reaction chips in a bubble before "+N", and names in the label of one chip. */
export const REACTIONS_SHOWN = 8
export const REACTION_NAMES_SHOWN = 10
/** People who reacted, asked for at a time; what somebody reacted with last, beside a message. */
export const REACTIONS_PAGE = 50
export const REACTIONS_RECENT = 3
/** Avatars of readers under a message before "+N". */
export const READERS_SHOWN = 3
/** Larger groups do not list who has not read yet. */
export const READERS_LISTED_MAX = 100
/** The way back from a jump is offered this long. */
export const BACK_OFFERED_MS = 30_000
/** Only one of the newest this many channel messages can be marked unread [READ-17]. */
export const MARK_UNREAD_WINDOW = 100
/** The newest message has been seen once it was on screen this long. */
export const SEEN_AFTER_MS = 500
/** Between two calls that mark a channel read. */
export const MARK_READ_EVERY_MS = 1_000
/** A message that was jumped to is marked this long. */
export const HIGHLIGHT_MS = 2_000
/** The day of what is on top stays this long after the last movement. */
export const FLOATING_DATE_MS = 1_000
/** As many messages of a day are asked for: the first of them may be one that nobody else sees. */
export const DAY_PAGE = 5

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
/** Messages asked for at once while a conversation is saved, and after how many more it is said how far it is. */
export const SAVED_PAGE = 100
export const SAVED_SPOKEN = 1_000
/** Of the name of a conversation in that of its file; the most that systems take is 255 bytes. */
export const FILE_NAME_CHARS = 60
/** Seconds between two messages that slow mode offers; 0 is off [CHN-52]. */
export const COOLDOWNS_S = [0, 10, 30, 60, 120]
/** Characters of the reason of a ban. */
export const BAN_REASON_CHARS = 255

/** User-perceived characters in one message when the channel does not say; the counter shows from 80 % on. */
export const MESSAGE_LENGTH = 5_000
export const COUNTER_FROM = 0.8

/** Voters' faces beside an option of a poll, and voters in its results before "Show all". */
export const POLL_AVATARS_SHOWN = 3
export const POLL_VOTERS_SHOWN = 5
/** Votes of one query. */
export const POLL_VOTES_PAGE = 100
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
/** Characters to search for: far more than make sense. */
export const QUERY_CHARS = 255
/** Characters before the first match; the beginning of a longer text is left out, so that the match is seen. */
export const LEAD_CHARS = 40

/** What came of a command, and was not decided upon, leaves the list after this long. */
export const EPHEMERAL_LIFE_MS = 10 * 60_000

/** A finger that rests this long opens what a secondary click opens; so do two taps within this time. */
export const LONG_PRESS_MS = 400
export const DOUBLE_TAP_MS = 300
/** A finger that moved this far scrolls instead. */
export const PRESS_SLOP_PX = 10

/** A finger that has drawn the messages down this far draws the keyboard off the screen with them. */
export const KEYBOARD_AWAY_PX = 80

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
/** The sound of a new message is heard no more often than this. */
export const SOUND_EVERY_MS = 2_000
/** A page that nobody looks at leaves the news to one that is looked at for this long. */
export const SOUND_LEFT_TO_OTHERS_MS = 200

/** More than this many messages within the window are announced as one sentence. */
export const BURST_LIMIT = 3
export const BURST_WINDOW_MS = 2_000
/** Characters of a message read out when it arrives. */
export const ANNOUNCED_CHARS = 160
/** A spoken sentence leaves the page again after this long, so that nobody meets it while browsing. */
export const SPOKEN_STAYS_MS = 7_000

/** The translation loader: retries, the wait between two tries, reads at a time [I18N-8…10]. */
export const CATALOGUE_RETRIES = 5
export const CATALOGUE_RETRY_MS = 350
export const CATALOGUE_READS = 10

/** One page of the thread inbox: threads, participants of each, and replies of each [THR-11…THR-13]. */
export const INBOX_THREADS = 10
export const INBOX_PARTICIPANTS = 10
export const INBOX_REPLIES = 3
/** Threads that a refresh asks for at most. */
export const INBOX_THREADS_AGAIN = 25
/** Marking all threads read looks this many pages far; unread ones come first. */
export const MARKED_PAGES_MAX = 20

/** Ways to complete a word, at most; of people only the server knows, and how long the keys rest before it is asked. */
export const SUGGESTIONS_MAX = 50
export const MEMBERS_FOUND = 20
export const MEMBERS_REST_MS = 200
/** Characters of a word that may still be completed: longer ones are nobody's name. */
export const COMPLETED_CHARS = 40
/** Emoji that a search in the picker shows. */
export const EMOJI_FOUND = 96
/** Emoji used lately that a browser remembers. */
export const EMOJI_REMEMBERED = 24

/** The focus rests this long before it is told what a pointer is told; how far that stands off, and of how high a row. */
export const TOOLTIP_RESTS_MS = 500
export const TOOLTIP_GAP_PX = 6
export const TOOLTIP_CLEARS_PX = 96

/** Faces on the card where the history of a group begins. */
export const START_AVATARS = 5

export const HOUR_MS = 3_600_000
/** Whoever wants quiet until the morning has it until then, and the morning of this very day before the night ends. */
export const MORNING_HOUR = 8
export const NIGHT_ENDS_HOUR = 5

/** Characters that say what a picture shows [ATT-19]. */
export const ALT_TEXT_CHARS = 500
/** A voice recording lasts at most this long [ATT-17]; the end is told before it comes. */
export const RECORDING_MS_MAX = 5 * 60_000
export const RECORDING_WARNING_MS = 270_000
/** A recording without any sound says so after this long. */
export const SILENCE_MS = 10_000
/** The longer side of a picture that is sent, and how much of a photo is kept. */
export const PICTURE_SIDE_PX_MAX = 2_560
export const PICTURE_QUALITY = 0.9
/** Pictures of one message that are drawn; the last says how many more there are. */
export const PICTURES_SHOWN = 4
/** Pages of older or newer messages that are read through in search of one more picture. */
export const PICTURE_PAGES_MAX = 4
/** A finger on the microphone that rests this long holds; a shorter touch is a press. */
export const HOLD_MS = 250
/** A finger that lifts before this much was recorded has pressed rather than held. */
export const HOLD_MS_MIN = 500
/** Seconds an arrow key moves in what plays. */
export const SEEK_S = 5
/** Voices that a device remembers to have played. */
export const PLAYED_KEPT = 300

/** What is being written is kept this long after the last key. */
export const DRAFT_REST_MS = 300
