import type { RequestListener } from 'node:http'
import type { Database } from '../app/database.server.ts'
import { databaseHealth } from '../app/database-health.server.ts'

/** Whether the program is about to stop: it still responds, but wants no new calls. */
export interface Draining {
  isDraining: boolean
}

/**
 * `/health` responds whether calls may be routed here; `/alive`, without any check, that the process runs. While
 * draining, connections close one by one: each response is the last one of its connection.
 */
export function withHealth(database: Database, draining: Draining, listener: RequestListener): RequestListener {
  return async (request, response) => {
    if (draining.isDraining) response.setHeader('Connection', 'close')
    const { pathname } = URL.parse(request.url ?? '', 'http://localhost') ?? {}
    if (pathname !== '/health' && pathname !== '/alive') return listener(request, response)
    const trouble = pathname === '/alive' ? undefined : draining.isDraining ? STOPPING : await databaseHealth(database)
    response
      .writeHead(trouble ? 503 : 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify({ status: trouble ?? 'ok' }))
  }
}

const STOPPING = 'the web app is stopping'
