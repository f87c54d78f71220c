import type { ActionFunctionArgs } from 'react-router'
import { serverText } from '../i18n/server-text.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { readStartChat } from './start-chat.ts'
import { startNewChat } from './start-new-chat.server.ts'

export type StartChatAnswer =
  | { type: 'success'; channelWithName: string; channelId: string }
  | { type: 'error'; error: string }

/** `POST /chat/api/startNewChat` [NEW-39…41]. The header `Idempotency-Key` makes a repeated call safe. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const starter = requireCaller({ context })
  const { database, chat } = context.get(productContext)
  if (!chat || !starter.chatAccess) return refusal(await serverText(request, starter, 'chat.off'), 403)

  const payload = readStartChat(await readForm(request), chat.url)
  if (!payload.ok) return refusal(await serverText(request, starter, payload.error.reason, payload.error), 400)

  const key = request.headers.get('idempotency-key') ?? undefined
  try {
    const started = await startNewChat({ database, chat }, starter, payload.value, key)
    if (!started.ok) {
      const status = started.error.reason === 'startChat.tooOften' ? 429 : 400
      return refusal(await serverText(request, starter, started.error.reason, started.error), status)
    }
    return Response.json({ type: 'success', ...started.value } satisfies StartChatAnswer)
  } catch (error) {
    console.error('Starting a chat failed.', error)
    return refusal(await serverText(request, starter, 'startChat.failed'), 502)
  }
}

function refusal(error: string, status: number): Response {
  return Response.json({ type: 'error', error } satisfies StartChatAnswer, { status })
}
