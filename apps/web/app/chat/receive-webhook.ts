import { gunzipSync } from 'node:zlib'
import type { ActionFunctionArgs } from 'react-router'
import { notify, type WebhookMessage } from '../notifications/notify.server.ts'
import { productContext } from '../product.server.ts'
import { readBytes } from '../session/read-form.server.ts'
import { keepAModerator, type MemberGone } from './keep-a-moderator.server.ts'

/** More than any event of the chat server needs. */
const EVENT_BYTES = 1_024 * 1_024

/**
 * `POST /chat/api/events`: receives the chat server's webhooks. A signature authenticates them: there is no session and
 * no CSRF token. The response has no body.
 */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const product = context.get(productContext)
  const text = plain(await readBytes(request, EVENT_BYTES))
  if (!text || !product.chat?.isFromChat(text, request.headers.get('x-signature')))
    return Response.json({ type: 'error', error: 'The signature is not right.' }, { status: 401 })

  const event = JSON.parse(String(text)) as WebhookMessage | MemberGone
  if (event.type === 'message.new') await notify(product, event)
  else if (event.type === 'member.removed') await keepAModerator(product, event)
  return new Response(null, { status: 204 })
}

/** The signature covers the uncompressed body. Undefined for a body that is not gzip, or is far too long. */
function plain(body: Buffer): Buffer | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength: EVENT_BYTES })
  } catch {
    return undefined
  }
}

/** A GET here changes nothing. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
