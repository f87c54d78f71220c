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
/** After the space within a name it needs another letter, so that Enter after "@Ada " still sends. */
const MENTION = /(?:^|[\s({["'])@((?:[^\s@]+ )*[^\s@]+|)$/u
/** With one letter every smiley would open the list. */
const EMOJI = /(?:^|[\s({["'])[:：]([\p{L}\p{M}\p{N}_+-]{2,})$/u

/** The suggestion kind and text of the word before the caret; undefined if there is nothing to complete. */
export function unfinishedAt(text: string, caret: number): Unfinished | undefined {
  const before = text.slice(0, caret)
  // A command is completed as a whole: no part of it may follow the caret.
  const command = COMMAND.exec(before)
  if (command && !/^\S/.test(text.slice(caret))) return found('command', command[1]!, caret)
  const mention = MENTION.exec(before)
  if (mention && mention[1]!.length <= COMPLETED_CHARS) return found('mention', mention[1]!, caret)
  const emoji = EMOJI.exec(before)
  if (emoji && emoji[1]!.length <= COMPLETED_CHARS) return found('emoji', emoji[1]!, caret)
  return undefined
}

function found(kind: Unfinished['kind'], query: string, caret: number): Unfinished {
  return { kind, query, from: caret - query.length - 1, to: caret }
}
