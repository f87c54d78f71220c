import type { Database } from '../../platform/database/database.ts'
import type { AppRow } from '../../platform/database/tables.ts'
import { putApp } from './app-store.ts'

/** Creates an app in a region, or updates the secret of the app with that key. From then on it is found by its key. */
export async function foundApp(
  database: Database,
  { key, secret, region }: { key: string; secret: string; region?: string | undefined },
  now: number,
): Promise<AppRow> {
  const app = { id: key, key, secret, name: key, created_at: now, settings_json: JSON.stringify({ placement: region }) }
  await putApp(database.write, app)
  return app
}
