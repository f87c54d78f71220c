/** The read rows of members who come and go, and of channels that are emptied. */
export {
  deleteReads,
  deleteReadsOf,
  insertReads,
  nothingUnreadFor,
  purgeUpTo,
  readAllOf,
  readBySince,
} from './read-store.ts'
