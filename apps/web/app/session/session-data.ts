import type { LoaderFunctionArgs } from 'react-router'
import { productContext } from '../product.server.ts'
import { requireCaller } from './session.server.ts'
import { sessionData } from './session-data.server.ts'

/** `GET /session`: the session data as JSON. Chat fetches a new token here when the old one has expired. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const person = requireCaller({ context })
  const data = await sessionData(context.get(productContext), person)
  return Response.json(data, { headers: { 'cache-control': 'no-store' } })
}
