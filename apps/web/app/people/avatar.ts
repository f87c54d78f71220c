import type { LoaderFunctionArgs } from 'react-router'
import { drawPortrait } from './draw-portrait.ts'

/** `GET /avatars/{id}.svg`: a drawn portrait, always the same for the same id. */
export function loader({ params }: LoaderFunctionArgs): Response {
  const id = /^([\w@-]{1,255})\.svg$/.exec(params.file ?? '')?.[1]
  if (!id) throw new Response('Not found', { status: 404 })
  return new Response(drawPortrait(id), {
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=604800',
      // The chat server's pages also show this picture; it loads nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })
}
