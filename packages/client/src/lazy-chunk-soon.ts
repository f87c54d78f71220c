/**
 * The code a page needs soon after it has connected, in one chunk: many small chunks load slower and compress badly.
 * Exported one by one, so that only these keep a name in the chunk.
 */
export { channelState, withEvents, withPolls } from './channels/channel-events.ts'
export { loadReplies, takePage, takeThread } from './channels/paging.ts'
export { emitCapabilities, sweep, taken } from './channels/receive.ts'
export * from './channels/soon-calls.ts'
export { newer, withChanged, withoutMessage } from './channels/state-changes.ts'
export { ClientEvents } from './client-events.ts'
export { put, shownAtOnce, withEdits } from './messages/changes.ts'
export { Outbox } from './messages/outbox.ts'
export { withLatestPage } from './messages/pages.ts'
export { knownMessage, signedIn, usable } from './messages/writing.ts'
export { following, publicUserOf } from './users/public-user.ts'
