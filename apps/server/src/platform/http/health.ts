import { sql } from 'kysely'
import { DatabaseHealth } from '../../../../process/database-health.ts'
import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Whether the server can answer calls, for load balancers. */
export function healthOf({ dialect, file, read, write }: Database, clock: Clock): DatabaseHealth {
  const database = {
    kind: dialect.name,
    file,
    async write() {
      await sql`select 1`.execute(read)
      await sql`insert into keys (name, value) values ('health', ${String(clock.now())})
        on conflict (name) do update set value = excluded.value`.execute(write)
    },
    isLocked: (error: unknown) => error instanceof ChatError,
  }
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', clock.after(ms, resolve), { once: true }))
  return new DatabaseHealth(database, { elapsed: () => clock.elapsed(), wait })
}
