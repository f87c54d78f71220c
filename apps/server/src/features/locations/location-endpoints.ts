import { LiveLocationsAnswer, SharedLocationAnswer, UpdateLocationRequest } from '@parley/protocol/locations'
import { namedUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { moveLocation, ownLocations } from './live-locations.ts'

const path = '/users/live_locations'

const list = endpoint(
  { name: 'GetLiveLocations', method: 'GET', path, answer: LiveLocationsAnswer },
  async ({ caller }, server) => ({ active_live_locations: await ownLocations(server, namedUser(caller)) }),
)

const update = endpoint(
  { name: 'UpdateLiveLocation', method: 'PUT', path, body: UpdateLocationRequest, answer: SharedLocationAnswer },
  async ({ caller, body }, server) => {
    const { message, access } = await accessMessage(server, caller, body.message_id, 'read-channel')
    return moveLocation(server, access, message, namedUser(caller), body)
  },
)

export const locationEndpoints: Endpoint[] = [list, update]
