import type { Verdict } from '../block-lists/verdict.ts'
import type { Batch } from '../database/group-commit.ts'
import type { FlagRow, MessageRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { flagOf, insertFlag, raiseReport } from './flag-store.ts'
import { type FoundByList, NOBODY } from './flag-wires.ts'
import { tellOfFlag } from './tell-of-flags.ts'

/** The message, and who wrote what was found in it. */
type Flagged = Pick<MessageRow, 'app' | 'cid' | 'id' | 'user_id'>

/** Reports a message to the moderators that says what a block list names [BLK-5, administration.md 5.4]. */
export async function flagByList(server: Server, where: Flagged, verdict: Verdict): Promise<void> {
  await server.commit.write(where.app, [], (batch) => raiseFlag(server, batch, where, verdict))
}

/** The same as a part of another write. */
export async function raiseFlag(
  server: Server,
  batch: Batch,
  { app, cid, id, user_id }: Flagged,
  { list, word, text }: Verdict,
): Promise<void> {
  const found: FoundByList = { blocklist_name: list, blocked_word: word, original_text: text }
  const subject = `message:${id}`
  if (await flagOf(batch.db, app, subject, NOBODY)) return
  const at = batch.now()
  const made: FlagRow = {
    app,
    user_id: NOBODY,
    subject,
    cid,
    message_id: id,
    target_id: user_id,
    reason: 'blocklist',
    data: JSON.stringify(found),
    created_at: at,
    updated_at: at,
    reviewed_at: null,
    reviewed_by: null,
  }
  await insertFlag(batch.db, made)
  await raiseReport(batch.db, made)
  await tellOfFlag(server, batch, made)
}
