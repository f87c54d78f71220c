/** The messages that show a poll: it can be in several messages, in several channels. */
export { forgetPoll, messagesByPoll, pollsAmongMessages } from './message-store.ts'
