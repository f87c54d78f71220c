import type { CreateChannelTypeRequest, UpdateChannelTypeRequest } from '@parley/protocol/channel-types'
import { CHANNEL_TYPES } from '@parley/protocol/limits'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import type { App, ChannelType, StoredType } from '../apps/app.ts'
import { changeApp } from '../apps/change-app.ts'
import { checkGrants, mergedGrants } from '../permissions/check-grants.ts'
import { hasChannelsOfType } from './channel-store.ts'
import { checkBlockLists } from './check-block-lists.ts'

const TYPE_NAME = /^[A-Za-z0-9_-]{1,64}$/

/**
 * @throws ChatError InputError (4) — a malformed or taken name, one type too many, an unknown command or grant
 *   [PERM-19]
 */
export async function createChannelType(
  server: Server,
  app: App,
  { name, ...request }: CreateChannelTypeRequest,
): Promise<ChannelType> {
  if (!TYPE_NAME.test(name))
    throw inputError('name', `Invalid chat type ${name}, letters, numbers and "_-" are allowed`)
  const changed = await changeApp(server, app, async (change) => {
    const { types } = change.app
    if (types.has(name)) throw inputError('name', `channel type ${name} exists`)
    if (types.size >= CHANNEL_TYPES) throw inputError('name', `an app has at most ${CHANNEL_TYPES} channel types`)
    await change.put('channel_type', name, typeWith(change.app, { config: {} }, request))
  })
  return changed.types.get(name)!
}

/** Changes the given fields for all channels of the type at once [PERM-13]. */
export async function updateChannelType(
  server: Server,
  app: App,
  name: string,
  request: UpdateChannelTypeRequest,
): Promise<ChannelType> {
  const changed = await changeApp(server, app, async (change) => {
    const type = existing(change.app, name)
    await change.put('channel_type', name, typeWith(change.app, type.stored, request))
  })
  return changed.types.get(name)!
}

/** @throws ChatError InputError (4) — the type is built in, or a channel uses it [PERM-19] */
export async function deleteChannelType(server: Server, app: App, name: string): Promise<void> {
  await changeApp(server, app, async (change) => {
    const type = existing(change.app, name)
    if (type.isBuiltIn) throw inputError('name', `channel type ${name} is built in and can't be deleted`)
    // Waits for writes that create a channel of this type, and only then looks for channels.
    await change.remove('channel_type', name)
    if (await hasChannelsOfType(change.db, change.app.id, name))
      throw inputError('name', `there are channels of type ${name}`)
  })
}

/** @throws ChatError DoesNotExistError (16) */
export function existing(app: App, name: string): ChannelType {
  const type = app.types.get(name)
  if (!type) throw new ChatError('DoesNotExistError', `Can't find channel type with name ${name}`)
  return type
}

/** The fields of a type after a change; null resets a field to its default. */
function typeWith(app: App, stored: StoredType, request: UpdateChannelTypeRequest): StoredType {
  const { grants, permissions, commands, ...others } = request
  if (grants) checkGrants(app, grants)
  const names = commands?.map((command) => (typeof command === 'string' ? command : command.name))
  if (names) checkCommands(app, names)
  const changes = { ...others, commands: commands === null ? null : names }
  checkBlockLists(app, changes)
  const config: { [key: string]: unknown } = { ...stored.config }
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || !known.has(key)) continue
    if (value === null || value === '') delete config[key]
    else config[key] = value
  }
  const merged = mergedGrants(stored.grants, grants)
  const policies = permissions === undefined ? stored.permissions : (permissions ?? undefined)
  return { config, ...(merged && { grants: merged }), ...(policies && { permissions: policies }) }
}

/** @throws ChatError InputError (4) — a command that does not exist */
export function checkCommands(app: App, names: readonly string[]) {
  const sets = new Set([...app.commands.values()].map(({ set }) => set))
  for (const name of names)
    if (name !== 'all' && !app.commands.has(name) && !(name !== '' && sets.has(name)))
      throw inputError('commands', `command ${name} does not exist`)
}

/** Fields a caller may send besides custom fields, which types do not have. */
const known = new Set(
  `typing_events read_events connect_events custom_events delivery_events search reactions replies quotes mutes uploads
   url_enrichment push_notifications reminders polls count_messages user_message_reminders shared_locations
   mark_messages_pending skip_last_msg_update_for_system_msgs thin_events_above max_message_length message_retention
   automod automod_behavior push_level chat_preferences automod_thresholds blocklist blocklist_behavior blocklists
   allowed_flag_reasons commands`.split(/\s+/),
)
