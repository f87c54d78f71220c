import type { CampaignData, ChannelTemplate, MessageTemplate } from '@parley/protocol/campaigns'
import { channelFields } from '../../chat/channels/get-or-create.ts'
import { checkAttachments } from '../../chat/messages/check-message.ts'
import { messageFields } from '../../chat/messages/message-fields.ts'
import { roleByServer } from '../../chat/permissions/assign-role.ts'
import { accessPoll } from '../../features/polls/poll-access.ts'
import { inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { CampaignRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

/** What a campaign sends, where and how. */
export interface Plan {
  message_template: MessageTemplate
  channel_template?: ChannelTemplate
  create_channels: boolean
  show_channels: boolean
  sender_mode: '' | 'exclude' | 'include'
  sender_visibility: '' | 'hidden' | 'archived'
  skip_push: boolean
  skip_webhook: boolean
}

/** The content of a campaign, without its progress. */
export type Content = Pick<
  CampaignRow,
  'name' | 'description' | 'sender_id' | 'segment_ids_json' | 'user_ids_json' | 'plan_json'
>

export function planOf({ plan_json }: CampaignRow): Plan {
  return JSON.parse(plan_json)
}

/**
 * Applies a request to a campaign's content; checks everything again, since references may be gone.
 *
 * @throws ChatError InputError (4) — naming the field; DoesNotExistError (16) — there is no such poll
 */
export async function contentOf(
  server: Server,
  app: string,
  said: CampaignData,
  before: CampaignRow | undefined,
): Promise<Content> {
  const sender_id = said.sender_id ?? before?.sender_id
  const old: Partial<Plan> = before ? planOf(before) : {}
  const message_template = said.message_template ?? old.message_template
  if (sender_id === undefined) throw inputError('sender_id', 'sender_id is a required field')
  if (message_template === undefined) throw inputError('message_template', 'message_template is a required field')
  const channel_template = said.channel_template ?? old.channel_template
  const plan: Plan = {
    message_template,
    ...(channel_template && { channel_template }),
    create_channels: said.create_channels ?? old.create_channels ?? false,
    show_channels: said.show_channels ?? old.show_channels ?? false,
    sender_mode: said.sender_mode ?? old.sender_mode ?? '',
    sender_visibility: said.sender_visibility ?? old.sender_visibility ?? '',
    skip_push: said.skip_push ?? old.skip_push ?? false,
    skip_webhook: said.skip_webhook ?? old.skip_webhook ?? false,
  }
  await checkSender(server, app, sender_id)
  await checkMessage(server, app, sender_id, message_template)
  if (channel_template) await checkChannel(server, app, channel_template)
  checkFit(plan)
  const listed = (ids: readonly string[] | undefined, was: string | undefined) =>
    ids ? JSON.stringify([...new Set(ids)]) : (was ?? '[]')
  return {
    name: said.name ?? before?.name ?? '',
    description: said.description ?? before?.description ?? '',
    sender_id,
    segment_ids_json: listed(said.segment_ids, before?.segment_ids_json),
    user_ids_json: listed(said.user_ids, before?.user_ids_json),
    plan_json: JSON.stringify(plan),
  }
}

async function checkSender(server: Server, app: string, id: string) {
  const sender = await server.users.get(app, id)
  if (!sender || sender.deleted_at !== null) throw inputError('sender_id', `could not find user ${id}`)
}

async function checkMessage(
  server: Server,
  appId: string,
  senderId: string,
  { text, attachments = [], custom = {}, poll_id }: MessageTemplate,
) {
  if (text.trim() === '' && attachments.length === 0 && poll_id === undefined)
    throw inputError('message_template.text', 'message_template.text or message_template.attachments must be set')
  checkAttachments(attachments)
  checkCustom('message_template.custom', custom, (name) => messageFields.has(name) || name === 'campaign_id')
  if (poll_id === undefined) return
  const caller = { app: server.apps.of(appId), server: true, user: undefined, connectionId: undefined }
  const { poll } = await accessPoll(server, caller, poll_id)
  if (poll.created_by !== senderId)
    throw inputError('message_template.poll_id', `poll ${poll_id} was not made by ${senderId}`)
}

async function checkChannel(
  server: Server,
  app: string,
  { type, custom = {}, members = [], members_template = [] }: ChannelTemplate,
) {
  if (!server.apps.of(app).types.has(type))
    throw inputError('channel_template.type', `channel type ${type} does not exist`)
  const { name = '', image = '', ...others } = custom
  for (const [field, value] of Object.entries({ name, image }))
    if (typeof value !== 'string')
      throw inputError(`channel_template.custom.${field}`, `channel_template.custom.${field} must be a string`)
  checkCustom('channel_template.custom', others, (field) => channelFields.has(field))
  for (const { channel_role, custom = {} } of members_template) {
    if (channel_role !== undefined)
      roleByServer(server.apps.of(app), channel_role, 'channel', 'channel_template.members_template')
    customOf(custom, new Set())
  }
  const ids = { members, members_template: members_template.map(({ user_id }) => user_id) }
  for (const [field, list] of Object.entries(ids)) {
    const known = await server.users.getAll(app, list)
    const stranger = list.find((id) => !known.has(id) || known.get(id)!.deleted_at !== null)
    if (stranger !== undefined) throw inputError(`channel_template.${field}`, `could not find user ${stranger}`)
  }
}

function checkCustom(field: string, custom: Record<string, unknown>, isTaken: (name: string) => boolean) {
  const taken = Object.keys(custom).find(isTaken)
  if (taken !== undefined) throw inputError(`${field}.${taken}`, `${field}.${taken} is no custom field`)
  customOf(custom, new Set())
}

function checkFit({ channel_template, create_channels, sender_mode }: Plan) {
  if (create_channels && !channel_template)
    throw inputError('channel_template', 'channel_template must be set to create channels')
  // Without an id the channel is found by its members, and the sender is one of them.
  if (channel_template && channel_template.id === undefined && sender_mode === 'exclude')
    throw inputError('sender_mode', 'sender_mode exclude needs channel_template.id')
}
