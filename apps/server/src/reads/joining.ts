/** The read rows of members who come and go. */
export { deleteRead, insertReads } from './read-store.ts'
