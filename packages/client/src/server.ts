/**
 * The client of a server, a bot or a script: it has the application's secret, makes tokens, and may make every call
 * that is marked server-side only [AUTH-12]. It never connects.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as blockLists from './block-lists/block-list-calls.ts'
import { Campaign } from './campaigns/campaign.ts'
import type { CampaignData } from './campaigns/campaign-calls.ts'
import * as campaigns from './campaigns/campaign-calls.ts'
import * as channelTypes from './channel-types/channel-type-calls.ts'
import type { Given } from './channels/channel-context.ts'
import { type ChatClientOptions, ChatClient as UserClient } from './chat-client.ts'
import { clientError, type RateLimit } from './chat-error.ts'
import * as commands from './commands/command-calls.ts'
import * as push from './devices/push-calls.ts'
import type { Method, RequestOptions } from './http.ts'
import * as imports from './imports/import-calls.ts'
import { needsMessageID } from './messages/outgoing.ts'
import * as permissions from './permissions/permission-calls.ts'
import { Segment } from './segments/segment.ts'
import type { SegmentData, SegmentType } from './segments/segment-calls.ts'
import * as segments from './segments/segment-calls.ts'
import {
  type Answer,
  type CallOptions,
  type Filter,
  type Message,
  type OwnUser,
  type Page,
  type PageOptions,
  type Reaction,
  type Sort,
  type UnreadAnswer,
  type User,
  wireSort,
} from './shapes.ts'

refuseBrowsers()

export class ChatClient extends UserClient {
  #secret: string
  /** @throws ChatError CLIENT_SERVER_ONLY — no secret */
  constructor(key: string, secret: string, options: ChatClientOptions) {
    super(key, options)
    if (typeof secret !== 'string' || secret === '')
      throw clientError('CLIENT_SERVER_ONLY', 'A server-side client needs the secret; without one use @parley/client')
    this.#secret = secret
    this.tokens.setFixed(signed(secret, { server: true }))
  }

  /** Always true here. */
  override get isServerSide(): boolean {
    return true
  }

  /** Any API call. Without a connection nothing can be watched, so watching is left out of the request. */
  override request<Fields = Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Fields> {
    const { query, body } = options
    const asked = query && { ...unwatched(query), payload: unwatched(query.payload) }
    return super.request<Fields>(method, path, { ...options, query: asked, body: unwatched(body) })
  }

  /**
   * A token with which this user can connect.
   *
   * @param exp  when it expires, in unix seconds; never when left out
   * @param iat  when it was issued, in unix seconds; needed to revoke tokens later
   * @throws ChatError CLIENT_SERVER_ONLY in a browser [AUTH-2], CLIENT_USER_ID_MISSING
   */
  createToken(userID: string, exp?: number, iat?: number, extra: Record<string, unknown> = {}): string {
    refuseBrowsers()
    if (!userID) throw clientError('CLIENT_USER_ID_MISSING', 'createToken needs the id of a user')
    return signed(this.#secret, { ...extra, user_id: userID, exp, iat })
  }

  /** Always throws: a client with the secret does not connect. */
  override async connectUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  /** Always throws: a client with the secret does not connect. */
  override async connectAnonymousUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  /** Always throws: a client with the secret does not connect. */
  override async setGuestUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  /** Always throws: a client with the secret does not connect. */
  override async openConnection(): Promise<void> {
    throw doesNotConnect()
  }

  /** Does nothing: there is no user to sign out, and the secret stays. */
  override async disconnectUser(): Promise<void> {}

  // The app

  /** Changes settings of the app. Settings that are left out stay; null resets one to its default. */
  async updateAppSettings(settings: Record<string, unknown>, call: CallOptions = {}): Promise<Answer> {
    return this.request('PATCH', '/app', { body: settings, ...call })
  }

  /** Revokes every token issued before a time; null ends the revocation [AUTH-13]. */
  async revokeTokens(before: string | Date | null, call: CallOptions = {}): Promise<Answer> {
    return this.updateAppSettings({ revoke_tokens_issued_before: revocationDate(before) }, call)
  }

  /** Revokes every token of one user issued before a time, now by default; null ends the revocation. */
  async revokeUserToken(
    userID: string,
    before: string | Date | null = new Date(),
    call: CallOptions = {},
  ): Promise<Answer<{ users: Record<string, User> }>> {
    return this.revokeUsersToken([userID], before, call)
  }

  /** Revokes the tokens of several users. */
  async revokeUsersToken(
    userIDs: readonly string[],
    before: string | Date | null = new Date(),
    call: CallOptions = {},
  ): Promise<Answer<{ users: Record<string, User> }>> {
    const set = { revoke_tokens_issued_before: revocationDate(before) }
    return this.partialUpdateUsers(
      userIDs.map((id) => ({ id, set })),
      call,
    )
  }

  /** Limit, remaining calls and reset time per operation; for all platforms if none is named. */
  async getRateLimits(
    options: {
      serverSide?: boolean
      web?: boolean
      android?: boolean
      ios?: boolean
      unity?: boolean
      flutter?: boolean
      endpoints?: readonly string[]
    } = {},
    call: CallOptions = {},
  ): Promise<Answer<Record<string, Record<string, RateLimit>>>> {
    const { serverSide: server_side, ...query } = options
    return this.request('GET', '/rate_limits', { query: { server_side, ...query }, ...call })
  }

  /** The unread counts of up to 100 users. */
  async getUnreadCountBatch(
    userIDs: readonly string[],
    call: CallOptions = {},
  ): Promise<Answer<{ counts_by_user: Record<string, UnreadAnswer> }>> {
    return this.request('POST', '/unread_batch', { body: { user_ids: userIDs }, ...call })
  }

  // Users

  /** Deletes one user at once; soft unless `hard_delete`. */
  async deleteUser(
    userID: string,
    options: { mark_messages_deleted?: boolean; hard_delete?: boolean; delete_conversation_channels?: boolean } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ user: User }>> {
    return this.request('DELETE', userPath(userID), { query: options, ...call })
  }

  /** @throws ChatError CLIENT_DELETE_OPTION [USR-8, USR-9, USR-10] */
  async deleteUsers(
    userIDs: readonly string[],
    options: {
      user: 'soft' | 'hard' | 'pruning'
      messages?: 'soft' | 'hard' | 'pruning'
      conversations?: 'soft' | 'hard'
      new_channel_owner_id?: string
      calls?: 'soft' | 'hard'
    },
    call: CallOptions = {},
  ): Promise<Answer<{ task_id: string }>> {
    oneOf('user', options.user, ['soft', 'hard', 'pruning'])
    if (options.messages !== undefined) oneOf('messages', options.messages, ['soft', 'hard', 'pruning'])
    if (options.conversations !== undefined) oneOf('conversations', options.conversations, ['soft', 'hard'])
    return this.request('POST', '/users/delete', { body: { user_ids: userIDs, ...options }, ...call })
  }

  /** Restores soft-deleted users. */
  async restoreUsers(userIDs: readonly string[], call: CallOptions = {}): Promise<Answer> {
    return this.request('POST', '/users/restore', { body: { user_ids: userIDs }, ...call })
  }

  /** Closes a user's connections and refuses new ones, until the user is reactivated. */
  async deactivateUser(
    userID: string,
    options: { mark_messages_deleted?: boolean; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ user: User }>> {
    return this.request('POST', `${userPath(userID)}/deactivate`, { body: options, ...call })
  }

  /** Reactivates a deactivated user, who can connect again. */
  async reactivateUser(
    userID: string,
    options: { restore_messages?: boolean; name?: string; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ user: User }>> {
    return this.request('POST', `${userPath(userID)}/reactivate`, { body: options, ...call })
  }

  /** 100 at most; the task has the result for each. */
  async deactivateUsers(
    userIDs: readonly string[],
    options: { mark_messages_deleted?: boolean; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ task_id: string }>> {
    return this.request('POST', '/users/deactivate', { body: { user_ids: userIDs, ...options }, ...call })
  }

  /** 100 at most; the task has the result for each. */
  async reactivateUsers(
    userIDs: readonly string[],
    options: { restore_messages?: boolean; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ task_id: string }>> {
    return this.request('POST', '/users/reactivate', { body: { user_ids: userIDs, ...options }, ...call })
  }

  /** All data of a user. @throws ChatError InputError (4) — more than 10,000 messages; use `exportUsers` */
  async exportUser(
    userID: string,
    call: CallOptions = {},
  ): Promise<Answer<{ user: User; messages: Message[]; reactions: Reaction[] }>> {
    return this.request('GET', `${userPath(userID)}/export`, call)
  }

  /** Sends a custom event to every connection of a user; its type has no dot. */
  async sendUserCustomEvent(
    targetUserID: string,
    event: { type: string } & Record<string, unknown>,
    call: CallOptions = {},
  ): Promise<Answer> {
    return this.request('POST', `${userPath(targetUserID)}/event`, { body: { event }, ...call })
  }

  // Channels

  /** Makes the same change to all channels that match; the task has the result for each [administration.md 10.3]. */
  async updateChannelsBatch(
    change: {
      operation: string
      filter: Record<string, Filter>
      members?: readonly { user_id: string; channel_role?: string }[]
      data?: Record<string, unknown>
    },
    call: CallOptions = {},
  ): Promise<Answer<{ task_id: string }>> {
    return this.request('PUT', '/channels/batch', { body: change, ...call })
  }

  // Messages

  /** @throws ChatError CLIENT_MESSAGE_ID_MISSING */
  async undeleteMessage(
    messageID: string,
    userID: string,
    call: CallOptions = {},
  ): Promise<Answer<{ message: Message }>> {
    needsMessageID(messageID && userID, 'undelete')
    const path = `/messages/${encodeURIComponent(messageID)}/undelete`
    return this.request('POST', path, { body: { undeleted_by: userID }, ...call })
  }

  /** Earlier versions of messages, newest first; the filter names a `message_id`. */
  async queryMessageHistory(
    filter: Filter,
    sort: Sort = [],
    options: PageOptions = {},
    call: CallOptions = {},
  ): Promise<Page<{ message_history: Record<string, unknown>[] }>> {
    const body = { filter, sort: wireSort(sort), ...options }
    return this.request('POST', '/messages/history', { body, ...call })
  }

  /** Commits a pending message, so that all recipients see it. @throws ChatError CLIENT_MESSAGE_ID_MISSING */
  async commitMessage(messageID: string, call: CallOptions = {}): Promise<Answer<{ message: Message }>> {
    needsMessageID(messageID, 'commit')
    return this.request('POST', `/messages/${encodeURIComponent(messageID)}/commit`, { body: {}, ...call })
  }

  // Roles and permissions [administration.md 3]

  /** The built-in and the custom permissions [PERM-7]. */
  async listPermissions(...given: Given<(typeof permissions)['listPermissions']>) {
    return permissions.listPermissions(this, ...given)
  }

  /** One permission. */
  async getPermission(...given: Given<(typeof permissions)['getPermission']>) {
    return permissions.getPermission(this, ...given)
  }

  /** @param permission  without an id, it gets one from its name: `Read Own Notes` becomes `read-own-notes` */
  async createPermission(...given: Given<(typeof permissions)['createPermission']>) {
    return permissions.createPermission(this, ...given)
  }

  /** @throws ChatError InputError (4) — it is a built-in one [PERM-8] */
  async updatePermission(...given: Given<(typeof permissions)['updatePermission']>) {
    return permissions.updatePermission(this, ...given)
  }

  /** Removes it from every role that had it. @throws ChatError InputError (4) — it is a built-in one [PERM-9] */
  async deletePermission(...given: Given<(typeof permissions)['deletePermission']>) {
    return permissions.deletePermission(this, ...given)
  }

  /** Every role, with the scopes of its grants: `.app` and names of channel types [PERM-10]. */
  async listRoles(...given: Given<(typeof permissions)['listRoles']>) {
    return permissions.listRoles(this, ...given)
  }

  /** At most 25 custom roles. */
  async createRole(...given: Given<(typeof permissions)['createRole']>) {
    return permissions.createRole(this, ...given)
  }

  /** @throws ChatError InputError (4) — built-in, has grants, or some user has it [PERM-11] */
  async deleteRole(...given: Given<(typeof permissions)['deleteRole']>) {
    return permissions.deleteRole(this, ...given)
  }

  // Channel types [administration.md 2]

  /** All channel types by name [PERM-12]. */
  async listChannelTypes(...given: Given<(typeof channelTypes)['listChannelTypes']>) {
    return channelTypes.listChannelTypes(this, ...given)
  }

  /** One channel type. */
  async getChannelType(...given: Given<(typeof channelTypes)['getChannelType']>) {
    return channelTypes.getChannelType(this, ...given)
  }

  /** Settings that are left out are those of `messaging`. At most 50 types. */
  async createChannelType(...given: Given<(typeof channelTypes)['createChannelType']>) {
    return channelTypes.createChannelType(this, ...given)
  }

  /** Settings that are left out stay; grants are replaced per role [PERM-13]. */
  async updateChannelType(...given: Given<(typeof channelTypes)['updateChannelType']>) {
    return channelTypes.updateChannelType(this, ...given)
  }

  /** @throws ChatError InputError (4) — built-in, or there are channels of it */
  async deleteChannelType(...given: Given<(typeof channelTypes)['deleteChannelType']>) {
    return channelTypes.deleteChannelType(this, ...given)
  }

  // Slash commands [administration.md 4.2]

  /** The built-in and the custom commands [CMD-6]. */
  async listCommands(...given: Given<(typeof commands)['listCommands']>) {
    return commands.listCommands(this, ...given)
  }

  /** One command. */
  async getCommand(...given: Given<(typeof commands)['getCommand']>) {
    return commands.getCommand(this, ...given)
  }

  /** @throws ChatError InputError (4) — the name is taken or invalid [CMD-13] */
  async createCommand(...given: Given<(typeof commands)['createCommand']>) {
    return commands.createCommand(this, ...given)
  }

  /** Fields that are left out stay [CMD-7]. @throws ChatError InputError (4) — it is a built-in one */
  async updateCommand(...given: Given<(typeof commands)['updateCommand']>) {
    return commands.updateCommand(this, ...given)
  }

  /** @throws ChatError InputError (4) — a channel type names it [CMD-8] */
  async deleteCommand(...given: Given<(typeof commands)['deleteCommand']>) {
    return commands.deleteCommand(this, ...given)
  }

  // Block lists [administration.md 5.1]

  /** [BLK-1] */
  async listBlockLists(...given: Given<(typeof blockLists)['listBlockLists']>) {
    return blockLists.listBlockLists(this, ...given)
  }

  /** One block list with its words. */
  async getBlockList(...given: Given<(typeof blockLists)['getBlockList']>) {
    return blockLists.getBlockList(this, ...given)
  }

  /** At most 15 lists [BLK-4]. */
  async createBlockList(...given: Given<(typeof blockLists)['createBlockList']>) {
    return blockLists.createBlockList(this, ...given)
  }

  /** Replaces the words [BLK-2]. */
  async updateBlockList(...given: Given<(typeof blockLists)['updateBlockList']>) {
    return blockLists.updateBlockList(this, ...given)
  }

  /** Removes it from every channel type and channel that names it [BLK-3]. */
  async deleteBlockList(...given: Given<(typeof blockLists)['deleteBlockList']>) {
    return blockLists.deleteBlockList(this, ...given)
  }

  // Push [administration.md 8]

  /** [DEV-5] */
  async listPushProviders(...given: Given<(typeof push)['listPushProviders']>) {
    return push.listPushProviders(this, ...given)
  }

  /** Creates it, or updates the one of the same kind and name [DEV-6]. At most 25. */
  async upsertPushProvider(...given: Given<(typeof push)['upsertPushProvider']>) {
    return push.upsertPushProvider(this, ...given)
  }

  /** [DEV-7] */
  async deletePushProvider(...given: Given<(typeof push)['deletePushProvider']>) {
    return push.deletePushProvider(this, ...given)
  }

  /** Returns the push that this user would get, and sends it unless `skip_devices` [DEV-8]. */
  async testPushSettings(...given: Given<(typeof push)['testPushSettings']>) {
    return push.testPushSettings(this, ...given)
  }

  /** Without settings, it tests the stored ones [DEV-9]. */
  async testSQSSettings(...given: Given<(typeof push)['testSQSSettings']>) {
    return push.testSQSSettings(this, ...given)
  }

  /** Without settings, it tests the stored ones [DEV-10]. */
  async testSNSSettings(...given: Given<(typeof push)['testSNSSettings']>) {
    return push.testSNSSettings(this, ...given)
  }

  // Tasks, exports and imports [administration.md 10]

  /** The state of background work; it has a `result` once it is `completed` [IMP-1]. */
  async getTask(...given: Given<(typeof imports)['getTask']>) {
    return imports.getTask(this, ...given)
  }

  /**
   * Writes channels to a file; `getExportChannelStatus` has its URL [IMP-2].
   * @param channels  25 at most
   * @throws ChatError CLIENT_EXPORT_TOO_MANY
   */
  async exportChannels(...given: Given<(typeof imports)['exportChannels']>) {
    return imports.exportChannels(this, ...given)
  }

  /** Writes one channel to a file. */
  async exportChannel(...given: Given<(typeof imports)['exportChannel']>) {
    return imports.exportChannel(this, ...given)
  }

  /** The task of an export; its `result.url` is renewed with each call and valid for 24 hours [IMP-8]. */
  async getExportChannelStatus(...given: Given<(typeof imports)['getExportChannelStatus']>) {
    return imports.getExportChannelStatus(this, ...given)
  }

  /** Writes all data of users to a file; the task's `result.url` is its URL [IMP-3]. */
  async exportUsers(...given: Given<(typeof imports)['exportUsers']>) {
    return imports.exportUsers(this, ...given)
  }

  /** The URL to `PUT` a file to, as `application/json` and without a token, and the path to import it from [IMP-4]. */
  async createImportURL(...given: Given<(typeof imports)['createImportURL']>) {
    return imports.createImportURL(this, ...given)
  }

  /** @param options.mode  what happens to existing objects: `upsert` overwrites them, `insert` keeps them [IMP-5] */
  async createImport(...given: Given<(typeof imports)['createImport']>) {
    return imports.createImport(this, ...given)
  }

  /** [IMP-8] */
  async getImport(...given: Given<(typeof imports)['getImport']>) {
    return imports.getImport(this, ...given)
  }

  /** Newest first [IMP-6]. */
  async listImports(...given: Given<(typeof imports)['listImports']>) {
    return imports.listImports(this, ...given)
  }

  // Segments [administration.md 12.1]

  /** @param id  null lets the server assign one [SEG-2] */
  async createSegment(...given: Given<(typeof segments)['createSegment']>) {
    return segments.createSegment(this, ...given)
  }

  /** A segment of users. */
  async createUserSegment(...given: Given<(typeof segments)['createUserSegment']>) {
    return segments.createUserSegment(this, ...given)
  }

  /** A segment of channels. */
  async createChannelSegment(...given: Given<(typeof segments)['createChannelSegment']>) {
    return segments.createChannelSegment(this, ...given)
  }

  /** [SEG-3] */
  async getSegment(...given: Given<(typeof segments)['getSegment']>) {
    return segments.getSegment(this, ...given)
  }

  /** Fields that are left out stay [SEG-4]. */
  async updateSegment(...given: Given<(typeof segments)['updateSegment']>) {
    return segments.updateSegment(this, ...given)
  }

  /** [SEG-5] @throws ChatError InputError (4) — a scheduled or running campaign is sent to it */
  async deleteSegment(...given: Given<(typeof segments)['deleteSegment']>) {
    return segments.deleteSegment(this, ...given)
  }

  /** Segments that match the filter, 25 by default. */
  async querySegments(...given: Given<(typeof segments)['querySegments']>) {
    return segments.querySegments(this, ...given)
  }

  /** @param targets  user ids, or cids of channels; at most 10,000 [SEG-6] */
  async addSegmentTargets(...given: Given<(typeof segments)['addSegmentTargets']>) {
    return segments.addSegmentTargets(this, ...given)
  }

  /** [SEG-7] */
  async removeSegmentTargets(...given: Given<(typeof segments)['removeSegmentTargets']>) {
    return segments.removeSegmentTargets(this, ...given)
  }

  /** Resolves when the segment has the target. @throws ChatError DoesNotExistError (16) — it has not [SEG-8] */
  async segmentTargetExists(...given: Given<(typeof segments)['segmentTargetExists']>) {
    return segments.segmentTargetExists(this, ...given)
  }

  /** Targets by id; 100 by default, 10,000 at most [SEG-9]. */
  async querySegmentTargets(...given: Given<(typeof segments)['querySegmentTargets']>) {
    return segments.querySegmentTargets(this, ...given)
  }

  // Campaigns [administration.md 12.2]

  /** [CAM-6] */
  async createCampaign(...given: Given<(typeof campaigns)['createCampaign']>) {
    return campaigns.createCampaign(this, ...given)
  }

  /** @param options  which page of the campaign's users; 1000 at most [CAM-10] */
  async getCampaign(...given: Given<(typeof campaigns)['getCampaign']>) {
    return campaigns.getCampaign(this, ...given)
  }

  /**
   * Starts at once, or at `scheduledFor`; a campaign runs once [CAM-4].
   * @throws ChatError InputError (4) — it has been started before
   */
  async startCampaign(...given: Given<(typeof campaigns)['startCampaign']>) {
    return campaigns.startCampaign(this, ...given)
  }

  /** [CAM-5] */
  async stopCampaign(...given: Given<(typeof campaigns)['stopCampaign']>) {
    return campaigns.stopCampaign(this, ...given)
  }

  /** [CAM-8] */
  async updateCampaign(...given: Given<(typeof campaigns)['updateCampaign']>) {
    return campaigns.updateCampaign(this, ...given)
  }

  /** [CAM-9] */
  async deleteCampaign(...given: Given<(typeof campaigns)['deleteCampaign']>) {
    return campaigns.deleteCampaign(this, ...given)
  }

  /** [CAM-7] */
  async queryCampaigns(...given: Given<(typeof campaigns)['queryCampaigns']>) {
    return campaigns.queryCampaigns(this, ...given)
  }

  /** @param idOrData  null lets the server assign an id; the data may be given here instead */
  segment(type: SegmentType, idOrData: string | null | (SegmentData & { id?: string }), data?: SegmentData): Segment {
    const { id, ...own } = named(idOrData, data)
    return new Segment(this, type, id, own)
  }

  /** @param idOrData  null lets the server assign an id; the data may be given here instead */
  campaign(idOrData: string | null | CampaignData, data?: CampaignData): Campaign {
    const { id, ...own } = named(idOrData, data)
    return new Campaign(this, id, own)
  }

  // Webhooks

  /**
   * Whether a webhook call really came from the chat server [administration.md 13.3].
   *
   * @param rawBody     the raw bytes of the body, before any parsing
   * @param xSignature  the header `X-Signature`
   */
  verifyWebhook(rawBody: string | Uint8Array, xSignature: string | undefined): boolean {
    const expected = createHmac('sha256', this.#secret).update(rawBody).digest()
    const given = Buffer.from(xSignature ?? '', 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

function unwatched<Asked>(asked: Asked): Asked {
  const { watch, presence } = (asked ?? {}) as { watch?: unknown; presence?: unknown }
  return watch || presence ? { ...asked, watch: false, presence: false } : asked
}

function named<Data extends object>(idOrData: string | null | (Data & { id?: string }), data?: Data) {
  return typeof idOrData === 'object' && idOrData !== null
    ? { ...idOrData, id: idOrData.id ?? null }
    : { ...(data as Data), id: idOrData }
}

function userPath(userID: string): string {
  return `/users/${encodeURIComponent(userID)}`
}

/** @throws ChatError CLIENT_REVOCATION_DATE */
function revocationDate(before: string | Date | null): string | null {
  if (typeof before === 'string' && before.trim() === '')
    throw clientError(
      'CLIENT_REVOCATION_DATE',
      "The revocation date can't be a blank string; pass a date, or null to undo",
    )
  return before instanceof Date ? before.toISOString() : before
}

function oneOf(option: string, given: string, allowed: readonly string[]) {
  if (allowed.includes(given)) return
  throw clientError('CLIENT_DELETE_OPTION', `deleteUsers: "${option}" must be one of ${allowed.join(', ')}`)
}

function doesNotConnect() {
  const message =
    'A client with a secret does not connect; make a token with createToken and connect with @parley/client'
  return clientError('CLIENT_SERVER_SIDE_DOES_NOT_CONNECT', message)
}

/** In a browser, every user could read the secret [AUTH-1]. */
function refuseBrowsers() {
  if (typeof window !== 'undefined' && typeof window.document !== 'undefined')
    throw clientError('CLIENT_SERVER_ONLY', "Tokens can only be created on the server, with the application's secret")
}

/** A token signed with HS256. undefined claims are left out. */
function signed(secret: string, claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export type { ChannelType, CreateChannelTypeRequest, UpdateChannelTypeRequest } from '@parley/protocol/channel-types'
export type { CreatePermissionRequest, Permission, Role, UpdatePermissionRequest } from '@parley/protocol/permissions'
export type { TaskAnswer } from '@parley/protocol/tasks'
export type {
  BlockList,
  BlockListFlags,
  BlockListKind,
  BlockListRequest,
  InTeam,
} from './block-lists/block-list-calls.ts'
export { Campaign } from './campaigns/campaign.ts'
export type { CampaignAnswer, CampaignData, CampaignStart, CampaignStatus } from './campaigns/campaign-calls.ts'
export { Channel } from './channels/channel.ts'
export { type ChatClientOptions, compatibleWith } from './chat-client.ts'
export { ChatError } from './chat-error.ts'
export type { CommandRequest } from './commands/command-calls.ts'
export type { PushProvider, QueueCheck } from './devices/push-calls.ts'
export type { ExportedChannel, ExportOptions, ImportTask } from './imports/import-calls.ts'
export { AllowAll, DenyAll, type Policy } from './permissions/policies.ts'
export { Poll } from './polls/poll.ts'
export { Segment } from './segments/segment.ts'
export type { SegmentAnswer, SegmentData, SegmentTarget, SegmentType } from './segments/segment-calls.ts'
export { Thread } from './threads/thread.ts'
