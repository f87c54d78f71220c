/**
 * The client of a server, a bot or a script: it has the application's secret, makes tokens, and may do everything
 * that is marked server-side only [AUTH-12]. It never connects.
 */
import { createHmac } from 'node:crypto'
import { needsMessageID } from './channels/channel.ts'
import { type ChatClientOptions, ChatClient as UserClient } from './chat-client.ts'
import { clientError, type RateLimit } from './chat-error.ts'
import type { Answer, CallOptions, Message, OwnUser, UnreadAnswer, User } from './shapes.ts'

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

  override get isServerSide() {
    return true
  }

  /**
   * A token with which this user can connect.
   *
   * @param exp  when it runs out, in unix seconds; never when left out
   * @param iat  when it was made, in unix seconds; needed to take tokens back later
   * @throws ChatError CLIENT_SERVER_ONLY in a browser [AUTH-2]
   */
  createToken(userID: string, exp?: number, iat?: number, extra: Record<string, unknown> = {}): string {
    refuseBrowsers()
    return signed(this.#secret, { ...extra, user_id: userID, exp, iat })
  }

  override async connectUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  override async connectAnonymousUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  override async setGuestUser(): Promise<OwnUser> {
    throw doesNotConnect()
  }

  override async openConnection(): Promise<void> {
    throw doesNotConnect()
  }

  /** There is nobody to sign out; the secret stays. */
  override async disconnectUser(): Promise<void> {}

  // The app

  async updateAppSettings(settings: Record<string, unknown>, call: CallOptions = {}): Promise<Answer> {
    return this.request('PATCH', '/app', { body: settings, ...call })
  }

  /** Takes back every token made before a moment; null gives them back [AUTH-13]. */
  async revokeTokens(before: string | Date | null, call: CallOptions = {}): Promise<Answer> {
    return this.updateAppSettings({ revoke_tokens_issued_before: revocationDate(before) }, call)
  }

  async revokeUserToken(userID: string, before: string | Date | null = new Date(), call: CallOptions = {}) {
    return this.revokeUsersToken([userID], before, call)
  }

  async revokeUsersToken(
    userIDs: readonly string[],
    before: string | Date | null = new Date(),
    call: CallOptions = {},
  ) {
    const set = { revoke_tokens_issued_before: revocationDate(before) }
    return this.partialUpdateUsers(
      userIDs.map((id) => ({ id, set })),
      call,
    )
  }

  /** Limit, remaining calls and reset time per operation; of all platforms when none is named. */
  async getRateLimits(
    options: {
      serverSide?: boolean
      web?: boolean
      android?: boolean
      ios?: boolean
      endpoints?: readonly string[]
    } = {},
    call: CallOptions = {},
  ): Promise<Answer<Record<string, Record<string, RateLimit>>>> {
    const { serverSide: server_side, ...query } = options
    return this.request('GET', '/rate_limits', { query: { server_side, ...query }, ...call })
  }

  async getUnreadCountBatch(
    userIDs: readonly string[],
    call: CallOptions = {},
  ): Promise<Answer<{ counts_by_user: Record<string, UnreadAnswer> }>> {
    return this.request('POST', '/unread_batch', { body: { user_ids: userIDs }, ...call })
  }

  // Users

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
    },
    call: CallOptions = {},
  ): Promise<Answer<{ task_id: string }>> {
    oneOf('user', options.user, ['soft', 'hard', 'pruning'])
    if (options.messages !== undefined) oneOf('messages', options.messages, ['soft', 'hard', 'pruning'])
    if (options.conversations !== undefined) oneOf('conversations', options.conversations, ['soft', 'hard'])
    return this.request('POST', '/users/delete', { body: { user_ids: userIDs, ...options }, ...call })
  }

  async restoreUsers(userIDs: readonly string[], call: CallOptions = {}): Promise<Answer> {
    return this.request('POST', '/users/restore', { body: { user_ids: userIDs }, ...call })
  }

  async deactivateUser(
    userID: string,
    options: { mark_messages_deleted?: boolean; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ user: User }>> {
    return this.request('POST', `${userPath(userID)}/deactivate`, { body: options, ...call })
  }

  async reactivateUser(
    userID: string,
    options: { restore_messages?: boolean; name?: string; created_by_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ user: User }>> {
    return this.request('POST', `${userPath(userID)}/reactivate`, { body: options, ...call })
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

/** The secret would be in everybody's hands [AUTH-1]. */
function refuseBrowsers() {
  if (typeof window !== 'undefined' && typeof window.document !== 'undefined')
    throw clientError('CLIENT_SERVER_ONLY', "Tokens can only be created on the server, with the application's secret")
}

/** HS256. Claims that are undefined are left out. */
function signed(secret: string, claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export { Channel } from './channels/channel.ts'
export { type ChatClientOptions, compatibleWith } from './chat-client.ts'
export { ChatError } from './chat-error.ts'
