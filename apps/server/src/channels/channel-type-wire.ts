import type { ChannelType as Wire } from '@parley/protocol/channel-types'
import type { ChannelType } from '../apps/app.ts'

/**
 * A channel type as those see it who may change it: with its grants and old policies.
 *
 * @param commands whole, or by their names as answers to changes give them [administration.md 2.1]
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
