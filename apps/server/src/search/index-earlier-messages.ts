import { setTimeout } from 'node:timers/promises'
import type { Server } from '../server.ts'
import { earliestUnindexed, setUnindexedAfter, unindexedAfter } from './unindexed-store.ts'

/** Messages of one write: few enough that nobody who sends waits for long. */
const AT_ONCE = 200
/** Between two writes, others have their turn. */
const PAUSE_MS = 5

/**
 * Makes messages searchable that are older than the index, beside all else; whatever stops it, it goes on from where
 * it was. Nodes take turns.
 */
export async function indexEarlierMessages(server: Server, isEnding: () => boolean) {
  const indexSome = () =>
    server.commit.write('', [], async ({ db, dialect }) => {
      const after = await unindexedAfter(db, dialect)
      if (!after) return false
      const messages = await earliestUnindexed(db, dialect, after, AT_ONCE)
      await dialect.indexWords(
        db,
        // The index likes them in the order they were written in.
        messages.toSorted((a, b) => a.created_at - b.created_at),
      )
      const last = messages.length < AT_ONCE ? undefined : messages.at(-1)
      await setUnindexedAfter(db, last)
      return last !== undefined
    })
  while (!isEnding() && (await indexSome())) await setTimeout(PAUSE_MS)
}
