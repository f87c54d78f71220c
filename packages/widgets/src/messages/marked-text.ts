/** What a text with marks needs, in one lazy chunk. */
export { plainText } from '@parley/protocol/text/plain-text'
export { MarkedText } from './MarkedText.tsx'
