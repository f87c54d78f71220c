import Type, { type Static } from 'typebox'
import { EXPORTED_PER_CALL } from './limits.ts'
import { DecidingTime, NonEmpty, Time } from './wire.ts'

/** A channel to export, and its messages between two times. */
export const ExportedChannel = Type.Object({
  type: Type.Optional(NonEmpty),
  id: Type.Optional(NonEmpty),
  cid: Type.Optional(NonEmpty),
  messages_since: Type.Optional(DecidingTime),
  messages_until: Type.Optional(DecidingTime),
})
export type ExportedChannel = Static<typeof ExportedChannel>

/** What of channels goes into an export, and how it is written [administration.md 10.4]. */
export const ExportOptions = Type.Object({
  include_truncated_messages: Type.Optional(Type.Boolean()),
  include_soft_deleted_channels: Type.Optional(Type.Boolean()),
  clear_deleted_message_text: Type.Optional(Type.Boolean()),
  export_users: Type.Optional(
    Type.Boolean({ description: 'all users who are members, wrote, reacted or are mentioned' }),
  ),
  version: Type.Optional(
    Type.Enum(['v1', 'v2'], { description: 'v1 (default): one list of channels; v2: lines that can be imported' }),
  ),
  format: Type.Optional(Type.Enum(['json', 'csv'], { description: 'csv: one line for each message' })),
  include_fields: Type.Optional(
    Type.Array(NonEmpty, { maxItems: 100, description: 'of messages; what an import cannot do without stays' }),
  ),
})
export type ExportOptions = Static<typeof ExportOptions>

export const ExportChannelsRequest = Type.Object({
  channels: Type.Array(ExportedChannel, { minItems: 1, maxItems: EXPORTED_PER_CALL }),
  ...ExportOptions.properties,
})

export const ExportUsersRequest = Type.Object({
  user_ids: Type.Array(NonEmpty, { minItems: 1, maxItems: EXPORTED_PER_CALL }),
})

/** The webhook events when an export is completed, or has failed. */
export const ExportDone = Type.Object({ ...finished(), url: Type.String() })
export const ExportFailed = Type.Object({ ...finished(), error: Type.String() })

function finished() {
  return { task_id: Type.String(), started_at: Time, finished_at: Time, created_at: Time }
}
