import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { markBanned } from '../bans/banned.ts'
import { banNewcomers } from '../bans/future-bans.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { announceCapabilities } from '../channels/publish-capabilities.ts'
import { MEMBER } from '../permissions/assign-role.ts'
import { readAtJoining } from '../reads/counting.ts'
import { insertReads, nothingUnreadFor } from '../reads/joining.ts'
import { returnToThreads } from '../threads/leave-threads.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { settleBlocks } from './blocked.ts'
import { type HideBefore, isNotifiedOf, joinOf, memberRow, type NewMember } from './change-members.ts'
import { insertMembers, memberOf, membersAmong, setInvite } from './member-store.ts'
import { memberWire } from './member-wire.ts'

/**
 * Separates new members who join at once from those who are invited: whoever one request names as both is invited,
 * with the role and fields that either list gives them [MEM-34].
 */
export function joiningAndInvited(members: readonly NewMember[], invites: readonly NewMember[]) {
  const ids = new Set(invites.map(({ userId }) => userId))
  const saidOfMember = new Map(members.map((member) => [member.userId, member]))
  return {
    joining: members.filter(({ userId }) => !ids.has(userId)),
    invited: invites.map((invite) => {
      const member = saidOfMember.get(invite.userId)
      return member && isBare(invite) ? member : invite
    }),
  }
}

/** Whether a request gives only the id of a new member. */
function isBare({ channelRole, data }: NewMember): boolean {
  return channelRole === MEMBER && data === '{}'
}

/**
 * Invites users: they are listed, and nothing counts as unread for them yet [MEM-7, MEM-28]. Existing members and
 * invitees do not change; a user who rejected an invitation is invited again. Invitees may read at once: an invitee who
 * watches the channel receives the new capabilities [CHN-49].
 */
export async function inviteMembers(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  wanted: readonly NewMember[],
  by: UserRow | undefined,
  hideBefore: HideBefore = null,
) {
  const { app, cid } = channel
  const ids = wanted.map((member) => member.userId)
  const already = await membersAmong(batch.db, batch.dialect, app, cid, ids)
  const users = await server.users.getAll(app, ids)
  for (const member of already)
    if (member.status === 'rejected') await inviteAgain(server, batch, channel, member, users.get(member.user_id)!)
  const invited = wanted.filter(({ userId }) => !already.some((member) => member.user_id === userId))
  if (invited.length === 0) return

  const at = batch.nextTime(channel)
  const wasPair = channel.member_count === 2
  const hiddenTo = hideBefore === 'joining' ? at : hideBefore
  const rows = invited.map((member, i) => ({ ...memberRow(channel, member, at + i, hiddenTo), status: 'pending' }))
  channel.event_at = at + rows.length
  channel.member_count += rows.length
  await banNewcomers(batch, rows, by)
  await markBanned(batch, rows)
  await insertMembers(batch.db, batch.dialect, rows)
  await returnToThreads(batch, channel, ids)
  await insertReads(
    batch.db,
    batch.dialect,
    rows.map((row) => readAtJoining(channel, row.user_id, row.created_at)),
  )
  if (wasPair || channel.member_count === 2) {
    const closed = await settleBlocks(server, batch, channel, ids)
    for (const row of rows) if (closed.includes(row.user_id)) row.blocked = 1
  }
  const userSummaries = await userSummariesOf(server, app, [...usersOfChannel(channel), ...ids])
  for (const row of rows) {
    batch.changedMembers.add(`${app}|${cid}|${row.user_id}`)
    const at = batch.nextTime(channel)
    const fields = {
      channel: channelWire(server, channel, userSummaries),
      member: memberWire(row, userSummaries.of(row.user_id), channel.created_by),
      user: userSummaries.of(row.user_id),
    }
    batch.publish(channel, 'member.added', {
      at,
      watchers: channelEvent(channel, 'member.added', at, fields),
      ...(isNotifiedOf(server, channel, row, users.get(row.user_id)) && {
        personal: [
          { users: [row.user_id], body: channelEvent(channel, 'notification.invited', at, fields), unwatched: true },
        ],
      }),
    })
    if (server.presence.isOnline(app, row.user_id))
      announceCapabilities(server, batch, channel, users.get(row.user_id)!, { before: undefined, after: row })
  }
}

async function inviteAgain(server: Server, batch: Batch, channel: ChannelRow, before: MemberRow, user: UserRow) {
  const { app, cid } = channel
  const { user_id: id } = before
  const at = batch.nextTime(channel)
  const row: MemberRow = { ...before, status: 'pending', updated_at: at, invite_rejected_at: null }
  await setInvite(batch.db, row)
  batch.changedMembers.add(`${app}|${cid}|${id}`)
  const userSummaries = await userSummariesOf(server, app, [...usersOfChannel(channel), id])
  const fields = { member: memberWire(row, userSummaries.of(id), channel.created_by), user: userSummaries.of(id) }
  const told = { ...fields, channel: channelWire(server, channel, userSummaries) }
  batch.publish(channel, 'member.updated', {
    at,
    watchers: channelEvent(channel, 'member.updated', at, fields),
    ...(isNotifiedOf(server, channel, row, user) && {
      personal: [{ users: [id], body: channelEvent(channel, 'notification.invited', at, told), unwatched: true }],
    }),
  })
  announceCapabilities(server, batch, channel, user, { before, after: row })
}

/**
 * Accepts or rejects the user's own invitation [MEM-8, MEM-9]. From acceptance on, messages count as unread; a user who
 * rejects stays listed but has no access.
 *
 * @throws ChatError InputError (4) — there is no invitation to answer
 */
export async function answerInvite(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  user: UserRow,
  { accept }: { accept: boolean },
) {
  const { app, cid } = channel
  const before = await memberOf(batch.db, app, cid, user.id)
  if (before?.status !== 'pending')
    throw new ChatError('InputError', `user ${user.id} has no pending invite to channel ${cid}`)
  const at = batch.nextTime(channel)
  const row: MemberRow = {
    ...before,
    updated_at: at,
    ...(accept ? { status: 'accepted', invite_accepted_at: at } : { status: 'rejected', invite_rejected_at: at }),
  }
  await setInvite(batch.db, row)
  batch.changedMembers.add(`${app}|${cid}|${user.id}`)
  if (accept) await nothingUnreadFor(batch.db, batch.dialect, channel, [user.id])

  const userSummaries = await userSummariesOf(server, app, [...usersOfChannel(channel), user.id])
  const member = memberWire(row, userSummaries.of(user.id), channel.created_by)
  const type = accept ? 'notification.invite_accepted' : 'notification.invite_rejected'
  batch.publish(channel, 'member.updated', {
    at,
    watchers: channelEvent(channel, 'member.updated', at, { member, user: member.user }),
    personal: [
      {
        users: [user.id],
        body: channelEvent(channel, type, at, {
          channel: channelWire(server, channel, userSummaries),
          member,
          user: member.user,
        }),
      },
    ],
    effects: accept ? joinOf(server, channel, row, user) : [{ do: 'leave', user: user.id }],
  })
  announceCapabilities(server, batch, channel, user, { before, after: row })
}
