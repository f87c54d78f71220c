import type { User } from '@parley/protocol/users'
import type { App } from '../apps/app.ts'
import type { MemberRow } from '../database/tables.ts'
import type { Server } from '../server.ts'

/** In larger channels a message is pushed only to those whom it names and those who take part in its thread. */
export const PUSHED_TO_ALL = 2_000

/** A message as its watchers are told of it. */
export interface MessageEvent {
  type: string
  cid?: string
  channel_member_count?: number
  skip_push?: boolean
  user?: User
  message?: {
    id: string
    type?: string
    silent?: boolean
    parent_id?: string | null
    show_in_channel?: boolean
    restricted_visibility?: string[]
    mentioned_users?: User[]
  }
  thread_participants?: User[]
}

/** What is said for others to read: neither an answer to a command nor what was stopped. */
const said: ReadonlySet<string> = new Set(['regular', 'reply', 'system'])

/** Whether anybody is to be notified of an event, as far as it says so itself [DEV-11, administration.md 8.5]. */
export function isPushed(app: App, { type, cid, message, skip_push }: MessageEvent): boolean {
  if (type !== 'message.new' || cid === undefined || !message || skip_push || message.silent) return false
  return (
    said.has(message.type ?? '') && app.types.get(cid.slice(0, cid.indexOf(':')))?.config.push_notifications === true
  )
}

/** Those a message is pushed to and no others; undefined for one that concerns all members. */
export function namedIn(event: MessageEvent): string[] | undefined {
  const { message, thread_participants = [], channel_member_count: members = 0 } = event
  const inThread = Boolean(message?.parent_id) && !message?.show_in_channel
  if (!inThread && members <= PUSHED_TO_ALL) return undefined
  return [...new Set([...thread_participants, ...(message?.mentioned_users ?? [])].map(({ id }) => id))]
}

/**
 * Whom messages are pushed to: members but the author, who want to be notified and may read it [DEV-11]. One query for
 * those of them who are not at hand.
 *
 * @param members  of all the channels concerned
 * @param isQuiet  whether somebody wants to be left in peace
 */
export async function pushRecipients(
  server: Server,
  app: App,
  members: readonly MemberRow[],
  isQuiet: (member: MemberRow, event: MessageEvent) => boolean,
  which: 'all' | 'offline',
): Promise<(event: MessageEvent) => string[]> {
  const users = await server.users.getAll(
    app.id,
    members.map(({ user_id }) => user_id),
  )
  const byCid = Map.groupBy(members, ({ cid }) => cid)
  const isThere = (id: string) => {
    const user = users.get(id)
    if (!user || user.deleted_at !== null || user.deactivated_at !== null) return false
    return which === 'all' || !server.presence.isOnline(app.id, id)
  }
  return (event) => {
    const named = namedIn(event)
    const only = event.message?.restricted_visibility ?? []
    return (byCid.get(event.cid!) ?? [])
      .filter((member) => {
        const { user_id: id, status } = member
        if (id === event.user?.id || (status !== 'member' && status !== 'accepted')) return false
        if (named && !named.includes(id)) return false
        if (only.length > 0 && !only.includes(id)) return false
        return isThere(id) && !isQuiet(member, event)
      })
      .map(({ user_id }) => user_id)
  }
}
