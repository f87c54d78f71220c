import type { ActionFunctionArgs } from 'react-router'
import { serverText } from '../i18n/server-text.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { addMembers } from './add-members.server.ts'
import { readAddMembers, type StartChatError } from './start-chat.ts'

export type AddMembersAnswer = { type: 'success' } | { type: 'error'; error: string }

/** `POST /chat/api/addMembers`: adds people to a group, with the checks of a new chat [NEW-53]. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const adder = requireCaller({ context })
  const { database, chat } = context.get(productContext)
  const refusal = async (error: StartChatError | { reason: 'chat.off' | 'addMembers.failed' }, status: number) =>
    Response.json(
      { type: 'error', error: await serverText(request, adder, error.reason, error) } satisfies AddMembersAnswer,
      { status },
    )
  if (!chat || !adder.chatAccess) return refusal({ reason: 'chat.off' }, 403)
  const asked = readAddMembers(await readForm(request))
  if (!asked.ok) return refusal(asked.error, 400)
  try {
    const added = await addMembers({ database, chat }, adder, asked.value)
    if (!added.ok) return refusal(added.error, added.error.reason === 'addMembers.tooOften' ? 429 : 403)
    return Response.json({ type: 'success' } satisfies AddMembersAnswer)
  } catch (error) {
    console.error('Adding members failed.', error)
    return refusal({ reason: 'addMembers.failed' }, 502)
  }
}
