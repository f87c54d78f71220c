import { randomUUID } from 'node:crypto'
import type { Database, PushSubscriptionRow } from '../database.server.ts'
import { hasChat } from '../people/person-store.server.ts'

/** A browser that takes messages for a person, in the language it shows to them. */
export type PushSubscription = Pick<PushSubscriptionRow, 'userId' | 'endpoint' | 'p256dh' | 'auth' | 'language'>

/** A browser has one subscription: whoever signed in there last is its owner. */
export async function keepSubscription(
  { kysely }: Database,
  subscription: PushSubscription & { sessionId: string },
): Promise<void> {
  const { endpoint: _, ...rest } = subscription
  await kysely
    .insertInto('pushSubscription')
    .values({ id: randomUUID(), ...subscription })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(rest))
    .execute()
}

/** What was made in a session, and ends with it. */
export function subscriptionsIn({ kysely }: Database, sessionId: string): Promise<PushSubscription[]> {
  return kysely
    .selectFrom('pushSubscription')
    .select(['userId', 'endpoint', 'p256dh', 'auth', 'language'])
    .where('sessionId', '=', sessionId)
    .execute()
}

export async function dropSubscription({ kysely }: Database, endpoint: string, userId?: string): Promise<void> {
  await kysely
    .deleteFrom('pushSubscription')
    .where('endpoint', '=', endpoint)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId!))
    .execute()
}

/**
 * Where these people take messages; a session that ran out takes none, and so does whoever has no chat. A language they
 * chose wins over the browser's.
 */
export function subscriptionsOf(
  { kysely }: Database,
  userIds: readonly string[],
  now: Date,
): Promise<PushSubscription[]> {
  if (userIds.length === 0) return Promise.resolve([])
  return kysely
    .selectFrom('pushSubscription')
    .innerJoin('session', 'session.id', 'pushSubscription.sessionId')
    .innerJoin('user', 'user.id', 'pushSubscription.userId')
    .select(['pushSubscription.userId', 'endpoint', 'p256dh', 'auth'])
    .select(({ fn }) => fn.coalesce('user.language', 'pushSubscription.language').as('language'))
    .where('pushSubscription.userId', 'in', userIds)
    .where('session.expiresAt', '>', now)
    .where(hasChat)
    .execute()
}
