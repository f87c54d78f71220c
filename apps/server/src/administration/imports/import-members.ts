import type { ImportData } from '@parley/protocol/imports'
import { roleOfImport } from '../../chat/permissions/assign-role.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MemberRow } from '../../platform/database/tables.ts'
import { microsOf } from '../../platform/micros.ts'
import { cidIn, customData, roleOf } from './check-line.ts'
import type { Importing } from './import-lines.ts'
import { putItems } from './import-store.ts'
import { bansAt, putMembers, putReads, storedMembers } from './imported-store.ts'
import { customAfter, flagAfter, timeAfter } from './listed.ts'

/** Imports members and their read states; a member without one has read everything. */
export async function importMembers({ app, row }: Importing, batch: Batch, members: readonly ImportData<'member'>[]) {
  const { db, dialect } = batch
  const places = members.map((data) => ({ data, cid: cidIn(data), user_id: data.user_id }))
  const keyOf = ({ cid, user_id }: { cid: string; user_id: string }) => `${cid}|${user_id}`
  const before = new Map((await storedMembers(db, dialect, app.id, places)).map((member) => [keyOf(member), member]))
  const wanted = row.mode === 'insert' ? places.filter((place) => !before.has(keyOf(place))) : places
  const bans = new Map((await bansAt(db, dialect, app.id, wanted)).map((ban) => [`${ban.cid}|${ban.target_id}`, ban]))
  const now = batch.now()
  const rows = wanted.map((place): MemberRow => {
    const ban = bans.get(keyOf(place))
    return {
      ...memberAfter(row, app.id, place.cid, place.data, before.get(keyOf(place)), now),
      ...(ban && { banned: ban.shadow ? 0 : 1, shadow_banned: ban.shadow, ban_expires: ban.expires }),
    }
  })
  await putMembers(db, dialect, rows)
  // The ordinal is set once all messages are there.
  const read = { app: app.id, last_read_message_id: null, ordinal: 0, own_after: 0 }
  const reads = wanted.flatMap(({ data, cid, user_id }) => {
    const said = data.last_read === undefined ? undefined : microsOf(data.last_read)!
    if (said === undefined && before.has(`${cid}|${user_id}`)) return []
    return [{ ...read, cid, user_id, last_read: said ?? now }]
  })
  await putReads(db, dialect, reads)
  for (const { cid, user_id } of rows) batch.changedMembers.add(`${app.id}|${cid}|${user_id}`)
  const cids = new Map(rows.map(({ cid }) => [cid, null]))
  await putItems(db, dialect, { app: app.id, id: row.id, list: 'channels' }, cids)
}

function memberAfter(
  row: Importing['row'],
  app: string,
  cid: string,
  data: ImportData<'member'>,
  known: MemberRow | undefined,
  now: number,
): MemberRow {
  // A member with a read time was a member by then.
  const created_at = timeAfter(data.created_at, known?.created_at ?? Math.min(now, timeAfter(data.last_read, now)))
  const saysRole = data.channel_role !== undefined || data.is_moderator !== undefined
  const accepted = timeAfter(data.invited_accepted_at, known?.invite_accepted_at ?? null)
  const rejected = timeAfter(data.invited_rejected_at, known?.invite_rejected_at ?? null)
  const saysInvite = data.invited !== undefined || accepted !== null || rejected !== null
  const status = rejected !== null ? 'rejected' : accepted !== null ? 'accepted' : data.invited ? 'pending' : 'member'
  return {
    app,
    cid,
    user_id: data.user_id,
    channel_role: known && !saysRole ? known.channel_role : roleOfImport(roleOf(data)),
    status: known && !saysInvite ? known.status : status,
    data: customAfter(row, customData({ type: 'member', data }), known?.data),
    created_at,
    updated_at: known ? now : created_at,
    banned: known?.banned ?? 0,
    shadow_banned: known?.shadow_banned ?? 0,
    ban_expires: known?.ban_expires ?? null,
    hidden: flagAfter(data.hide_channel, known?.hidden ?? 0),
    blocked: known?.blocked ?? 0,
    hide_before: timeAfter(data.hide_messages_before, known?.hide_before ?? null),
    pinned_at: known?.pinned_at ?? null,
    archived_at: timeAfter(data.archived_at, known?.archived_at ?? null),
    invite_accepted_at: accepted,
    invite_rejected_at: rejected,
  }
}
