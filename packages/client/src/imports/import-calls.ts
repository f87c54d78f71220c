/** Tasks, exports and imports; only for the application's own server [administration.md 10]. */
import type { TaskAnswer } from '@parley/protocol/tasks'
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import { EXPORTED_MAX } from '../limits.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export type ExportedChannel = ({ type: string; id: string } | { cid: string }) & {
  messages_since?: string
  messages_until?: string
}

export interface ExportOptions {
  include_truncated_messages?: boolean
  include_soft_deleted_channels?: boolean
  clear_deleted_message_text?: boolean
  export_users?: boolean
  /** `v2` has one line of JSON per object, and can be imported again. */
  version?: 'v1' | 'v2'
  format?: 'json' | 'csv'
  include_fields?: readonly string[]
}

export interface ImportTask {
  id: string
  path: string
  mode: 'upsert' | 'insert'
  state: string
  size?: number
  result?: Record<string, unknown>
  history: { prev_state: string; next_state: string; created_at: string }[]
  created_at: string
  updated_at: string
}

export function getTask(client: Calling, id: string, call: CallOptions = {}): Promise<TaskAnswer> {
  return client.request('GET', `/tasks/${encodeURIComponent(id)}`, call)
}

export async function exportChannels(
  client: Calling,
  channels: readonly ExportedChannel[],
  options: ExportOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ task_id: string }>> {
  if (channels.length > EXPORTED_MAX)
    throw clientError('CLIENT_EXPORT_TOO_MANY', `At most ${EXPORTED_MAX} channels go into one export`)
  return client.request('POST', '/export_channels', { body: { channels, ...options }, ...call })
}

export function exportChannel(
  client: Calling,
  channel: ExportedChannel,
  options: ExportOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ task_id: string }>> {
  return exportChannels(client, [channel], options, call)
}

export function getExportChannelStatus(client: Calling, id: string, call: CallOptions = {}): Promise<TaskAnswer> {
  return client.request('GET', `/export_channels/${encodeURIComponent(id)}`, call)
}

export function exportUsers(
  client: Calling,
  { user_ids }: { user_ids: readonly string[] },
  call: CallOptions = {},
): Promise<Answer<{ task_id: string }>> {
  return client.request('POST', '/export/users', { body: { user_ids }, ...call })
}

export function createImportURL(
  client: Calling,
  filename: string,
  call: CallOptions = {},
): Promise<Answer<{ path: string; upload_url: string }>> {
  return client.request('POST', '/import_urls', { body: { filename }, ...call })
}

export function createImport(
  client: Calling,
  path: string,
  options: { mode?: 'upsert' | 'insert'; merge_custom?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer<{ import_task: ImportTask }>> {
  return client.request('POST', '/imports', { body: { path, mode: 'upsert', ...options }, ...call })
}

export function getImport(
  client: Calling,
  id: string,
  call: CallOptions = {},
): Promise<Answer<{ import_task: ImportTask }>> {
  return client.request('GET', `/imports/${encodeURIComponent(id)}`, call)
}

export function listImports(
  client: Calling,
  options: { limit?: number; offset?: number } = {},
  call: CallOptions = {},
): Promise<Answer<{ import_tasks: ImportTask[] }>> {
  return client.request('GET', '/imports', { query: options, ...call })
}
