import type { ActionFunctionArgs } from 'react-router'
import { productContext } from '../product.server.ts'
import { requireCaller } from '../session/session.server.ts'

/** `POST /chat/api/channels`: the channel list of the signed-in person; takes no payload [NEW-45]. */
export async function action({ context }: ActionFunctionArgs): Promise<Response> {
  const person = requireCaller({ context })
  const { chat } = context.get(productContext)
  if (!chat || !person.chatAccess) return Response.json({ channels: [] })
  return Response.json({ channels: await chat.channelsOf(person.id) })
}
