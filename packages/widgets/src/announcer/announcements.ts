import type { TextKey } from '../i18n/translate.ts'

/** What each spoken event carries. */
export interface Announcements {
  /** Somebody else wrote in the open channel; `text` is plain, without marks. */
  message: { author: string; text: string }
  /** A message that names the reader; never folded into others. */
  mention: { author: string; channel: string }
  /** An own message, for those who want to hear of it. */
  sent: Nothing
  /** Who writes at this moment, for those who want to hear of it. */
  typing: { text: string }
  elsewhere: { count: number; channels: number }
  /** Somebody asks the reader to join a conversation; the words of its card. */
  invited: { text: string }
  reaction: { author: string; emoji: string }
  older: { count: number }
  /** The words under an own message that failed. */
  failed: { text: string }
  connection: { text: string }
  notice: { text: string }
  problem: { text: string }
  slowModeBegins: { seconds: number }
  slowModeEnds: Nothing
  /** Of a search, or of what is suggested. */
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
  /** A vote too many took the place of this one [POL-7]. */
  voteReplaced: { option: string }
  /** Ways to complete the word being written; 0 when the list has closed. */
  suggestions: { count: number }
  pollEnded: Nothing
  /** All files of the message have arrived. */
  uploaded: { count: number }
  /** Another picture stands in the lightbox. */
  picture: { number: number; count: number }
  recordingStarted: Nothing
  recordingPaused: Nothing
  recordingStopped: Nothing
  recordingCancelled: Nothing
  recordingWarning: Nothing
  /** It ended by itself [ATT-17]. */
  recordingLimit: Nothing
}
type Nothing = Record<never, never>

export type AnnouncedEvent = keyof Announcements

interface Manner {
  /** The sentence, or `text` when the event brings its own words. */
  says: TextKey | 'text'
  priority: 'polite' | 'assertive'
  /** At once; collected for a moment, many as one sentence; or only the latest of a stretch of time. */
  policy: { speaks: 'now' } | { speaks: 'burst' } | { speaks: 'latest'; afterMs: number }
}

/** Every event the kit speaks of, and how [interface.md 4.3]. */
export const announcements: { readonly [Event in AnnouncedEvent]: Manner } = {
  message: { says: 'said.message', priority: 'polite', policy: { speaks: 'burst' } },
  mention: now('said.mention'),
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
