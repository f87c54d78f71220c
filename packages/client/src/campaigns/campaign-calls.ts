/** One message to many users; only for the application's own server [administration.md 12.2]. */
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import { serverSideOnly } from '../segments/segment-calls.ts'
import {
  type Answer,
  type Around,
  type Attachment,
  type CallOptions,
  type Filter,
  type Page,
  type PageOptions,
  type Sort,
  type User,
  wireSort,
} from '../shapes.ts'

/** The server writes `in_progress`; `running` means the same [CAM-12]. */
export type CampaignStatus = 'draft' | 'scheduled' | 'in_progress' | 'running' | 'stopped' | 'completed'

/** Texts may hold `{{ sender.name }}`, `{{ receiver.name }}` and `{{ channel.name }}` [CAM-1]. */
export interface CampaignData {
  id?: string
  name?: string
  description?: string
  sender_id: string
  message_template: {
    text: string
    attachments?: readonly Attachment[]
    custom?: Record<string, unknown>
    poll_id?: string
    searchable?: boolean
  }
  /** At most 25; either these or users. */
  segment_ids?: readonly string[]
  /** At most 10,000; either these or segments. */
  user_ids?: readonly string[]
  channel_template?: {
    type: string
    id?: string
    team?: string
    members?: readonly string[]
    members_template?: readonly { user_id: string; channel_role?: string; custom?: Record<string, unknown> }[]
    custom?: Record<string, unknown>
  }
  /** Creates missing channels. */
  create_channels?: boolean
  /** Shows hidden channels again. */
  show_channels?: boolean
  /** Whether the sender becomes a member of no channel, or of all; empty: of created channels only. */
  sender_mode?: '' | 'exclude' | 'include'
  /** How the sender sees created channels. */
  sender_visibility?: '' | 'hidden' | 'archived'
  skip_push?: boolean
  skip_webhook?: boolean
}

/** A campaign as the server keeps it. */
export type CampaignAnswer = Omit<CampaignData, 'id'> & {
  id: string
  status: CampaignStatus
  sender?: User
  segments: Record<string, unknown>[]
  /** One page of the campaign's users. */
  users: User[]
  stats: Record<string, unknown>
  scheduled_for?: string
  stop_at?: string
  created_at: string
  updated_at: string
}

export type CampaignStart = { scheduledFor?: string | Date; stopAt?: string | Date }

export async function createCampaign(
  client: Calling,
  data: CampaignData,
  call: CallOptions = {},
): Promise<Answer<{ campaign: CampaignAnswer; users?: Around }>> {
  serverSideOnly(client)
  return client.request('POST', '/campaigns', { body: data, ...call })
}

export async function getCampaign(
  client: Calling,
  id: string,
  options: PageOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ campaign: CampaignAnswer; users?: Around }>> {
  return client.request('GET', campaignPath(client, id), { query: options, ...call })
}

export async function startCampaign(
  client: Calling,
  id: string,
  { scheduledFor, stopAt }: CampaignStart = {},
  call: CallOptions = {},
): Promise<Answer<{ campaign: CampaignAnswer; users?: Around }>> {
  const body = { scheduled_for: scheduledFor, stop_at: stopAt }
  return client.request('POST', `${campaignPath(client, id)}/start`, { body, ...call })
}

export async function stopCampaign(
  client: Calling,
  id: string,
  call: CallOptions = {},
): Promise<Answer<{ campaign: CampaignAnswer }>> {
  return client.request('POST', `${campaignPath(client, id)}/stop`, { body: {}, ...call })
}

export async function updateCampaign(
  client: Calling,
  id: string,
  data: Partial<CampaignData>,
  call: CallOptions = {},
): Promise<Answer<{ campaign: CampaignAnswer }>> {
  return client.request('PUT', campaignPath(client, id), { body: data, ...call })
}

export async function deleteCampaign(client: Calling, id: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', campaignPath(client, id), call)
}

export async function queryCampaigns(
  client: Calling,
  filter: Filter,
  sort: Sort = [],
  options: PageOptions & { user_limit?: number } = {},
  call: CallOptions = {},
): Promise<Page<{ campaigns: CampaignAnswer[] }>> {
  serverSideOnly(client)
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', '/campaigns/query', { body, ...call })
}

function campaignPath(client: Calling, id: string): string {
  serverSideOnly(client)
  if (!id)
    throw clientError(
      'CLIENT_CAMPAIGN_ID_MISSING',
      'Campaign id is missing. Either create the campaign using campaign.create() or set the id during instantiation.',
    )
  return `/campaigns/${encodeURIComponent(id)}`
}
