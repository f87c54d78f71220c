import { splitCid } from '@parley/protocol/cid'
import type { PushPreference, PushPreferenceRequest } from '@parley/protocol/devices'
import type { Kysely } from 'kysely'
import type { Caller } from '../../chat/api/caller.ts'
import { accessChannel } from '../../chat/channels/channel-access.ts'
import type { OwnInChannels } from '../../chat/extensions.ts'
import { lockUsers } from '../../chat/users/lock-user.ts'
import { ownUpdatedEvent } from '../../chat/users/own-user.ts'
import { existingUser } from '../../chat/users/user-access.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { PushPreferenceRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { preferencesOf, putPreference } from './device-store.ts'

/** All that was set for a channel that is erased. */
export { deletePreferencesIn } from './device-store.ts'

const levels = ['chat_level', 'call_level', 'feeds_level', 'chat_preferences'] as const
type Levels = Pick<PushPreference, (typeof levels)[number]>

/** What was set, per user, and per user and channel. */
export interface Preferences {
  user_preferences: Record<string, PushPreference>
  user_channel_preferences: Record<string, Record<string, PushPreference>>
}

/**
 * Sets users' push preferences, for all or for one channel; absent fields stay. Changes for all channels are sent to
 * the user's own devices [administration.md 8.6].
 *
 * @throws ChatError NotAllowedError (17) — another user's; InputError (4) — the server must name the user
 */
export async function setPreferences(
  server: Server,
  caller: Caller,
  requests: readonly PushPreferenceRequest[],
): Promise<Preferences> {
  const app = caller.app.id
  const asked = await Promise.all(
    requests.map(async (request) => {
      const userId = request.user_id ?? caller.user?.id
      if (userId === undefined) throw inputError('preferences.user_id', 'preferences.user_id is a required field')
      if (!caller.server && userId !== caller.user?.id)
        throw new ChatError('NotAllowedError', `preferences of user ${userId} are not yours to set`)
      const user = await existingUser(server, app, userId)
      const until = request.disabled_until === undefined ? undefined : microsOf(request.disabled_until)
      if (request.disabled_until !== undefined && until === undefined)
        throw inputError('preferences.disabled_until', 'preferences.disabled_until is not a time')
      if (request.channel_cid)
        await accessChannel(server, { ...caller, server: false, user }, splitCid(request.channel_cid), 'read-channel')
      return { request, userId, until, cid: request.channel_cid || '' }
    }),
  )
  const rows = await server.commit.write(app, [], async (batch) => {
    const changed = new Map<string, PushPreferenceRow>()
    const users = [...new Set(asked.map(({ userId }) => userId))]
    const known = await lockUsers(batch, app, users)
    for (const row of await preferencesOf(batch.db, batch.dialect, app, users))
      changed.set(`${row.user_id}|${row.cid}`, row)
    const named = new Set<string>()
    for (const { request, userId, until, cid } of asked) {
      const key = `${userId}|${cid}`
      const before = changed.get(key)
      const levelsNow: Levels = before ? JSON.parse(before.levels_json) : {}
      for (const level of levels) {
        const value = request[level]
        if (value === 'default') delete levelsNow[level]
        else if (value !== undefined) Object.assign(levelsNow, { [level]: value })
      }
      const disabled_until = request.remove_disable ? null : (until ?? before?.disabled_until ?? null)
      changed.set(key, { app, user_id: userId, cid, levels_json: JSON.stringify(levelsNow), disabled_until })
      named.add(key)
    }
    const rows = [...changed].filter(([key]) => named.has(key)).map(([, row]) => row)
    for (const row of rows) await putPreference(batch.db, row)
    for (const user of known) {
      const own = rows.find((row) => row.user_id === user.id && row.cid === '')
      if (own && server.presence.isOnline(app, user.id)) await publish(server, batch, user, preferenceWire(own))
    }
    return rows
  })
  const everywhere = rows.filter((row) => row.cid === '')
  const inChannels = Map.groupBy(
    rows.filter((row) => row.cid !== ''),
    (row) => row.user_id,
  )
  return {
    user_preferences: Object.fromEntries(everywhere.map((row) => [row.user_id, preferenceWire(row)])),
    user_channel_preferences: Object.fromEntries(
      [...inChannels].map(([id, own]) => [id, Object.fromEntries(own.map((row) => [row.cid, preferenceWire(row)]))]),
    ),
  }
}

/** The user's other devices go by what is set on one. */
async function publish(server: Server, batch: Batch, user: UserRow, push_preferences: PushPreference) {
  const body = await ownUpdatedEvent(server, user, batch.now(), { db: batch.db, also: { push_preferences } })
  batch.publishToUsers({ app: user.app, personal: [{ users: [user.id], body }] })
}

/** What each of these users set for everywhere; one query for all. */
export async function ownPreferences(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables>,
): Promise<(userId: string) => { push_preferences?: PushPreference }> {
  const rows = await preferencesOf(db, server.database.dialect, app, userIds, [''])
  const known = new Map(rows.map((row) => [row.user_id, { push_preferences: preferenceWire(row) }]))
  return (userId) => known.get(userId) ?? {}
}

/** What a user set for each of these channels, by cid. */
export async function preferencesIn(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<OwnInChannels> {
  const rows = await preferencesOf(server.database.read, server.database.dialect, app, [userId], cids)
  return { fields: new Map(rows.map((row) => [row.cid, { push_preferences: preferenceWire(row) }])) }
}

/**
 * What each of these users set for each of these channels, and, with an empty cid, for everywhere; one query for all.
 */
export async function preferencesOfUsers(
  server: Server,
  app: string,
  userIds: readonly string[],
  cids: readonly string[],
): Promise<(userId: string, cid: string) => PushPreference | undefined> {
  const rows = await preferencesOf(server.database.read, server.database.dialect, app, userIds, ['', ...cids])
  const known = new Map(rows.map((row) => [`${row.user_id}|${row.cid}`, preferenceWire(row)]))
  return (userId, cid) => known.get(`${userId}|${cid}`)
}

function preferenceWire(row: PushPreferenceRow): PushPreference {
  return {
    ...JSON.parse(row.levels_json),
    ...(row.disabled_until !== null && { disabled_until: isoOf(row.disabled_until) }),
  }
}
