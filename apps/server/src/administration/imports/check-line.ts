/** Checks each line by itself; references are checked elsewhere [administration.md 10.6]. */
import { cidOf, isChannelId, isChannelType } from '@parley/protocol/cid'
import { type ImportData, type ImportType, importLines } from '@parley/protocol/imports'
import { CHANNEL_ID_CHARS, MESSAGE_ID_CHARS, REACTION_DATA_BYTES } from '@parley/protocol/limits'
import type { App } from '../../chat/apps/app.ts'
import { channelFields, distinctNames } from '../../chat/channels/get-or-create.ts'
import { memberFields } from '../../chat/members/change-members.ts'
import { checkAttachments } from '../../chat/messages/check-message.ts'
import { messageFields } from '../../chat/messages/message-fields.ts'
import { checkUserId, userFields } from '../../chat/users/upsert-users.ts'
import { checkReactionType } from '../../features/reactions/react.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import { parseJson } from '../../platform/http/json.ts'
import { Validator } from '../../platform/http/validate.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'

/** The types in the order their lines must have. */
export const importTypes = Object.keys(importLines) as ImportType[]

/** The prefix of channel ids made from members; such ids are longer by it. */
const DISTINCT = '!members-'

const validators = new Map(importTypes.map((type) => [type, new Validator(importLines[type])]))
/** Fields that only the server sets, besides the fields of the lines. */
const known: Partial<Record<ImportType, Iterable<string>>> = {
  user: userFields,
  channel: channelFields,
  member: memberFields,
  message: messageFields,
  reaction: ['user', 'updated_at'],
}
const fieldsOf = new Map(
  importTypes.map((type) => [type, new Set([...Object.keys(importLines[type].properties), ...(known[type] ?? [])])]),
)

export type ImportLine = { [N in ImportType]: { type: N; data: ImportData<N> } }[ImportType]

/** A line that cannot be imported; its message begins with the kind of the error. */
export class LineError extends Error {
  readonly field: string | undefined
  readonly type: string | undefined
  readonly item: unknown
  constructor(message: string, about: { field?: string | undefined; type?: string; item?: unknown } = {}) {
    super(message)
    this.field = about.field
    this.type = about.type
    this.item = about.item
  }
}

/** @throws LineError */
export function checkLine(app: App, text: string | undefined, now: Micros): ImportLine {
  if (text === undefined) throw new LineError('Parse error: line is longer than 524288 bytes, or not UTF-8')
  let said: unknown
  try {
    said = parseJson(text, 'line')
  } catch (error) {
    throw new LineError(`Parse error: ${(error as Error).message}`)
  }
  if (!isObject(said)) throw new LineError('Parse error: line is not an object')
  const { type, data } = said
  if (typeof type !== 'string' || !Object.hasOwn(importLines, type))
    throw new LineError(`Parse error: invalid item type ${JSON.stringify(type) ?? '""'}`)
  const about = { type, item: data }
  if (!isObject(data)) throw new LineError('Validation error: data is not an object', { type, field: 'data' })
  const line = { type, data } as ImportLine
  try {
    validators.get(line.type)!.checkSent(data)
    customOf(data, fieldsOf.get(line.type)!, type === 'reaction' ? REACTION_DATA_BYTES : undefined)
    checkTimes(line, now)
    checkData(app, line)
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    const [field] = Object.keys(error.fields ?? {})
    throw new LineError(`Validation error: ${error.message}`, { ...about, field })
  }
  return line
}

/** The custom fields of a line. */
export function customData({ type, data }: ImportLine): Record<string, unknown> {
  return customOf(data, fieldsOf.get(type)!)
}

function checkTimes({ type, data }: ImportLine, now: Micros) {
  for (const [field, value] of Object.entries(data)) {
    if (!timeFields.has(field) || !Object.hasOwn(importLines[type].properties, field)) continue
    const at = microsOf(String(value))
    if (at === undefined) throw inputError(field, `${field} is not a time`)
    if (at < 0) throw inputError(field, `${field} lies before 1970`)
    if (at > now && field !== 'pin_expires') throw inputError(field, `${field} lies in the future`)
  }
}

const timeFields: ReadonlySet<string> = new Set(
  `created_at deleted_at deactivated_at truncated_at last_read hide_messages_before invited_accepted_at
   invited_rejected_at archived_at pinned_at pin_expires`.split(/\s+/),
)

function checkData(app: App, { type, data }: ImportLine) {
  switch (type) {
    case 'user':
      checkUserId(data.id)
      if (data.role !== undefined && !app.hasRole(data.role, 'user'))
        throw inputError('role', `role ${data.role} does not exist`)
      if (
        data.push_preferences?.disabled_until !== undefined &&
        microsOf(data.push_preferences.disabled_until) === undefined
      )
        throw inputError('push_preferences.disabled_until', 'push_preferences.disabled_until is not a time')
      return
    case 'channel':
      return checkChannel(app, data.type, data.id, data.member_ids, 'member_ids')
    case 'member': {
      checkPlace(app, data)
      const role = roleOf(data)
      if (!app.hasRole(role, 'channel')) throw inputError('channel_role', `channel role ${role} does not exist`)
      return
    }
    case 'message':
      checkPlace(app, data)
      return checkMessage(data)
    case 'reaction':
      return checkReactionType('type', data.type)
    case 'device':
    case 'future_channel_ban':
      return
    default:
      return type satisfies never
  }
}

function checkMessage(data: ImportData<'message'>) {
  const { id, type, parent_id, attachments = [] } = data
  if ([...id].length > MESSAGE_ID_CHARS || /[,%]/.test(id))
    throw inputError('id', `id must have 1 to ${MESSAGE_ID_CHARS} characters and neither "," nor "%"`)
  if (type === 'reply' && parent_id === undefined) throw inputError('parent_id', 'a reply needs parent_id')
  if (parent_id !== undefined && type !== 'reply' && type !== 'deleted')
    throw inputError('type', 'a message with parent_id is of type reply')
  if (parent_id === id) throw inputError('parent_id', 'a message does not reply to itself')
  if (data.show_in_channel && parent_id === undefined)
    throw inputError('show_in_channel', 'show_in_channel needs parent_id')
  const pins = [data.pinned_at, data.pin_expires, data.pinned_by_id].filter((said) => said !== undefined)
  if (pins.length !== 0 && pins.length !== 3)
    throw inputError('pinned_at', 'pinned_at, pin_expires and pinned_by_id go together')
  checkAttachments(attachments)
}

type InChannel = Pick<ImportData<'member'>, 'channel_type' | 'channel_id' | 'channel_member_ids'>

function checkPlace(app: App, { channel_type, channel_id, channel_member_ids }: InChannel) {
  checkChannel(app, channel_type, channel_id, channel_member_ids, 'channel_member_ids', 'channel_')
}

function checkChannel(
  app: App,
  type: string,
  id: string | undefined,
  memberIds: readonly string[] | undefined,
  membersField: string,
  prefix = '',
) {
  if (!isChannelType(type) || !app.types.has(type))
    throw inputError(`${prefix}type`, `channel type "${type}" does not exist`)
  if ((id === undefined) === (memberIds === undefined))
    throw inputError(`${prefix}id`, `exactly one of ${prefix}id and ${membersField} must be there`)
  if (memberIds?.length === 0) throw inputError(membersField, `${membersField} is empty`)
  if (id === undefined) return
  if (id.length > CHANNEL_ID_CHARS && !id.startsWith(DISTINCT))
    throw inputError(`${prefix}id`, `max channelID length exceeded (${CHANNEL_ID_CHARS})`)
  if (!isChannelId(id) || id.length > CHANNEL_ID_CHARS + DISTINCT.length)
    throw inputError(`${prefix}id`, `channel id "${id}" may hold letters, digits, "_", "-" and "!" only`)
}

/** The channel a line refers to. */
export function cidIn({ channel_type, channel_id, channel_member_ids }: InChannel): string {
  return cidOf(channel_type, channel_id ?? distinctNames(channel_type, channel_member_ids!).id)
}

/** The channel a line creates, and its distinct key if it is made from its members. */
export function channelNamed({ type, id, member_ids }: ImportData<'channel'>): { id: string; distinct: string | null } {
  if (id !== undefined) return { id, distinct: null }
  const names = distinctNames(type, member_ids!)
  return { id: names.id, distinct: names.hash }
}

export function roleOf({ channel_role, is_moderator }: ImportData<'member'>): string {
  return channel_role ?? (is_moderator ? 'channel_moderator' : 'channel_member')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
