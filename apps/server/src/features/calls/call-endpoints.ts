/**
 * Video belongs to another product: both calls of it check what they are given and whose it is, and then say so.
 * @see messaging.md 4.15, administration.md 14.2
 */
import { Done, NonEmpty } from '@parley/protocol/wire'
import Type from 'typebox'
import { namedUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessChannel } from '../../chat/channels/channel-access.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'

const CALL_ID = /^[A-Za-z0-9_-]{1,255}$/

const CallRequest = Type.Object({
  id: Type.String(),
  type: Type.Enum(['audio', 'video']),
  options: Type.Optional(Type.Object({}, { additionalProperties: true })),
  user_id: Type.Optional(NonEmpty),
})

const create = endpoint(
  {
    name: 'CreateCall',
    method: 'POST',
    path: '/channels/:type/:id/call',
    body: CallRequest,
    answer: Done,
  },
  async ({ caller, params, body }, server) => {
    await accessChannel(server, caller, { type: params.type!, id: params.id! }, 'create-call')
    namedUser(caller)
    checkId(body.id)
    throw unsupported()
  },
)

const token = endpoint(
  {
    name: 'GetCallToken',
    method: 'POST',
    path: '/calls/:id',
    body: Type.Object({ user_id: Type.Optional(NonEmpty) }),
    answer: Done,
  },
  async ({ caller, params }) => {
    namedUser(caller)
    checkId(params.id!)
    throw unsupported()
  },
)

/** @throws ChatError InputError (4) */
function checkId(id: string) {
  if (!CALL_ID.test(id)) throw inputError('id', `"${id}" may hold letters, digits, "_" and "-" only`)
}

function unsupported(): ChatError {
  return new ChatError('InputError', 'video calls are not supported by this server')
}

export const callEndpoints: Endpoint[] = [create, token]
