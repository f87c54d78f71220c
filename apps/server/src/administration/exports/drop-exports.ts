import { appFile } from '../../features/attachments/app-files.ts'
import { deleteFile } from '../../features/attachments/delete-file.ts'
import { tasksWithInput } from '../../platform/tasks/task-state.ts'
import type { Server } from '../../server.ts'
import { type ChannelExport, exportingChannels } from './export-channels.ts'
import { channelsNameUser } from './export-store.ts'
import { fileOf } from './export-task.ts'
import { exportingUsers, type UserExport } from './export-users.ts'

const why = { type: 'DoesNotExistError', description: 'somebody this export tells of was erased' }

/**
 * Deletes the files of exports that contain an erased user's data, and cancels running ones that could
 * [administration.md 9.3]. Call it before the user's memberships and messages are erased.
 */
export async function dropExportsOf(server: Server, app: string, userId: string): Promise<void> {
  const kinds = [exportingUsers.name, exportingChannels.name]
  for (const { id, kind, input, result } of await tasksWithInput(server, app, kinds)) {
    const tells =
      kind === exportingUsers.name
        ? (input as UserExport).userIds.includes(userId)
        : await exportNamesUser(server, app, input as ChannelExport, result, userId)
    const named = tells ? fileOf(await server.tasks.cancel(app, id, why)) : undefined
    const file = named === undefined ? undefined : await appFile(server, 'export', named)
    if (file) await deleteFile(server, file)
  }
}

/**
 * Whether a channel export contains a user. Exported users may have left since, or be only mentioned,
 * so the finished file is searched; a running export may contain any user.
 */
async function exportNamesUser(server: Server, app: string, input: ChannelExport, result: unknown, userId: string) {
  const { read, dialect } = server.database
  const cids = input.channels.map(({ cid }) => cid)
  if (await channelsNameUser(read, dialect, app, userId, cids)) return true
  if (!input.options.export_users) return false
  const named = fileOf({ result, progress: undefined })
  if (named === undefined) return true
  const file = await appFile(server, 'export', named)
  return file !== undefined && says(await server.files.storage.read(file.id), Buffer.from(JSON.stringify(userId)))
}

async function says(file: AsyncIterable<Buffer>, word: Buffer): Promise<boolean> {
  let end = Buffer.alloc(0)
  for await (const chunk of file) {
    const text = Buffer.concat([end, chunk])
    if (text.includes(word)) return true
    end = text.subarray(1 - word.length)
  }
  return false
}
