import type { ActionFunctionArgs } from 'react-router'
import { chooseLanguage } from '../i18n/languages.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { isPushService } from './push-services.ts'
import { dropSubscription, keepSubscription } from './subscription-store.server.ts'

/** The length limits of a push service's URL and of a browser's two keys, in base64url. */
const ENDPOINT_CHARS = 2_000
const keys = { p256dh: /^[\w-]{87}=?$/, auth: /^[\w-]{22}(==)?$/ }

/** `POST /settings/notifications`: subscribes this browser to the user's notifications, or unsubscribes it. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const person = requireCaller({ context })
  const { database, auth, pushServices } = context.get(productContext)
  const form = await readForm(request)
  const [endpoint, p256dh, secret] = ['endpoint', 'p256dh', 'auth'].map((name) => String(form.get(name) ?? '')) as [
    string,
    string,
    string,
  ]
  if (form.get('do') === 'off') {
    await dropSubscription(database, endpoint, person.id)
    return Response.json({ type: 'success' })
  }

  const fits = endpoint.length <= ENDPOINT_CHARS && keys.p256dh.test(p256dh) && keys.auth.test(secret)
  if (!fits || !isPushService(endpoint, pushServices))
    return Response.json({ type: 'error', error: 'This is no subscription of a browser.' }, { status: 400 })
  const session = await auth.api.getSession({ headers: request.headers })
  if (!session) return Response.json({ type: 'error', error: 'Sign in first.' }, { status: 401 })
  const language = chooseLanguage(null, request.headers.get('accept-language'))
  const sessionId = session.session.id
  await keepSubscription(database, { userId: person.id, sessionId, endpoint, p256dh, auth: secret, language })
  return Response.json({ type: 'success' })
}

/** A GET here changes nothing. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
