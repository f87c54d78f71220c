import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { ownMemberships } from '../members/members-of-channels.ts'
import { type Access, accessWith } from './channel-access.ts'

/** Who reads for a user: the user, or the app's server, which may see more. */
export interface ReadBy {
  isServer?: boolean
}

/** The channels the user may read, with the user's access, by cid; for the app's server, all that exist. */
export async function openChannels(
  server: Server,
  user: UserRow,
  cids: readonly string[],
  { isServer = false }: ReadBy = {},
): Promise<Map<string, Access>> {
  const channels = await server.channels.getAll(user.app, cids)
  const memberships = await ownMemberships(server, user.app, user.id, cids)
  const open = new Map<string, Access>()
  for (const [cid, channel] of channels) {
    if (channel.deleted_at !== null) continue
    const access = accessWith(server, channel, isServer, user, memberships.get(cid))
    if (access.can('read-channel')) open.set(cid, access)
  }
  return open
}
