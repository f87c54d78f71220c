import { DeviceRequest, DevicesAnswer, PushPreferencesAnswer, PushPreferencesRequest } from '@parley/protocol/devices'
import { Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { ChatError } from '../chat-error.ts'
import type { UserRow } from '../database/tables.ts'
import { actingUser, type Caller } from '../http/caller.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { addDevice, devicesOfUsers, removeDevice } from './own-devices.ts'
import { setPreferences } from './push-preferences.ts'

const add = endpoint(
  { name: 'CreateDevice', method: 'POST', path: '/devices', body: DeviceRequest, answer: Done, status: 201 },
  async ({ caller, body }, server) => {
    await addDevice(server, owner(caller), body)
    return {}
  },
)

const list = endpoint(
  {
    name: 'ListDevices',
    method: 'GET',
    path: '/devices',
    query: Type.Object({ user_id: Type.Optional(Type.String()) }),
    answer: DevicesAnswer,
  },
  async ({ caller }, server) => {
    const { app, id } = owner(caller)
    return { devices: (await devicesOfUsers(server, app, [id]))(id) }
  },
)

const remove = endpoint(
  {
    name: 'DeleteDevice',
    method: 'DELETE',
    path: '/devices',
    query: Type.Object({ id: Type.String({ minLength: 1 }), user_id: Type.Optional(Type.String()) }),
    answer: Done,
  },
  async ({ caller, query }, server) => {
    await removeDevice(server, owner(caller), query.id)
    return {}
  },
)

const preferences = endpoint(
  {
    name: 'UpdatePushNotificationPreferences',
    method: 'POST',
    path: '/push_preferences',
    body: PushPreferencesRequest,
    answer: PushPreferencesAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    if (!caller.server) owner(caller)
    return setPreferences(server, caller, body.preferences)
  },
)

/** @throws ChatError NotAllowedError (17) — somebody without a name has no devices */
function owner(caller: Caller): UserRow {
  const user = actingUser(caller)
  if (user.role === 'anonymous') throw new ChatError('NotAllowedError', 'somebody without a name has no devices')
  return user
}

export const deviceEndpoints: Endpoint[] = [add, list, remove, preferences]
