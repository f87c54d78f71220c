/** Applies one change to many channels, in a task after the response. */
import type { ChannelBatchRequest, FailedChannels } from '@parley/protocol/channel-batches'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import { type Condition, compileFilter } from '../../platform/database/filter-compiler.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { Task, TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import type { App } from '../apps/app.ts'
import { hideChannel, showChannel } from '../members/hide-channel.ts'
import { updateMemberPartial } from '../members/update-member.ts'
import { roleByServer } from '../permissions/assign-role.ts'
import { type Access, accessAmong } from './channel-access.ts'
import { channelEntity } from './channel-filter.ts'
import { cidsMatching } from './channel-store.ts'
import { checkOverrides } from './config-overrides.ts'
import { updateChannel, updateChannelPartial } from './update-channel.ts'

/** Channels loaded per batch. */
const PAGE = 50
/** Failed channels listed in the result. */
const FAILED_NAMED = 1_000

interface Progress {
  /** The last channel changed. */
  after: string
  changed: number
  failed: FailedChannels[]
  startedAt: Micros
}

export const updatingChannels: TaskKind<ChannelBatchRequest, Progress> = {
  name: 'update-channels',
  async run(server, task) {
    const app = server.apps.of(task.app)
    const where = conditionOf(server, app, task.input)
    let progress = task.progress ?? (await begin(server, task))
    for (;;) {
      const cids = await cidsMatching(server.database.read, app.id, where, progress.after, PAGE)
      if (cids.length === 0) break
      const accesses = await accessAmong(server, callerOf(app), cids)
      for (const cid of cids) {
        const reason = await changeOne(server, app, accesses.get(cid), task.input)
        progress = {
          ...progress,
          after: cid,
          changed: progress.changed + (reason === undefined ? 1 : 0),
          failed: reason === undefined ? progress.failed : withFailed(progress.failed, reason, cid),
        }
        await server.commit.write(app.id, [], (batch) => task.save(batch, progress))
      }
    }
    const result = { success_channels_count: progress.changed, failed_channels: progress.failed }
    await server.commit.write(app.id, [], async (batch) => {
      await task.save(batch, progress)
      publish(batch, task, 'completed', progress)
    })
    return result
  },
  async failed(_server, batch, task) {
    const nothing = { after: '', changed: 0, failed: [], startedAt: batch.now() }
    publish(batch, task, 'failed', task.progress ?? nothing)
  },
}

/**
 * Starts a task that changes all matching channels; returns the task.
 *
 * @throws ChatError InputError (4) — the operation is incomplete or names a missing user
 */
export async function updateChannels(server: Server, app: App, request: ChannelBatchRequest): Promise<string> {
  const { operation, members = [], data } = request
  if (Object.keys(request.filter).length === 0) throw inputError('filter', 'filter must say which channels are meant')
  if (operation === 'updateData') {
    if (!data || Object.keys(data).length === 0) throw inputError('data', 'data is a required field')
    if (data.config_overrides) checkOverrides(callerOf(app), data.config_overrides)
  } else if (members.length === 0) throw inputError('members', 'members is a required field')
  const known = await server.users.getAll(
    app.id,
    members.map(({ user_id }) => user_id),
  )
  for (const { user_id, channel_role } of members) {
    if (known.get(user_id)?.deleted_at !== null) throw inputError('members', `could not find user ${user_id}`)
    if (channel_role !== undefined) roleByServer(app, channel_role, 'channel', 'members')
    else if (operation === 'assignRoles') throw inputError('members', 'members.channel_role is a required field')
  }
  return server.commit.write(app.id, [], (batch) => server.tasks.begin(batch, app.id, updatingChannels.name, request))
}

function callerOf(app: App): Caller {
  return { app, server: true, user: undefined, connectionId: undefined }
}

function conditionOf({ database, clock }: Server, app: App, { filter }: ChannelBatchRequest): Condition {
  const { cids, types, filter_tags } = filter
  const named = { ...(cids && { cid: cids }), ...(types && { type: types }) }
  const tags = filter_tags && { filter_tags: '$eq' in filter_tags ? { $in: [filter_tags.$eq] } : filter_tags }
  const entity = channelEntity(database.dialect, app, undefined, clock.micros())
  // A thousand ids exceed the usual filter limit.
  return compileFilter({ ...entity, filterName: 'filter' }, database.dialect, { ...named, ...tags }, Infinity)
}

/** @returns why the channel was not changed; undefined when it was */
async function changeOne(
  server: Server,
  app: App,
  access: Access | undefined,
  request: ChannelBatchRequest,
): Promise<string | undefined> {
  // Deleted in the meantime.
  if (!access) return 'the channel is not there any more'
  try {
    await change(server, callerOf(app), access, request)
    return undefined
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    return error.message
  }
}

async function change(
  server: Server,
  caller: Caller,
  access: Access,
  { operation, members = [], data = {} }: ChannelBatchRequest,
): Promise<void> {
  const ids = members.map(({ user_id }) => user_id)
  switch (operation) {
    case 'addMembers':
      await updateChannel(server, caller, access, { add_members: members })
      return
    case 'removeMembers':
      await updateChannel(server, caller, access, { remove_members: ids })
      return
    case 'inviteMembers':
      await updateChannel(server, caller, access, { invites: members })
      return
    case 'addModerators':
      await updateChannel(server, caller, access, { add_moderators: ids })
      return
    case 'demoteModerators':
      await updateChannel(server, caller, access, { demote_moderators: ids })
      return
    case 'assignRoles': {
      const assign_roles = members.map(({ user_id, channel_role }) => ({ user_id, channel_role: channel_role! }))
      await updateChannel(server, caller, access, { assign_roles })
      return
    }
    case 'hide':
    case 'show': {
      const users = await server.users.getAll(access.channel.app, ids)
      for (const user of users.values())
        if (operation === 'hide') await hideChannel(server, access, user, { clearHistory: false })
        else await showChannel(server, access, user)
      return
    }
    case 'archive':
    case 'unarchive':
      for (const id of ids)
        await updateMemberPartial(server, caller, access, id, { set: { archived: operation === 'archive' } })
      return
    case 'updateData': {
      const { custom, ...built } = data
      await updateChannelPartial(server, caller, access, { set: { ...custom, ...built } })
      return
    }
    default:
      return operation satisfies never
  }
}

function begin(server: Server, task: Task<ChannelBatchRequest, Progress>): Promise<Progress> {
  return server.commit.write(task.app, [], async (batch) => {
    const progress = { after: '', changed: 0, failed: [], startedAt: batch.now() }
    await task.save(batch, progress)
    publish(batch, task, 'running', progress)
    return progress
  })
}

function withFailed(failed: readonly FailedChannels[], reason: string, cid: string): FailedChannels[] {
  const named = failed.reduce((sum, { cids }) => sum + cids.length, 0)
  if (named >= FAILED_NAMED) return [...failed]
  const known = failed.find((one) => one.reason === reason)
  if (!known) return [...failed, { reason, cids: [cid] }]
  return failed.map((one) => (one === known ? { reason, cids: [...one.cids, cid] } : one))
}

function publish(
  batch: Batch,
  { app, id, input }: Pick<Task<ChannelBatchRequest, Progress>, 'app' | 'id' | 'input'>,
  status: 'running' | 'completed' | 'failed',
  { changed, failed, startedAt }: Progress,
) {
  const now = isoOf(batch.now())
  batch.publishOutbound(app, () =>
    JSON.stringify({
      type: `channel_batch_update.${status === 'running' ? 'started' : 'completed'}`,
      created_at: now,
      task_id: id,
      operation: input.operation,
      status,
      success_channels_count: changed,
      failed_channels: failed,
      batch_created_at: isoOf(startedAt),
      ...(status !== 'running' && { finished_at: now }),
    }),
  )
}
