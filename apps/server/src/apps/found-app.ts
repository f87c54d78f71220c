import type { Database } from '../database/database.ts'
import type { AppRow } from '../database/tables.ts'
import { putApp } from './app-store.ts'

/** Makes an app in a region, or gives the one of that key its secret. It is known by its key from then on. */
export async function foundApp(
  database: Database,
  { key, secret, region }: { key: string; secret: string; region?: string | undefined },
  now: number,
): Promise<AppRow> {
  const app = { id: key, key, secret, name: key, created_at: now, settings_json: JSON.stringify({ placement: region }) }
  await putApp(database.write, app)
  return app
}
