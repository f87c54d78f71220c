import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { lastCountedBefore, messagesBetween } from '../messages/messages-of-channels.ts'
import { purgeUpTo } from '../reads/joining.ts'
import { channelsOfType, setChannelData } from './channel-store.ts'
import { beginHistory } from './truncate-channel.ts'

const DAY_MICROS = 86_400_000_000
/** Channels per batch: few enough that other requests do not wait. */
const PAGE = 100

/**
 * Erases messages older than the retention of their channel type (`message_retention`, in days). No event is published:
 * the history simply begins later, and no erased message counts as unread [CHN-62].
 */
export async function purgeExpiredMessages(server: Server): Promise<void> {
  for (const app of server.apps.all())
    for (const [type, { config }] of app.types) {
      if (config.message_retention === 'infinite') continue
      const before = server.clock.micros() - Number(config.message_retention) * DAY_MICROS
      await purgeInChannels(server, { app: app.id, type }, before)
    }
}

async function purgeInChannels(server: Server, channels: { app: string; type: string }, before: Micros) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await channelsOfType(server.database.read, channels, before, after, PAGE)
    for (const { cid, speaks } of page) if (speaks) await purgeInChannel(server, channels.app, cid, before)
    after = page.length === PAGE ? page.at(-1)!.cid : undefined
  }
}

function purgeInChannel(server: Server, app: string, cid: string, before: Micros): Promise<void> {
  return server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)
    if (!channel || channel.deleted_at !== null) return
    const at = batch.nextTime(channel)
    const ordinal = await lastCountedBefore(batch, channel, before)
    channel.message_count -= await messagesBetween(batch, channel, channel.truncated_at ?? 0, before)
    channel.truncated_by = null
    beginHistory(channel, before)
    await purgeUpTo(batch.db, channel, ordinal)
    await setChannelData(batch.db, channel)
    batch.changedChannels.add(`${app}|${cid}`)
    await server.tasks.begin(batch, app, 'erase-messages', { cid, before })
    batch.publish(channel, 'channel.truncated', {
      at,
      effects: [{ do: 'forget', ordinal, left: channel.counted - ordinal }],
    })
  })
}
