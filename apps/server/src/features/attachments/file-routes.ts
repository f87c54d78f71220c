import type { FastifyInstance } from 'fastify'
import type { Server } from '../../server.ts'
import { serveImage } from './image-proxy.ts'
import { serveFile } from './serve-file.ts'

/** The addresses of uploaded files, and of foreign pictures behind the image proxy. */
export function fileRoutes(httpServer: FastifyInstance, server: Server) {
  httpServer.route({
    method: ['GET', 'HEAD'],
    url: '/files/:id/:name',
    config: { operation: 'GetFile' },
    handler: (request, reply) => serveFile(server, request, reply),
  })
  httpServer.route({
    method: ['GET', 'HEAD'],
    url: '/images/:signature',
    config: { operation: 'GetImage' },
    handler: (request, reply) => serveImage(server, request, reply),
  })
}
