import type { Channel } from '@parley/protocol/channels'
import { cidOf, splitCid } from '@parley/protocol/cid'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'
import { inputsToDo } from '../../platform/tasks/task-state.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { checkMayChange, deleteBansIn } from '../bans/banned.ts'
import { deleteMembersOf } from '../members/leaving.ts'
import { announceReturn } from '../members/returning.ts'
import { eraseMessages } from '../messages/erase-messages.ts'
import { dropPendingIn } from '../messages/pending-messages.ts'
import { publishToMuters } from '../mutes/mute.ts'
import { deleteMutesIn } from '../mutes/muted-channels.ts'
import { deleteReadsOf } from '../reads/joining.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { type Access, accessChannel } from './channel-access.ts'
import { setChannelData } from './channel-store.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'

/**
 * Deletes a channel and its messages for all users [CHN-18, CHN-56, MEM-31]. The row stays, so that event sequence
 * numbers continue when the channel is created again. `hard` erases the content and sets `truncated_at` to that moment.
 * A soft-deleted channel can be hard-deleted later, which publishes no event.
 *
 * @param restorableAs the deletion time to write, for a channel that keeps its members so it can be restored
 */
export async function deleteChannel(
  server: Server,
  access: Pick<Access, 'channel' | 'user'> & { alone?: string | undefined },
  { hard, restorableAs }: { hard: boolean; restorableAs?: Micros },
): Promise<Channel> {
  const { app, cid } = access.channel
  const write = async (batch: Batch) => {
    const channel = batch.channel(app, cid)
    const wasDeleted = channel !== undefined && channel.deleted_at !== null
    if (!channel || (wasDeleted && (!hard || isErased(channel))))
      throw new ChatError('DoesNotExistError', `Can't find channel with id ${cid}`)
    const at = batch.nextTime(channel)
    channel.deleted_at = restorableAs ?? at
    channel.updated_at = at
    const userSummaries = await userSummariesOf(server, app, [
      ...usersOfChannel(channel),
      ...(access.user ? [access.user.id] : []),
    ])
    const wire = channelWire(server, channel, userSummaries)

    await publishToMuters(server, batch, app, { cid })
    if (restorableAs === undefined) await empty(batch, channel)
    if (hard) {
      await eraseOwnedData(server, batch, app, cid)
      await server.tasks.begin(batch, app, 'erase-messages', { cid, before: at })
      Object.assign(channel, { name: null, image: null, data: '{}', truncated_at: channel.deleted_at })
    }
    await setChannelData(batch.db, channel)
    batch.changedChannels.add(`${app}|${cid}`)
    if (wasDeleted) return wire

    const fields = { channel: wire, ...(access.user && { user: userSummaries.of(access.user.id) }) }
    batch.publish(channel, 'channel.deleted', {
      at,
      watchers: channelEvent(channel, 'channel.deleted', at, fields),
      others: { body: channelEvent(channel, 'notification.channel_deleted', at, fields) },
      totals: 'members',
      effects: [{ do: 'close', ...(hard && { forever: true }) }],
    })
    return wire
  }
  return server.commit.write(app, [cid], write, { alone: access.alone })
}

/** Whether a channel is erased: erasing sets `truncated_at` to the deletion time. */
export function isErased({ deleted_at, truncated_at }: ChannelRow): boolean {
  return deleted_at !== null && deleted_at === truncated_at
}

/**
 * The channel a call deletes. Only the app's server can still erase a deleted channel.
 *
 * @throws ChatError DoesNotExistError (16), NotAllowedError (17)
 */
export async function accessToDelete(
  server: Server,
  caller: Caller,
  name: { type: string; id: string },
  { hard }: { hard: boolean },
): Promise<Pick<Access, 'channel' | 'user'> & { alone?: string | undefined }> {
  const gone = caller.server && hard && (await server.channels.get(caller.app.id, cidOf(name.type, name.id)))
  if (gone && gone.deleted_at !== null) return { channel: gone, user: caller.user }
  const access = await accessChannel(server, caller, name, 'delete-channel')
  return { ...access, ...(await checkMayChange(server, caller, access)) }
}

/** Removes all members of a deleted channel, and everything pending in it. */
export async function empty(batch: Batch, channel: ChannelRow) {
  const { app, cid } = channel
  const members = await deleteMembersOf(batch.db, app, cid)
  await deleteReadsOf(batch.db, app, cid)
  await dropPendingIn(batch.db, app, cid)
  for (const userId of members) batch.changedMembers.add(`${app}|${cid}|${userId}`)
  channel.member_count = 0
  channel.hidden_by_some = 0
}

/** User-owned data of an erased channel does not carry over to one created again under its id [CHN-63]. */
async function eraseOwnedData({ extensions }: Server, { db }: Batch, app: string, cid: string) {
  await deleteBansIn(db, app, cid)
  await deleteMutesIn(db, app, cid)
  for (const { erase } of extensions.channels) await erase?.(db, app, cid)
}

/** Restores a channel deleted at that moment, with its members; connected members receive an event. */
export async function restoreChannel(server: Server, app: string, cid: string, deletedAt: Micros): Promise<void> {
  await server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)
    if (channel?.deleted_at !== deletedAt) return
    Object.assign(channel, { deleted_at: null, updated_at: batch.nextTime(channel) })
    await setChannelData(batch.db, channel)
    batch.changedChannels.add(`${app}|${cid}`)
    await publishToMuters(server, batch, app, { cid })
    await announceReturn(server, batch, channel)
  })
}

/** The hard-deleted channels whose content is not fully erased yet. */
export async function stillErased(server: Server, app: string, cids: readonly string[]): Promise<Set<string>> {
  const channels = await server.channels.getAll(app, cids)
  const erased = cids.filter((cid) => channels.has(cid) && isErased(channels.get(cid)!))
  if (erased.length === 0) return new Set()
  const inputs = (await inputsToDo(server, app, ['erase-messages', deletingChannels.name])) as {
    cid?: string
    erase?: { cid: string }[]
  }[]
  const under = new Set(inputs.flatMap(({ cid, erase }) => cid ?? erase?.map((one) => one.cid) ?? []))
  return new Set(erased.filter((cid) => under.has(cid)))
}

/** Deletes several channels for all users before the response; a task erases their content after it. */
interface DeletingChannels {
  results: Record<string, { status: string; error?: string }>
  erase: { cid: string; before: number }[]
}

export const deletingChannels: TaskKind<DeletingChannels, object> = {
  name: 'delete-channels',
  async run(server, task) {
    for (const erasing of task.input.erase) await eraseMessages(server, task, erasing)
    return task.input.results
  },
}

/**
 * Deletes several channels, each by itself; returns each result, and the task that erases the content [CHN-19].
 *
 * @throws ChatError NotAllowedError (17) — the caller may not delete one of them; then none is deleted
 */
export async function deleteChannels(
  server: Server,
  caller: Caller,
  cids: readonly string[],
  { hard }: { hard: boolean },
): Promise<{ taskId: string; results: DeletingChannels['results'] }> {
  const found = await Promise.all(
    [...new Set(cids)].map(async (cid) => {
      try {
        return { cid, access: await accessToDelete(server, caller, splitCid(cid), { hard }) }
      } catch (error) {
        return { cid, error: refusal(error) }
      }
    }),
  )
  const results: DeletingChannels['results'] = Object.create(null)
  const erase: DeletingChannels['erase'] = []
  for (const { cid, access, error } of found) {
    const deleted = access ? await deleteChannel(server, access, { hard }).catch(refusal) : error!
    results[cid] = typeof deleted === 'string' ? { status: 'error', error: deleted } : { status: 'ok' }
    if (hard && typeof deleted !== 'string') erase.push({ cid, before: microsOf(deleted.deleted_at!)! })
  }
  const app = caller.app.id
  const taskId = await server.commit.write(app, [], (batch) =>
    server.tasks.begin(batch, app, 'delete-channels', { results, erase }),
  )
  return { taskId, results }
}

/** The result for one channel; a caller who may not delete one deletes none. */
function refusal(error: unknown): string {
  if (error instanceof ChatError && error.kind !== 'NotAllowedError') return error.message
  throw error
}
