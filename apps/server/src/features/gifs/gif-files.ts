import type { FastifyInstance } from 'fastify'
import { GIFS_PATH, gifFile } from './built-in-gifs.ts'

/** Serves the built-in animations publicly and cacheable for ever: a changed picture gets a new name. */
export function serveGifs(httpServer: FastifyInstance) {
  httpServer.get<{ Params: { file: string } }>(
    `${GIFS_PATH}/:file`,
    { schema: { hide: true } },
    async (request, reply) => {
      const bytes = await gifFile(request.params.file)
      if (!bytes) return reply.callNotFound()
      return reply
        .type('image/gif')
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('Cross-Origin-Resource-Policy', 'cross-origin')
        .header('X-Content-Type-Options', 'nosniff')
        .send(bytes)
    },
  )
}
