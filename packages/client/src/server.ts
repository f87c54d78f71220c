/**
 * The client of a server, a bot or a script: it has the application's secret, makes tokens, and may do everything
 * that is marked server-side only [AUTH-12]. It never connects.
 */
import { createHmac } from 'node:crypto'
import { type ChatClientOptions, ChatClient as UserClient } from './chat-client.ts'
import { clientError } from './chat-error.ts'
import type { OwnUser } from './shapes.ts'

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
