import { type ActionFunctionArgs, redirect } from 'react-router'
import { endChatOf } from '../chat/sync-users.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from './read-form.server.ts'
import { sessionContext } from './session.server.ts'
import { safeBack, signOut } from './sign-in.server.ts'

/** `POST /sign-out`: redirects to sign-in, or to the `back` of the form. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const product = context.get(productContext)
  const back = (await readForm(request)).get('back')
  const person = context.get(sessionContext)
  const cookies = await signOut(product, request)
  if (person) await endChatOf(product, person)
  return redirect(typeof back === 'string' ? safeBack(back) : '/sign-in', {
    headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])),
  })
}

/** A GET here changes nothing. */
export function loader(): Response {
  return redirect('/')
}
