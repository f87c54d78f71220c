/** What is left of the history of a channel that is emptied for good. */
export { eraseMessagesBefore } from './message-store.ts'
