/** Limits that only the client has; those of the wire are in `@parley/protocol/limits` [LIM-4]. */

/** The most messages of a channel that one call requests, although the server allows more [LIM-2]. */
export const MESSAGES_ASKED_MAX = 100
/** Messages cached of a channel that is not shown [client.md 8]. */
export const MESSAGES_KEPT_UNSEEN = 200
/** Replies in one page of a thread. */
export const REPLIES_ASKED = 50
/** Threads in one page of their list, also the most of a reload [THR-7, THR-17, THR-18]. */
export const THREADS_ASKED = 25
/** Replies and participants of each listed thread [THR-8, THR-9]. */
export const PARTICIPANTS_LISTED = 10
export const REPLIES_LISTED = 10
/** Replies and participants of a single thread [THR-14, THR-15]. */
export const PARTICIPANTS_OF_ONE = 100
export const REPLIES_OF_ONE = 3
/**
 * Between two read marks or reloads of a thread, and two recoveries of their list, in milliseconds [THR-19, THR-20].
 */
export const THREADS_EVERY_MS = 1_000
/** A link is previewed when typing has paused this long, in milliseconds [interface.md 7.12]. */
export const PREVIEW_REST_MS = 400
/** A draft is sent to the server this long after it was stored on the device, in milliseconds [interface.md 2.3]. */
export const DRAFT_SYNC_MS = 2_000
/** A draft that lost to a newer one is kept this long, in milliseconds [interface.md 7.12]. */
export const OTHER_DRAFT_KEPT_MS = 86_400_000
/**
 * A draft noted while the page was left is valid this long, in milliseconds: by then the browser has stored it itself.
 */
export const LAST_WORDS_MS = 60_000
/** Files of one message [ATT-14]. */
export const FILES_MAX = 10
/** Parallel uploads. */
export const UPLOADS_AT_ONCE = 3
/**
 * A file whose connection broke is retried this many times, the first time after this many milliseconds
 * [interface.md 7.13].
 */
export const UPLOAD_AGAIN_MAX = 3
export const UPLOAD_AGAIN_MS = 1_000
/**
 * A failed message is retried this many times while connected, the first time after this many milliseconds
 * [interface.md 7.25].
 */
export const SEND_AGAIN_MAX = 3
export const SEND_AGAIN_MS = 1_000
/** The largest file, in bytes, unless the app's settings have a lower limit [ATT-13]. */
export const FILE_BYTES_MAX = 104_857_600
/** Between two delivery receipts, in milliseconds [client.md 5.5]. */
export const DELIVERIES_EVERY_MS = 1_000
/** Channels, users and messages that a search shows at first. */
export const RESULTS_ASKED = 10
/** Channels in one export [IMP-8]. */
export const EXPORTED_MAX = 25
/** Channels reloaded at once after a reconnect [CON-14]. */
export const CHANNELS_RECOVERED = 30
/** Between two pages of recovery [CON-23], in milliseconds. */
export const RECOVERY_PAUSE_MS = 1_000
/** The shortest wait grows by this much per attempt; the longest starts at the second value and doubles [CON-22]. */
export const BACKOFF_PER_TRY_MS = 250
export const BACKOFF_BASE_MS = 500
/** How long `disconnectUser` waits for the socket to close normally, in milliseconds [client.md 3.3]. */
export const CLOSE_WAIT_MS = 1_000
/** After this many refused fresh tokens, loading another one does not help [client.md 1.3]. */
export const TOKEN_LOADS_MAX = 5
/** The normal close code of a socket [CON-11]. */
export const NORMAL_CLOSE = 1_000
/** Our close code for a silent socket; not 1000, since this is no normal close. */
export const SILENT_CLOSE = 4_000
/** While long polling, the socket is retried this often, in milliseconds [client.md 3.6]. */
export const SOCKET_RETRY_MS = 5 * 60_000
/** Timeouts of the long poll: to connect, to wait for events, to end, in milliseconds [LPL-3…5]. */
export const LONG_POLL_CONNECT_WAIT_MS = 8_000
export const LONG_POLL_WAIT_MS = 30_000
export const LONG_POLL_END_WAIT_MS = 2_000
/**
 * An insights event is posted up to this many times; before each retry it waits this many milliseconds times the
 * attempt [INS-3, INS-4].
 */
export const INSIGHTS_TRIES = 3
export const INSIGHTS_WAIT_MS = 3_000

/**
 * Missed events are requested from this much earlier, in milliseconds, because channels may lag behind each other;
 * applying an event twice changes nothing.
 */
export const MISSED_OVERLAP_MS = 5_000
