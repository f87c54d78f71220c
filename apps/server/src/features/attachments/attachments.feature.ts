import { once } from '../../chat/users/deletion-stages.ts'
import { feature, HOUR_MS } from '../../feature.ts'
import { purgeExpiredAppFiles } from './app-files.ts'
import { attachmentEndpoints } from './attachment-endpoints.ts'
import { deleteFilesOf } from './delete-file.ts'
import { beginFileRetention, erasingUnnamedFiles } from './file-retention.ts'
import { fileRoutes } from './file-routes.ts'

export const attachments = feature('attachments', {
  endpoints: attachmentEndpoints,
  routes: fileRoutes,
  tasks: [erasingUnnamedFiles],
  maintenance: [
    { everyMs: HOUR_MS, run: beginFileRetention },
    { everyMs: HOUR_MS, run: purgeExpiredAppFiles, isAwaited: true },
  ],
  // Each file is deleted by itself, so that a restarted task continues where it stopped.
  userDeletion: { stages: { files: once(deleteFilesOf) } },
})
