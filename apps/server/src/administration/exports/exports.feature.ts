import { feature } from '../../feature.ts'
import { exportingChannels } from './export-channels.ts'
import { exportEndpoints } from './export-endpoints.ts'
import { exportingUsers } from './export-users.ts'

export const exports = feature('exports', {
  endpoints: exportEndpoints,
  tasks: [exportingChannels, exportingUsers],
})
