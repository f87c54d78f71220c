import { MEMBERS_PAGE_MAX } from '@parley/protocol/limits'
import type { Member, MemberRequest } from '@parley/protocol/members'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { AssignedRole, ChannelRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Effect } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { markBanned } from '../bans/banned.ts'
import { banNewcomers } from '../bans/future-bans.ts'
import { type Access, accessWith, notAllowed } from '../channels/channel-access.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { announceCapabilities } from '../channels/publish-capabilities.ts'
import { countByRole } from '../messages/restricted-by-role.ts'
import { type Assigner, roleOfNewcomer } from '../permissions/assign-role.ts'
import { readAtJoining } from '../reads/counting.ts'
import { deleteReads, insertReads } from '../reads/joining.ts'
import { keepsTeamsApart } from '../reads/may-read.ts'
import { leaveThreads, returnToThreads } from '../threads/leave-threads.ts'
import { describedUsers } from '../users/upsert-users.ts'
import { acquaintances } from '../users/user-access.ts'
import { type UserSummaries, userSummariesFrom, userSummariesOf } from '../users/user-summaries.ts'
import { settleBlocks } from './blocked.ts'
import { deleteMembers, insertMembers, membersAmong, newestMembers, setMemberRoles } from './member-store.ts'
import { memberWire } from './member-wire.ts'

/** Member fields that are not custom data. */
export const memberFields: ReadonlySet<string> = new Set(
  `user_id user created_at updated_at banned shadow_banned channel_role notifications_muted archived pinned role
   is_moderator status invited invite_accepted_at invite_rejected_at ban_expires pinned_at archived_at
   deleted_messages`.split(/\s+/),
)

/** A user to add as a member, in wire form. */
export interface NewMember {
  userId: string
  channelRole: AssignedRole
  data: string
}

/** Where a new member's visible history begins: at a time, at the moment of joining, or unlimited. */
export type HideBefore = Micros | 'joining' | null

export function idOfMember(member: MemberRequest): string {
  return typeof member === 'string' ? member : (userSaid(member)?.id ?? (member.user_id as string))
}

/** The user object a member may carry in place of an id. */
function userSaid(member: MemberRequest): { id: string } | undefined {
  if (typeof member === 'string' || ('user_id' in member && member.user_id)) return undefined
  return member.user as { id: string } | undefined
}

/**
 * Parses a list of members; duplicates are removed. User objects sent by the app's server create or update users.
 *
 * @param by the user who assigns their roles there
 * @throws ChatError InputError (4) — a user does not exist, or the caller may not know of them [MEM-27]
 * @throws ChatError NotAllowedError (17) — the caller may not assign a role [PERM-23]
 */
export async function newMembers(
  server: Server,
  caller: Caller,
  by: Assigner,
  requests: readonly MemberRequest[],
  field: string,
): Promise<NewMember[]> {
  const app = caller.app.id
  const members = new Map<string, NewMember>()
  for (const request of requests) {
    const userId = idOfMember(request)
    const whole: { channel_role?: string } = typeof request === 'string' ? {} : request
    members.set(userId, {
      userId,
      channelRole: roleOfNewcomer(by, whole.channel_role, field),
      data: JSON.stringify(customOf(whole, memberFields)),
    })
  }
  if (caller.server)
    await describedUsers(
      server,
      app,
      requests.flatMap((member) => userSaid(member) ?? []),
    )
  const known = await acquaintances(server, caller, members.keys())
  for (const id of members.keys())
    if (!known.has(id) || known.get(id)!.deleted_at !== null)
      throw inputError(field, `could not find user ${id} from ${field}`)
  return [...members.values()]
}

/** Whether the caller may add or remove these users: the right for all users, or the one for oneself. */
export function checkMemberChange(access: Access, userIds: readonly string[], ownPermission: string) {
  const onlySelf = userIds.every((id) => id === access.user?.id)
  if (!access.can('update-channel-members') && !(onlySelf && access.can(ownPermission)))
    throw notAllowed(access, 'update-channel-members')
}

/**
 * Adds members and publishes `member.added` to the watchers and `notification.added_to_channel` to the new members.
 * Existing members do not change.
 */
export async function addMembers(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  wanted: readonly NewMember[],
  by: UserRow | undefined,
  hideBefore: HideBefore,
): Promise<void> {
  const { app, cid } = channel
  const already = await membersAmong(
    batch.db,
    batch.dialect,
    app,
    cid,
    wanted.map((member) => member.userId),
  )
  const added = wanted.filter(({ userId }) => !already.some((member) => member.user_id === userId))
  if (added.length === 0) return

  const at = batch.nextTime(channel)
  const wasPair = channel.member_count === 2
  // Members added in one call get distinct times, so that a page boundary never falls in a tie.
  const hiddenTo = hideBefore === 'joining' ? at : hideBefore
  const rows = added.map((member, i) => memberRow(channel, member, at + i, hiddenTo))
  channel.event_at = at + rows.length
  channel.member_count += rows.length
  await banNewcomers(batch, rows, by)
  await markBanned(batch, rows)
  await insertMembers(batch.db, batch.dialect, rows)
  const joining = rows.map((row) => row.user_id)
  // A channel without activity has no returning members.
  if (channel.seq > 0) await returnToThreads(batch, channel, joining)
  await insertReads(
    batch.db,
    batch.dialect,
    rows.map((row) => readAtJoining(channel, row.user_id, row.created_at)),
  )
  for (const row of rows) batch.changedMembers.add(`${app}|${cid}|${row.user_id}`)
  if (wasPair || channel.member_count === 2) {
    const closed = await settleBlocks(server, batch, channel, joining)
    for (const row of rows) if (closed.includes(row.user_id)) row.blocked = 1
  }

  // Disconnected users receive no event, so filling a channel beforehand adds no cost.
  const hears = (row: MemberRow) => row.user_id !== by?.id && !row.blocked && server.presence.isOnline(app, row.user_id)
  const page = { limit: rows.some(hears) ? MEMBERS_PAGE_MAX : 0, offset: 0 }
  const listed = await newestMembers(batch.db, batch.dialect, app, [cid], page)
  const userSummaries = await userSummariesOf(server, app, [
    ...usersOfChannel(channel),
    ...[...rows, ...listed].map((row) => row.user_id),
  ])
  const members = listed.map((row) => memberWire(row, userSummaries.of(row.user_id), channel.created_by))
  const users = await server.users.getAll(app, joining)
  for (const row of rows) {
    const user = users.get(row.user_id)!
    announceJoin(server, batch, channel, row, user, userSummaries, by, hears(row) ? members : undefined)
    // The user may have watched the channel before.
    if (server.presence.isOnline(app, row.user_id))
      announceCapabilities(server, batch, channel, user, { before: undefined, after: row })
  }
}

/**
 * Assigns members a channel role; members who already have it do not change. Publishes `member.updated` to the
 * watchers, and the new capabilities to the member [CHN-49].
 *
 * @param roles role by user id
 * @throws ChatError InputError (4) — one of them is not a member
 */
export async function setRoles(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  roles: ReadonlyMap<string, AssignedRole>,
): Promise<void> {
  const { app, cid } = channel
  const ids = [...roles.keys()]
  const rows = await membersAmong(batch.db, batch.dialect, app, cid, ids)
  const stranger = ids.find((id) => !rows.some((row) => row.user_id === id))
  if (stranger !== undefined) throw new ChatError('InputError', `user ${stranger} is no member of channel ${cid}`)

  const users = await server.users.getAll(app, [channel.created_by, ...ids])
  const userSummaries = userSummariesFrom(server, app, users)
  const changed = rows
    .filter((row) => row.channel_role !== roles.get(row.user_id))
    .map((row) => ({ ...row, channel_role: roles.get(row.user_id)!, updated_at: batch.nextTime(channel) }))
  await setMemberRoles(batch.db, batch.dialect, changed)
  for (const row of changed) {
    const at = row.updated_at
    batch.changedMembers.add(`${app}|${cid}|${row.user_id}`)
    const user = userSummaries.of(row.user_id)
    const member = memberWire(row, user, channel.created_by)
    const before = rows.find(({ user_id }) => user_id === row.user_id)!
    const known = users.get(row.user_id)!
    const counting = await countByRole(
      server,
      batch,
      channel,
      { user: known, member: before },
      { user: known, member: row },
    )
    const body = channelEvent(channel, 'member.updated', at, { member, user })
    batch.publish(channel, 'member.updated', {
      at,
      watchers: body,
      ...(counting && { others: { body, onlyChanged: true }, totals: { only: row.user_id }, ...counting }),
    })
    announceCapabilities(server, batch, channel, known, { before, after: row })
  }
}

export async function removeMembers(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  userIds: readonly string[],
): Promise<void> {
  const { app, cid } = channel
  const rows = await membersAmong(batch.db, batch.dialect, app, cid, [...new Set(userIds)])
  if (rows.length === 0) return
  const wasPair = channel.member_count === 2
  channel.member_count -= rows.length
  const leaving = rows.map((row) => row.user_id)
  await leaveThreads(batch, channel, leaving, batch.nextTime(channel))
  await deleteMembers(batch.db, batch.dialect, app, cid, leaving)
  await deleteReads(batch.db, batch.dialect, app, cid, leaving)
  const userSummaries = await userSummariesOf(server, app, [...usersOfChannel(channel), ...leaving])
  for (const row of rows) {
    batch.changedMembers.add(`${app}|${cid}|${row.user_id}`)

    const at = batch.nextTime(channel)
    const fields = {
      member: memberWire(row, userSummaries.of(row.user_id), channel.created_by),
      user: userSummaries.of(row.user_id),
      channel: channelWire(server, channel, userSummaries),
    }
    batch.publish(channel, 'member.removed', { at, watchers: channelEvent(channel, 'member.removed', at, fields) })
    batch.publish(channel, 'notification.removed_from_channel', {
      at,
      personal: [
        {
          users: [row.user_id],
          body: channelEvent(channel, 'notification.removed_from_channel', at, fields),
          totals: true,
        },
      ],
      effects: [{ do: 'leave', user: row.user_id }],
    })
  }
  if (wasPair || channel.member_count === 2) await settleBlocks(server, batch, channel)
}

/** A member row on creation. */
export function memberRow(
  { app, cid }: ChannelRow,
  { userId, channelRole, data }: NewMember,
  at: number,
  hideBefore: number | null,
): MemberRow {
  return {
    app,
    cid,
    user_id: userId,
    channel_role: channelRole,
    status: 'member',
    data,
    created_at: at,
    updated_at: at,
    banned: 0,
    shadow_banned: 0,
    ban_expires: null,
    hidden: 0,
    blocked: 0,
    hide_before: hideBefore,
    pinned_at: null,
    archived_at: null,
    invite_accepted_at: null,
    invite_rejected_at: null,
  }
}

/**
 * The member joins the hub's audience with this event; the member's notification carries the totals from then on.
 * Neither happens for a user from whom a block or the channel's team hides the channel.
 *
 * @param members the channel's newest members, for a user who receives its events
 */
function announceJoin(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  row: MemberRow,
  user: UserRow,
  userSummaries: UserSummaries,
  by: UserRow | undefined,
  members?: readonly Member[],
) {
  const at = batch.nextTime(channel)
  const member = memberWire(row, userSummaries.of(row.user_id), channel.created_by)
  const wire = channelWire(server, channel, userSummaries)
  batch.publish(channel, 'member.added', {
    at,
    watchers: channelEvent(channel, 'member.added', at, {
      member,
      user: userSummaries.of(row.user_id),
      channel: wire,
    }),
    effects: joinOf(server, channel, row, user),
    ...(by?.id !== row.user_id &&
      isNotifiedOf(server, channel, row, user) && {
        personal: [
          {
            users: [row.user_id],
            body: channelEvent(channel, 'notification.added_to_channel', at, {
              channel: { ...wire, ...(members && { members }) },
              member,
            }),
            totals: true,
            unwatched: true,
          },
        ],
      }),
  })
}

/** Joins a member with everything read so far; one from whom a block or the channel's team hides it does not join. */
export function joinOf(server: Server, channel: ChannelRow, row: MemberRow, user: UserRow): Effect[] {
  if (!isNotifiedOf(server, channel, row, user)) return []
  const counts = server.apps.of(channel.app).countsReads(channel.type)
  const joinedAt = row.invite_accepted_at ?? row.created_at
  return [{ do: 'join', user: row.user_id, ordinal: channel.counted, counts, hiddenTo: row.hide_before, joinedAt }]
}

/**
 * Whether a member is notified of a channel: not where a block hides it, and with multi-tenancy not outside its team,
 * unless a permission allows it [USR-19, READ-27].
 */
export function isNotifiedOf(server: Server, channel: ChannelRow, row: MemberRow, user: UserRow | undefined): boolean {
  if (row.blocked) return false
  return (
    !keepsTeamsApart(server.apps.of(channel.app)) || accessWith(server, channel, false, user, row).can('read-channel')
  )
}
