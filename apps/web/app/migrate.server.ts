import type { BetterAuthOptions } from 'better-auth'
import { getAuthTables } from 'better-auth/db'
import { getMigrations } from 'better-auth/db/migration'
import { type Kysely, sql, type Transaction } from 'kysely'
import { SettingError } from '../../process/settings.ts'
import type { Database, Tables } from './database.server.ts'
import { nameKey } from './people/name-key.ts'

/** An arbitrary number that no other advisory lock uses. */
const MIGRATION_LOCK = 7_301_945
/** Columns that an earlier version created and this one no longer uses. */
const RETIRED_COLUMNS = 0
/** Raised when rows that an earlier version wrote are written in another way, see {@link rewriteNameKeys}. */
const DATA_VERSION = 1
/** People per query while their rows are rewritten. */
const PEOPLE_AT_ONCE = 500
/** Tables that only the chat server has. */
const ofChatServer = ['schema_version', 'apps', 'channels']

/**
 * Migrates the tables, in one transaction. Of several web apps that start at once one does it and the others wait; the
 * lock ends with the transaction, so it also works behind a connection pooler.
 *
 * @throws SettingError — it is the chat server's database, or a newer version has written it
 */
export async function migrate({ kysely, type }: Database, options: BetterAuthOptions): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    // On SQLite the transaction locks the file from its beginning.
    if (type === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
    await refuseChatServers(transaction, type)
    const version = versionOf(options)
    const written = await writtenVersion(transaction)
    if (written > version)
      throw new SettingError(
        `WEB_DATABASE_URL is a database of version ${written}, and this web app knows ${version}. Start a newer one.`,
      )

    const { runMigrations } = await getMigrations({
      ...options,
      database: { db: transaction, type, transaction: false },
    })
    await runMigrations()
    if (written === version) return
    await rewriteNameKeys(transaction)
    await sql`delete from product_version`.execute(transaction)
    await sql`insert into product_version (version) values (${version})`.execute(transaction)
  })
}

/**
 * The number of columns so far, and of changes of what is in them. Columns are only ever added, so a database of a higher
 * number was written by a newer version.
 */
export function versionOf(options: BetterAuthOptions): number {
  const tables = getAuthTables(options)
  return Object.values(tables).reduce(
    (sum, { fields }) => sum + 1 + Object.keys(fields).length,
    RETIRED_COLUMNS + DATA_VERSION,
  )
}

/** Names were folded in another way before: people are sorted and found by the keys. */
async function rewriteNameKeys(db: Transaction<Tables>): Promise<void> {
  for (let after = ''; ; ) {
    const people = await db
      .selectFrom('user')
      .select(['id', 'familyName', 'givenName', 'nameKey'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PEOPLE_AT_ONCE)
      .execute()
    for (const person of people) {
      const key = nameKey(person.familyName, person.givenName)
      if (key !== person.nameKey)
        await db.updateTable('user').set({ nameKey: key }).where('id', '=', person.id).execute()
    }
    if (people.length < PEOPLE_AT_ONCE) return
    after = people.at(-1)!.id
  }
}

async function writtenVersion(db: Kysely<Tables>): Promise<number> {
  await sql`create table if not exists product_version (version integer not null)`.execute(db)
  const { rows } = await sql<{ version: number }>`select version from product_version`.execute(db)
  return rows[0]?.version ?? 0
}

async function refuseChatServers(db: Transaction<Tables>, type: Database['type']): Promise<void> {
  const { rows } =
    type === 'postgres'
      ? await sql<{
          name: string
        }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
      : await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  if (!names.has('organization') && ofChatServer.every((name) => names.has(name)))
    throw new SettingError('WEB_DATABASE_URL is the database of a chat server; give the web app one of its own.')
}
