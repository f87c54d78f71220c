import { UNSPACED, WORD_CHAR } from '@parley/protocol/text/scripts'
import { COMPLETED_CHARS } from '../limits.ts'

/** A word at the caret that can be completed. */
export interface Unfinished {
  kind: 'command' | 'mention' | 'emoji'
  /** The part typed so far, without its sign. */
  query: string
  /** Its position in the text, its sign included. */
  from: number
  to: number
}

/** A slash begins a command only at the very start. */
const COMMAND = /^\/([A-Za-z0-9_-]*)$/
/**
 * Behind anything but a letter or digit, which would make it a mail address; scripts without spaces put none here. After
 * the space within a name it needs another letter, so that Enter after "@Ada " still sends.
 */
const MENTION = new RegExp(`(?<!${WORD_CHAR})[@＠]((?:[^\\s@＠]+ )*[^\\s@＠]+|)$`, 'u')
/**
 * With one letter every smiley would open the list. In a script without spaces a colon is punctuation, too: behind its
 * letters only a short name in ASCII is meant as an emoji.
 */
const EMOJI = new RegExp(
  `(?:(?<![\\p{L}\\p{M}\\p{N}])[:：]([\\p{L}\\p{M}\\p{N}_+-]{2,})|(?<=[${UNSPACED}]):([A-Za-z0-9_+-]{2,}))$`,
  'u',
)

/** The suggestion kind and text of the word before the caret; undefined if there is nothing to complete. */
export function unfinishedAt(text: string, caret: number): Unfinished | undefined {
  const before = text.slice(0, caret)
  // A command is completed as a whole: no part of it may follow the caret.
  const command = COMMAND.exec(before)
  if (command && !/^\S/.test(text.slice(caret))) return found('command', command[1]!, caret)
  const mention = MENTION.exec(before)?.[1]
  const [, named, short] = EMOJI.exec(before) ?? []
  const [kind, query] = mention === undefined ? (['emoji', named ?? short] as const) : (['mention', mention] as const)
  if (query === undefined || query.length > COMPLETED_CHARS) return undefined
  const word = found(kind, query, caret)
  // Nothing is completed within an address: https://example.com/@ada
  return /(?:https?:\/\/|www\.)[!-~]*$/i.test(before.slice(0, word.from)) ? undefined : word
}

function found(kind: Unfinished['kind'], query: string, caret: number): Unfinished {
  return { kind, query, from: caret - query.length - 1, to: caret }
}
