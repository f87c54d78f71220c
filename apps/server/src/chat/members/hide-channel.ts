import type { Channel } from '@parley/protocol/channels'
import type { Kysely } from 'kysely'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Effect } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { nothingUnreadFor } from '../reads/joining.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { hiddenBy, isHiddenBySome, memberOf, unhideForAll, updateMember } from './member-store.ts'

/** Hidden channels sent to a connecting user. */
const HIDDEN_CHANNELS_SENT = 100

/**
 * Hides the channel from the member's list until the next message that counts [CHN-22, CHN-55].
 *
 * @param clearHistory also hides all earlier messages from the member [CHN-42], so none is unread
 * @throws ChatError NotAllowedError (17) — only members can hide a channel
 */
export async function hideChannel(
  server: Server,
  access: Access,
  user: UserRow,
  { clearHistory }: { clearHistory: boolean },
): Promise<void> {
  const { app, cid } = access.channel
  await server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const member = await ownMember(batch, channel, user)
    if (member.hidden && !clearHistory) return
    const at = batch.nextTime(channel)
    await updateMember(batch.db, { ...member, hidden: 1, hide_before: clearHistory ? at : member.hide_before })
    if (clearHistory) await nothingUnreadFor(batch.db, batch.dialect, channel, [user.id])
    channel.hidden_by_some = 1
    const effects: Effect[] = [
      { do: 'read', user: user.id, ordinal: channel.counted, unread: 0 },
      { do: 'hideHistory', user: user.id, to: at },
    ]
    await publish(server, batch, channel, [user.id], 'channel.hidden', {
      fields: { clear_history: clearHistory },
      ...(clearHistory && { own: { hide_messages_before: isoOf(at) }, effects }),
    })
  })
}

/** @throws ChatError NotAllowedError (17) — only members can show a channel again; InputError (4) — a block hides it */
export async function showChannel(server: Server, access: Access, user: UserRow): Promise<void> {
  const { app, cid } = access.channel
  await server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const member = await ownMember(batch, channel, user)
    if (member.blocked) throw new ChatError('InputError', `unblock its other member to show channel ${cid} again`)
    if (!member.hidden) return
    await updateMember(batch.db, { ...member, hidden: 0 })
    await publish(server, batch, channel, [user.id], 'channel.visible')
  })
}

/** The channels a user hid, sent when the user connects. */
export function latestHidden(db: Kysely<Tables>, { app, id }: UserRow): Promise<string[]> {
  return hiddenBy(db, app, id, HIDDEN_CHANNELS_SENT)
}

/**
 * A message that counts shows the channel again to members who hid it, unless they muted it or cannot see the message.
 */
export async function unhide(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  among?: readonly string[],
): Promise<void> {
  const { app, cid } = channel
  if (!channel.hidden_by_some) return
  const users = await unhideForAll(batch.db, batch.dialect, app, cid, batch.now(), among)
  channel.hidden_by_some = (await isHiddenBySome(batch.db, app, cid)) ? 1 : 0
  batch.touch(channel)
  await publish(server, batch, channel, users, 'channel.visible')
}

async function ownMember(batch: Batch, { app, cid, type }: ChannelRow, user: UserRow): Promise<MemberRow> {
  const member = await memberOf(batch.db, app, cid, user.id)
  if (!member)
    throw new ChatError(
      'NotAllowedError',
      `User '${user.id}' with role '${user.role}' is no member and can't hide or show the channel in scope '${type}'`,
    )
  return member
}

/** The fields of hidden and visible events besides the type; `own` holds those of the user's own view. */
interface HiddenEvent {
  fields?: object
  own?: Partial<Channel>
  effects?: readonly Effect[]
}

async function publish(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  users: readonly string[],
  type: 'channel.hidden' | 'channel.visible',
  { fields, own, effects = [] }: HiddenEvent = {},
) {
  const { app, cid } = channel
  const userSummaries = await userSummariesOf(server, app, [...usersOfChannel(channel), ...users])
  const wire = { ...channelWire(server, channel, userSummaries), ...own }
  for (const userId of users) {
    batch.changedMembers.add(`${app}|${cid}|${userId}`)
    const at = batch.nextTime(channel)
    const body = channelEvent(channel, type, at, { channel: wire, user: userSummaries.of(userId), ...fields })
    const personal = [{ users: [userId], body, totals: type === 'channel.hidden' }]
    batch.publish(channel, type, { at, personal, effects })
  }
}
