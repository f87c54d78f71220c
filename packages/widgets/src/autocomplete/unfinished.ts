import { COMPLETED_CHARS } from '../limits.ts'

/** A word at the caret that can be completed. */
export interface Unfinished {
  kind: 'command' | 'mention' | 'emoji'
  /** What is there of it, without its sign. */
  query: string
  /** Where it stands in the text, its sign included. */
  from: number
  to: number
}

/** A slash begins a command at the very start alone. */
const COMMAND = /^\/([A-Za-z0-9_-]*)$/
/** After the space within a name it takes another letter, so that the Enter behind "@Ada " still sends. */
const MENTION = /(?:^|[\s({["'])@((?:[^\s@]+ )*[^\s@]+|)$/u
/** One letter would make every smiley a question. */
const EMOJI = /(?:^|[\s({["'])[:：]([\p{L}\p{M}\p{N}_+-]{2,})$/u

/** What the word before the caret begins; undefined where nothing is to be completed. */
export function unfinishedAt(text: string, caret: number): Unfinished | undefined {
  const before = text.slice(0, caret)
  // A command is chosen as a whole: behind the caret nothing of it may follow.
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
