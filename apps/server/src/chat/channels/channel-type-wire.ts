import type { ChannelType as Wire } from '@parley/protocol/channel-types'
import type { ChannelType } from '../apps/app.ts'

/**
 * A channel type for callers who may change it: with its grants and legacy policies.
 *
 * @param commands full objects, or names as in responses to changes [administration.md 2.1]
 */
export function channelTypeWire({ config, shown, scope, stored }: ChannelType, commands: 'whole' | 'names'): Wire {
  return {
    ...shown,
    ...(commands === 'names' && { commands: shown.commands.map(({ name }) => name) }),
    ...(config.commands.includes('all') && commands === 'names' && { commands: ['all'] }),
    grants: scope.grants as Record<string, string[]>,
    permissions: stored.permissions ?? [],
  } as Wire
}
