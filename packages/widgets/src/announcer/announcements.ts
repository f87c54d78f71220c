import type { TextKey } from '../i18n/translate.ts'

/** What each spoken event carries. */
export interface Announcements {
  /** Somebody else wrote in the open channel; `text` is plain, without marks. */
  message: { author: string; text: string }
  /** A message that names the reader; never folded into others. */
  mention: { author: string; channel: string }
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

/** Every event the kit speaks of, and how [ux 4.3]. */
export const announcements: { readonly [Event in AnnouncedEvent]: Manner } = {
  message: { says: 'said.message', priority: 'polite', policy: { speaks: 'burst' } },
  mention: { says: 'said.mention', priority: 'polite', policy: { speaks: 'now' } },
  elsewhere: { says: 'said.elsewhere', priority: 'polite', policy: { speaks: 'latest', afterMs: 10_000 } },
  invited: { says: 'text', priority: 'polite', policy: { speaks: 'now' } },
  reaction: { says: 'said.reaction', priority: 'polite', policy: { speaks: 'latest', afterMs: 5_000 } },
  older: { says: 'said.older', priority: 'polite', policy: { speaks: 'now' } },
  failed: { says: 'text', priority: 'assertive', policy: { speaks: 'now' } },
  connection: { says: 'text', priority: 'polite', policy: { speaks: 'now' } },
  notice: { says: 'text', priority: 'polite', policy: { speaks: 'now' } },
  problem: { says: 'text', priority: 'assertive', policy: { speaks: 'now' } },
  slowModeBegins: { says: 'composer.slow.described', priority: 'polite', policy: { speaks: 'now' } },
  slowModeEnds: { says: 'composer.slow.over', priority: 'polite', policy: { speaks: 'now' } },
  results: { says: 'said.results', priority: 'polite', policy: { speaks: 'latest', afterMs: 500 } },
  copied: { says: 'said.copied', priority: 'polite', policy: { speaks: 'now' } },
  linkCopied: { says: 'said.linkCopied', priority: 'polite', policy: { speaks: 'now' } },
  translated: { says: 'said.translated', priority: 'polite', policy: { speaks: 'now' } },
  edited: { says: 'said.edited', priority: 'polite', policy: { speaks: 'now' } },
  deleted: { says: 'said.deleted', priority: 'polite', policy: { speaks: 'now' } },
  restored: { says: 'said.restored', priority: 'polite', policy: { speaks: 'now' } },
  pinned: { says: 'said.pinned', priority: 'polite', policy: { speaks: 'now' } },
  unpinned: { says: 'said.unpinned', priority: 'polite', policy: { speaks: 'now' } },
  markedUnread: { says: 'said.markedUnread', priority: 'polite', policy: { speaks: 'now' } },
  voted: { says: 'said.voted', priority: 'polite', policy: { speaks: 'now' } },
  voteRemoved: { says: 'said.voteRemoved', priority: 'polite', policy: { speaks: 'now' } },
  voteReplaced: { says: 'said.voteReplaced', priority: 'polite', policy: { speaks: 'now' } },
  suggestions: { says: 'said.suggestions', priority: 'polite', policy: { speaks: 'latest', afterMs: 500 } },
  pollEnded: { says: 'said.pollEnded', priority: 'polite', policy: { speaks: 'now' } },
  uploaded: { says: 'said.uploaded', priority: 'polite', policy: { speaks: 'now' } },
  picture: { says: 'lightbox.count', priority: 'polite', policy: { speaks: 'now' } },
  recordingStarted: { says: 'said.recordingStarted', priority: 'polite', policy: { speaks: 'now' } },
  recordingPaused: { says: 'said.recordingPaused', priority: 'polite', policy: { speaks: 'now' } },
  recordingStopped: { says: 'said.recordingStopped', priority: 'polite', policy: { speaks: 'now' } },
  recordingCancelled: { says: 'said.recordingCancelled', priority: 'polite', policy: { speaks: 'now' } },
  recordingWarning: { says: 'said.recordingWarning', priority: 'polite', policy: { speaks: 'now' } },
  recordingLimit: { says: 'said.recordingLimit', priority: 'assertive', policy: { speaks: 'now' } },
}
