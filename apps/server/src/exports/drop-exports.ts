import { appFile } from '../attachments/app-files.ts'
import { deleteFile } from '../attachments/delete-file.ts'
import type { Server } from '../server.ts'
import { completedTasks } from '../tasks/task-state.ts'
import { type ChannelExport, exportingChannels } from './export-channels.ts'
import { channelsTellOf } from './export-store.ts'
import { exportingUsers, type UserExport } from './export-users.ts'

/**
 * Takes away the files of exports that tell of somebody who is erased, as no export may after that
 * [administration.md 9.3]. To be done while it is still known where they were.
 */
export async function dropExportsOf(server: Server, app: string, userId: string): Promise<void> {
  const { read, dialect } = server.database
  for (const { kind, input, result } of await completedTasks(server, app, [
    exportingUsers.name,
    exportingChannels.name,
  ])) {
    const tells =
      kind === exportingUsers.name
        ? (input as UserExport).userIds.includes(userId)
        : (input as ChannelExport).options.export_users === true ||
          (await channelsTellOf(
            read,
            dialect,
            app,
            userId,
            (input as ChannelExport).channels.map(({ cid }) => cid),
          ))
    const file = tells ? await appFile(server, 'export', (result as { id: string }).id) : undefined
    if (file) await deleteFile(server, file)
  }
}
