import {
  CheckPushAnswer,
  CheckPushRequest,
  CheckSnsRequest,
  CheckSqsRequest,
  DeviceRequest,
  DevicesAnswer,
  PushPreferencesAnswer,
  PushPreferencesRequest,
  PushProviderAnswer,
  PushProviderRequest,
  PushProvidersAnswer,
  QueueCheckAnswer,
} from '@parley/protocol/devices'
import { Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { checkPush, queueCheck } from '../push/check-push.ts'
import { addDevice, checkProvider, devicesOfUsers, removeDevice } from './own-devices.ts'
import { setPreferences } from './push-preferences.ts'
import { deleteProvider, putProvider, shownProviders } from './push-providers.ts'

const add = endpoint(
  { name: 'CreateDevice', method: 'POST', path: '/devices', body: DeviceRequest, answer: Done, status: 201 },
  async ({ caller, body }, server) => {
    checkProvider(caller.app, body)
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

const listProviders = endpoint(
  {
    name: 'ListPushProviders',
    method: 'GET',
    path: '/push_providers',
    answer: PushProvidersAnswer,
    serverOnly: true,
  },
  async ({ caller }) => ({ push_providers: shownProviders(caller.app) }),
)

const upsertProvider = endpoint(
  {
    name: 'UpsertPushProvider',
    method: 'POST',
    path: '/push_providers',
    body: PushProviderRequest,
    answer: PushProviderAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ push_provider: await putProvider(server, caller.app, body.push_provider) }),
)

const removeProvider = endpoint(
  {
    name: 'DeletePushProvider',
    method: 'DELETE',
    path: '/push_providers/:type/:name',
    answer: Done,
    serverOnly: true,
  },
  async ({ caller, params }, server) => {
    await deleteProvider(server, caller.app, params.type!, params.name!)
    return {}
  },
)

const check = endpoint(
  {
    name: 'CheckPush',
    method: 'POST',
    path: '/check_push',
    body: CheckPushRequest,
    answer: CheckPushAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => checkPush(server, caller.app, body),
)

const checkSqs = endpoint(
  {
    name: 'CheckSQS',
    method: 'POST',
    path: '/check_sqs',
    body: CheckSqsRequest,
    answer: QueueCheckAnswer,
    serverOnly: true,
    status: 201,
  },
  async () => queueCheck,
)

const checkSns = endpoint(
  {
    name: 'CheckSNS',
    method: 'POST',
    path: '/check_sns',
    body: CheckSnsRequest,
    answer: QueueCheckAnswer,
    serverOnly: true,
    status: 201,
  },
  async () => queueCheck,
)

/** @throws ChatError NotAllowedError (17) — anonymous users have no devices */
function owner(caller: Caller): UserRow {
  const user = actingUser(caller)
  if (user.role === 'anonymous') throw new ChatError('NotAllowedError', 'somebody without a name has no devices')
  return user
}

export const deviceEndpoints: Endpoint[] = [
  add,
  list,
  remove,
  preferences,
  listProviders,
  upsertProvider,
  removeProvider,
  check,
  checkSqs,
  checkSns,
]
