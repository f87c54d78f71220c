import type { Device } from '@parley/protocol/devices'
import { DEVICES_PER_USER } from '@parley/protocol/limits'
import type { Kysely } from 'kysely'
import type { App } from '../../chat/apps/app.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { DeviceRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { deleteDevice, devicesOf, purgeExpiredDevices, putDevice, setDisabled } from './device-store.ts'
import { hasProvider } from './push-providers.ts'

/** What is kept of why a device is left alone. */
const REASON_CHARS = 250

/** A device as a client registers it. */
export interface NewDevice {
  id: string
  push_provider: string
  push_provider_name?: string | undefined
  voip_token?: boolean | undefined
  hardware_id?: string | undefined
}

/** The devices of each of these users, the first to come first; one query for all [DEV-2]. */
export async function devicesOfUsers(
  server: Server,
  app: string,
  userIds: readonly string[],
  db: Kysely<Tables> = server.database.read,
): Promise<(userId: string) => Device[]> {
  const devices = Map.groupBy(await devicesOf(db, server.database.dialect, app, userIds), (row) => row.user_id)
  return (userId) => (devices.get(userId) ?? []).map(deviceWire)
}

/** @throws ChatError InputError (4) — the app has no push provider of this name; without a name any will do */
export function checkProvider(app: App, { push_provider: type, push_provider_name: name }: NewDevice) {
  if (name && !hasProvider(app, type, name))
    throw inputError('push_provider_name', `there is no push provider ${name} of type ${type}`)
}

/** Adds a device; a known one, even another user's, belongs to the user from now on, and works again [DEV-3]. */
export async function addDevice(server: Server, { app, id: user_id }: UserRow, device: NewDevice): Promise<void> {
  await server.commit.write(app, [], async (batch) => {
    await putDevice(batch.db, {
      app,
      user_id,
      id: device.id,
      push_provider: device.push_provider,
      push_provider_name: device.push_provider_name || null,
      voip: device.voip_token ? 1 : 0,
      hardware_id: device.hardware_id || null,
      created_at: batch.now(),
      disabled_reason: null,
    })
    await purgeExpiredDevices(batch.db, app, user_id, DEVICES_PER_USER)
  })
}

/** @throws ChatError DoesNotExistError (16) — the user has no such device [DEV-4] */
export async function removeDevice(server: Server, { app, id: userId }: UserRow, id: string): Promise<void> {
  const was = await server.commit.write(app, [], (batch) => deleteDevice(batch.db, app, userId, id))
  if (!was) throw new ChatError('DoesNotExistError', `Can't find device with id ${id}`)
}

/** Disables a device until it is added again: its push service no longer knows it [administration.md 8.5]. */
export async function disableDevice(server: Server, app: string, { id, created_at }: Device, reason: string) {
  // The reason comes from another server, and may contain anything.
  const why = reason.replaceAll('\0', '').slice(0, REASON_CHARS).toWellFormed()
  await server.commit.write(app, [], (batch) => setDisabled(batch.db, app, id, microsOf(created_at)!, why))
}

function deviceWire(row: DeviceRow): Device {
  return {
    id: row.id,
    push_provider: row.push_provider,
    ...(row.push_provider_name !== null && { push_provider_name: row.push_provider_name }),
    user_id: row.user_id,
    created_at: isoOf(row.created_at),
    ...(row.disabled_reason !== null && { disabled: true, disabled_reason: row.disabled_reason }),
    ...(row.voip && { voip: true }),
    ...(row.hardware_id !== null && { hardware_id: row.hardware_id }),
  }
}
