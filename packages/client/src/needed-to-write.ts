/** What somebody needs who writes, in one piece: fetched with the first channel that is opened, long before a key. */
export { commandIn } from './composer/command-text.ts'
export * from './composer/draft.ts'
export { sendWritten } from './composer/send-written.ts'
export { OwnTyping } from './typing/own-typing.ts'
