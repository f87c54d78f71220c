/** The second moderation API: a queue of items to review, from any source [administration.md 7]. */
import type { Calling } from '../calling.ts'
import {
  type Acting,
  type Answer,
  type CallOptions,
  type Filter,
  type Mute,
  type Page,
  type PageOptions,
  type Sort,
  type User,
  wireSort,
} from '../shapes.ts'

const BASE = '/api/v2/moderation'
/** The entity types of chat users and chat messages. */
const USER = 'stream:user'
const MESSAGE = 'stream:chat:v1:message'

export type ModerationAction = 'keep' | 'flag' | 'remove' | 'shadow' | 'bounce' | (string & {})

/** The content to review. */
export interface ModerationPayload {
  texts?: readonly string[]
  images?: readonly string[]
  videos?: readonly string[]
  custom?: Record<string, unknown>
}

/** One item of the queue, with all its reports [administration.md 7.3]. */
export interface ReviewQueueItem {
  id: string
  entity_type: string
  entity_id: string
  entity_creator_id?: string
  entity_creator?: User
  message?: Record<string, unknown>
  moderation_payload?: ModerationPayload
  /** Whether all checks are done; `reviewed_at` is set once a moderator has reviewed it. */
  status: 'partial' | 'complete'
  recommended_action: ModerationAction
  /** 0 to 100. */
  severity: number
  flags: Record<string, unknown>[]
  flags_count: number
  actions: Record<string, unknown>[]
  latest_moderator_action: string
  reviewed_by: string
  reviewed_at?: string
  created_at: string
  updated_at: string
}

export type ModerationConfig = { key: string; team?: string; async?: boolean } & Record<string, unknown>
type FlagOptions = { custom?: Record<string, unknown>; moderation_payload?: ModerationPayload; user_id?: string }

/** @param entityCreatorID  needed only if the entity is neither a message nor a user [MOD2-2] */
export function flag(
  client: Calling,
  entityType: string,
  entityID: string,
  entityCreatorID: string,
  reason: string,
  options: FlagOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ item_id: string }>> {
  const entity = { entity_type: entityType, entity_id: entityID, entity_creator_id: entityCreatorID || undefined }
  return client.request('POST', `${BASE}/flag`, { body: { ...entity, reason, ...options }, ...call })
}

/** Reports a user to the queue. */
export function flagUser(
  client: Calling,
  userID: string,
  reason: string,
  options: FlagOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ item_id: string }>> {
  return flag(client, USER, userID, '', reason, options, call)
}

/** Reports a message to the queue. */
export function flagMessage(
  client: Calling,
  messageID: string,
  reason: string,
  options: FlagOptions = {},
  call: CallOptions = {},
): Promise<Answer<{ item_id: string }>> {
  return flag(client, MESSAGE, messageID, '', reason, options, call)
}

/** @param options.timeout  minutes; no end when left out [MOD2-3] */
export function muteUser(
  client: Calling,
  userID: string,
  options: { timeout?: number; user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ mutes: Mute[]; non_existing_users?: string[] }>> {
  return client.request('POST', `${BASE}/mute`, { body: { target_ids: [userID], ...options }, ...call })
}

/** [MOD2-4] */
export function unmuteUser(
  client: Calling,
  userID: string,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ non_existing_users?: string[] }>> {
  return client.request('POST', `${BASE}/unmute`, { body: { target_ids: [userID], ...options }, ...call })
}

/** The users who muted and who blocked this user [MOD2-5]. */
export function getUserModerationReport(
  client: Calling,
  userID: string,
  call: CallOptions = {},
): Promise<
  Answer<{
    user: User
    user_mutes: Mute[]
    user_blocks: { blocked_by_user_id: string; blocked_user_id: string; blocked_at: string }[]
  }>
> {
  return client.request('GET', `${BASE}/user_report`, { query: { user_id: userID }, ...call })
}

/**
 * The items to review, newest first by default [MOD2-6].
 * @param options.lock_items  locks the items for this moderator, so that no other reviews the same; false unlocks
 *   them
 */
export function queryReviewQueue(
  client: Calling,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions &
    Acting & {
      lock_items?: boolean
      lock_count?: number
      lock_duration?: number
      stats_only?: boolean
    } = {},
  call: CallOptions = {},
): Promise<Page<{ items: ReviewQueueItem[]; stats: Record<string, number> }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${BASE}/review_queue`, { body, ...call })
}

/** Creates or replaces the configuration of its key: `chat`, `chat:<type>` or `chat:<type>:<id>` [MOD2-7]. */
export function upsertConfig(
  client: Calling,
  config: ModerationConfig,
  call: CallOptions = {},
): Promise<Answer<{ config: ModerationConfig }>> {
  return client.request('POST', `${BASE}/config`, { body: config, ...call })
}

/** [MOD2-8] */
export function getConfig(
  client: Calling,
  key: string,
  options: { team?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ config: ModerationConfig }>> {
  return client.request('GET', `${BASE}/config/${encodeURIComponent(key)}`, { query: options, ...call })
}

/** [MOD2-9] */
export function deleteConfig(
  client: Calling,
  key: string,
  options: { team?: string } = {},
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', `${BASE}/config/${encodeURIComponent(key)}`, { query: options, ...call })
}

/** [MOD2-10] */
export function queryConfigs(
  client: Calling,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ configs: ModerationConfig[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${BASE}/configs`, { body, ...call })
}

/**
 * Takes an action on an item [MOD2-11].
 * @param actionType  for example `mark_reviewed`, `delete_message`, `ban`
 * @param options     the action's own options, under its name: `{ ban: { timeout: 60 } }`; with the secret, also the
 *   acting moderator
 */
export function submitAction(
  client: Calling,
  actionType: string,
  itemID: string,
  options: { user_id?: string } & Record<string, unknown> = {},
  call: CallOptions = {},
): Promise<Answer<{ item?: ReviewQueueItem }>> {
  const body = { action_type: actionType, item_id: itemID, ...options }
  return client.request('POST', `${BASE}/submit_action`, { body, ...call })
}

/**
 * Checks content against a configuration; the content itself is not changed [MOD2-12].
 * @param options.options  `{ force_sync: true }` also waits for slow checks
 */
export function check(
  client: Calling,
  entityType: string,
  entityID: string,
  entityCreatorID: string,
  payload: ModerationPayload,
  configKey: string,
  options: { options?: Record<string, unknown>; test_mode?: boolean; user_id?: string } = {},
  call: CallOptions = {},
): Promise<
  Answer<{
    recommended_action: ModerationAction
    status: 'complete' | 'completed' | 'partial' | 'pending'
    task_id?: string
    item?: ReviewQueueItem
  }>
> {
  const entity = { entity_type: entityType, entity_id: entityID, entity_creator_id: entityCreatorID }
  const body = { ...entity, moderation_payload: payload, config_key: configKey, ...options }
  return client.request('POST', `${BASE}/check`, { body, ...call })
}
