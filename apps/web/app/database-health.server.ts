import { sql } from 'kysely'
import { DatabaseHealth, type DatabaseTrouble } from '../../process/database-health.ts'
import type { Database } from './database.server.ts'

const healths = new WeakMap<Database, DatabaseHealth>()

/** Whether the database is writable now; undefined when it is. Cheap, and never throws. */
export function databaseHealth(database: Database): Promise<DatabaseTrouble | undefined> {
  const health = healths.get(database) ?? healthOf(database)
  healths.set(database, health)
  return health.trouble()
}

function healthOf({ kysely, type, file }: Database): DatabaseHealth {
  return new DatabaseHealth({
    kind: type,
    file,
    write: () =>
      sql`insert into "healthProbe" ("id", "at") values ('probe', ${Date.now()})
        on conflict ("id") do update set "at" = excluded."at"`.execute(kysely),
    isLocked: (error) => error instanceof Response,
  })
}
