import type { Channel, TruncateChannelRequest } from '@parley/protocol/channels'
import type { Message } from '@parley/protocol/messages'
import type { Static } from 'typebox'
import { inputError } from '../../platform/chat-error.ts'
import type { Batch, ChannelEvent } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { checkMayChange } from '../bans/banned.ts'
import { hideHistory } from '../members/hide-history.ts'
import { lastCountedBefore, messagesBetween } from '../messages/messages-of-channels.ts'
import { systemMessage } from '../messages/send-message.ts'
import { readAllOf } from '../reads/joining.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { type Access, stillThere } from './channel-access.ts'
import { setChannelData } from './channel-store.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'

/**
 * Removes messages older than a time, or all of them [CHN-20, CHN-38, CHN-39]; the rest counts as read for all members.
 * A message sent along comes after it and does not count as unread [CHN-54]. With `member_ids` the history is hidden
 * for these members only, and each event carries that member's own start of history, which may already be later.
 *
 * @throws ChatError InputError (4) — the time lies in the future, or a member's history would be erased
 */
export async function truncateChannel(
  server: Server,
  caller: Caller,
  access: Access,
  request: Static<typeof TruncateChannelRequest>,
): Promise<{ channel: Channel; message?: Message }> {
  const unseen = await checkMayChange(server, caller, access)
  const { app, cid } = access.channel
  const named = request.truncated_at === undefined ? undefined : microsOf(request.truncated_at)
  if (request.truncated_at !== undefined && (named === undefined || named > server.clock.micros()))
    throw inputError('truncated_at', 'truncated_at must be a past time')
  if (request.member_ids && request.hard_delete)
    throw inputError('hard_delete', 'hard_delete is for all members, and member_ids are some')
  const said = request.message && (await systemMessage(server, access, caller, request.message, { silent: true }))

  const write = async (batch: Batch) => {
    const channel = stillThere(batch, access.channel)
    const at = batch.nextTime(channel)
    const before = named ?? at
    const hidden = request.member_ids && (await hideHistory(batch, channel, request.member_ids, before))
    if (!hidden) {
      channel.truncated_by = caller.user?.id ?? null
      channel.updated_at = at
      beginHistory(channel, before)
      channel.message_count = named === undefined ? 0 : await messagesBetween(batch, channel, channel.truncated_at!)
      if (request.hard_delete) await server.tasks.begin(batch, app, 'erase-messages', { cid, before })
      const goneUpTo = named === undefined ? channel.counted : await lastCountedBefore(batch, channel, before)
      await readAllOf(batch.db, channel, at, goneUpTo)
      await setChannelData(batch.db, channel)
      batch.changedChannels.add(`${app}|${cid}`)
    }
    const message = await said?.place(batch)

    const userSummaries = await userSummariesOf(server, app, [
      ...usersOfChannel(channel),
      ...(caller.user ? [caller.user.id] : []),
    ])
    const wire = channelWire(server, channel, userSummaries)
    const { truncated_at: _, ...untimed } = wire
    const publish = (shown: Partial<Channel>, told: Pick<ChannelEvent, 'only' | 'effects'>) => {
      const fields = {
        channel: shown,
        ...(caller.user && { user: userSummaries.of(caller.user.id) }),
        ...(message && { message }),
      }
      batch.publish(channel, 'channel.truncated', {
        at,
        watchers: channelEvent(channel, 'channel.truncated', at, fields),
        others: { body: channelEvent(channel, 'notification.channel_truncated', at, fields) },
        totals: 'members',
        ...told,
      })
    }
    const ordinal = channel.counted
    if (!hidden) publish(named === undefined ? untimed : wire, { effects: [{ do: 'readAll', ordinal }] })
    for (const [to, only] of hidden ?? [])
      publish(
        { ...wire, truncated_at: isoOf(Math.max(to + 1, channel.truncated_at ?? 0)), hide_messages_before: isoOf(to) },
        {
          only,
          effects: only.flatMap((user) => [
            { do: 'read', user, ordinal, unread: 0 },
            { do: 'hideHistory', user, to },
          ]),
        },
      )
    if (message) said!.publish(batch, message, request.skip_push)
    return { channel: wire, ...(message && { message }) }
  }
  const truncated = server.commit.write(app, [cid], write, unseen)
  if (unseen.alone === undefined) said?.follow(truncated)
  return truncated
}

/** Hides all messages from before a time. */
export function beginHistory(channel: ChannelRow, before: Micros) {
  channel.truncated_at = Math.max(before, channel.truncated_at ?? 0)
  if (channel.last_message_at === null || channel.last_message_at >= before) return
  channel.last_message_at = null
  channel.activity_at = channel.created_at
}
