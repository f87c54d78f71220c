import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { ChatError } from '../chat-error.ts'
import type { Caller } from '../http/caller.ts'
import { checkGrants } from '../permissions/check-grants.ts'
import { checkCommands } from './change-channel-types.ts'

/**
 * What one channel does otherwise than its type is for the app's server to say [administration.md 2.4].
 *
 * @throws ChatError NotAllowedError (17) — a client; InputError (4) — an unknown command, role or permission
 */
export function checkOverrides({ app, server }: Caller, { grants, commands }: ConfigOverrides) {
  if (!server) throw new ChatError('NotAllowedError', 'config_overrides are for server-side calls only')
  if (grants) checkGrants(app, grants, { modifiers: true })
  if (commands) checkCommands(app, commands)
}

/** As they are stored: none at all where they say nothing. */
export function overridesOf(overrides: ConfigOverrides): string | null {
  return Object.keys(overrides).length > 0 ? JSON.stringify(overrides) : null
}
