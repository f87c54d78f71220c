import { inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'

const filledIn: ReadonlySet<string> = new Set(['type', 'created_at'])

/**
 * Delivers a custom event of the app to all devices of a user; nothing is stored.
 *
 * @throws ChatError InputError (4) — names with a dot are for built-in events
 * @throws ChatError PayloadTooBigError (22) — more than 5 kB of custom data
 */
export function sendUserEvent(server: Server, { app, id }: UserRow, event: { type: string }) {
  if (event.type === '' || event.type.includes('.'))
    throw inputError('event.type', 'event.type must be a name without a dot')
  const at = server.clock.micros()
  const body = JSON.stringify({ ...customOf(event, filledIn), type: event.type, created_at: isoOf(at) })
  server.hub.publish([{ app, cid: null, seq: 0, at, personal: [{ users: [id], body }] }])
}
