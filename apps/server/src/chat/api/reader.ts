import { type Reader, readerFor } from '../../platform/database/reader.ts'
import type { Server } from '../../server.ts'
import type { Caller } from './caller.ts'

/** Of a caller, or of a user; the app's server where there is none. */
export function readerOf({ database }: Server, { app, server, user }: Pick<Caller, 'app' | 'server' | 'user'>): Reader {
  return readerFor(database, app.id, server ? undefined : user?.id)
}
