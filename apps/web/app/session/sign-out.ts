import { type ActionFunctionArgs, redirect } from 'react-router'
import { productContext } from '../product.server.ts'
import { signOut } from './sign-in.server.ts'

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const cookies = await signOut(context.get(productContext), request)
  return redirect('/sign-in', { headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])) })
}

/** A link to this address changes nothing. */
export function loader(): Response {
  return redirect('/')
}
