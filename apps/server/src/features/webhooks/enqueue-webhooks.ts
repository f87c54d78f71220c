import { randomUUID } from 'node:crypto'
import type { RequestInfo } from '@parley/protocol/hooks'
import type { Webhook } from '../../chat/apps/webhook-settings.ts'
import { userWire } from '../../chat/users/user-wire.ts'
import type { Batch, Outgoing } from '../../platform/database/batch.ts'
import { typeOf } from '../../platform/json-fields.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { deliverWebhook } from './deliver-webhook.ts'

/** Events in one task: in a busy second there are several tasks. */
const EVENTS_PER_TASK = 100

/** An event on its way to a hook; it keeps its id however often it is tried. */
export interface Delivery {
  id: string
  /** The body that sockets received, without fields of one recipient. */
  body: string
  cause?: RequestInfo
}

export interface WebhookWork {
  /** Its id; stored under this name. */
  /** The id of a webhook; rows under way have it under this name. */
  hook: string
  deliveries: Delivery[]
}

/**
 * Enqueues webhook calls in the transaction of their events. A send waits for none of them, and fields for each member
 * are looked up when an event is delivered [administration.md 13.3].
 */
export async function enqueueWebhooks(server: Server, batch: Batch): Promise<void> {
  enqueueUserEvents(server, batch)
  for (const [id, outgoing] of Map.groupBy(batch.outgoing, ({ app }) => app))
    for (const webhook of server.apps.of(id).webhooks) {
      const deliveries = deliveriesTo(webhook, outgoing)
      for (let from = 0; from < deliveries.length; from += EVENTS_PER_TASK) {
        const work: WebhookWork = { hook: webhook.id, deliveries: deliveries.slice(from, from + EVENTS_PER_TASK) }
        await server.tasks.begin(batch, id, deliverWebhook.name, work)
      }
    }
}

/** Each once: the same body for several users is one event. */
function deliveriesTo(webhook: Webhook, outgoing: readonly Outgoing[]): Delivery[] {
  const wanted = new Map<string, Delivery>()
  for (const { body, cause, skipWebhooks } of outgoing)
    if (!skipWebhooks && webhook.wants(typeOf(body)) && !wanted.has(body))
      wanted.set(body, { id: randomUUID(), body, ...(cause && { cause }) })
  return [...wanted.values()]
}

/** Connections receive user changes from each node; webhooks receive them once. */
function enqueueUserEvents(server: Server, batch: Batch) {
  for (const user of batch.updatedUsers)
    batch.publishOutbound(user.app, () =>
      JSON.stringify({
        type: 'user.updated',
        created_at: isoOf(user.updated_at),
        user: userWire(user, server.presence.isOnline(user.app, user.id)),
      }),
    )
  for (const { app, body } of batch.endedUsers) if (body !== undefined) batch.publishOutbound(app, body)
}
