import type { LoaderFunctionArgs } from 'react-router'
import { productContext } from '../product.server.ts'
import { pictureWithId } from './picture-store.server.ts'

/** `GET /pictures/{id}.webp`: a profile picture. A new picture gets a new address. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const id = /^([0-9a-f]{32})\.webp$/.exec(params.file ?? '')?.[1]
  const picture = id && (await pictureWithId(context.get(productContext).database, id))
  if (!picture) throw new Response('Not found', { status: 404 })
  return new Response(new Uint8Array(picture), {
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'",
    },
  })
}
