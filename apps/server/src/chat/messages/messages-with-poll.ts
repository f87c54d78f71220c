/** Which messages show a poll: it can hang on several, in several channels. */
export { forgetPoll, messagesByPoll, pollsAmongMessages } from './message-store.ts'
