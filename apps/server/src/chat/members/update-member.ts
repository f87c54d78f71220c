import { isDeepStrictEqual } from 'node:util'
import type { Member } from '@parley/protocol/members'
import type { PartialUpdate } from '@parley/protocol/wire'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { checkPaths, patched, patchedWithin } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MemberRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { checkMayChange } from '../bans/banned.ts'
import { type Access, assignerIn, notAllowed, stillThere } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { roleOfMember } from '../permissions/assign-role.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { memberFields, setRoles } from './change-members.ts'
import { memberOf, updateMember } from './member-store.ts'
import { memberWire } from './member-wire.ts'

const flags = ['pinned', 'archived'] as const

/**
 * Changes single fields of a member: custom fields, and whether the member pinned or archived the channel [MEM-11,
 * MEM-17…20]. Only the app's server changes the channel role.
 *
 * @throws ChatError NotAllowedError (17) — another user's membership; DoesNotExistError (16) — no member
 */
export async function updateMemberPartial(
  server: Server,
  caller: Caller,
  access: Access,
  userId: string,
  { set = {}, unset = [] }: PartialUpdate,
): Promise<Member> {
  const { app, cid } = access.channel
  checkPaths({ set, unset })
  patchedWithin({}, memberFields, { set, unset })
  if (!caller.server && caller.user?.id !== userId) throw notAllowed(access, 'update-channel-members')
  const role =
    'channel_role' in set ? roleOfMember(assignerIn(access, caller), set.channel_role, 'set.channel_role') : undefined
  for (const flag of flags)
    if (set[flag] !== undefined && typeof set[flag] !== 'boolean')
      throw inputError(`set.${flag}`, `set.${flag} must be a boolean`)

  const seesShadows = access.can('ban-channel-member')
  const isShown = [...Object.keys(set), ...unset].some((path) => !flags.some((flag) => flag === path))
  const unseen = isShown ? await checkMayChange(server, caller, access) : {}
  const write = async (batch: Batch) => {
    const channel = stillThere(batch, access.channel)
    if (role !== undefined) await setRoles(server, batch, channel, new Map([[userId, role]]))
    const before = await memberOf(batch.db, app, cid, userId)
    if (!before) throw new ChatError('DoesNotExistError', `user ${userId} is no member of channel ${cid}`)
    const userSummaries = await userSummariesOf(server, app, [userId])
    const at = batch.nextTime(channel)
    const next = changed(before, { set, unset }, at)
    const shown = (row: MemberRow) => memberWire(row, userSummaries.of(userId), channel.created_by, seesShadows)
    if (isDeepStrictEqual(next, { ...before })) return shown(before)
    const row = { ...next, updated_at: at }
    await updateMember(batch.db, row)
    batch.changedMembers.add(`${app}|${cid}|${userId}`)
    const member = memberWire(row, userSummaries.of(userId), channel.created_by)
    batch.publish(channel, 'member.updated', {
      at,
      watchers: channelEvent(channel, 'member.updated', at, { member, user: member.user }),
    })
    return shown(row)
  }
  return server.commit.write(app, [cid], write, unseen)
}

/** Pinning again keeps the time of the first pin. */
function changed(before: MemberRow, { set = {}, unset = [] }: PartialUpdate, at: Micros): MemberRow {
  const time = (flag: (typeof flags)[number], was: Micros | null) => {
    if (unset.includes(flag) || set[flag] === false) return null
    return set[flag] === true ? (was ?? at) : was
  }
  const isCustom = (path: string) => !memberFields.has(path.split('.')[0]!)
  const was = JSON.parse(before.data)
  const custom = patched(was, {
    set: Object.fromEntries(Object.entries(set).filter(([path]) => isCustom(path))),
    unset: unset.filter(isCustom),
  })
  return {
    ...before,
    data: isDeepStrictEqual(custom, was) ? before.data : JSON.stringify(custom),
    pinned_at: time('pinned', before.pinned_at),
    archived_at: time('archived', before.archived_at),
  }
}
