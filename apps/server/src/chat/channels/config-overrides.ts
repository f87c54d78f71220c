import type { ConfigOverrides } from '@parley/protocol/channel-types'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { checkGrants } from '../permissions/check-grants.ts'
import { checkCommands } from './change-channel-types.ts'
import { channelsNaming, overridesNaming, setChannelData } from './channel-store.ts'
import { checkBlockLists } from './check-block-lists.ts'

/** Channels changed per write. */
const PAGE = 100

/**
 * Only the app's server sets channel config overrides [administration.md 2.4].
 *
 * @throws ChatError NotAllowedError (17) — a client; InputError (4) — an unknown command, role or permission
 */
export function checkOverrides({ app, server }: Caller, { grants, commands, blocklist }: ConfigOverrides) {
  if (!server) throw new ChatError('NotAllowedError', 'config_overrides are for server-side calls only')
  if (grants) checkGrants(app, grants, { modifiers: true })
  if (commands) checkCommands(app, commands)
  if (blocklist) checkBlockLists(app, { blocklist })
}

/** The overrides as stored: null when they are empty. */
export function overridesOf(overrides: ConfigOverrides): string | null {
  return Object.keys(overrides).length > 0 ? JSON.stringify(overrides) : null
}

/** Whether any channel overrides the grants of a role. */
export async function someChannelGrants(db: Batch['db'], app: string, role: string): Promise<boolean> {
  const overrides = await overridesNaming(db, app, role)
  return overrides.some(({ grants = {} }) => Object.hasOwn(grants, role) && grants[role]!.length > 0)
}

/** Removes a deleted block list from the overrides of all channels. */
export async function forgetBlockList(
  server: Server,
  app: string,
  name: string,
  without: (overrides: ConfigOverrides) => ConfigOverrides | undefined,
): Promise<void> {
  const { read } = server.database
  for (let after = ''; ; ) {
    const page = await channelsNaming(read, app, name, after, PAGE)
    await server.commit.write(
      app,
      page.map(({ cid }) => cid),
      async (batch) => {
        for (const { cid } of page) {
          const channel = batch.channel(app, cid)
          const left = channel?.overrides_json && without(JSON.parse(channel.overrides_json))
          if (!channel || !left) continue
          channel.overrides_json = overridesOf(left)
          await setChannelData(batch.db, channel)
          batch.changedChannels.add(`${app}|${cid}`)
        }
      },
    )
    if (page.length < PAGE) return
    after = page.at(-1)!.cid
  }
}
