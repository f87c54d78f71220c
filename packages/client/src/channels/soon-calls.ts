/** The calls of `Channel` that a page makes soon after it connects; each takes the `ChannelContext` first. */

// Optimistic messages

export { edit, remove, retry, send, sendMessage } from '../messages/writing.ts'

// Paging

export { getReplies, jumpTo, letGo, loadNewer, loadOlder } from './paging.ts'

// Read positions

export { markRead, markUnread } from '../reads/reading-marks.ts'

// Custom events

export { sendEvent } from './own-events.ts'
