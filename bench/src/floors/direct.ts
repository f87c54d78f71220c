import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** Queries a database directly, without a server between. */
export interface Direct {
  /** @param text  one statement for each database, with `?` or `$1` for the value */
  all(text: { sqlite: string; postgres: string }, value: string): Promise<unknown[]>
  close(): Promise<void>
}

export async function openDirectly(databaseUrl: string): Promise<Direct> {
  if (databaseUrl.startsWith('sqlite:')) {
    const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true })
    return { all: async ({ sqlite }, value) => db.prepare(sqlite).all(value), close: async () => db.close() }
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  return {
    all: async ({ postgres: text }, value) => (await client.query({ name: 'all', text, values: [value] })).rows,
    close: () => client.end(),
  }
}
