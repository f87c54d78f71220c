/** The full response for channels: messages, members, read entries, watchers [messaging.md 4.2]. */

import type { Channel, ChannelState } from '@parley/protocol/channels'
import { MEMBERS_PAGE_MAX } from '@parley/protocol/limits'
import type { PendingMessage } from '@parley/protocol/messages'
import type { Read } from '@parley/protocol/reads'
import type { ChannelMuteRow, ChannelRow, DeliveryRow, MemberRow, MessageRow } from '../../platform/database/tables.ts'
import type { Piece } from '../../platform/http/send-answer.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { memberWire } from '../members/member-wire.ts'
import { membersAndOwn } from '../members/members-of-channels.ts'
import { deletedForMeIn } from '../messages/delete-for-me.ts'
import { shownSince } from '../messages/message-access.ts'
import { restrictedFor } from '../messages/message-recipients.ts'
import { type MessagesShown, messagesOfChannels } from '../messages/messages-of-channels.ts'
import { pendingInChannels } from '../messages/pending-messages.ts'
import { mutedChannels } from '../mutes/muted-channels.ts'
import { capabilitiesOf } from '../permissions/capabilities.ts'
import { type ReadState, readsOfListed, unreadOf } from '../reads/counting.ts'
import { deliveriesOf } from '../reads/mark-delivered.ts'
import { hides } from '../users/privacy.ts'
import { type OwnedData, ownedDataOf } from '../users/user-owned-data.ts'
import { type UserSummaries, userSummariesOf } from '../users/user-summaries.ts'
import { accessWith } from './channel-access.ts'
import { channelWire, usersOfChannel } from './channel-wire.ts'
import { readAgain } from './stored-channel.ts'

export interface StateOptions {
  /** When false, the state has only the channel and the caller's membership. */
  state: boolean
  messageLimit: number
  members?: { limit: number; offset: number }
  watchers?: { limit: number; offset: number }
  /** A page already read; replaces the newest messages. */
  pages?: ReadonlyMap<string, MessageRow[]>
  /** Reloads the channels together with everything else; channels deleted since are left out. */
  again?: boolean
}

/** The state of a channel, its messages as JSON without the brackets. */
export interface WrittenState {
  state: Omit<ChannelState, 'messages'>
  messages: readonly Piece[]
}

const EVERYBODY = { limit: MEMBERS_PAGE_MAX, offset: 0 }
const NOBODY = { limit: 0, offset: 0 }

/** The JSON of a channel's state, in pieces and without the closing brace. */
export function statePieces({ state, messages }: WrittenState): Piece[] {
  return [JSON.stringify(state).slice(0, -1), ',"messages":[', ...messages]
}

export const STATE_END = ']}'

/** The user-owned data of the core that a user may have in these channels. */
const ownedData = ['channel_mutes', 'deleted_for_me', 'pending_messages'] as const

/**
 * @param found channels read for this response, not from a cache
 * @returns the states; the number of queries is constant
 */
export async function channelStates(
  server: Server,
  caller: Caller,
  found: readonly ChannelRow[],
  { state, messageLimit, members: memberPage = EVERYBODY, watchers: watcherPage, pages, again }: StateOptions,
): Promise<WrittenState[]> {
  if (found.length === 0) return []
  const app = caller.app.id
  const { read, dialect } = server.database
  const { channels: extensions } = server.extensions
  const ownTables = extensions.flatMap(({ own }) => own?.table ?? [])
  const foundCids = found.map((channel) => channel.cid)
  // Independent queries run together.
  const [channels, { members: memberRows, own }, has] = await Promise.all([
    again ? readAgain(server, found) : found,
    membersAndOwn(server, app, foundCids, state ? memberPage : NOBODY, caller.user?.id),
    caller.user
      ? ownedDataOf<OwnedData>(read, app, caller.user.id, [...ownedData, ...ownTables])
      : new Set<OwnedData>(),
  ])
  const cids = channels.map((channel) => channel.cid)
  const userId = caller.user?.id ?? ''
  const shows = (kind: OwnedData) => state && has.has(kind)
  const [mutes, deletedForMe, pending, added] = await Promise.all([
    has.has('channel_mutes') ? mutedChannels(server, app, userId) : new Map<string, ChannelMuteRow>(),
    shows('deleted_for_me') ? deletedForMeIn(server, app, userId, cids) : new Map<string, string[]>(),
    shows('pending_messages') ? pendingInChannels(server, app, userId, cids) : new Map<string, PendingMessage[]>(),
    Promise.all(extensions.flatMap(({ own }) => (own && shows(own.table) ? own.read(server, app, userId, cids) : []))),
  ])
  const members = Map.groupBy(memberRows, (member) => member.cid)
  const accesses = new Map(
    channels.map(({ cid }, i) => [cid, accessWith(server, channels[i]!, false, caller.user, own.get(cid))]),
  )
  const since = new Map(channels.map((channel) => [channel.cid, shownSince(channel, own.get(channel.cid))]))
  const open = cids.filter((cid) => restrictedFor(accesses.get(cid)!) === null)
  const readers = [...memberRows, ...own.values()].filter((member) => accesses.has(member.cid))
  const receipts = state && cids.some((cid) => accesses.get(cid)!.config.delivery_events)
  const [messages, reads, deliveries, shared] = await Promise.all([
    state
      ? messagesOfChannels(
          server,
          app,
          channels,
          messageLimit,
          {
            id: caller.user?.id,
            since,
            unrestricted: open,
            own: new Set([...added.flatMap(({ messageIds = [] }) => messageIds), ...[...deletedForMe.values()].flat()]),
          },
          pages,
        )
      : new Map<string, MessagesShown>(),
    state
      ? readsOfListed(read, dialect, new Map(channels.map((row) => [row.cid, row])), readers)
      : new Map<string, ReadState>(),
    receipts ? deliveriesOf(read, dialect, app, readers) : undefined,
    state ? Promise.all(extensions.flatMap((extension) => extension.state?.(server, app, accesses) ?? [])) : [],
  ])
  const asksForWatchers = state && watcherPage !== undefined
  const watchers = new Map(cids.map((cid) => [cid, state ? watcherIds(server, app, cid, watcherPage) : []]))
  const userSummaries = await userSummariesOf(server, app, [
    ...channels.flatMap(usersOfChannel),
    ...memberRows.map((member) => member.user_id),
    ...[...watchers.values()].flat(),
    ...(caller.user ? [caller.user.id] : []),
  ])

  return channels.map((channel) => {
    const { cid } = channel
    const member = own.get(cid)
    const listed = members.get(cid) ?? []
    const shown = messages.get(cid)
    const readers = member && !listed.some((row) => row.user_id === member.user_id) ? [...listed, member] : listed
    const watching = watchers.get(cid) ?? []
    const seesShadows = accessWith(server, channel, caller.server, caller.user, member).can('ban-channel-member')
    const state = {
      channel: ownChannel(server, channel, caller, { member, mute: mutes.get(cid) }, userSummaries),
      pinned_messages: shown?.pinned ?? [],
      members: listed.map((row) => memberWire(row, userSummaries.of(row.user_id), channel.created_by, seesShadows)),
      ...(member && {
        membership: {
          ...memberWire(member, userSummaries.of(member.user_id), channel.created_by),
          ...(deletedForMe.has(cid) && { deleted_messages: deletedForMe.get(cid)! }),
        },
      }),
      read: readers.flatMap((row) =>
        readEntry(
          server,
          reads.get(`${cid}|${row.user_id}`),
          deliveries?.get(`${cid}|${row.user_id}`),
          userSummaries,
          caller.user?.id,
        ),
      ),
      watcher_count: server.hub.watcherCount(app, cid),
      ...((watching.length > 0 || asksForWatchers) && { watchers: watching.map((id) => userSummaries.of(id)) }),
      hidden: member?.hidden === 1,
      ...(member?.hide_before != null && { hide_messages_before: isoOf(member.hide_before) }),
      ...(pending.has(cid) && { pending_messages: pending.get(cid)! }),
      threads: [],
    }
    for (const fields of [...shared, ...added.flatMap(({ fields }) => fields ?? [])])
      if (fields.has(cid)) Object.assign(state, fields.get(cid))
    return { state, messages: shown?.messages ?? [] }
  })
}

/** A user's own data in a channel. */
interface OwnPart {
  member: MemberRow | undefined
  /** Only while it is active. */
  mute: ChannelMuteRow | undefined
}

/** The channel as one user sees it, with that user's capabilities [PERM-1]. */
export function ownChannel(
  server: Server,
  channel: ChannelRow,
  caller: Caller,
  { member, mute }: OwnPart,
  userSummaries: UserSummaries,
): Channel {
  const wire = channelWire(server, channel, userSummaries)
  if (!caller.user) return wire
  return {
    ...wire,
    own_capabilities: capabilitiesOf(accessWith(server, channel, false, caller.user, member)),
    ...(member && { hidden: member.hidden === 1 }),
    ...(member?.blocked && { blocked: true }),
    ...(mute && { muted: true, ...(mute.until !== null && { mute_expires_at: isoOf(mute.until) }) }),
    ...(member?.hide_before != null && { hide_messages_before: isoOf(member.hide_before) }),
  }
}

/** A user who hides read receipts appears in no other user's read list. */
function readEntry(
  server: Server,
  read: ReadState | undefined,
  delivery: DeliveryRow | undefined,
  userSummaries: UserSummaries,
  viewerId: string | undefined,
): Read[] {
  if (!read) return []
  const user = server.users.known(read.app, read.user_id)
  if (read.user_id !== viewerId && hides(user, 'read_receipts')) return []
  const shown = delivery && (read.user_id === viewerId || !hides(user, 'delivery_receipts')) ? delivery : undefined
  return [
    {
      user: userSummaries.of(read.user_id),
      last_read: isoOf(read.last_read),
      ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
      unread_messages: unreadOf(server.apps.of(read.app), read),
      ...(shown && { last_delivered_at: isoOf(shown.delivered_at), last_delivered_message_id: shown.message_id }),
    },
  ]
}

function watcherIds(
  server: Server,
  app: string,
  cid: string,
  { limit, offset }: { limit: number; offset: number } = { limit: 100, offset: 0 },
): string[] {
  return server.hub.watchersShown(app, cid).slice(offset, offset + limit)
}
