import type { ImportData } from '@parley/protocol/imports'
import { DEVICES_PER_USER } from '@parley/protocol/limits'
import { mutesOf } from '../../chat/mutes/muted-unread.ts'
import { roleOfImport } from '../../chat/permissions/assign-role.ts'
import { lockKnownUsers } from '../../chat/users/lock-user.ts'
import { nameKey } from '../../chat/users/unique-names.ts'
import { emptyUser } from '../../chat/users/user-rows.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { PushPreferenceRow, UserRow } from '../../platform/database/tables.ts'
import { microsOf } from '../../platform/micros.ts'
import { customData } from './check-line.ts'
import type { Importing } from './import-lines.ts'
import { putItems } from './import-store.ts'
import {
  cidsOfPairs,
  dropDevicesBeyond,
  putBlocks,
  putChannelMutes,
  putDevices,
  putPreferences,
  putUserMutes,
  putUsers,
  storedDevices,
  storedMutes,
  storedPreferences,
} from './imported-store.ts'
import { customAfter, flagAfter, timeAfter } from './listed.ts'

export async function importUsers({ server, app, row }: Importing, batch: Batch, users: readonly ImportData<'user'>[]) {
  const { db, dialect } = batch
  const ids = users.map(({ id }) => id)
  const before = new Map((await lockKnownUsers(batch, app.id, ids)).map((user) => [user.id, user]))
  const wanted = row.mode === 'insert' ? users.filter(({ id }) => !before.has(id)) : users
  if (wanted.length === 0) return
  const now = batch.now()
  const rows = wanted.map((user) => userAfter(row, app.id, user, before.get(user.id), now))
  await putUsers(db, dialect, rows)
  for (const user of rows) {
    const { id } = user
    batch.changedUsers.add(`${app.id}|${id}`)
    const shutOut = shutOutBy(user)
    if (shutOut !== undefined && shutOut !== shutOutBy(before.get(id)))
      batch.endedUsers.push({ app: app.id, id, cids: [], reason: `user "${id}" is ${shutOut}` })
  }

  const preferences = await storedPreferences(db, dialect, app.id, ids)
  await putPreferences(
    db,
    dialect,
    wanted.flatMap((user) => preferenceAfter(app.id, user, preferences.get(user.id))),
  )
  const named = (field: 'blocked_user_ids' | 'user_mutes' | 'channel_mutes') =>
    wanted.flatMap((user) => (user[field] ?? []).filter((id) => id !== user.id).map((id) => ({ user_id: user.id, id })))
  const blocks = named('blocked_user_ids').map(({ user_id, id }) => ({
    app: app.id,
    user_id,
    blocked_id: id,
    created_at: now,
  }))
  await putBlocks(db, dialect, blocks)
  const times = { created_at: now, updated_at: now, until: null }
  const muted = await storedMutes(db, dialect, app.id, ids)
  const mutes = named('user_mutes').filter(({ user_id, id }) => !muted.has(`${user_id}|${id}`))
  await putUserMutes(
    db,
    dialect,
    mutes.map(({ user_id, id }) => ({ app: app.id, user_id, target_id: id, ...times })),
  )
  const mutesOfChannels = named('channel_mutes')
  await putChannelMutes(
    db,
    dialect,
    mutesOfChannels.map(({ user_id, id }) => ({ app: app.id, user_id, cid: id, ...times })),
  )
  // No event is published, but connected users must recount without what they mute.
  for (const user of new Set([...mutes, ...mutesOfChannels].map(({ user_id }) => user_id)))
    if (server.presence.isOnline(app.id, user))
      batch.publishToUsers({ app: app.id, quiet: { user, ...(await mutesOf(db, app.id, user)) } })
  // A block hides the channels with exactly these two members.
  const cids = await cidsOfPairs(db, dialect, app.id, blocks)
  await putItems(db, dialect, { app: app.id, id: row.id, list: 'channels' }, new Map(cids.map((cid) => [cid, null])))
}

/** The state that keeps a user from connecting. */
function shutOutBy(user: UserRow | undefined): 'deleted' | 'deactivated' | undefined {
  if (user === undefined) return undefined
  return user.deleted_at !== null ? 'deleted' : user.deactivated_at !== null ? 'deactivated' : undefined
}

function userAfter(
  row: Importing['row'],
  app: string,
  user: ImportData<'user'>,
  known: UserRow | undefined,
  now: number,
): UserRow {
  const created = timeAfter(user.created_at, known?.created_at ?? now)
  const before = known ?? { ...emptyUser, app, id: user.id, created_at: created, updated_at: created }
  const json = (value: unknown, was: string | null) => (value === undefined ? was : JSON.stringify(value))
  const name = user.name ?? before.name
  const deleted_at = timeAfter(user.deleted_at, before.deleted_at)
  return {
    ...before,
    role: user.role === undefined ? before.role : roleOfImport(user.role),
    name,
    name_key: nameKey(name),
    image: user.image ?? before.image,
    language: user.language ?? before.language,
    invisible: flagAfter(user.invisible, before.invisible),
    teams_json: json(user.teams, before.teams_json),
    teams_role_json: json(user.teams_role, before.teams_role_json),
    privacy_json: json(user.privacy_settings, before.privacy_json),
    data: customAfter(row, customData({ type: 'user', data: user }), known?.data),
    created_at: created,
    updated_at: known ? now : created,
    deactivated_at: timeAfter(user.deactivated_at, before.deactivated_at),
    deleted_at,
    deleted_how: deleted_at === null ? null : (before.deleted_how ?? 'soft'),
  }
}

function preferenceAfter(
  app: string,
  { id, push_preferences }: ImportData<'user'>,
  before: PushPreferenceRow | undefined,
): PushPreferenceRow[] {
  if (!push_preferences) return []
  const { chat_level, disabled_until } = push_preferences
  const { chat_level: was, ...others } = before ? JSON.parse(before.levels_json) : {}
  const level = chat_level === 'default' ? undefined : (chat_level ?? was)
  const levels = { ...others, ...(level !== undefined && { chat_level: level }) }
  const until = disabled_until === undefined ? (before?.disabled_until ?? null) : microsOf(disabled_until)!
  return [{ app, user_id: id, cid: '', levels_json: JSON.stringify(levels), disabled_until: until }]
}

export async function importDevices({ app, row }: Importing, batch: Batch, devices: readonly ImportData<'device'>[]) {
  const { db, dialect } = batch
  const ids = devices.map(({ id }) => id)
  const known = new Map((await storedDevices(db, dialect, app.id, ids)).map((device) => [device.id, device]))
  const wanted = row.mode === 'insert' ? devices.filter(({ id }) => !known.has(id)) : devices
  const now = batch.now()
  await putDevices(
    db,
    dialect,
    wanted.map(({ id, user_id, push_provider_type, push_provider_name, created_at }) => ({
      app: app.id,
      user_id,
      id,
      push_provider: push_provider_type,
      push_provider_name,
      voip: known.get(id)?.voip ?? 0,
      hardware_id: known.get(id)?.hardware_id ?? null,
      created_at: timeAfter(created_at, known.get(id)?.created_at ?? now),
      disabled_reason: null,
    })),
  )
  const owners = [...new Set(wanted.map(({ user_id }) => user_id))]
  await dropDevicesBeyond(db, dialect, app.id, owners, DEVICES_PER_USER)
}
