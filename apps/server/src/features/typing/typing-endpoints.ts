import { SendEventRequest } from '@parley/protocol/channels'
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { actingUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessChannel } from '../../chat/channels/channel-access.ts'
import { sendEvent } from './send-event.ts'

const event = endpoint(
  {
    name: 'SendEvent',
    method: 'POST',
    path: '/channels/:type/:id/event',
    body: SendEventRequest,
    answer: answer({ event: Type.Record(Type.String(), Type.Unknown()) }),
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'read-channel')
    return { event: await sendEvent(server, access, actingUser(caller), body.event) }
  },
)

export const typingEndpoints: Endpoint[] = [event]
