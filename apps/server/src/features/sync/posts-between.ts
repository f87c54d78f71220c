/** The places and times of posted messages, for features that process them later. */
export { postsBetween } from './event-store.ts'
