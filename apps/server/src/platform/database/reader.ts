import type { Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Where a caller's queries run. */
export interface Reader {
  dialect: Dialect
  /**
   * @param isBounded  whether the server knows what it costs at most, and that this is little: then it runs at once.
   *   Everything else runs beside the event loop, with a deadline [LIM-7].
   */
  for(isBounded: boolean): Kysely<Tables>
}

/** @param userId  undefined for the app's server */
export function readerFor(
  { dialect, read, queriesOf }: Pick<Database, 'dialect' | 'read' | 'queriesOf'>,
  app: string,
  userId: string | undefined,
): Reader {
  return {
    dialect,
    for: (isBounded) =>
      isBounded ? read : queriesOf({ name: JSON.stringify([app, userId]), isServer: userId === undefined }),
  }
}
