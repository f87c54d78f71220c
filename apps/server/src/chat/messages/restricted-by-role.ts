/** Unread counts of restricted messages when a user gains or loses a role that may read all of them. */

import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Effect, ThreadTotals } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { accessWith } from '../channels/channel-access.ts'
import { setAsideByRole } from '../reads/set-aside.ts'
import { totalsOf } from '../threads/thread-totals.ts'
import { restrictedFor } from './message-recipients.ts'
import { placesOfRestricted, setAudience } from './message-store.ts'

/** A user as a member of a channel. */
export interface Place {
  user: UserRow
  member: MemberRow
}

/**
 * Posted messages now count for a member who can now read them, and no longer for a member who no longer can: as if
 * the member had had the present role when they were posted [READ-24].
 *
 * @returns the effects on the member's counts; undefined if nothing changes
 */
export async function countByRole(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  before: Place,
  after: Place,
): Promise<{ effects: Effect[]; threads?: Record<string, ThreadTotals> } | undefined> {
  const seesAll = ({ user, member }: Place) => restrictedFor(accessWith(server, channel, false, user, member)) === null
  const now = seesAll(after)
  if (now === seesAll(before)) return undefined
  const { app, cid } = channel
  const { id } = after.user
  await batch.flush()
  if (!(await setAudience(batch.db, app, cid, id, now))) return undefined
  const read = await setAsideByRole(batch, app, cid, id, now)
  const threads = await totalsOf(server, batch.db, app, [id])
  return {
    effects: read ? [{ do: 'read', user: id, ordinal: read.ordinal, unread: read.unread }] : [],
    ...(threads && { threads }),
  }
}

/**
 * The same for users with a new role or new teams, in all their channels; the unread state of connected users is
 * reloaded after the commit. The number of queries does not grow with users for whom nothing changes.
 */
export async function countByRank(
  server: Server,
  batch: Batch,
  changes: readonly { before: UserRow; after: UserRow }[],
): Promise<void> {
  const [first] = changes
  if (!first) return
  const { app } = first.after
  const byId = new Map(changes.map((change) => [change.after.id, change]))
  await batch.flush()
  const members = await placesOfRestricted(batch.db, batch.dialect, app, [...byId.keys()])
  const channels = await server.channels.getAll(
    app,
    members.map(({ cid }) => cid),
  )
  for (const member of members) {
    const channel = channels.get(member.cid)
    const { before, after } = byId.get(member.user_id)!
    if (channel) await countByRole(server, batch, channel, { user: before, member }, { user: after, member })
  }
}
