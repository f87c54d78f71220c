import { sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'

/**
 * Locks all organizations against deletion and changes of owners until the transaction ends: two concurrent changes
 * would each rely on what the other removes. SQLite has a single writer.
 */
export async function holdOrganizations(transaction: Transaction<Tables>, type: Database['type']): Promise<void> {
  if (type === 'postgres') await sql`lock table organization in exclusive mode`.execute(transaction)
}
