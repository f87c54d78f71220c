/** The read rows of members who come and go, and of channels that are emptied. */
export {
  deleteReads,
  deleteReadsOf,
  forgetUpTo,
  insertReads,
  nothingUnreadFor,
  readAllOf,
  readBySince,
} from './read-store.ts'
