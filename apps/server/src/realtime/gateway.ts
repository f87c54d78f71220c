/**
 * The realtime door: opens sockets at `/connect`, tells their first frame, keeps them alive.
 * @see messaging.md 2
 */
import { randomUUID } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SERVER_HEALTH_CHECK_MS, SERVER_SILENCE_MS } from '@parley/protocol/limits'
import { UserRequest } from '@parley/protocol/users'
import type { Logger } from 'pino'
import Type, { type Static } from 'typebox'
import { type WebSocket, WebSocketServer } from 'ws'
import type { App } from '../apps/app.ts'
import { ChatError } from '../chat-error.ts'
import { every } from '../clock.ts'
import type { UserRow } from '../database/tables.ts'
import { anonymousUser, appOf, checkActive, isRevoked } from '../http/authenticate.ts'
import { errorAnswer } from '../http/error-answer.ts'
import { parseJson } from '../http/json.ts'
import { platformOf } from '../http/rate-limits.ts'
import type { Claims, Tokens } from '../http/tokens.ts'
import { Validator } from '../http/validate.ts'
import { isoOf } from '../micros.ts'
import { ownUser } from '../moderation/own-user.ts'
import type { Server } from '../server.ts'
import { mergeUser } from '../users/upsert-users.ts'
import { Connection, type Outbox } from './connection.ts'
import { textFrame } from './frames.ts'

/** How often sockets are looked over for silence, health checks and tokens that ran out. */
const ROUND_MS = 5_000
/** Bytes a client may send in one frame; health checks are all it has to say. */
const FRAME_BYTES = 64 * 1024
/** Goodbye to clients that should come back: the server restarts. */
const SERVICE_RESTART = 1012
const DROPPED = 1001
/** What somebody without a name has. */
const nobody = { mutesAnything: false, totals: { unread: 0, channels: 0 } }

const ConnectRequest = Type.Object({
  user_id: Type.Optional(Type.String()),
  user_details: UserRequest,
  user_token: Type.Optional(Type.String()),
  server_determines_connection_id: Type.Optional(Type.Boolean()),
})
const AnonymousConnectRequest = Type.Object({
  user_id: Type.Optional(Type.String()),
  user_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const checkConnect = new Validator(ConnectRequest)
const checkAnonymous = new Validator(AnonymousConnectRequest)

export class Gateway {
  #server: Server
  #tokens: Tokens
  #outbox: Outbox
  #log: Logger
  #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: FRAME_BYTES })
  #claims = new Map<Connection, Claims>()
  #stopRounds: () => void
  #closing = false
  constructor(server: Server, tokens: Tokens, outbox: Outbox, log: Logger) {
    this.#server = server
    this.#tokens = tokens
    this.#outbox = outbox
    this.#log = log
    this.#stopRounds = every(server.clock, ROUND_MS, () => this.#round())
  }

  listenOn(http: HttpServer) {
    http.on('upgrade', (request, socket, head) => {
      const url = new URL((request.url ?? '/').replaceAll('%00', ''), 'http://localhost')
      if (url.pathname !== '/connect' || this.#closing) return socket.destroy()
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#open(request, url.searchParams, socket, webSocket).catch((error: unknown) => {
          this.#log.error({ err: error }, 'a connection failed')
          webSocket.terminate()
        })
      })
    })
  }

  /** Ends the sockets of a user whose tokens were revoked [AUTH-14, messaging.md 1.5]. */
  userChanged(user: UserRow) {
    for (const connection of this.#server.hub.user(user.app, user.id)?.connections ?? [])
      if (this.#isRevoked(connection, user)) this.#sayExpired(connection)
  }

  /** Asks every client to come back, elsewhere or later. */
  async close() {
    this.#closing = true
    this.#stopRounds()
    const open = [...this.#server.hub.connections.values()]
    for (const connection of open) connection.close(SERVICE_RESTART, 'restart')
    await new Promise((resolve) => setTimeout(resolve, open.length > 0 ? 100 : 0))
    for (const connection of open) connection.terminate()
  }

  async #open(request: IncomingMessage, query: URLSearchParams, socket: Duplex, webSocket: WebSocket) {
    const start = performance.now()
    webSocket.on('error', () => webSocket.terminate())
    let closed = false
    webSocket.on('close', () => {
      closed = true
    })
    let connection: Connection | undefined
    try {
      const { app, user, claims } = await this.#login(request, query)
      const anonymous = user.role === 'anonymous'
      const most = this.#server.settings.connectionsPerUser
      if (!anonymous && this.#server.presence.connectionsOf(app.id, user.id) >= most)
        throw new ChatError('ErrTooManyConnections', `user ${user.id} has ${most} connections already`)
      if (closed) return
      connection = new Connection(
        {
          id: randomUUID(),
          app: app.id,
          userId: user.id,
          anonymous,
          now: this.#server.clock.now(),
          ...(claims.exp !== undefined && { tokenExpiresAt: claims.exp * 1000 }),
        },
        socket,
        webSocket,
        this.#outbox,
      )
      await this.#welcome(connection, user, claims, webSocket)
    } catch (error) {
      if (connection) this.#server.hub.detach(connection)
      if (!(error instanceof ChatError)) this.#log.error({ err: error }, 'a connection failed')
      // Both forms of the envelope, since clients test for either [messaging.md 2.3].
      webSocket.send(
        JSON.stringify({
          type: 'connection.error',
          error: errorAnswer('Connect', error, `${(performance.now() - start).toFixed(2)}ms`),
        }),
      )
      webSocket.close(1000)
    }
  }

  async #welcome(connection: Connection, user: UserRow, claims: Claims, webSocket: WebSocket) {
    const { hub } = this.#server
    webSocket.on('message', (data) => this.#hear(connection, String(data)))
    webSocket.on('pong', () => {
      connection.heardAt = this.#server.clock.now()
    })
    webSocket.on('close', () => {
      this.#claims.delete(connection)
      hub.detach(connection)
    })
    this.#claims.set(connection, claims)
    const online = await hub.attach(connection)
    if (webSocket.readyState !== webSocket.OPEN) {
      this.#claims.delete(connection)
      return hub.detach(connection)
    }
    const current = online && (await this.#server.users.get(connection.app, user.id))
    const me = await ownUser(this.#server, current ?? user, online ?? nobody)
    connection.welcome(this.#healthCheck(connection, { me }))
  }

  async #login(request: IncomingMessage, query: URLSearchParams): Promise<{ app: App; user: UserRow; claims: Claims }> {
    const header = (name: string) => (typeof request.headers[name] === 'string' ? request.headers[name] : undefined)
    const app = await appOf(this.#server, query.get('api_key') ?? undefined)
    const asked = parseJson(query.get('json') ?? '{}', 'json')
    const token = (query.get('authorization') || header('authorization') || '').replace(/^Bearer\s+/i, '')
    const authType = query.get('stream-auth-type') ?? header('stream-auth-type')
    if (authType === 'anonymous' && token === '') {
      this.#count(app, undefined, header, query)
      checkAnonymous.check(asked)
      return { app, user: anonymousUser(app, `!anon-${randomUUID()}`), claims: {} }
    }

    const claims = this.#tokens.verify(app, token, namedIn(asked))
    if (claims.server || claims.user_id === undefined)
      throw new ChatError('AuthenticationError', 'a server token opens no socket')
    this.#count(app, claims.user_id, header, query)
    checkConnect.check(asked)
    const { user_details } = asked as Static<typeof ConnectRequest>
    if (user_details.id !== claims.user_id)
      throw new ChatError('AuthenticationError', `user_details.id ${user_details.id} is not the user of the token`)
    const known = await this.#server.users.get(app.id, claims.user_id)
    if (known) checkActive(app, known, claims)
    return { app, user: await mergeUser(this.#server, app.id, user_details), claims }
  }

  /** @throws ChatError RateLimitError (9) */
  #count(app: App, user: string | undefined, header: (name: string) => string | undefined, query: URLSearchParams) {
    const platform = platformOf(query.get('X-Stream-Client') ?? header('x-stream-client'), false)
    const { refusal } = this.#server.limits.count({ app: app.id, operation: 'Connect', platform, user })
    if (refusal) throw refusal
  }

  /** A client only ever says that it is alive, as one event or a list with one; all else is ignored. */
  #hear(connection: Connection, text: string) {
    connection.heardAt = this.#server.clock.now()
    let said: unknown
    try {
      said = JSON.parse(text)
    } catch {
      return
    }
    const event = Array.isArray(said) ? said[0] : said
    if (typeof event === 'object' && event !== null && (event as { type?: unknown }).type === 'health.check')
      connection.send(this.#healthCheck(connection, {}))
  }

  #healthCheck(connection: Connection, fields: object): Buffer {
    const now = this.#server.clock.now()
    connection.toldAt = now
    return textFrame(
      Buffer.from(
        JSON.stringify({
          type: 'health.check',
          connection_id: connection.id,
          cid: '*',
          created_at: isoOf(now * 1000),
          ...fields,
        }),
      ),
    )
  }

  #round() {
    const now = this.#server.clock.now()
    for (const connection of this.#server.hub.connections.values()) {
      if (now - connection.heardAt >= SERVER_SILENCE_MS) {
        connection.close(DROPPED, 'silence')
        connection.terminate()
      } else if (this.#isOver(connection, now)) this.#sayExpired(connection)
      else if (now - connection.toldAt >= SERVER_HEALTH_CHECK_MS - ROUND_MS)
        connection.send(this.#healthCheck(connection, {}))
    }
  }

  #isOver(connection: Connection, now: number): boolean {
    if (connection.tokenExpiresAt !== undefined && connection.tokenExpiresAt <= now) return true
    const user = this.#server.users.known(connection.app, connection.userId)
    return user !== undefined && this.#isRevoked(connection, user)
  }

  #isRevoked(connection: Connection, user: UserRow): boolean {
    return isRevoked(this.#server.apps.of(connection.app), user, this.#claims.get(connection) ?? {})
  }

  #sayExpired(connection: Connection) {
    const error = new ChatError('AuthErrorTokenExpired', 'JWTAuth error: token is expired (exp)')
    const body = { type: 'connection.error', error: errorAnswer('Connect', error, '0.00ms') }
    connection.send(textFrame(Buffer.from(JSON.stringify(body))))
    connection.close(1000)
  }
}

/** Whom a connecting client says to be. */
function namedIn(asked: unknown): string | undefined {
  const { user_id, user_details } = (asked ?? {}) as { user_id?: unknown; user_details?: { id?: unknown } | null }
  const id = user_id ?? user_details?.id
  return typeof id === 'string' ? id : undefined
}
