import type { QueryChannelsRequest } from '@parley/protocol/channels'
import type { SortOption } from '@parley/protocol/filters'
import { CHANNELS_PAGE } from '@parley/protocol/limits'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ChatError } from '../../platform/chat-error.ts'
import { compileFilter, compileSort } from '../../platform/database/filter-compiler.ts'
import type { ChannelRow, MemberRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { readerOf } from '../api/reader.ts'
import { ownMemberships } from '../members/members-of-channels.ts'
import { accessWith } from './channel-access.ts'
import { channelEntity } from './channel-filter.ts'
import { channelReaders } from './channel-readers.ts'
import { findChannels, type Search } from './channel-store.ts'

/** Channels, and the caller's memberships in them. */
interface Found {
  channels: ChannelRow[]
  /** By cid. */
  own: ReadonlyMap<string, MemberRow>
}

/**
 * The channels a filter matches, in order [CHN-13, CHN-58]. Hidden channels are left out unless the filter names
 * `hidden`, and channels whose invitation the caller declined unless it names `invite`.
 *
 * @throws ChatError ErrQueryChannelPermissions (70) — it matches a channel the caller may not read
 */
export async function queryChannels(
  server: Server,
  caller: Caller,
  request: Static<typeof QueryChannelsRequest>,
): Promise<Found> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const app = caller.app.id
  const filter = withTeam(caller, request.filter_conditions ?? {})
  const sort = request.sort?.length ? request.sort : [{ field: 'last_updated', direction: -1 as const }]
  // A user who declined an invitation is still a member, and their lists must not fail for it [MEM-28].
  const shown = {
    ...(!names(filter, 'invite') && { $nor: [{ invite: 'rejected' }] }),
    ...(!names(filter, 'hidden') && { hidden: false }),
  }
  const search = (recent: boolean): Search => {
    const entity = channelEntity(dialect, caller.app, caller.user?.id, server.clock.micros(), {
      probing: recent || namesChannels(filter),
    })
    const matches = compileFilter(entity, dialect, filter)
    return {
      where: caller.user ? sql<boolean>`${matches} and ${compileFilter(entity, dialect, shown)}` : matches,
      order: compileSort(entity, dialect, sort, { unindexed: !recent }),
    }
  }
  const page = { limit: request.limit ?? CHANNELS_PAGE, offset: request.offset ?? 0 }
  const isAmongNewest = isByActivity(sort) && !namesChannels(filter)
  const db = channelReaders(server, caller, reader, filter)
  const channels = await findChannels(db, app, search(false), isAmongNewest ? search(true) : undefined, page)
  const cids = channels.map((channel) => channel.cid)
  const own = caller.user ? await ownMemberships(server, app, caller.user.id, cids) : new Map<string, MemberRow>()
  if (caller.server) return { channels, own }

  const unreadable = channels.filter(
    (channel) => !accessWith(server, channel, false, caller.user, own.get(channel.cid)).can('read-channel'),
  )
  const closed = unreadable.filter(({ cid }) => own.get(cid)?.status !== 'rejected')
  if (closed.length > 0)
    throw new ChatError(
      'ErrQueryChannelPermissions',
      `${closed.length} channels match your query but cannot be returned because you don't have access to them. Did you forget to include {members: $in: ["${caller.user!.id}"]}?`,
    )
  return { channels: channels.filter((channel) => !unreadable.includes(channel)), own }
}

/**
 * A tenant's query without a team filter means the tenant's own teams; `{team: {}}` means all [administration.md 3.6].
 */
function withTeam({ app, server, user }: Caller, filter: object): object {
  if (server || !app.settings.multi_tenant_enabled || Object.hasOwn(filter, 'team')) return filter
  const teams = user?.teams_json ? (JSON.parse(user.teams_json) as string[]) : []
  return { ...filter, team: teams.length > 0 ? { $in: teams } : null }
}

/** Newest activity first: the order lists request and indexes have. */
function isByActivity([first, ...more]: readonly SortOption[]): boolean {
  return (
    more.length === 0 &&
    first?.direction === -1 &&
    (first.field === 'last_message_at' || first.field === 'last_updated')
  )
}

/** Whether the filter names its channels: they are found directly, wherever they are in the order. */
function namesChannels(filter: object): boolean {
  return Object.hasOwn(filter, 'cid') || Object.hasOwn(filter, 'id')
}

/** Whether a filter, or a nested one, names a field. */
function names(filter: unknown, field: string): boolean {
  if (Array.isArray(filter)) return filter.some((one) => names(one, field))
  if (typeof filter !== 'object' || filter === null) return false
  return Object.entries(filter).some(([key, value]) => key === field || (key.startsWith('$') && names(value, field)))
}
