/** What a page needs soon after it has connected, in one piece: small ones take longer to come and compress badly. */
export * from './channels/channel-events.ts'
export * from './channels/paging.ts'
export * from './channels/receive.ts'
export * from './channels/state-changes.ts'
export * from './client-events.ts'
export * from './messages/changes.ts'
export * from './reads/reading-marks.ts'
export * from './typing/own-typing.ts'
