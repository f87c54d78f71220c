import type { ActionFunctionArgs } from 'react-router'
import { serverText } from '../i18n/server-text.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { changeGroup } from './change-group.server.ts'
import { readChangeGroup, type StartChatError } from './start-chat.ts'

export type ChangeGroupAnswer = { type: 'success' } | { type: 'error'; error: string }

/** `POST /chat/api/changeGroup`: moderators change a group and its members [NEW-56]. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const person = requireCaller({ context })
  const { database, chat } = context.get(productContext)
  const refusal = async (error: StartChatError | { reason: 'chat.off' | 'changeGroup.failed' }, status: number) =>
    Response.json(
      { type: 'error', error: await serverText(request, person, error.reason, error) } satisfies ChangeGroupAnswer,
      { status },
    )
  if (!chat || !person.chatAccess) return refusal({ reason: 'chat.off' }, 403)
  const asked = readChangeGroup(await readForm(request), chat.url)
  if (!asked.ok) return refusal(asked.error, 400)
  try {
    const changed = await changeGroup({ database, chat }, person, asked.value)
    if (!changed.ok) return refusal(changed.error, changed.error.reason === 'changeGroup.tooOften' ? 429 : 403)
    return Response.json({ type: 'success' } satisfies ChangeGroupAnswer)
  } catch (error) {
    console.error('Changing a group failed.', error)
    return refusal({ reason: 'changeGroup.failed' }, 502)
  }
}
