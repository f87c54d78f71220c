import type { Database } from '../database.server.ts'

/** Forgets the sessions that have run out: nobody comes back to most of them. */
export async function dropEndedSessions({ kysely }: Database, now: Date): Promise<void> {
  try {
    await kysely.deleteFrom('session').where('expiresAt', '<=', now).execute()
  } catch (error) {
    console.error('Sessions that have run out could not be forgotten; they are forgotten later.', error)
  }
}
