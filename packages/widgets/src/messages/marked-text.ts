/** What a text with marks needs, and one that is copied, in one lazy chunk. */
export { plainText } from '@parley/protocol/text/plain-text'
export { MarkedText } from './MarkedText.tsx'
export { asHtml, textOf } from './selected-text.ts'
