import { randomUUID } from 'node:crypto'
import type { RequestInfo } from '@parley/protocol/hooks'
import type { Batch, Outgoing } from '../database/batch.ts'
import { typeOf } from '../json-fields.ts'
import { isoOf } from '../micros.ts'
import type { Server } from '../server.ts'
import { userWire } from '../users/user-wire.ts'
import type { Hook } from './hook-settings.ts'
import { tellingHook } from './tell-hook.ts'

/** Events one task tells: of a busy second there are several. */
const EVENTS_PER_TASK = 100

/** An event on its way to a hook; it keeps its id however often it is tried. */
export interface Delivery {
  id: string
  /** As the sockets were told, without what belongs to one receiver. */
  body: string
  cause?: RequestInfo
}

export interface HookWork {
  hook: string
  deliveries: Delivery[]
}

/**
 * Keeps, in the transaction in which it happened, what the hooks of an app are to be told. Sending waits for none of
 * them, and what is added for each member is looked up when an event is delivered [administration.md 13.3].
 */
export async function leaveForHooks(server: Server, batch: Batch): Promise<void> {
  tellOfUsers(server, batch)
  for (const [id, outgoing] of Map.groupBy(batch.outgoing, ({ app }) => app))
    for (const hook of server.apps.of(id).hooks) {
      const deliveries = deliveriesTo(hook, outgoing)
      for (let from = 0; from < deliveries.length; from += EVENTS_PER_TASK) {
        const work: HookWork = { hook: hook.id, deliveries: deliveries.slice(from, from + EVENTS_PER_TASK) }
        await server.tasks.begin(batch, id, tellingHook.name, work)
      }
    }
}

/** Each once: what several people are told in the same words is one event. */
function deliveriesTo(hook: Hook, outgoing: readonly Outgoing[]): Delivery[] {
  const wanted = new Map<string, Delivery>()
  for (const { body, cause, pastHooks } of outgoing)
    if (!pastHooks && hook.wants(typeOf(body)) && !wanted.has(body))
      wanted.set(body, { id: randomUUID(), body, ...(cause && { cause }) })
  return [...wanted.values()]
}

/** Connections learn of users from each node; outside they are told once. */
function tellOfUsers(server: Server, batch: Batch) {
  for (const user of batch.updatedUsers)
    batch.tellOutside(user.app, () =>
      JSON.stringify({
        type: 'user.updated',
        created_at: isoOf(user.updated_at),
        user: userWire(user, server.presence.isOnline(user.app, user.id)),
      }),
    )
  for (const { app, body } of batch.endedUsers) if (body !== undefined) batch.tellOutside(app, body)
}
