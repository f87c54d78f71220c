import type { Database } from '../database.server.ts'

/** Deletes expired sessions, most of which are never used again. */
export async function dropEndedSessions({ kysely }: Database, now: Date): Promise<void> {
  try {
    await kysely.deleteFrom('session').where('expiresAt', '<=', now).execute()
  } catch (error) {
    console.error('Sessions that have run out could not be forgotten; they are forgotten later.', error)
  }
}
