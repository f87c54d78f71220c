import type { Batch } from '../../platform/database/batch.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'

export { nextTraced } from './user-store.ts'

/** A user whose deactivation, deletion or return was written at a time. */
export interface AffectedUser {
  id: string
  at: Micros
}

export type Save<Place> = (batch: Batch, next: Place | undefined) => Promise<void>

/** Processes one page and saves the next position; returns it, or undefined after the last page. */
export type Stage<Place> = (
  server: Server,
  app: string,
  person: AffectedUser,
  place: Place | undefined,
  save: Save<Place>,
) => Promise<Place | undefined>

// biome-ignore lint/suspicious/noExplicitAny: each stage knows its own places; a task only keeps them.
export type AnyStage = Stage<any>

/** Work in one piece, which may be repeated. */
export function once(work: (server: Server, app: string, userId: string) => Promise<unknown>): Stage<true> {
  return async (server, app, { id }, _, save) => {
    await work(server, app, id)
    return server.commit.write(app, [], (batch) => save(batch, undefined)).then(() => undefined)
  }
}

/** What a feature does when a user is deleted. */
export interface UserDeletionExtension {
  /** By the names that the task has for them, which say when they run. */
  stages?: Readonly<Record<string, AnyStage>>
  /** Joins the write that deletes the user. */
  deleted?(batch: Batch, app: string, userId: string): Promise<unknown>
}
