/** The read rows of members who join and leave, and of channels that are truncated. */
export {
  deleteReads,
  deleteReadsOf,
  insertReads,
  nothingUnreadFor,
  purgeUpTo,
  readAllOf,
  readBySince,
} from './read-store.ts'
