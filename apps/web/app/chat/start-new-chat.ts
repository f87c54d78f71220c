import type { ActionFunctionArgs } from 'react-router'
import { serverText } from '../i18n/server-text.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { readStartChat, type StartChatError } from './start-chat.ts'
import { startNewChat } from './start-new-chat.server.ts'

export type StartChatAnswer =
  /** `unsent`: the chat was started, but this is why its first message was not sent [NEW-63] */
  | { type: 'success'; channelWithName: string; channelId: string; unsent?: string }
  /** `field`: the error is about what is written in that field */
  | { type: 'error'; error: string; field?: 'firstMessage' }

/** `POST /chat/api/startNewChat` [NEW-39…41]. The header `Idempotency-Key` makes a repeated call safe. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const starter = requireCaller({ context })
  const { database, chat } = context.get(productContext)
  if (!chat || !starter.chatAccess) return refusal(await serverText(request, starter, 'chat.off'), 403)

  const payload = readStartChat(await readForm(request), chat.url)
  if (!payload.ok) return refused(payload.error)

  const key = request.headers.get('idempotency-key') ?? undefined
  try {
    const started = await startNewChat({ database, chat }, starter, payload.value, key)
    if (!started.ok) return refused(started.error)
    const { unsent, ...value } = started.value
    const why = unsent?.reason === 'firstMessage.moderated' ? 'startChat.moderated' : 'startChat.notSent'
    const said = unsent && { unsent: await serverText(request, starter, why) }
    return Response.json({ type: 'success', ...value, ...said } satisfies StartChatAnswer)
  } catch (error) {
    console.error('Starting a chat failed.', error)
    return refusal(await serverText(request, starter, 'startChat.failed'), 502)
  }

  async function refused(error: StartChatError) {
    const status = error.reason === 'startChat.tooOften' ? 429 : 400
    const field = error.reason.startsWith('firstMessage.') ? 'firstMessage' : undefined
    return refusal(await serverText(request, starter, error.reason, error), status, field)
  }
}

function refusal(error: string, status: number, field?: 'firstMessage'): Response {
  return Response.json({ type: 'error', error, ...(field && { field }) } satisfies StartChatAnswer, { status })
}
