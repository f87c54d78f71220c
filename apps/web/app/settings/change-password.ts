import { APIError } from 'better-auth/api'
import type { ActionFunctionArgs } from 'react-router'
import { endChatOf } from '../chat/sync-users.server.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { keepSubscription, subscriptionsIn } from '../notifications/subscription-store.server.ts'
import { type FieldErrors, passwordError } from '../people/person-fields.ts'
import { clientAddressContext, productContext } from '../product.server.ts'
import { confirmPassword } from '../session/confirm-password.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requirePerson } from '../session/session.server.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

export type PasswordAnswer =
  | { type: 'success'; notice: string }
  | { type: 'error'; errors: FieldErrors<'currentPassword' | 'newPassword'> }

/**
 * `POST /settings/password`: a new password for a user who knows the present one. All other browsers are signed out.
 */
export async function action({ request, url, context }: ActionFunctionArgs): Promise<PasswordAnswer | Response> {
  const person = requirePerson({ request, url, context })
  const product = context.get(productContext)
  const form = await readForm(request)
  const currentPassword = String(form.get('currentPassword') ?? '')
  const newPassword = String(form.get('newPassword') ?? '')
  const refused = (errors: FieldErrors<'currentPassword' | 'newPassword'>) => ({ type: 'error' as const, errors })

  const invalid = passwordError(newPassword)
  if (invalid) return refused({ newPassword: invalid })

  const given = { password: currentPassword, address: context.get(clientAddressContext) }
  const unproved = await confirmPassword(product, person, given)
  if (unproved) return refused({ currentPassword: unproved })

  const session = await product.auth.api.getSession({ headers: request.headers })
  const subscriptions = session ? await subscriptionsIn(product.database, session.session.id) : []
  try {
    const { headers } = await product.auth.api.changePassword({
      headers: request.headers,
      body: { currentPassword, newPassword, revokeOtherSessions: true },
      returnHeaders: true,
    })
    await endChatOf(product, person)
    // This browser has a new session, too, and keeps its notifications.
    const cookie = headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const renewed = await product.auth.api.getSession({ headers: new Headers({ cookie }) })
    if (renewed)
      for (const subscription of subscriptions)
        await keepSubscription(product.database, { ...subscription, sessionId: renewed.session.id })
    const notice = await serverText(request, person, 'password.changed')
    return Response.json({ type: 'success', notice } satisfies PasswordAnswer, {
      headers: new Headers(headers.getSetCookie().map((cookie) => ['set-cookie', cookie])),
    })
  } catch (error) {
    if (error instanceof APIError) return refused({ currentPassword: 'password.wrong' })
    throw error
  }
}

/** A GET here changes nothing. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
