import { appFile } from '../attachments/app-files.ts'
import { deleteFile } from '../attachments/delete-file.ts'
import type { Server } from '../server.ts'
import { tasksWithInput } from '../tasks/task-state.ts'
import { type ChannelExport, exportingChannels } from './export-channels.ts'
import { channelsTellOf } from './export-store.ts'
import { fileOf } from './export-task.ts'
import { exportingUsers, type UserExport } from './export-users.ts'

const why = { type: 'DoesNotExistError', description: 'somebody this export tells of was erased' }

/**
 * Takes away the files of exports that tell of somebody who is erased, as no export may after that, and ends those that
 * are under way [administration.md 9.3]. To be done while it is still known where they were.
 */
export async function dropExportsOf(server: Server, app: string, userId: string): Promise<void> {
  const { read, dialect } = server.database
  for (const { id, kind, input } of await tasksWithInput(server, app, [exportingUsers.name, exportingChannels.name])) {
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
    const named = tells ? fileOf(await server.tasks.callOff(app, id, why)) : undefined
    const file = named === undefined ? undefined : await appFile(server, 'export', named)
    if (file) await deleteFile(server, file)
  }
}
