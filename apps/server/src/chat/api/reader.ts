import type { Kysely } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import type { Caller } from './caller.ts'

/** Where a caller's queries run. */
export interface Reader {
  dialect: Dialect
  /**
   * @param isBounded  whether the server knows what it costs at most, and that this is little: then it runs at once.
   *   Everything else runs beside the event loop, with a deadline [LIM-7].
   */
  for(isBounded: boolean): Kysely<Tables>
}

/** Of a caller, or of a user; the app's server where there is none. */
export function readerOf({ database }: Server, { app, server, user }: Pick<Caller, 'app' | 'server' | 'user'>): Reader {
  return readerFor(database, app.id, server ? undefined : user?.id)
}

/** @param userId  undefined for the app's server */
export function readerFor(
  { dialect, read, queriesOf }: Server['database'],
  app: string,
  userId: string | undefined,
): Reader {
  return {
    dialect,
    for: (isBounded) =>
      isBounded ? read : queriesOf({ name: JSON.stringify([app, userId]), isServer: userId === undefined }),
  }
}
