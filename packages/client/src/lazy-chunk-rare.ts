/** The rarely used calls, in one chunk: many small chunks load slower and compress badly. */
export * as channelCalls from './channels/calls.ts'
export * as clientCalls from './client-calls.ts'
export * as moderationCalls from './moderation/review-calls.ts'
export { loadedPoll } from './polls/loaded-polls.ts'
