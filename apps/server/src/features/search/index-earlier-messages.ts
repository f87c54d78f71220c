import { setTimeout } from 'node:timers/promises'
import type { Server } from '../../server.ts'
import { earliestUnindexed, setUnindexedAfter, unindexedAfter } from './unindexed-store.ts'

/** Messages per write: few enough not to block senders noticeably. */
const AT_ONCE = 200
/** Pause between two writes, for other writers. */
const PAUSE_MS = 5

/**
 * Indexes messages that are older than the search index, in the background; after an interruption it continues where
 * it stopped. Nodes take turns.
 */
export async function indexEarlierMessages(server: Server, isEnding: () => boolean) {
  const indexSome = () =>
    server.commit.write('', [], async ({ db, dialect }) => {
      const after = await unindexedAfter(db, dialect)
      if (!after) return false
      const messages = await earliestUnindexed(db, dialect, after, AT_ONCE)
      await dialect.indexWords(
        db,
        // Inserting in order of creation is cheaper for the index.
        messages.toSorted((a, b) => a.created_at - b.created_at),
      )
      const last = messages.length < AT_ONCE ? undefined : messages.at(-1)
      await setUnindexedAfter(db, last)
      return last !== undefined
    })
  while (!isEnding() && (await indexSome())) await setTimeout(PAUSE_MS)
}
