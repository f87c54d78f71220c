import { sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'

/**
 * Until the transaction ends, nobody else ends an organization or somebody's owning one: of two who went at once each
 * would count on the other. SQLite has one writer anyway.
 */
export async function holdOrganizations(transaction: Transaction<Tables>, type: Database['type']): Promise<void> {
  if (type === 'postgres') await sql`lock table organization in exclusive mode`.execute(transaction)
}
