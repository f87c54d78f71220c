/** Numbers that only the client knows; those of the wire are in `@parley/protocol/limits` [LIM-4]. */

/** The most messages of a channel one call asks for, although the server would give more [LIM-2]. */
export const MESSAGES_ASKED_MAX = 100
/** Messages cached of a channel that is not shown [client.md 8]. */
export const MESSAGES_KEPT_UNSEEN = 200
/** Replies in one page of a thread. */
export const REPLIES_ASKED = 50
/** Threads in one page of their list, which is also the most of a reload [THR-7, THR-17, THR-18]. */
export const THREADS_ASKED = 25
/** What comes with each of them [THR-8, THR-9]. */
export const PARTICIPANTS_LISTED = 10
export const REPLIES_LISTED = 10
/** What comes with a thread that is asked for by itself [THR-14, THR-15]. */
export const PARTICIPANTS_OF_ONE = 100
export const REPLIES_OF_ONE = 3
/** Between two marks or reloads of a thread, and two recoveries of their list, in milliseconds [THR-19, THR-20]. */
export const THREADS_EVERY_MS = 1_000
/** A link is looked at when the keys have rested this long, in milliseconds [interface.md 7.12]. */
export const PREVIEW_REST_MS = 400
/** A draft goes to the server this long after it was kept on the device, in milliseconds [interface.md 2.3]. */
export const DRAFT_SYNC_MS = 2_000
/** What had to give way to a newer draft is kept this long, in milliseconds [interface.md 7.12]. */
export const OTHER_DRAFT_KEPT_MS = 86_400_000
/**
 * What was noted while a page was left counts this long, in milliseconds: by then the browser has written it itself.
 */
export const LAST_WORDS_MS = 60_000
/** Files of one message [ATT-14]. */
export const FILES_MAX = 10
/** Files on their way at the same time. */
export const UPLOADS_AT_ONCE = 3
/** A file whose connection broke goes again so many times, the first after so many milliseconds [interface.md 7.13]. */
export const UPLOAD_AGAIN_MAX = 3
export const UPLOAD_AGAIN_MS = 1_000
/** A message that failed goes again so many times while connected, the first after so many milliseconds [interface.md 7.25]. */
export const SEND_AGAIN_MAX = 3
export const SEND_AGAIN_MS = 1_000
/** The largest file, in bytes, where the app's settings set no lower limit [ATT-13]. */
export const FILE_BYTES_MAX = 104_857_600
/** Between two delivery receipts, in milliseconds [client.md 5.5]. */
export const DELIVERIES_EVERY_MS = 1_000
/** Channels, people and messages that a search shows at first. */
export const RESULTS_ASKED = 10
/** Channels that go into one export [IMP-8]. */
export const EXPORTED_MAX = 25
/** Channels asked for at once after a reconnect [CON-14]. */
export const CHANNELS_RECOVERED = 30
/** Between two pages of recovery [CON-23], in milliseconds. */
export const RECOVERY_PAUSE_MS = 1_000
/** The shortest wait grows by this much per try, the longest doubles from this one [CON-22]. */
export const BACKOFF_PER_TRY_MS = 250
export const BACKOFF_BASE_MS = 500
/** How long `disconnectUser` waits for the socket to end properly, in milliseconds [client.md 3.3]. */
export const CLOSE_WAIT_MS = 1_000
/** After this many fresh tokens that are refused as well, the token is not the problem [client.md 1.3]. */
export const TOKEN_LOADS_MAX = 5
/** The normal end of a socket [CON-11]. */
export const NORMAL_CLOSE = 1_000
/** Ours for a socket that fell silent; not 1000, since nobody wanted the end. */
export const SILENT_CLOSE = 4_000
/** While long polling, the socket is tried again this often, in milliseconds [client.md 3.6]. */
export const SOCKET_RETRY_MS = 5 * 60_000
/** How long a call of the long poll may take: to connect, to wait for events, to end, in milliseconds [LPL-3…5]. */
export const LONG_POLL_CONNECT_WAIT_MS = 8_000
export const LONG_POLL_WAIT_MS = 30_000
export const LONG_POLL_END_WAIT_MS = 2_000
/** An insights event is posted up to this many times, this many milliseconds times the attempt apart [INS-3, INS-4]. */
export const INSIGHTS_TRIES = 3
export const INSIGHTS_WAIT_MS = 3_000

/** Of two channels one may hear a moment later than of the other; what is told twice changes nothing. */
export const MISSED_OVERLAP_MS = 5_000
