import type { Verdict } from '../block-lists/verdict.ts'
import type { FlagRow, MessageRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { flagOf, insertFlag, raiseReport } from './flag-store.ts'

/** Who flags where nobody does. */
export const NOBODY = ''

/** What a flag of nobody keeps beside its message. */
export interface FoundByList {
  blocklist_name: string
  blocked_word: string
  original_text: string
}

/** Reports a message to the moderators that says what a block list names [BLK-5, administration.md 5.4]. */
export async function flagByList(
  server: Server,
  { app, cid, id, user_id }: Pick<MessageRow, 'app' | 'cid' | 'id' | 'user_id'>,
  { list, word, text }: Verdict,
): Promise<void> {
  const found: FoundByList = { blocklist_name: list, blocked_word: word, original_text: text }
  await server.commit.write(app, [], async (batch) => {
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
  })
}
