/** The read rows of members who come and go, and of channels that are emptied. */
export { deleteRead, deleteReadsOf, insertReads, nothingUnreadFor, readAllOf } from './read-store.ts'
