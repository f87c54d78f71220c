import { THREAD_PARTICIPANTS } from '@parley/protocol/limits'
import type { Batch } from '../../platform/database/batch.ts'
import type { ThreadParticipantRow, ThreadRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { parentsAmong, putParticipants, putThreads, repliesIn, setReplyCounts } from './settle-store.ts'

/** The channels to lock for it. */
export async function channelsOfThreads({ database }: Server, app: string, ids: readonly string[]): Promise<string[]> {
  const parents = await parentsAmong(database.read, database.dialect, app, ids)
  return [...new Set(parents.map(({ cid }) => cid))]
}

/**
 * Sets reply counts on messages, and the participants of threads; everyone has read them. The number of queries does
 * not grow with the threads.
 */
export async function settleThreads(batch: Batch, app: string, ids: readonly string[]) {
  const { db, dialect } = batch
  const replies = Map.groupBy(await repliesIn(db, dialect, app, ids), ({ parent_id }) => parent_id)
  const parents = (await parentsAmong(db, dialect, app, ids)).filter(({ id }) => replies.has(id))
  const threads: ThreadRow[] = []
  const participants: ThreadParticipantRow[] = []
  const counted = parents.map((parent) => {
    const said = replies.get(parent.id)!
    const [first] = said
    const last = Math.max(...said.map(({ last_at }) => last_at))
    threads.push({
      app,
      id: parent.id,
      cid: parent.cid,
      created_by: first!.user_id,
      title: null,
      data: '{}',
      created_at: first!.first_at,
      updated_at: last,
      last_message_at: last,
    })
    const about = { app, thread_id: parent.id, last_read: last, last_read_message_id: null, left_at: null }
    for (const { user_id, first_at, last_at } of said)
      participants.push({ ...about, user_id, created_at: first_at, last_message_at: last_at })
    if (!said.some(({ user_id }) => user_id === parent.user_id))
      participants.push({ ...about, user_id: parent.user_id, created_at: first!.first_at - 1, last_message_at: null })
    const names = new Set([parent.user_id, ...said.map(({ user_id }) => user_id)])
    return {
      app,
      id: parent.id,
      reply_count: said.reduce((sum, { live }) => sum + live, 0),
      deleted_reply_count: said.reduce((sum, { gone }) => sum + gone, 0),
      thread_participants_json: JSON.stringify([...names].slice(0, THREAD_PARTICIPANTS)),
      updated_at: Math.max(parent.updated_at, last),
    }
  })
  await setReplyCounts(db, dialect, counted)
  await putThreads(db, dialect, threads)
  await putParticipants(db, dialect, participants)
}
