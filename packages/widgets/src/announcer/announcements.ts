import type { TextKey } from '../i18n/translate.ts'

/** The values of each announcement. */
export interface Announcements {
  /** Another user sent a message in the open channel; `text` is plain, without marks. */
  message: { author: string; text: string }
  /** A message that mentions the reader; never combined with others. */
  mention: { author: string; channel: string }
  /** The same in a direct conversation, which is not named. */
  mentionDirect: { author: string }
  /** An own message, if the user's preference is on. */
  sent: Nothing
  /** The typing users, if the user's preference is on. */
  typing: { text: string }
  elsewhere: { count: number; channels: number }
  /** An invitation to a conversation; the text of its card. */
  invited: { text: string }
  reaction: { author: string; emoji: string }
  older: { count: number }
  /** The text under an own message that failed. */
  failed: { text: string }
  connection: { text: string }
  notice: { text: string }
  problem: { text: string }
  slowModeBegins: { seconds: number }
  slowModeEnds: Nothing
  /** Of a search, or of suggestions. */
  results: { count: number }
  copied: Nothing
  linkCopied: Nothing
  translated: { text: string }
  edited: Nothing
  deleted: Nothing
  /** A deletion was undone. */
  restored: Nothing
  pinned: Nothing
  unpinned: Nothing
  markedUnread: Nothing
  voted: { option: string }
  voteRemoved: { option: string }
  /** A new vote replaced this one, since no more were allowed [POL-7]. */
  voteReplaced: { option: string }
  /** Number of suggestions for the word being typed; 0 when the list has closed. */
  suggestions: { count: number }
  pollEnded: Nothing
  /** All files of the message are uploaded. */
  uploaded: { count: number }
  /** The lightbox shows another picture. */
  picture: { number: number; count: number }
  recordingStarted: Nothing
  recordingPaused: Nothing
  recordingStopped: Nothing
  recordingCancelled: Nothing
  recordingWarning: Nothing
  /** The recording ended by itself [ATT-17]. */
  recordingLimit: Nothing
}
type Nothing = Record<never, never>

export type AnnouncedEvent = keyof Announcements

interface Manner {
  /** The key of the sentence, or `text` if the event has its own text. */
  says: TextKey | 'text'
  priority: 'polite' | 'assertive'
  /** Announced at once; or collected for a moment, many as one sentence; or only the latest of an interval. */
  policy: { speaks: 'now' } | { speaks: 'burst' } | { speaks: 'latest'; afterMs: number }
}

/** Every event the kit announces, and how [interface.md 4.3]. */
export const announcements: { readonly [Event in AnnouncedEvent]: Manner } = {
  message: { says: 'said.message', priority: 'polite', policy: { speaks: 'burst' } },
  mention: now('said.mention'),
  mentionDirect: now('said.mention.direct'),
  sent: now('said.sent'),
  typing: latest('text', 2_000),
  elsewhere: latest('said.elsewhere', 10_000),
  invited: now('text'),
  reaction: latest('said.reaction', 5_000),
  older: now('said.older'),
  failed: now('text', 'assertive'),
  connection: now('text'),
  notice: now('text'),
  problem: now('text', 'assertive'),
  slowModeBegins: now('composer.slow.described'),
  slowModeEnds: now('composer.slow.over'),
  results: latest('said.results', 500),
  copied: now('said.copied'),
  linkCopied: now('said.linkCopied'),
  translated: now('said.translated'),
  edited: now('said.edited'),
  deleted: now('said.deleted'),
  restored: now('said.restored'),
  pinned: now('said.pinned'),
  unpinned: now('said.unpinned'),
  markedUnread: now('said.markedUnread'),
  voted: now('said.voted'),
  voteRemoved: now('said.voteRemoved'),
  voteReplaced: now('said.voteReplaced'),
  suggestions: latest('said.suggestions', 500),
  pollEnded: now('said.pollEnded'),
  uploaded: now('said.uploaded'),
  picture: now('lightbox.count'),
  recordingStarted: now('said.recordingStarted'),
  recordingPaused: now('said.recordingPaused'),
  recordingStopped: now('said.recordingStopped'),
  recordingCancelled: now('said.recordingCancelled'),
  recordingWarning: now('said.recordingWarning'),
  recordingLimit: now('said.recordingLimit', 'assertive'),
}

function now(says: Manner['says'], priority: Manner['priority'] = 'polite'): Manner {
  return { says, priority, policy: { speaks: 'now' } }
}

function latest(says: Manner['says'], afterMs: number): Manner {
  return { says, priority: 'polite', policy: { speaks: 'latest', afterMs } }
}
