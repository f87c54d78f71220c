/** Where and when messages were posted, for those who come back to them later. */
export { postsBetween } from './event-store.ts'
