import type { Channel } from '@parley/protocol/channels'
import { splitCid } from '@parley/protocol/cid'
import { ChatError } from '../chat-error.ts'
import type { Caller } from '../http/caller.ts'
import { deleteMembersOf } from '../members/leaving.ts'
import { eraseMessagesBefore } from '../messages/erase-messages.ts'
import { deleteReadsOf } from '../reads/joining.ts'
import type { Server } from '../server.ts'
import { facesOf } from '../users/faces.ts'
import { type Access, accessChannel } from './channel-access.ts'
import { setChannelData } from './channel-store.ts'
import { channelEvent, channelWire } from './channel-wire.ts'

/**
 * Takes a channel and its messages from everybody [CHN-18, CHN-56, MEM-31]. Its row stays, so that the numbers of
 * its events go on when it is made again; `hard` erases what it held.
 */
export async function deleteChannel(server: Server, access: Access, { hard }: { hard: boolean }): Promise<Channel> {
  const { app, cid } = access.channel
  return server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)
    if (!channel || channel.deleted_at !== null)
      throw new ChatError('DoesNotExistError', `Can't find channel with id ${cid}`)
    const at = batch.nextTime(channel)
    channel.deleted_at = at
    channel.updated_at = at
    const faces = await facesOf(server, app, [channel.created_by, ...(access.user ? [access.user.id] : [])])
    const wire = channelWire(server, channel, faces.known(channel.created_by))

    const members = await deleteMembersOf(batch.db, app, cid)
    await deleteReadsOf(batch.db, app, cid)
    for (const userId of members) batch.changedMembers.add(`${app}|${cid}|${userId}`)
    channel.member_count = 0
    channel.hidden_by_some = 0
    if (hard) {
      await eraseMessagesBefore(batch.db, app, cid, at)
      Object.assign(channel, { name: null, image: null, data: '{}' })
    }
    await setChannelData(batch.db, channel)
    batch.changedChannels.add(`${app}|${cid}`)

    const fields = { channel: wire, ...(access.user && { user: faces.of(access.user.id) }) }
    batch.publish(channel, 'channel.deleted', {
      at,
      watchers: channelEvent(channel, 'channel.deleted', at, fields),
      others: { body: channelEvent(channel, 'notification.channel_deleted', at, fields) },
      totals: 'members',
      effects: [{ do: 'close' }],
    })
    return wire
  })
}

/**
 * Deletes several channels, each by itself; gives what became of each [CHN-19].
 *
 * @throws ChatError NotAllowedError (17) — one of them the caller may not delete; then all stay
 */
export async function deleteChannels(
  server: Server,
  caller: Caller,
  cids: readonly string[],
  { hard }: { hard: boolean },
): Promise<Record<string, { status: string; error?: string }>> {
  const found = await Promise.all(
    [...new Set(cids)].map(async (cid) => {
      try {
        return { cid, access: await accessChannel(server, caller, splitCid(cid), 'delete-channel') }
      } catch (error) {
        if (error instanceof ChatError && error.kind !== 'NotAllowedError') return { cid, error: error.message }
        throw error
      }
    }),
  )
  const results = await Promise.all(
    found.map(async ({ cid, access, error }) => {
      if (!access) return [cid, { status: 'error', error: error! }] as const
      await deleteChannel(server, access, { hard })
      return [cid, { status: 'ok' }] as const
    }),
  )
  return Object.fromEntries(results)
}
