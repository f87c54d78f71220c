import type { App } from '../../chat/apps/app.ts'
import { storedChannels } from '../../chat/channels/stored-channel.ts'
import { mutesOfUsers } from '../../chat/mutes/own-user.ts'
import { blockedIdsOf } from '../../chat/users/blocked.ts'
import { devicesOfUsers } from '../../features/devices/own-devices.ts'
import { preferencesOfUsers } from '../../features/devices/push-preferences.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { ChannelRow, MessageRow, ReactionRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { deviceLine, lineTypes, memberLine, messageData, messageLine, reactionLine, userLine } from './export-lines.ts'
import { membershipsAfter, placesOf, reactionsBy, writtenBy } from './export-store.ts'
import { exporting, type Writing } from './export-task.ts'

/** Users, and rows of theirs, read per query. */
const PAGE = 100
const ROWS = 500

type Part = (typeof lineTypes)[number]

/** The input of the task. */
export interface UserExport {
  userIds: string[]
}

/** Exports all data of some users: profiles, memberships, messages and reactions. */
export const exportingUsers = exporting<UserExport, Part>({
  kind: 'export-users',
  event: 'export.users',
  parts: lineTypes,
  fileOf: () => ({ name: 'users.jsonl', type: 'application/x-ndjson' }),
  async write(writing, { userIds }) {
    const known = await writing.server.users.getAll(writing.app.id, userIds)
    for (const id of userIds) if (!known.has(id)) throw missing(id)
    await writeUsers(writing, userIds)
    for (const id of userIds) {
      await writeMemberships(writing, id)
      await writeMessages(writing, id)
      await writeReactions(writing, id)
    }
  },
})

/**
 * Starts an export of users; returns the task [IMP-3].
 *
 * @throws ChatError DoesNotExistError (16) — there is no such user
 */
export async function exportUsers(server: Server, app: App, asked: readonly string[]): Promise<string> {
  const userIds = [...new Set(asked)]
  const known = await server.users.getAll(app.id, userIds)
  for (const id of userIds) if (!known.has(id)) throw missing(id)
  const input: UserExport = { userIds }
  return server.commit.write(app.id, [], (batch) => server.tasks.begin(batch, app.id, exportingUsers.name, input))
}

/**
 * Users and their devices.
 *
 * @param within what a file for importing elsewhere may name; without it, everything is exported
 */
export async function writeUsers(
  { server, app, file, heartbeat }: Writing<Part>,
  ids: readonly string[],
  within?: { users: ReadonlySet<string>; cids: ReadonlySet<string> },
) {
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE)
    const rows = [...(await server.users.getAll(app.id, page)).values()]
    const blocked = await blockedIdsOf(server, app.id, page)
    const devices = await devicesOfUsers(server, app.id, page)
    const mutes = await mutesOfUsers(server, app.id, rows)
    const preference = await preferencesOfUsers(server, app.id, page, [])
    for (const row of rows) {
      const { mutes: users, channel_mutes: channels } = mutes(row.id)
      const { chat_level, disabled_until } = preference(row.id, '') ?? {}
      const push = { ...(chat_level && { chat_level }), ...(disabled_until && { disabled_until }) }
      const inside = (named: readonly string[], known: ReadonlySet<string> | undefined) =>
        named.filter((id) => known?.has(id) !== false)
      const around = {
        blocked_user_ids: inside(blocked(row.id), within?.users),
        user_mutes: inside(
          users.map(({ target }) => target.id),
          within?.users,
        ),
        channel_mutes: inside(
          channels.map(({ channel }) => channel.cid),
          within?.cids,
        ),
      }
      const said = Object.entries(around).filter(([, named]) => named.length > 0)
      const isPushSaid = Object.keys(push).length > 0
      await file.add(
        'user',
        userLine(row, { ...Object.fromEntries(said), ...(isPushSaid && { push_preferences: push }) }),
      )
      const own = devices(row.id).map((device) =>
        deviceLine({ ...device, push_provider_name: device.push_provider_name ?? null }),
      )
      await file.add('device', own.join(''))
    }
    await heartbeat()
  }
}

async function writeMemberships({ server, app, file, heartbeat }: Writing<Part>, userId: string) {
  for (let after = ''; ; ) {
    const page = await membershipsAfter(server.database.read, app.id, userId, after, ROWS)
    const channels = await channelsAt(server, app.id, page)
    await file.add('member', page.map((row) => memberLine(row, channels.get(row.cid)!)).join(''))
    await heartbeat()
    if (page.length < ROWS) return
    after = page.at(-1)!.cid
  }
}

async function writeMessages({ server, app, file, heartbeat }: Writing<Part>, userId: string) {
  const { read, dialect } = server.database
  for (let last: MessageRow | undefined; ; ) {
    const page = await writtenBy(read, app.id, userId, last, ROWS)
    const channels = await channelsAt(server, app.id, page)
    const quotedIds = page.flatMap((row) => row.quoted_message_id ?? [])
    const quoted = new Set((await placesOf(read, dialect, app.id, quotedIds)).map(({ id }) => id))
    const lines = page.map((row) => {
      const hasQuoted = row.quoted_message_id !== null && quoted.has(row.quoted_message_id)
      const choice = { clearDeleted: false, isKnown: () => true, hasQuoted }
      return messageLine(messageData(row, channels.get(row.cid)!, choice))
    })
    await file.add('message', lines.join(''))
    await heartbeat()
    if (page.length < ROWS) return
    last = page.at(-1)
  }
}

async function writeReactions({ server, app, file, heartbeat }: Writing<Part>, userId: string) {
  for (let last: ReactionRow | undefined; ; ) {
    const page = await reactionsBy(server.database.read, app.id, userId, last, ROWS)
    await file.add('reaction', page.map(reactionLine).join(''))
    await heartbeat()
    if (page.length < ROWS) return
    last = page.at(-1)
  }
}

/** The channels of rows, as lines name them. */
async function channelsAt(
  server: Server,
  app: string,
  rows: readonly { cid: string }[],
): Promise<Map<string, ChannelRow>> {
  const cids = [...new Set(rows.map((row) => row.cid))]
  return new Map((await storedChannels(server, app, cids)).map((row) => [row.cid, row]))
}

function missing(id: string): ChatError {
  return new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
}
