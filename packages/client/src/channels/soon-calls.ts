/**
 * The calls of `Channel` that a page makes soon after it has connected; each asks first for what the channel lends to
 * its parts.
 */

// Messages, shown at once

export { edit, remove, retry, send, sendMessage } from '../messages/writing.ts'

// Moving through the history

export { getReplies, jumpTo, letGo, loadNewer, loadOlder } from './paging.ts'

// Reading marks

export { markRead, markUnread } from '../reads/reading-marks.ts'

// Events of the application's own

export { sendEvent } from './own-events.ts'
