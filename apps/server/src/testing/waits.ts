import { sql } from 'kysely'
import type { Server } from '../server.ts'
import { eventually } from './eventually.ts'

/** Waits until somebody waits for a lock in the database, which has to be PostgreSQL, or something is over. */
export async function waitsOrIsOver({ database }: Server, something: Promise<unknown>) {
  let isOver = false
  const over = () => {
    isOver = true
  }
  something.then(over, over)
  const isWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`.execute(database.read)
    return rows.length > 0
  }
  await eventually(async () => isOver || isWaiting(), 'it is over, or waits')
}
