import { once } from '../../chat/users/deletion-stages.ts'
import { feature } from '../../feature.ts'
import { dropExportsOf } from './drop-exports.ts'
import { exportingChannels } from './export-channels.ts'
import { exportEndpoints } from './export-endpoints.ts'
import { exportingUsers } from './export-users.ts'

export const exports = feature('exports', {
  endpoints: exportEndpoints,
  tasks: [exportingChannels, exportingUsers],
  // Earlier exports that contain the user, while it is still known which do.
  userDeletion: { stages: { exports: once(dropExportsOf) } },
})
