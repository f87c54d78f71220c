import { type RawBuilder, sql } from 'kysely'
import { compileFilter, compileSort } from '../../platform/database/filter-compiler.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { readerOf } from '../api/reader.ts'
import type { App, ChannelType } from '../apps/app.ts'
import { builtInPermission } from '../permissions/permissions.ts'
import { type Access, accessWith, isReadable } from './channel-access.ts'
import { channelEntity } from './channel-filter.ts'
import { channelReaders } from './channel-readers.ts'
import { findChannels, type Search } from './channel-store.ts'

/** The channel fields that change with every message on every node: the cache does not hold them. */
const moving = sql`c.cid, c.counted, c.event_at`

/** A channel to search messages in. */
export interface SearchedChannel {
  access: Access
  /** The approximate number of messages. */
  counted: number
  /** The time of the last activity. */
  eventAt: Micros
}

/**
 * The channels that match a filter, that the caller may read, and whose messages can be searched, newest activity
 * first. Hidden channels are included; direct conversations with a user the caller blocked are not.
 */
export async function searchableChannels(
  server: Server,
  caller: Caller,
  filter: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<SearchedChannel[]> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const { app, user } = caller
  const search = (recent: boolean): Search => {
    const entity = channelEntity(dialect, app, user?.id, server.clock.micros(), { probing: recent })
    return {
      where: sql<boolean>`${compileFilter(entity, dialect, filter)} and ${possibly(caller)}`,
      order: compileSort(entity, dialect, [{ field: 'last_updated', direction: -1 }], { unindexed: !recent }),
    }
  }
  const page = { limit, offset: 0 }
  const found = await findChannels(
    channelReaders(server, caller, reader, filter),
    app.id,
    search(false),
    search(true),
    page,
    moving,
  )
  const cids = found.map(({ cid }) => cid)
  const channels = await server.channels.getAll(app.id, cids)
  const own = user && (await server.channels.memberships(app.id, user.id, cids))
  return found.flatMap(({ cid, counted, event_at }) => {
    const channel = channels.get(cid)
    const access = channel && accessWith(server, channel, caller.server, user, own?.get(cid))
    const isSearched = access && isReadable(access) && access.config.search && !access.member?.blocked
    return isSearched ? { access, counted, eventAt: event_at } : []
  })
}

/** Excludes channels the caller surely may not read, so that few need an individual check. */
function possibly({ app, server: isServer, user }: Caller): RawBuilder<boolean> {
  const types = [...app.types.values()]
  const searched = types.filter(({ config }) => config.search)
  const readAll = isServer || !user || app.settings.disable_permissions_checks
  const open = readAll ? types : types.filter((type) => isOpenTo(app, user, type))
  const own = sql`c.created_by = ${user?.id ?? ''}
    or exists (select 1 from members m where m.app = c.app and m.cid = c.cid and m.user_id = ${user?.id ?? ''})`
  return sql<boolean>`(c.overrides_json is not null or (c.type in (${namesOf(searched)})
    and (c.type in (${namesOf(open)}) or ${own})))`
}

/** Whether non-members may read channels of a type. Errs on the side of true. */
function isOpenTo(app: App, user: UserRow, { scope }: ChannelType): boolean {
  const inTeams: string[] = user.teams_role_json === null ? [] : Object.values(JSON.parse(user.teams_role_json))
  return [user.role, ...inTeams].some(
    (role) =>
      Object.hasOwn(scope.grants, role) &&
      scope.grants[role]!.some((id) => {
        const permission = app.permissions.get(id) ?? builtInPermission(id)
        return permission?.action === 'ReadChannel' && !permission.owner
      }),
  )
}

function namesOf(types: readonly ChannelType[]) {
  return types.length === 0 ? sql`null` : sql.join(types.map(({ name }) => name))
}
