/**
 * The WebSocket server: opens sockets at `/connect`, sends their first frame, keeps them alive.
 * @see messaging.md 2
 */
import { randomUUID } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { DeviceRequest } from '@parley/protocol/devices'
import { SERVER_HEALTH_CHECK_MS, SERVER_SILENCE_MS } from '@parley/protocol/limits'
import { type OwnUser, UserRequest } from '@parley/protocol/users'
import { NonEmpty } from '@parley/protocol/wire'
import Type, { type Static } from 'typebox'
import { type WebSocket, WebSocketServer } from 'ws'
import { ChatError } from '../../platform/chat-error.ts'
import { type Clock, every, pause } from '../../platform/clock.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { FaultLog } from '../../platform/fault-log.ts'
import { errorAnswer, isFault } from '../../platform/http/error-answer.ts'
import { parseJson } from '../../platform/http/json.ts'
import { queryOf } from '../../platform/http/query.ts'
import { namelessAt, platformOf } from '../../platform/http/rate-limits.ts'
import { Validator } from '../../platform/http/validate.ts'
import { isoOf } from '../../platform/micros.ts'
import { Connection, NAMELESS, type Outbox, SocketWire, type Wire } from '../../platform/realtime/connection.ts'
import { textFrame } from '../../platform/realtime/frames.ts'
import type { Server } from '../../server.ts'
import { anonymousUser, appOf, type Credentials, checkActive, isRevoked, suspended } from '../api/authenticate.ts'
import type { Claims } from '../api/tokens.ts'
import type { App } from '../apps/app.ts'
import { ownUser } from '../mutes/own-user.ts'
import { touchLastActive } from '../users/last-active.ts'
import { mergeUser } from '../users/upsert-users.ts'
import { PollWire } from './poll-wire.ts'

/** How often sockets are looked over for silence, health checks and tokens that ran out. */
const ROUND_MS = 5_000
/** Bytes a client may send in one frame; health checks are all it sends. */
const FRAME_BYTES = 64 * 1024
/** Goodbye to clients that should come back: the server restarts. */
const SERVICE_RESTART = 1012
const DROPPED = 1001
/** Close code for a client that breaks a rule of the server. */
const POLICY_VIOLATION = 1008
/** A client that was asked to close is cut off after this long. */
const CLOSE_WAIT_MS = 1_000
const MINUTE_MS = 60_000
/** Why clients are asked to come back when what they know may not be so. */
const RESYNC = 'resync'
/** While a node drains, some are asked to go this often. */
const DRAIN_ROUND_MS = 100
/** The state of an anonymous user. */
const anonymousState = { mutesAnything: false, totals: { unread: 0, channels: 0 } }

const ConnectRequest = Type.Object({
  user_id: Type.Optional(NonEmpty),
  user_details: Type.Optional(UserRequest),
  user_token: Type.Optional(Type.String()),
  server_determines_connection_id: Type.Optional(Type.Boolean()),
  device: Type.Optional(DeviceRequest),
})
const AnonymousConnectRequest = Type.Object({
  user_id: Type.Optional(NonEmpty),
  user_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
const checkConnect = new Validator(ConnectRequest)
const checkAnonymous = new Validator(AnonymousConnectRequest)

/** The connecting client. */
interface Login {
  app: App
  user: UserRow
  claims: Claims
}

/** Also where newer clients look for it. */
const CONNECT_PATH = /^(\/api\/v2(\/chat)?)?\/connect\/?$/

export class Gateway {
  #node: string
  #server: Server
  #outbox: Outbox
  #faults: FaultLog
  #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: FRAME_BYTES })
  #claims = new Map<Connection, Claims>()
  #stopRounds: () => void
  #closing = false
  constructor(node: string, server: Server, outbox: Outbox, faults: FaultLog) {
    this.#node = node
    this.#server = server
    this.#outbox = outbox
    this.#faults = faults
    this.#stopRounds = every(server.clock, ROUND_MS, () => this.#round())
  }

  listenOn(http: HttpServer) {
    http.on('upgrade', (request, socket, head) => {
      const url = URL.parse(request.url ?? '/', 'http://localhost')
      if (!CONNECT_PATH.test(url?.pathname ?? '') || this.#closing) return socket.destroy()
      const query = queryOf(url!.search)
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
        this.#open(credentialsOf(request, query, this.#server), query.json ?? '{}', socket, webSocket).catch(
          (error: unknown) => {
            this.#faults.report('a connection failed', error)
            webSocket.terminate()
          },
        )
      })
    })
  }

  /** Ends the sockets of a user whose tokens were revoked [AUTH-14, messaging.md 1.5]. */
  userChanged(user: UserRow) {
    for (const connection of this.#server.hub.user(user.app, user.id)?.connections ?? [])
      if (!connection.wire.isPolled && this.#isRevoked(connection, user)) this.#sendExpired(connection)
  }

  /** Ends the sockets of a user who lost access, with the reason [messaging.md 2.2]. */
  userEnded(app: string, userId: string, reason: string) {
    for (const connection of this.#server.hub.user(app, userId)?.connections ?? [])
      this.#sendRefusal(connection, new ChatError('AuthenticationError', reason))
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

  /** What the clients know may not be so any more: each comes back, and reads everything again. */
  resync() {
    for (const connection of [...this.#server.hub.connections.values()]) {
      connection.close(SERVICE_RESTART, RESYNC)
      this.#forget(connection)
    }
  }

  /**
   * Asks the clients to come back elsewhere, spread over this time.
   *
   * @param hurried ends it at once
   */
  async drain(ms: number, hurried: AbortSignal) {
    const { clock, hub } = this.#server
    const begun = clock.elapsed()
    const asked = new Set<Connection>()
    for (;;) {
      const share = Math.min(1, (clock.elapsed() - begun) / ms)
      const open = [...hub.connections.values()].filter((connection) => !asked.has(connection))
      const due = Math.floor((asked.size + open.length) * share) - asked.size
      for (const connection of open.slice(0, Math.max(0, due))) {
        asked.add(connection)
        connection.close(SERVICE_RESTART, 'restart')
      }
      if (hurried.aborted || share === 1) return
      await pause(clock, DRAIN_ROUND_MS, hurried)
    }
  }

  /** Ends whatever came while the others were asked to go. */
  endAll() {
    for (const connection of this.#server.hub.connections.values()) connection.terminate()
    for (const webSocket of this.#sockets.clients) webSocket.terminate()
  }

  /**
   * Opens a connection whose events are polled for; gives its first event [messaging.md 2.8].
   *
   * @param json  as of `/connect`
   */
  async openPoll(credentials: Credentials, json: string): Promise<{ type: string }> {
    const login = await this.#login(credentials, json)
    const wire = new PollWire(() => this.#forget(connection))
    const connection = this.#connectionOf(login, wire)
    const me = await this.#attach(connection, login).catch((error: unknown) => {
      connection.terminate()
      throw error
    })
    connection.begin()
    return this.#healthCheck(connection, { me })
  }

  async #open(credentials: Credentials, json: string, socket: Duplex, webSocket: WebSocket) {
    const start = performance.now()
    webSocket.on('error', () => webSocket.terminate())
    let connection: Connection | undefined
    webSocket.on('close', () => connection && this.#forget(connection))
    try {
      const login = await this.#login(credentials, json)
      if (webSocket.readyState !== webSocket.OPEN) return
      const opened = this.#connectionOf(login, new SocketWire(socket, webSocket))
      connection = opened
      const isTooMany = framesOver(this.#server.settings.framesPerMinute, this.#server.clock)
      webSocket.on('message', (data) => {
        if (isTooMany()) return refuseFrames(webSocket)
        this.#onFrame(opened, String(data))
      })
      for (const sign of ['ping', 'pong'])
        webSocket.on(sign, () => {
          if (isTooMany()) return refuseFrames(webSocket)
          opened.lastReceivedAt = this.#server.clock.elapsed()
        })
      const me = await this.#attach(opened, login)
      if (webSocket.readyState !== webSocket.OPEN) return this.#forget(opened)
      const first = JSON.stringify(this.#healthCheck(opened, { me }))
      const { apps, files } = this.#server
      await files.learnOwners([first])
      if (webSocket.readyState !== webSocket.OPEN) return this.#forget(opened)
      opened.begin(textFrame(Buffer.from(files.forClients(apps.of(opened.app), first))))
    } catch (error) {
      if (connection) this.#forget(connection)
      if (isFault(error)) this.#faults.report('a connection failed', error)
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

  /** @throws ChatError ErrTooManyConnections (71) */
  #connectionOf({ app, user, claims }: Login, wire: Wire): Connection {
    const anonymous = user.role === 'anonymous'
    const most = this.#server.settings.connectionsPerUser
    if (!anonymous && this.#server.presence.connectionsOf(app.id, user.id) >= most)
      throw new ChatError('ErrTooManyConnections', `user ${user.id} has ${most} connections already`)
    return new Connection(
      {
        // A call that names it may come in on another node: the id says where it lives.
        id: `${randomUUID()}-${this.#node}`,
        app: app.id,
        userId: user.id,
        anonymous,
        now: this.#server.clock.elapsed(),
        ...(claims.exp !== undefined && { tokenExpiresAt: claims.exp * 1000 }),
      },
      wire,
      this.#outbox,
    )
  }

  /**
   * Every event from now on reaches the connection; returns its user for the first event.
   *
   * @throws ChatError — as `checkActive`: a user banned while connecting missed that event
   */
  async #attach(connection: Connection, { app, user, claims }: Login): Promise<OwnUser> {
    this.#claims.set(connection, claims)
    const online = await this.#server.hub.attach(connection)
    if (!online) return ownUser(this.#server, user, anonymousState)
    // The first connection of a user is noted by the hub.
    if (online.connections.size > 1) await touchLastActive(this.#server, app.id, [user.id])
    const current = await this.#server.users.get(app.id, user.id)
    if (!current) throw new ChatError('AuthenticationError', `user "${user.id}" is deleted`)
    checkActive(this.#server.apps.of(app.id), current, claims)
    return ownUser(this.#server, current, online)
  }

  #forget(connection: Connection) {
    this.#claims.delete(connection)
    this.#server.hub.detach(connection)
  }

  async #login(credentials: Credentials, json: string): Promise<Login> {
    const { apiKey, token, authType } = credentials
    const app = await appOf(this.#server, apiKey)
    if (app.suspended) throw suspended(app)
    const asked = parseJson(this.#server.files.fromClients(json), 'json')
    if (authType === 'anonymous' && token === '') {
      this.#count(app, namelessAt(credentials.address), credentials)
      checkAnonymous.checkSent(asked, 'json')
      return { app, user: anonymousUser(app, `${NAMELESS}-${randomUUID()}`), claims: {} }
    }

    const claims = this.#server.tokens.verify(app, token, namedIn(asked))
    if (claims.server || claims.user_id === undefined)
      throw new ChatError('AuthenticationError', 'a server token opens no socket')
    this.#count(app, claims.user_id, credentials)
    const request = checkConnect.checkSent(asked, 'json') as Static<typeof ConnectRequest>
    const { user_details: details = { id: claims.user_id } } = request
    const names = { 'user_details.id': details.id, user_id: credentials.userId ?? claims.user_id }
    for (const [name, id] of Object.entries(names))
      if (id !== claims.user_id)
        throw new ChatError('AuthenticationError', `${name} ${id} is not the user of the token`)
    const known = await this.#server.users.get(app.id, claims.user_id)
    if (known) checkActive(app, known, claims)
    // A user who may not change themselves connects unchanged.
    const isKept = known && !app.allows(known, 'update-user', true)
    const user = isKept ? known : await mergeUser(this.#server, app.id, details)
    await this.#server.addresses.note(app.id, user.id, credentials.address)
    for (const connect of this.#server.extensions.connect) await connect(this.#server, user, request)
    return { app, user, claims }
  }

  /** @throws ChatError RateLimitError (9) */
  #count(app: App, user: string, { client }: Credentials) {
    const platform = platformOf(client, false)
    const { refusal } = this.#server.limits.count({ app: app.id, operation: 'Connect', platform, user })
    if (refusal) throw refusal
  }

  /** A client only ever sends health checks, as one event or a list with one; all else is ignored. */
  #onFrame(connection: Connection, text: string) {
    connection.lastReceivedAt = this.#server.clock.elapsed()
    let sent: unknown
    try {
      sent = JSON.parse(text)
    } catch {
      return
    }
    const event = Array.isArray(sent) ? sent[0] : sent
    if (typeof event === 'object' && event !== null && (event as { type?: unknown }).type === 'health.check')
      connection.send(frameOf(this.#healthCheck(connection, {})))
  }

  #healthCheck(connection: Connection, fields: object) {
    const { clock } = this.#server
    connection.lastSentAt = clock.elapsed()
    const created_at = isoOf(clock.now() * 1000)
    return { type: 'health.check', connection_id: connection.id, cid: '*', created_at, ...fields }
  }

  #round() {
    const now = this.#server.clock.elapsed()
    for (const connection of this.#server.hub.connections.values()) {
      if (now - connection.lastReceivedAt >= SERVER_SILENCE_MS) {
        connection.close(DROPPED, 'silence')
        connection.terminate()
      } else if (connection.wire.isPolled) continue
      else if (this.#isOver(connection, this.#server.clock.now())) this.#sendExpired(connection)
      else if (now - connection.lastSentAt >= SERVER_HEALTH_CHECK_MS - ROUND_MS)
        connection.send(frameOf(this.#healthCheck(connection, {})))
    }
  }

  #isOver(connection: Connection, now: number): boolean {
    if (connection.tokenExpiresAt !== undefined && connection.tokenExpiresAt <= now) return true
    if (connection.anonymous) return false
    // Revoked tokens of one user end at once; for those of the whole app no user needs to be cached.
    const user = this.#server.users.known(connection.app, connection.userId)
    return this.#isRevoked(connection, user ?? { revoke_before: null })
  }

  #isRevoked(connection: Connection, user: Pick<UserRow, 'revoke_before'>): boolean {
    return isRevoked(this.#server.apps.of(connection.app), user, this.#claims.get(connection) ?? {})
  }

  #sendExpired(connection: Connection) {
    this.#sendRefusal(connection, new ChatError('AuthErrorTokenExpired', 'JWTAuth error: token is expired (exp)'))
  }

  #sendRefusal(connection: Connection, error: ChatError) {
    const body = { type: 'connection.error', error: errorAnswer('Connect', error, '0.00ms') }
    connection.send(frameOf(body))
    connection.close(1000)
  }
}

function frameOf(event: object): Buffer {
  return textFrame(Buffer.from(JSON.stringify(event)))
}

/** Browsers cannot set headers of a socket, so the query may carry everything. */
function credentialsOf(request: IncomingMessage, query: Record<string, string>, { proxies }: Server): Credentials {
  const { headers } = request
  const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  return {
    apiKey: query.api_key,
    token: (query.authorization ?? header('authorization') ?? '').replace(/^Bearer\s+/i, ''),
    authType: query['stream-auth-type'] ?? header('stream-auth-type'),
    userId: undefined,
    connectionId: undefined,
    client: query['X-Stream-Client'] ?? header('x-stream-client'),
    address: proxies.addressOf(request),
  }
}

/** The user id a connecting client claims. */
function namedIn(asked: unknown): string | undefined {
  const { user_id, user_details } = (asked ?? {}) as { user_id?: unknown; user_details?: { id?: unknown } | null }
  const id = user_id || user_details?.id
  return typeof id === 'string' ? id : undefined
}

/** Counts frames of one socket; returns whether there are more than a minute allows [SET-6]. */
function framesOver(most: number, clock: Clock): () => boolean {
  let minute = 0
  let frames = 0
  return () => {
    const now = Math.floor(clock.elapsed() / MINUTE_MS)
    if (now !== minute) {
      minute = now
      frames = 0
    }
    frames += 1
    return frames > most
  }
}

/** What a socket that talks too much still sends is not read. */
function refuseFrames(webSocket: WebSocket) {
  webSocket.removeAllListeners('message').removeAllListeners('ping').removeAllListeners('pong')
  webSocket.close(POLICY_VIOLATION, 'too many frames')
  webSocket.pause()
  setTimeout(() => webSocket.terminate(), CLOSE_WAIT_MS).unref()
}
