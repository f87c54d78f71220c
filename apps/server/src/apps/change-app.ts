import type { Kysely } from 'kysely'
import type { Batch } from '../database/batch.ts'
import type { AppRuleRow, Tables } from '../database/tables.ts'
import type { Micros } from '../micros.ts'
import type { Server } from '../server.ts'
import { App, type StoredSettings } from './app.ts'
import { appById, deleteRule, keptRules, lockApp, putRule, rulesOf, setSettings } from './app-store.ts'

type Kind = AppRuleRow['kind']

/** The rules of an app while they are changed, as no other change can be under way. */
export interface Change {
  readonly db: Kysely<Tables>
  /** As it was before this change. */
  readonly app: App
  readonly now: Micros
  setSettings(settings: StoredSettings): Promise<void>
  put(kind: Kind, name: string, body: object): Promise<void>
  remove(kind: Kind, name: string): Promise<void>
}

/**
 * Changes what an app's administrators set; it holds on this node when this resolves [administration.md 0.2].
 *
 * @returns the app as this change left it, whatever others have changed since
 */
export async function changeApp(server: Server, { id }: App, make: (change: Change) => Promise<void>): Promise<App> {
  const changed = await server.commit.write(id, [], async (batch) => {
    const { db } = batch
    const now = batch.now()
    await lockApp(db, id)
    const app = await appIn(db, id)
    await make({
      db,
      app,
      now,
      setSettings: (settings) => setSettings(db, id, JSON.stringify(settings)),
      put: (kind, name, body) =>
        putRule(db, { app: id, kind, name, body_json: JSON.stringify(body), created_at: now, updated_at: now }),
      remove: (kind, name) => deleteRule(db, id, kind, name),
    })
    batch.changedApps.add(id)
    return appIn(db, id)
  })
  await server.apps.reload(id)
  return changed
}

async function appIn(db: Kysely<Tables>, id: string): Promise<App> {
  return new App((await appById(db, id))!, await rulesOf(db, id))
}

/** Until the write is done nobody takes these rules away; gives the names of those that are there. */
export function holdRules(
  { db, dialect }: Batch,
  app: string,
  kind: Kind,
  names: readonly string[],
): Promise<string[]> {
  return keptRules(db, dialect, { app, kind }, names)
}

/** Waits until nobody else holds the app, which nobody does from now on until the write is done. */
export function holdApp({ db }: Batch, id: string): Promise<void> {
  return lockApp(db, id)
}
