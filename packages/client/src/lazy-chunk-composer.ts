/** The composer's code, in one chunk: loaded when a composer, or its draft, is shown. */
export { commandIn } from './composer/command-text.ts'
export * from './composer/draft.ts'
export { sendWritten } from './composer/send-written.ts'
export { react, unreact } from './messages/reacting.ts'
export { sendAgain } from './messages/send-again.ts'
export { OwnTyping } from './typing/own-typing.ts'
