import type { User } from '@parley/protocol/users'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { mutesOfUsers } from '../mutes/own-user.ts'
import { totalsOfUsers } from '../reads/counting.ts'
import { blockedIdsOf } from './blocked.ts'
import { fullUserWire } from './user-wire.ts'

/** Users as the app's server sees them; the number of queries is constant [messaging.md 3.3]. */
export async function fullUsers(server: Server, app: string, rows: readonly UserRow[]): Promise<User[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const { read, dialect } = server.database
  const blocked = await blockedIdsOf(server, app, ids)
  const mutes = await mutesOfUsers(server, app, rows)
  const totals = await totalsOfUsers(read, dialect, server.apps.of(app), ids)
  const added = await Promise.all(
    server.extensions.users.flatMap((extension) => (extension.isPrivate ? [] : extension.read(server, app, ids, read))),
  )
  return rows.map((row) => {
    const { unread, channels } = totals(row.id)
    return {
      ...fullUserWire(row, server.presence.isOnline(app, row.id)),
      shadow_banned: row.shadow_banned === 1,
      ...mutes(row.id),
      blocked_user_ids: blocked(row.id),
      unread_count: unread,
      total_unread_count: unread,
      unread_channels: channels,
      ...Object.assign({}, ...added.map((fields) => fields(row.id))),
    }
  })
}
