import type { Kysely } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { AppRuleRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { App, type StoredSettings } from './app.ts'
import { appById, deleteRule, keptRules, lockApp, putRule, rulesOf, setSettings } from './app-store.ts'

type Kind = AppRuleRow['kind']

/** The rules of an app during a change; no other change can run at the same time. */
export interface Change {
  readonly db: Kysely<Tables>
  /** The app before this change. */
  readonly app: App
  readonly now: Micros
  setSettings(settings: StoredSettings): Promise<void>
  put(kind: Kind, name: string, body: object): Promise<void>
  remove(kind: Kind, name: string): Promise<void>
}

/**
 * Changes an app's configuration; the change is in effect on every node when this resolves [administration.md 0.2]. A
 * node that does not answer is waited for one second; it reads everything again when it is back.
 *
 * @returns the app after this change, whatever other requests changed since
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
  await Promise.all([server.apps.reload(id), server.clusterBarrier.everywhere()])
  return changed
}

async function appIn(db: Kysely<Tables>, id: string): Promise<App> {
  return new App((await appById(db, id))!, await rulesOf(db, id))
}

/** Locks these rules against deletion until the write commits; returns the names of those that exist. */
export function holdRules(
  { db, dialect }: Batch,
  app: string,
  kind: Kind,
  names: readonly string[],
): Promise<string[]> {
  return keptRules(db, dialect, { app, kind }, names)
}

/** Takes an exclusive lock on the app until the write commits. */
export function holdApp({ db }: Batch, id: string): Promise<void> {
  return lockApp(db, id)
}
