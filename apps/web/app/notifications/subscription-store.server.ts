import { randomUUID } from 'node:crypto'
import type { Database, PushSubscriptionRow } from '../database.server.ts'
import { hasChat } from '../people/person-store.server.ts'

/** A browser that receives a user's notifications, in its language. */
export type PushSubscription = Pick<PushSubscriptionRow, 'userId' | 'endpoint' | 'p256dh' | 'auth' | 'language'>

/** A browser has one subscription, owned by the user who signed in there last. */
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

/** The subscriptions made in a session, which end with it. */
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
 * The subscriptions of these users, without expired sessions and without users who have no chat access. The user's
 * language wins over the browser's.
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
