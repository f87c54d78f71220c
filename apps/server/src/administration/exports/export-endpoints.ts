import { ExportChannelsRequest, ExportUsersRequest } from '@parley/protocol/exports'
import { TaskBegun } from '@parley/protocol/users'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { taskAt } from '../../chat/api/task-endpoints.ts'
import { exportChannels } from './export-channels.ts'
import { exportUsers } from './export-users.ts'

const channels = endpoint(
  {
    name: 'ExportChannels',
    method: 'POST',
    path: '/export_channels',
    body: ExportChannelsRequest,
    answer: TaskBegun,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body: { channels, ...options } }, server) => ({
    task_id: await exportChannels(server, caller.app, channels, options),
  }),
)

const users = endpoint(
  {
    name: 'ExportUsers',
    method: 'POST',
    path: '/export/users',
    body: ExportUsersRequest,
    answer: TaskBegun,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ task_id: await exportUsers(server, caller.app, body.user_ids) }),
)

export const exportEndpoints: Endpoint[] = [channels, taskAt('GetExportChannelsStatus', '/export_channels/:id'), users]
