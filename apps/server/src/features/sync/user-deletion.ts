import { nextTraced, type Stage } from '../../chat/users/deletion-stages.ts'
import type { Micros } from '../../platform/micros.ts'
import { answersIn } from '../polls/drop-polls.ts'
import { forgetNamedPage } from './forget-events.ts'

/** The events about a user in the log of each channel. */
export const userEvents: Stage<{ cid: string; at: Micros | null }> = async (server, app, { id, at }, place, save) => {
  const cid = place && place.at !== null ? place.cid : await nextTraced(server.database.read, app, id, place?.cid ?? '')
  return server.commit.write(app, [], async (batch) => {
    if (cid === undefined) return save(batch, undefined).then(() => undefined)
    const ids = await answersIn(batch, app, cid, id)
    const to = await forgetNamedPage(server, batch, { app, cid, userId: id, ids, before: at }, place?.at ?? 0)
    const next = { cid, at: to ?? null }
    await save(batch, next)
    return next
  })
}
