/** Converts rows to lines that can be imported [administration.md 10.6]. */
import { type ImportData, type ImportType, importLines } from '@parley/protocol/imports'
import type { MessageExtras } from '@parley/protocol/messages'
import { distinctNames } from '../../chat/channels/get-or-create.ts'
import type { ChannelRow, DeviceRow, MessageRow, ReactionRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import type { ExportedMember } from './export-store.ts'

/** The parts of a file of lines, in their order. */
export const lineTypes = ['user', 'device', 'channel', 'member', 'message', 'reaction'] as const

/** The end of a pin that never expires, since lines require one. */
export const FOR_EVER = '9999-12-31T23:59:59Z'

function line<Type extends ImportType>(type: Type, data: ImportData<Type>): string {
  return `${JSON.stringify({ type, data })}\n`
}

/** Custom fields, without those whose names have another meaning in a line. */
function customOf(type: ImportType, { data }: { data: string }): object {
  if (data === '{}') return {}
  const builtIn = importLines[type].properties
  return Object.fromEntries(Object.entries(JSON.parse(data)).filter(([field]) => !Object.hasOwn(builtIn, field)))
}

/** The data of a user in other tables. */
export type AroundUser = Pick<
  ImportData<'user'>,
  'push_preferences' | 'blocked_user_ids' | 'user_mutes' | 'channel_mutes'
>

export function userLine(row: UserRow, around: AroundUser): string {
  return line('user', {
    ...customOf('user', row),
    id: row.id,
    role: row.role,
    ...textsOf(row),
    created_at: isoOf(row.created_at),
    ...time('deleted_at', row.deleted_at),
    ...time('deactivated_at', row.deactivated_at),
    ...(row.invisible === 1 && { invisible: true }),
    ...(row.language !== '' && { language: row.language }),
    ...(row.teams_json !== null && { teams: JSON.parse(row.teams_json) }),
    ...(row.teams_role_json !== null && { teams_role: JSON.parse(row.teams_role_json) }),
    ...(row.privacy_json !== null && { privacy_settings: JSON.parse(row.privacy_json) }),
    ...around,
  })
}

/** A device without a provider name would be ambiguous, and is left out. */
export function deviceLine(
  row: Pick<DeviceRow, 'id' | 'user_id' | 'push_provider' | 'push_provider_name'> & { created_at: string },
): string {
  if (row.push_provider_name === null) return ''
  return line('device', {
    id: row.id,
    user_id: row.user_id,
    push_provider_type: row.push_provider as 'apn',
    push_provider_name: row.push_provider_name,
    created_at: row.created_at,
  })
}

/** How lines name a channel: by its id, or by its members if it was made from exactly these. */
export interface ChannelName {
  type: string
  id: string
  memberIds?: readonly string[] | undefined
}

export function nameOf({ type, id, distinct_members }: ChannelRow, memberIds: readonly string[]): ChannelName {
  if (distinct_members === null || distinctNames(type, memberIds).id !== id) return { type, id }
  return { type, id, memberIds }
}

export function channelLine(row: ChannelRow, name: ChannelName, banned: readonly string[]): string {
  return line('channel', {
    ...customOf('channel', row),
    type: row.type,
    ...(name.memberIds ? { member_ids: [...name.memberIds] } : { id: row.id }),
    created_by: row.created_by,
    ...textsOf(row),
    ...(row.frozen === 1 && { frozen: true }),
    ...(row.disabled === 1 && { disabled: true }),
    ...(row.team !== null && { team: row.team }),
    ...time('truncated_at', row.truncated_at),
    ...(banned.length > 0 && { banned_users: [...banned] }),
    created_at: isoOf(row.created_at),
  })
}

export function memberLine(row: ExportedMember, name: ChannelName): string {
  return line('member', {
    ...customOf('member', row),
    ...inChannel(name),
    user_id: row.user_id,
    ...(row.channel_role !== 'channel_member' && { channel_role: row.channel_role }),
    created_at: isoOf(row.created_at),
    ...time('last_read', row.last_read),
    ...(row.hidden === 1 && row.blocked === 0 && { hide_channel: true }),
    ...time('hide_messages_before', row.hide_before),
    ...(row.status !== 'member' && { invited: true }),
    ...time('invited_accepted_at', row.invite_accepted_at),
    ...time('invited_rejected_at', row.invite_rejected_at),
    ...time('archived_at', row.archived_at),
  })
}

/** Which parts of a message go into its line. */
export interface MessageChoice {
  clearDeleted: boolean
  /** Whether a named user exists. */
  isKnown: (userId: string) => boolean
  /** Whether the quoted message exists. */
  hasQuoted: boolean
  only?: ReadonlySet<string> | undefined
}

/** Without these a line cannot be imported, or would be visible to more users than before. */
const needed: ReadonlySet<string> = new Set(
  'id type user channel_type channel_id channel_member_ids parent_id shadowed restricted_visibility'.split(' '),
)

export function messageData(row: MessageRow, name: ChannelName, choice: MessageChoice): ImportData<'message'> {
  const extras: MessageExtras = row.extras_json === null ? {} : JSON.parse(row.extras_json)
  const isGone = row.deleted_at !== null
  const list = (json: string | null): string[] => (json === null ? [] : JSON.parse(json)).filter(choice.isKnown)
  const content = {
    ...customOf('message', row),
    text: row.text,
    ...(extras.html !== undefined && { html: extras.html }),
    ...(row.attachments_json !== null && { attachments: JSON.parse(row.attachments_json) }),
    ...(list(row.mentions_json).length > 0 && { mentioned_users_ids: list(row.mentions_json) }),
    ...(choice.hasQuoted && { quoted_message_id: row.quoted_message_id! }),
  }
  const isPinned = row.pinned_at !== null && row.pinned_by !== null
  const data: ImportData<'message'> = {
    ...(isGone && choice.clearDeleted ? { text: '' } : content),
    id: row.id,
    type: isGone ? 'deleted' : row.parent_id !== null ? 'reply' : row.type === 'system' ? 'system' : 'regular',
    user: row.user_id,
    ...inChannel(name),
    ...(row.parent_id !== null && { parent_id: row.parent_id }),
    ...(row.show_in_channel === 1 && { show_in_channel: true }),
    ...(row.silent === 1 && { silent: true }),
    ...(row.shadowed === 1 && { shadowed: true }),
    ...(isPinned && {
      pinned_at: isoOf(row.pinned_at!),
      pinned_by_id: row.pinned_by!,
      pin_expires: row.pin_expires === null ? FOR_EVER : isoOf(row.pin_expires),
    }),
    ...(row.restricted_json !== null && { restricted_visibility: list(row.restricted_json) }),
    created_at: isoOf(row.created_at),
    ...time('deleted_at', row.deleted_at),
  }
  if (!choice.only) return data
  const kept = Object.entries(data).filter(([field]) => needed.has(field) || choice.only!.has(field))
  return Object.fromEntries(kept) as ImportData<'message'>
}

export function messageLine(data: ImportData<'message'>): string {
  return line('message', data)
}

export function reactionLine(row: ReactionRow): string {
  return line('reaction', {
    ...customOf('reaction', row),
    message_id: row.message_id,
    type: row.type,
    user_id: row.user_id,
    ...(row.score !== 1 && { score: row.score }),
    created_at: isoOf(row.created_at),
  })
}

function inChannel({ type, id, memberIds }: ChannelName) {
  return {
    channel_type: type,
    ...(memberIds ? { channel_member_ids: [...memberIds] } : { channel_id: id }),
  }
}

function textsOf({ name, image }: { name: string | null; image: string | null }) {
  return { ...(name !== null && { name }), ...(image !== null && { image }) }
}

function time<Field extends string>(field: Field, at: Micros | null) {
  return (at === null ? {} : { [field]: isoOf(at) }) as { [F in Field]?: string }
}
