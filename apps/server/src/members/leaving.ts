/** All members of a channel that is deleted. */
export { deleteMembersOf } from './member-store.ts'
