/**
 * What a page needs soon after it has connected, in one piece: small ones take longer to come and compress badly. Named
 * one by one: nothing else of these files needs a name in the piece.
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
