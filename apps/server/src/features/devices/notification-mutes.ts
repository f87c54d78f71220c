import type { PushPreference } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { mutedBy } from '../../chat/mutes/muted-unread.ts'
import type { MemberRow } from '../../platform/database/tables.ts'
import { microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { preferencesOfUsers } from './push-preferences.ts'

/** An event that a member may be notified of. */
interface Occasion {
  cid?: string
  user?: { id: string }
  message?: { parent_id?: string | null; mentioned_users?: { id: string }[] }
}

/**
 * Whether a member is not notified of an event: its user or the channel is muted, they blocked the user, or their
 * preferences exclude it, first the channel's [administration.md 8.5, 8.6]. The number of queries does not grow with
 * the members.
 */
export async function notificationMutes(
  server: Server,
  app: App,
  members: readonly MemberRow[],
): Promise<(member: MemberRow, occasion: Occasion) => boolean> {
  const ids = [...new Set(members.map(({ user_id }) => user_id))]
  const cids = [...new Set(members.map(({ cid }) => cid))]
  const mutes = await mutedBy(server, app.id, ids)
  const preference = await preferencesOfUsers(server, app.id, ids, cids)
  const channels = await server.channels.getAll(app.id, cids)
  const now = server.clock.micros()
  return ({ user_id, cid, blocked }, { user, message }) => {
    const muted = mutes(user_id)
    if (blocked || muted.channels.has(cid) || (user !== undefined && muted.users.has(user.id))) return true
    const [here, everywhere] = [preference(user_id, cid), preference(user_id, '')]
    if ([here, everywhere].some((one) => isDisabled(one, now))) return true
    if (message === undefined) return false
    const channel = channels.get(cid)
    const config = channel && app.types.has(channel.type) ? app.configOf(channel) : undefined
    const isMentioned = message.mentioned_users?.some(({ id }) => id === user_id) === true
    const chosen = here?.chat_preferences ?? everywhere?.chat_preferences ?? config?.chat_preferences
    const kind = isMentioned ? 'direct_mentions' : message.parent_id ? 'thread_replies' : 'default_preference'
    if ((chosen?.[kind] ?? chosen?.default_preference) === 'none') return true
    const level = here?.chat_level ?? everywhere?.chat_level ?? config?.push_level ?? 'all'
    return level === 'none' || (level !== 'all' && !isMentioned)
  }
}

function isDisabled(preference: PushPreference | undefined, now: number): boolean {
  const until = preference?.disabled_until === undefined ? undefined : microsOf(preference.disabled_until)
  return until !== undefined && until > now
}
