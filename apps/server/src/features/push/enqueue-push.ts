import { randomUUID } from 'node:crypto'
import type { Batch } from '../../platform/database/batch.ts'
import { typeOf } from '../../platform/json-fields.ts'
import type { Server } from '../../server.ts'
import { deliverPush } from './deliver-push.ts'
import { pushedEventsOf } from './pushed-events.ts'

/** Events in one task: in a busy second there are several tasks. */
const EVENTS_PER_TASK = 100

/** An event on its way to phones; it keeps its id however often it is tried. */
export interface Occasion {
  id: string
  /** The body that sockets received, without fields of one recipient. */
  body: string
}

export interface PushWork {
  occasions: Occasion[]
}

/**
 * Enqueues pushes in the transaction of their events. Their devices are looked up later: sending costs the same however
 * many members there are, and nothing more where an app has no provider.
 */
export async function enqueuePush(server: Server, batch: Batch): Promise<void> {
  for (const [id, outgoing] of Map.groupBy(batch.outgoing, ({ app }) => app)) {
    const pushedEvents = pushedEventsOf(server.apps.of(id))
    if (pushedEvents.size === 0) continue
    const wanted = new Set(outgoing.flatMap(({ body }) => (pushedEvents.has(typeOf(body)) ? body : [])))
    const occasions = [...wanted].map((body): Occasion => ({ id: randomUUID(), body }))
    for (let from = 0; from < occasions.length; from += EVENTS_PER_TASK) {
      const work: PushWork = { occasions: occasions.slice(from, from + EVENTS_PER_TASK) }
      await server.tasks.begin(batch, id, deliverPush.name, work)
    }
  }
}
