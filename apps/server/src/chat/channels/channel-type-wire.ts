import type { ChannelType as Wire } from '@parley/protocol/channel-types'
import type { ChannelType } from '../apps/app.ts'

/**
 * A channel type for callers who may change it: with its grants and legacy policies.
 *
 * @param commands full objects, or names as in responses to changes; sets and `all` are resolved in both
 *   [administration.md 2.1]
 */
export function channelTypeWire({ shown, scope, stored }: ChannelType, commands: 'whole' | 'names'): Wire {
  return {
    ...shown,
    ...(commands === 'names' && { commands: shown.commands.map(({ name }) => name) }),
    grants: scope.grants as Record<string, string[]>,
    permissions: stored.permissions ?? [],
  } as Wire
}
