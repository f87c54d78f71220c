/** The work after a user was deactivated, reactivated or deleted: in stages, each of them in pages. */
import { createHash } from 'node:crypto'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { liftNetworks } from '../bans/addresses.ts'
import { deleteChannel, restoreChannel } from '../channels/delete-channel.ts'
import { channelsMadeBy, giveChannel } from '../channels/made-channels.ts'
import { removeMembers } from '../members/change-members.ts'
import { conversationsOf, membershipsPage } from '../members/leaving.ts'
import { type AuthorPlace, deletePageOf, type Fate, restorePageOf } from '../messages/messages-of-user.ts'
import { publishToMuters } from '../mutes/mute.ts'
import { type AffectedUser, type AnyStage, once, type Save, type Stage } from './deletion-stages.ts'
import { lockKnownUsers } from './lock-user.ts'
import { emptyUser, gone } from './user-rows.ts'
import { deleteTraces, deleteUser, putUsers, usersByIds } from './user-store.ts'

/** Channels changed per write. */
const CHANNELS_PAGE = 20

/** The result per user: success, or the error. */
export type Results = Record<string, { status: 'ok' | 'error'; error?: string }>

interface Work<Options> {
  people: AffectedUser[]
  options: Options
  results: Results
}

/** The position of a task: its user, stage and place. */
interface Progress {
  person: number
  stage: number
  place?: unknown
}

function inStages<Options>(
  name: string,
  stagesOf: (options: Options) => AnyStage[],
): TaskKind<Work<Options>, Progress> {
  return {
    name,
    async run(server, task) {
      const { people, options, results } = task.input
      const stages = stagesOf(options)
      let at: Progress = task.progress ?? { person: 0, stage: 0 }
      while (at.person < people.length) {
        const stage = stages[at.stage]
        if (!stage) {
          at = { person: at.person + 1, stage: 0 }
          continue
        }
        const after = (next: unknown): Progress =>
          next === undefined ? { ...at, stage: at.stage + 1, place: undefined } : { ...at, place: next }
        const next = await stage(server, task.app, people[at.person]!, at.place, (batch, place) =>
          task.save(batch, after(place)),
        )
        at = after(next)
      }
      return results
    },
  }
}

export interface Deactivation {
  mark_messages_deleted?: boolean | undefined
  mark_channels_deleted?: boolean | undefined
  /** The user who requested it. */
  created_by_id?: string | undefined
}

export interface Reactivation {
  restore_messages?: boolean | undefined
  restore_channels?: boolean | undefined
  created_by_id?: string | undefined
}

export interface UserDeletion {
  user: Fate
  messages: Fate | undefined
  conversations: 'soft' | 'hard' | undefined
  new_channel_owner_id: string | undefined
  /** Whether the user's uploads are deleted, too. */
  files: boolean
}

export const deactivatingUsers = inStages<Deactivation>('deactivate-users', (options) => [
  ...(options.mark_messages_deleted ? [messages('soft')] : []),
  ...(options.mark_channels_deleted ? [ownChannels] : []),
])

export const reactivatingUsers = inStages<Reactivation>('reactivate-users', (options) => [
  ...(options.restore_messages ? [returningMessages] : []),
  ...(options.restore_channels ? [returningChannels] : []),
])

/** Cleans the log while the user's channels are still known. */
export const deletingUsers = inStages<UserDeletion>('delete-users', (options) => {
  const erases = options.messages !== undefined && options.messages !== 'soft'
  return [
    ...(options.user === 'hard' ? [added('exports')] : []),
    ...(options.conversations ? [conversations(options.conversations)] : []),
    // Even a hard-deleted message stays as a bare row, so that a conversation keeps its shape [USR-17].
    ...(options.messages ? [messages(options.messages === 'soft' ? 'soft' : 'pruning')] : []),
    ...(erases ? [added('reactions')] : []),
    ...(options.files ? [added('files')] : []),
    ...(erases || options.user !== 'soft' ? [added('events')] : []),
    ...(erases ? [added('votes'), added('polls')] : []),
    // Again, for exports requested in the meantime.
    ...(options.user === 'hard' ? [added('exports')] : []),
    memberships,
    ...(options.user === 'hard' ? [inheritance(options.new_channel_owner_id), traces] : []),
  ]
})

export const userTasks = [deactivatingUsers, reactivatingUsers, deletingUsers]

/** A stage of a feature; without the feature nothing is to be done, and the stages after it keep their numbers. */
function added(name: string): AnyStage {
  return (server, ...rest) => {
    const [stage = once(async () => {})] = server.extensions.userDeletion.flatMap(
      ({ stages = {} }) => stages[name] ?? [],
    )
    return stage(server, ...rest)
  }
}

function messages(fate: Fate): Stage<AuthorPlace> {
  return (server, app, { id, at }, place, save) => deletePageOf(server, { app, userId: id, fate, at }, place, save)
}

const returningMessages: Stage<AuthorPlace> = (server, app, { id, at }, place, save) =>
  restorePageOf(server, { app, userId: id, at }, place, save)

/** The direct channels of a user and one other user. */
function conversations(how: 'soft' | 'hard'): Stage<true> {
  return async (server, app, { id }, _, save) => {
    const cids = await conversationsOf(server, app, id, CHANNELS_PAGE)
    for (const channel of await channelsThere(server, app, cids))
      await unlessGone(deleteChannel(server, { channel, user: undefined }, { hard: how === 'hard' }))
    return saved(server, app, cids, save)
  }
}

/** Channels the user created are deleted with the user, and can be restored. */
const ownChannels: Stage<true> = async (server, app, { id, at }, _, save) => {
  const cids = await channelsMadeBy(server, app, id, { deletedAt: null }, CHANNELS_PAGE)
  for (const channel of await channelsThere(server, app, cids))
    await unlessGone(deleteChannel(server, { channel, user: undefined }, { hard: false, restorableAs: at }))
  return saved(server, app, cids, save)
}

const returningChannels: Stage<true> = async (server, app, { id, at }, _, save) => {
  const cids = await channelsMadeBy(server, app, id, { deletedAt: at }, CHANNELS_PAGE)
  for (const cid of cids) await restoreChannel(server, app, cid, at)
  return saved(server, app, cids, save)
}

const memberships: Stage<true> = async (server, app, { id }, _, save) => {
  const cids = await membershipsPage(server, app, id, CHANNELS_PAGE)
  return server.commit.write(app, cids, async (batch) => {
    for (const cid of cids) {
      const channel = batch.channel(app, cid)
      if (channel) await removeMembers(server, batch, channel, [id])
    }
    const next = cids.length === CHANNELS_PAGE ? true : undefined
    await save(batch, next)
    return next
  })
}

/** Channels of a deleted creator get a new owner. */
function inheritance(heirId: string | undefined): Stage<true> {
  return async (server, app, { id }, _, save) => {
    const cids = await channelsMadeBy(server, app, id, 'all', CHANNELS_PAGE)
    return server.commit.write(app, cids, async (batch) => {
      const heir = cids.length > 0 ? (heirId ?? (await ensureNobody(batch, app, id))) : ''
      for (const cid of cids) await giveChannel(server, batch, batch.channel(app, cid)!, heir)
      const next = cids.length === CHANNELS_PAGE ? true : undefined
      await save(batch, next)
      return next
    })
  }
}

const traces: Stage<true> = (server, app, { id }, _, save) =>
  server.commit.write(app, [], async (batch) => {
    // A user who reports them at this moment has done so, or finds no user.
    await lockKnownUsers(batch, app, [id])
    await liftNetworks(batch, { app, target_id: id })
    await publishToMuters(server, batch, app, { target_id: id })
    for (const { deleted } of server.extensions.userDeletion) await deleted?.(batch, app, id)
    await deleteTraces(batch.db, app, id)
    await deleteUser(batch.db, app, id)
    batch.changedUsers.add(`${app}|${id}`)
    await save(batch, undefined)
    return undefined
  })

async function channelsThere(server: Server, app: string, cids: readonly string[]): Promise<ChannelRow[]> {
  const channels = await Promise.all(cids.map((cid) => server.channels.get(app, cid)))
  return channels.filter((channel) => channel !== undefined && channel.deleted_at === null) as ChannelRow[]
}

/** Another caller may have deleted it at this moment; a refused task would leave the remaining work undone. */
async function unlessGone(deleting: Promise<unknown>) {
  await deleting.catch((error: unknown) => {
    if (!(error instanceof ChatError && error.kind === 'DoesNotExistError')) throw error
  })
}

/** Each channel of the page was written by itself; repeating one changes nothing. */
function saved(server: Server, app: string, cids: readonly string[], save: Save<true>): Promise<true | undefined> {
  const next = cids.length === CHANNELS_PAGE ? true : undefined
  return server.commit.write(app, [], (batch) => save(batch, next)).then(() => next)
}

/** A deleted creator without a new owner remains the creator of their channels, without a profile. */
async function ensureNobody(batch: Batch, app: string, userId: string): Promise<string> {
  const id = `delete-user-${createHash('sha256').update(userId).digest('base64url').slice(0, 22)}`
  const now = batch.now()
  const [known] = await usersByIds(batch.db, batch.dialect, app, [id])
  if (!known)
    await putUsers(batch.db, batch.dialect, [{ ...emptyUser, app, id, ...gone(now, 'hard'), created_at: now }])
  batch.changedUsers.add(`${app}|${id}`)
  return id
}
