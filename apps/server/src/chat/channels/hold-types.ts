import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { App } from '../apps/app.ts'
import { holdRules } from '../apps/change-app.ts'

/**
 * Locks these channel types against deletion until the write that uses them commits.
 *
 * @throws ChatError DoesNotExistError (16) — a type was deleted at this moment
 */
export async function holdTypes(batch: Batch, app: App, types: Iterable<string>) {
  const made = [...new Set(types)].filter((name) => !app.types.get(name)?.isBuiltIn)
  if (made.length === 0) return
  const held = await holdRules(batch, app.id, 'channel_type', made)
  const gone = made.find((name) => !held.includes(name))
  if (gone !== undefined) throw new ChatError('DoesNotExistError', `channel type ${gone} does not exist`)
}
