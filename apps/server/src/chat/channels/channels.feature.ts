import { feature, HOUR_MS } from '../../feature.ts'
import { updatingChannels } from './batch-update.ts'
import { channelEndpoints } from './channel-endpoints.ts'
import { channelTypeEndpoints } from './channel-type-endpoints.ts'
import { deletingChannels } from './delete-channel.ts'
import { purgeExpiredMessages } from './message-retention.ts'

export const channels = feature('channels', {
  endpoints: [...channelEndpoints, ...channelTypeEndpoints],
  tasks: [deletingChannels, updatingChannels],
  maintenance: [{ everyMs: HOUR_MS, run: purgeExpiredMessages }],
})
