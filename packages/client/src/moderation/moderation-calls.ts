/** Bans, mutes and flags [client.md 1.7, administration.md 6]. */
import type { Calling } from '../calling.ts'
import { clientError } from '../chat-error.ts'
import {
  type Answer,
  type Ban,
  type CallOptions,
  type Filter,
  type Flag,
  type Mute,
  type OwnUser,
  type Sort,
  wireSort,
} from '../shapes.ts'

/** In the channel of `channel_cid`, or of `type` and `id`; else in the whole application. */
export interface BanScope {
  channel_cid?: string
  type?: string
  id?: string
}

export interface BanOptions extends BanScope {
  /** The banning user, for a client with the secret. */
  banned_by_id?: string
  /** Minutes; no end when left out. */
  timeout?: number
  reason?: string
  /** A shadow ban: the user can still write, and no other user sees it. */
  shadow?: boolean
  ip_ban?: boolean
  delete_messages?: 'soft' | 'pruning' | 'hard'
  ban_from_future_channels?: boolean
}

/** A second ban replaces reason, end and kind [MOD-1, MOD-3]. */
export function banUser(
  client: Calling,
  targetUserID: string,
  options: BanOptions = {},
  call: CallOptions = {},
): Promise<Answer> {
  const body = { target_user_id: targetUserID, ...options }
  return client.request('POST', '/moderation/ban', { body, ...call })
}

/** Lifts the ban of exactly that scope, also a shadow ban [MOD-2, MOD-5]. */
export function unbanUser(
  client: Calling,
  targetUserID: string,
  options: BanScope & { created_by?: string; remove_future_channels_ban?: boolean } = {},
  call: CallOptions = {},
): Promise<Answer> {
  const query = { target_user_id: targetUserID, ...options }
  return client.request('DELETE', '/moderation/ban', { query, ...call })
}

/** Hides the user's new messages from others; the user is not notified [MOD-4]. */
export function shadowBan(
  client: Calling,
  targetUserID: string,
  options: Omit<BanOptions, 'shadow'> = {},
  call: CallOptions = {},
): Promise<Answer> {
  return banUser(client, targetUserID, { ...options, shadow: true }, call)
}

/** Lifts a shadow ban of exactly that scope. */
export function removeShadowBan(
  client: Calling,
  targetUserID: string,
  options: BanScope = {},
  call: CallOptions = {},
): Promise<Answer> {
  return unbanUser(client, targetUserID, options, call)
}

/** @param options.timeout  minutes; no end when left out [MOD-6] */
export function muteUser(
  client: Calling,
  targetUserID: string,
  userID?: string,
  options: { timeout?: number } = {},
  call: CallOptions = {},
): Promise<Answer<{ mute?: Mute; own_user: OwnUser }>> {
  const body = { target_id: targetUserID, user_id: userID, ...options }
  return client.request('POST', '/moderation/mute', { body, ...call })
}

/** [MOD-7] */
export function unmuteUser(
  client: Calling,
  targetUserID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('POST', '/moderation/unmute', { body: { target_id: targetUserID, user_id: userID }, ...call })
}

export interface FlagOptions {
  reason?: string
  custom?: Record<string, unknown>
  user_id?: string
}

/** [MOD-8] @throws ChatError InputError (4) — flagged already */
export function flagMessage(
  client: Calling,
  messageID: string,
  options: FlagOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ flag: Flag }>> {
  return client.request('POST', '/moderation/flag', { body: { target_message_id: messageID, ...options }, ...call })
}

/** [MOD-8] @throws ChatError InputError (4) — flagged already */
export function flagUser(
  client: Calling,
  userID: string,
  options: FlagOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ flag: Flag }>> {
  return client.request('POST', '/moderation/flag', { body: { target_user_id: userID, ...options }, ...call })
}

/** [MOD-9] */
export function unflagMessage(
  client: Calling,
  messageID: string,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ flag: Flag }>> {
  return client.request('POST', '/moderation/unflag', { body: { target_message_id: messageID, ...options }, ...call })
}

/** [MOD-9] */
export function unflagUser(
  client: Calling,
  userID: string,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ flag: Flag }>> {
  return client.request('POST', '/moderation/unflag', { body: { target_user_id: userID, ...options }, ...call })
}

/** A client without the secret names the channels by `channel_cid` [MOD-10]. */
export function queryBannedUsers(
  client: Calling,
  filter: Filter = {},
  sort: Sort = [],
  options: { limit?: number; offset?: number; exclude_expired_bans?: boolean; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ bans: Ban[] }>> {
  const payload = { filter_conditions: filter, sort: wireSort(sort), ...options }
  return client.request('GET', '/query_banned_users', { query: { payload }, ...call })
}

/** The users banned from future channels. */
export function queryFutureChannelBans(
  client: Calling,
  options: {
    user_id?: string
    target_user_id?: string
    exclude_expired_bans?: boolean
    limit?: number
    offset?: number
  } = {},
  call: CallOptions = {},
): Promise<Answer<{ bans: Ban[]; total?: number }>> {
  return client.request('GET', '/query_future_channel_bans', { query: { payload: options }, ...call })
}

/** A client without the secret names the channels by `channel_cid` [MOD-11]. */
export function queryMessageFlags(
  client: Calling,
  filter: Filter = {},
  options: { limit?: number; offset?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ flags: Flag[] }>> {
  const payload = { filter_conditions: filter, ...options }
  return client.request('GET', '/moderation/flags/message', { query: { payload }, ...call })
}

/** All flags of one message. */
export interface FlagReport {
  id: string
  message: Record<string, unknown>
  message_user_id: string
  channel_cid: string
  flags_count: number
  review_result?: string
  review_details?: Record<string, unknown>
  reviewed_at?: string
  created_at: string
  updated_at: string
}

/** All flags, grouped by message. */
export function queryFlagReports(
  client: Calling,
  filter: Filter = {},
  options: { limit?: number; offset?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ flag_reports: FlagReport[] }>> {
  const body = { filter_conditions: filter, ...options }
  return client.request('POST', '/moderation/reports', { body, ...call })
}

/** @param result  free text of at most 64 characters, for example `reviewed` [MOD-12] */
export async function reviewFlagReport(
  client: Calling,
  id: string,
  result: string,
  options: { review_details?: Record<string, unknown>; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ flag_report: FlagReport }>> {
  if (!id) throw clientError('CLIENT_REPORT_ID_MISSING', 'A report id is needed to review a report')
  const body = { review_result: result, ...options }
  return client.request('PATCH', `/moderation/reports/${encodeURIComponent(id)}`, { body, ...call })
}
