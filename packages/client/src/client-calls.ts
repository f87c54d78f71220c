/** The calls of `ChatClient` that a page rarely makes. Each takes the `ClientContext` first. */

// Channels

export * from './channels/channels-calls.ts'

// Users

export * from './users/user-calls.ts'

// Messages

export { queryDrafts } from './drafts/draft-calls.ts'
export * from './messages/message-calls.ts'
export * from './reminders/reminder-calls.ts'

// Moderation

export * from './moderation/moderation-calls.ts'

// Polls

export * from './polls/poll-calls.ts'

// Search

export * from './search/search-calls.ts'

// Devices

export * from './devices/device-calls.ts'

// Locations

export * from './users/location-calls.ts'
