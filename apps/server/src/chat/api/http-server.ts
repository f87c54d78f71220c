/** The HTTP server: authenticates, limits, checks and answers every call in the provider's format. */

import type { Readable } from 'node:stream'
import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RequestPayload,
  type RouteOptions,
} from 'fastify'
import type { TSchema } from 'typebox'
import type { Files } from '../../features/attachments/files.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FaultLog } from '../../platform/fault-log.ts'
import { EXPOSED_HEADERS, refuseExpectations } from '../../platform/http/early-answer.ts'
import { durationSince, errorAnswer, isFault } from '../../platform/http/error-answer.ts'
import { healthOf } from '../../platform/http/health.ts'
import { parseJson } from '../../platform/http/json.ts'
import { LoadShedding } from '../../platform/http/load-shedding.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { queryOf, withoutNul } from '../../platform/http/query.ts'
import { namelessAt, platformOf, type RateState } from '../../platform/http/rate-limits.ts'
import { asCause } from '../../platform/http/request-info.ts'
import { type Piece, send } from '../../platform/http/send-answer.ts'
import { shedCalls } from '../../platform/http/shed-calls.ts'
import { refuseSocket } from '../../platform/http/socket-errors.ts'
import { unzipped } from '../../platform/http/unzip.ts'
import { Validator } from '../../platform/http/validate.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { describedUser } from '../users/upsert-users.ts'
import { appOf, authenticate, type Credentials, suspended } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { type Endpoint, type Incoming, isCreated, piecesOf } from './endpoint.ts'
import { type Generation, openApiOf } from './open-api.ts'
import { v2PathsOf } from './v2-paths.ts'
import { fromV2, toV2, type V2Dialect } from './v2-shapes.ts'

/** Bytes a JSON body may have: thirty attachments of 5 kB, a long text and custom data fit well. */
const BODY_BYTES = 512 * 1024
/** Bytes an address and the headers may have: 5 kB of filter or of a user's fields are three times as many as %xx. */
const HEADER_BYTES = 32 * 1024
/** How long a body may take to arrive; files, which may be big, have a time of their own. */
const BODY_MS = 30_000
/** Characters a part of an address may have: the longest ids have 255, some of them written as %xx. */
const PARAM_CHARS = 1_024
/** How long what is left of a refused upload is read, so that its sender gets to see why. */
const DRAIN_MS = 10_000

const corsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  // Monitoring in the page adds headers for tracing to every request. `*` covers those of later tools, but browsers do
  // not count Authorization among them, and old ones do not know it.
  allowedHeaders: `Authorization, stream-auth-type, X-Stream-Client, X-Stream-Ext, x-client-request-id, Content-Type,
     traceparent, tracestate, baggage, sentry-trace, *`.split(/,\s*/),
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 86_400,
  // Some ask without saying what for.
  strictPreflight: false,
}

const DOCUMENT_PATHS: Record<Generation, string> = { v1: '/docs', v2: '/docs/v2' }

/** Adds addresses that are not calls of the API, such as files and pictures. */
export type AddRoutes = (httpServer: FastifyInstance, server: Server) => unknown

/** Creates the server with all endpoints and other routes; it does not listen yet. */
export async function openHttpServer(
  server: Server,
  endpoints: readonly Endpoint[],
  routes: readonly AddRoutes[],
  metrics: Metrics,
  faults: FaultLog,
): Promise<FastifyInstance> {
  const httpServer = Fastify({
    http: {
      maxHeaderSize: HEADER_BYTES,
      // Some programs offer HTTP/2 with every call; a server that does not want it answers in HTTP/1.1.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: PARAM_CHARS, ignoreTrailingSlash: true, querystringParser: queryOf },
    // What still comes in while it ends is a call like any other; its connection is closed after it.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseSocket(server, error, socket),
    frameworkErrors(_error, request, reply) {
      mark(request, reply, server)
      // Nothing else of what every call goes through was run.
      reply.header('Access-Control-Allow-Origin', corsOptions.origin)
      reply.header('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(', '))
      return refuse(reply, 'Call', noSuchEndpoint(request), startOf(request))
    },
  })
  const load = new LoadShedding(server.settings, () => server.commit.waiting)
  metrics.countShed(() => load.shed)
  shedCalls(httpServer.server, load, server)
  refuseExpectations(httpServer.server, server)
  httpServer.addHook('onRequest', async (request, reply) => {
    starts.set(request, performance.now())
    mark(request, reply, server)
    // A kept connection would send the next call here as well.
    if (server.drain.isBegun) reply.header('connection', 'close')
  })
  httpServer.addHook('preParsing', async (request, reply, body) => unzipped(request, reply.raw, body))
  // Routes keep the handlers they find when they are added, so these come first.
  httpServer.setNotFoundHandler((request, reply) => refuse(reply, 'Call', noSuchEndpoint(request), startOf(request)))
  httpServer.setErrorHandler(async (error, request, reply) => {
    const operation = operationOf(request)
    const expected = asChatError(error, request.routeOptions.bodyLimit)
    if (!(expected instanceof ChatError)) faults.report('a call failed', error, { operation })
    if (expected instanceof ChatError && expected.kind === 'PayloadTooBigError') {
      request.raw.unpipe()
      await drainBody(request.raw, reply.removeHeader('connection'), server.clock)
    }
    return refuse(reply, operation, expected, startOf(request))
  })

  await httpServer.register(cors, corsOptions)
  // Each page is registered in a scope of its own, since the plugins serve one document per scope.
  for (const [generation, routePrefix] of Object.entries(DOCUMENT_PATHS))
    await httpServer.register((scope) => addDocument(scope, server, endpoints, generation as Generation, routePrefix))

  httpServer.removeAllContentTypeParsers()
  httpServer.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  httpServer.setValidatorCompiler(() => () => true)
  httpServer.setSerializerCompiler(() => (answer) => JSON.stringify(answer))

  await httpServer.register(async (scope) => {
    for (const endpoint of endpoints) if (!endpoint.form) addRoute(scope, server, endpoint, metrics, faults)
  })
  await httpServer.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (_request, body, done) => {
      // It may break before its reader is there, who looks for that.
      body.on('error', () => {})
      done(null, body)
    })
    for (const endpoint of endpoints) if (endpoint.form) addRoute(scope, server, endpoint, metrics, faults)
  })
  for (const add of routes) await add(httpServer, server)
  const health = healthOf(server.database, server.clock)
  httpServer.get('/health', async (_request, reply) => {
    if (server.drain.isBegun) return reply.code(503).send({ status: 'draining' })
    const trouble = await health.trouble()
    if (trouble === undefined) return { status: 'ok' }
    return reply.code(503).send({ status: trouble })
  })
  // A restart does not help while the database is away.
  httpServer.get('/alive', async () => ({ status: 'ok' }))
  httpServer.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.text()
  })
  return httpServer
}

/** The page of the API, and its description for programs. */
async function addDocument(
  scope: FastifyInstance,
  server: Server,
  endpoints: readonly Endpoint[],
  generation: Generation,
  routePrefix: string,
) {
  const document = { ...(await openApiOf(endpoints, generation)), servers: [addressOf(server)] }
  await scope.register(swagger, { mode: 'static', specification: { document } })
  await scope.register(swaggerUi, {
    routePrefix,
    theme: {
      title: 'Parley chat server',
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    uiConfig: { docExpansion: 'none', deepLinking: true, defaultModelsExpandDepth: 0 },
  })
}

/** Where clients reach the server, which is known for sure once it listens. */
function addressOf(server: Server) {
  return {
    get url() {
      return server.publicUrl
    },
  }
}

/** Adds an endpoint at its path, and at those of v2. */
function addRoute(routes: FastifyInstance, server: Server, endpoint: Endpoint, metrics: Metrics, faults: FaultLog) {
  const checkBody = endpoint.body && new Validator(endpoint.body)
  const checkQuery = endpoint.query && new Validator(endpoint.query)
  const checkPayload = endpoint.payload && new Validator(endpoint.payload)
  const count = metrics.calls(endpoint.name)

  const route: Omit<RouteOptions, 'url'> = {
    method: endpoint.method,
    ...(endpoint.bodyBytes !== undefined && { bodyLimit: endpoint.bodyBytes }),
    preParsing: async (_request, _reply, body) => (endpoint.body ? inTime(body, server.clock) : body),
    async handler(request, reply) {
      const start = startOf(request)
      const v2 = dialectOf(request, server)
      const query = inV1(v2, endpoint.query, request.query) as Record<string, string>
      const incoming = endpoint.form && incomingOf(request)
      try {
        const { userId, ...others } = credentialsOf(request, server)
        const credentials = { ...others, userId: endpoint.asksAboutUser ? undefined : userId }
        const caller = endpoint.open
          ? { app: await appOf(server, credentials.apiKey), server: false, user: undefined, connectionId: undefined }
          : await authenticate(server, server.tokens, credentials)
        limit(server, caller, endpoint.name, credentials, reply)
        checkNotSuspended(caller, endpoint.name)
        if (endpoint.serverOnly && !caller.server)
          throw new ChatError('NotAllowedError', 'this endpoint is only available with server side authentication')
        if (endpoint.form && !incoming)
          throw inputError('file', 'the body must be multipart/form-data with a part "file"')
        const body = checkBody ? checkBody.checkSent(bodyOf(request, server.files, v2 && endpoint)) : {}
        checkQuery?.check(query)
        const payload = checkPayload
          ? checkPayload.checkSent(inV1(v2, endpoint.payload, payloadOf(query, server.files)), 'payload')
          : query
        const asked =
          caller.server && !endpoint.asksAboutUser ? await actingFor(server, caller, endpoint, body, payload) : caller
        const params = paramsOf(request)
        const answer = await asCause(
          { server: caller.server, isWanted: wantsCause(caller.app) },
          credentials.address,
          request,
          () =>
            endpoint.handle(
              {
                ...{ caller: asked, credentials, params, body, query: payload, ...(incoming && { incoming }) },
                whenGone: (gone) => reply.raw.once('close', () => reply.raw.writableFinished || gone()),
              },
              server,
            ),
        )
        count(performance.now() - start, true)
        reply.code(isCreated(answer) ? 201 : (endpoint.status ?? 200))
        reply.type('application/json; charset=utf-8')
        const written = piecesOf(answer, durationSince(start))
        await server.files.learnOwners(written.filter((piece) => typeof piece === 'string'))
        const pieces = written.map((piece) =>
          typeof piece !== 'string'
            ? piece
            : caller.server
              ? server.files.inWords(caller.app, piece)
              : server.files.forClients(caller.app, piece),
        )
        return await send(request, reply, v2 ? [inV2(v2, endpoint, pieces)] : pieces)
      } catch (error) {
        count(performance.now() - start, false)
        if (incoming) await drainBody(incoming.body, reply, server.clock)
        if (isFault(error)) faults.report('a call failed', error, { operation: endpoint.name })
        return refuse(reply, endpoint.name, error, start)
      }
    },
  }
  const answerAt = (url: string, config: RouteConfig) => routes.route({ ...route, url, config: config as object })
  answerAt(endpoint.path, { operation: endpoint.name })
  for (const path of v2PathsOf(endpoint.path)) answerAt(path, { operation: endpoint.name, isV2: true })
}

/** The dialect of the caller of a path of v2 [HTTP-36]; undefined at other paths. */
function dialectOf(request: FastifyRequest, { settings }: Server): V2Dialect | undefined {
  if (!configOf(request).isV2) return undefined
  const client = String(request.headers['x-stream-client'] ?? '')
  return { nanoseconds: settings.nanosecondClients.some((prefix) => client.startsWith(prefix)) }
}

/** What a caller of v2 sent, as rules know it. */
function inV1(v2: V2Dialect | undefined, schema: TSchema | undefined, sent: unknown): unknown {
  return v2 && schema ? fromV2(schema, sent) : sent
}

/** The JSON of an answer for a caller of v2. */
function inV2(v2: V2Dialect, { answer }: Endpoint, pieces: readonly Piece[]): string {
  return JSON.stringify(toV2(answer, JSON.parse(pieces.join('')), v2))
}

/** Whether an app has other servers that are called, and learn what caused it. */
function wantsCause({ webhooks, settings }: App): boolean {
  return webhooks.length > 0 || Boolean(settings.before_message_send_hook_url)
}

interface RouteConfig {
  operation?: string
  isV2?: boolean
}

function configOf(request: FastifyRequest): RouteConfig {
  return (request.routeOptions.config as RouteConfig | undefined) ?? {}
}

const starts = new WeakMap<FastifyRequest, number>()
const startOf = (request: FastifyRequest) => starts.get(request) ?? performance.now()

function operationOf(request: FastifyRequest): string {
  return configOf(request).operation ?? 'Call'
}

/** What every answer carries, a refusal too [SET-5, HTTP-32, messaging.md 1.3, 1.8]. */
function mark(request: FastifyRequest, reply: FastifyReply, { limits, clock }: Server) {
  const requestId = request.headers['x-client-request-id']
  if (requestId !== undefined) reply.header('x-client-request-id', requestId)
  // The machine's own clock, which `Date` goes by, decides nothing here.
  reply.header('X-Server-Time', clock.now())
  // Of whom nothing is known yet, nothing was counted.
  setRateHeaders(reply, limits.look('', operationOf(request), 'web'))
}

function setRateHeaders(reply: FastifyReply, { limit, remaining, reset }: RateState) {
  reply.header('X-RateLimit-Limit', limit)
  reply.header('X-RateLimit-Remaining', remaining)
  reply.header('X-RateLimit-Reset', reset)
}

function noSuchEndpoint({ method, url }: FastifyRequest): ChatError {
  const path = url.split('?')[0]!
  // An id that is empty leaves nothing between slashes, or behind the last.
  const hint = /.\/(\/|$)/.test(path) ? '; a part of the address is empty' : ''
  return new ChatError('DoesNotExistError', `there is no ${method} ${path}${hint}`)
}

/** What the parts of an address name. */
function paramsOf(request: FastifyRequest): Record<string, string> {
  const parts = Object.entries(request.params as Record<string, string>)
  return Object.fromEntries(parts.map(([name, value]) => [name, withoutNul(value)]))
}

function refuse(reply: FastifyReply, operation: string, error: unknown, start: number) {
  if (error instanceof ChatError && error.retryAfterSeconds !== undefined)
    reply.header('Retry-After', error.retryAfterSeconds)
  const body = errorAnswer(operation, error, durationSince(start))
  return reply.code(body.StatusCode).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** What the framework itself refuses, in our words. */
function asChatError(error: unknown, bodyBytes: number): unknown {
  if (error instanceof ChatError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return new ChatError('PayloadTooBigError', `the body has more than ${bodyBytes} bytes`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return inputError('Content-Type', 'the Content-Type is not valid')
  if (code?.startsWith('Z_')) return inputError('body', 'body is not valid gzip')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ChatError('InputError', 'the request is not valid', { cause: error })
  return error
}

function credentialsOf(request: FastifyRequest, { proxies }: Server): Credentials {
  const query = request.query as Record<string, string | undefined>
  const { authorization = '', 'stream-auth-type': authType } = request.headers
  const client = request.headers['x-stream-client']
  return {
    apiKey: query.api_key,
    token: authorization.replace(/^Bearer\s+/i, ''),
    authType: typeof authType === 'string' ? authType : undefined,
    userId: query.user_id,
    connectionId: query.connection_id,
    client: typeof client === 'string' ? client : undefined,
    address: proxies.addressOf(request.raw),
  }
}

/** @throws ChatError RateLimitError (9) */
function limit(
  { limits }: Server,
  caller: Caller,
  operation: string,
  { client, address }: Credentials,
  reply: FastifyReply,
) {
  const platform = platformOf(client, caller.server)
  const name = caller.user && caller.user.role !== 'anonymous' ? caller.user.id : namelessAt(address)
  // A client polls as often as events occur; its connection was counted.
  const user = caller.server || operation === 'LongPoll' ? undefined : name
  const { refusal, waitSeconds, ...state } = limits.count({ app: caller.app.id, operation, platform, user })
  setRateHeaders(reply, state)
  if (!refusal) return
  reply.header('Retry-After', waitSeconds)
  throw refusal
}

function incomingOf({ body, headers }: FastifyRequest): Incoming | undefined {
  return typeof body === 'object' && body !== null ? { body: body as Readable, headers } : undefined
}

/**
 * Reads a body to its end, within a time limit: a client that is still sending does not read the answer. If the
 * connection ends with the answer, the answer waits for the body.
 */
async function drainBody(body: Readable, reply: FastifyReply, clock: Clock) {
  if (body.destroyed || body.readableEnded) return
  const cancel = clock.after(DRAIN_MS, () => body.destroy())
  const ended = new Promise((resolve) => body.once('end', resolve).once('close', resolve))
  body.once('close', cancel)
  body.on('error', () => {})
  body.resume()
  if (!reply.raw.shouldKeepAlive) await ended
}

/** A body that does not come to its end is given up, as if it had failed by itself; the call can still be answered. */
function inTime(body: RequestPayload, clock: Clock): RequestPayload {
  const tooSlow = () => {
    // An unread body would report its failure to no listener.
    if (body.listenerCount('error') > 0)
      body.emit('error', new ChatError('RequestTimeoutError', 'the body took too long to arrive'))
  }
  const cancel = clock.after(BODY_MS, tooSlow)
  body.once('end', cancel)
  body.once('close', cancel)
  return body
}

/** @throws ChatError AppSuspendedError (99) — its server may still ask why [administration.md 0.1] */
function checkNotSuspended({ app, server }: Caller, operation: string) {
  if (app.suspended && !(server && operation === 'GetApp')) throw suspended(app)
}

/** @param v2 the endpoint, where it was called as one of v2 */
function bodyOf({ body: text }: FastifyRequest, files: Files, v2: Endpoint | undefined): unknown {
  const sent = typeof text === 'string' && text !== '' ? (parseJson(files.fromClients(text), 'body') ?? {}) : {}
  return v2?.body ? fromV2(v2.body, isObject(sent) ? { ...v2.v2Defaults, ...sent } : sent) : sent
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function payloadOf({ payload }: Record<string, string>, files: Files): unknown {
  return payload === undefined || payload === '' ? {} : (parseJson(files.fromClients(payload), 'payload') ?? {})
}

/**
 * The acting user of a server-side call, from the body, from its subject, or from the query; a `user` object creates or
 * updates them [messaging.md 1.2].
 *
 * @throws ChatError InputError (4) — there is no user of that id
 */
async function actingFor(
  server: Server,
  caller: Caller,
  { makesUser }: Endpoint,
  body: unknown,
  query: unknown,
): Promise<Caller> {
  const { message, reaction, event } = body as Record<string, unknown>
  const named = [body, message, reaction, event, query].map(namedIn).find((user) => user !== undefined)
  if (!named) return caller
  const known = named.id === caller.user?.id ? caller.user : await server.users.get(caller.app.id, named.id)
  const isSaid = Object.keys(named).length > 1
  if (!known && !isSaid && !makesUser)
    throw new ChatError('InputError', `could not find user ${named.id}`, {
      fields: { user_id: `could not find user ${named.id}` },
    })
  const user = known && !isSaid ? known : await describedUser(server, caller.app.id, named)
  return { ...caller, user }
}

function namedIn(value: unknown): { id: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { user_id, user } = value as { user_id?: unknown; user?: { id?: unknown } | null }
  if (typeof user?.id === 'string' && user.id !== '') return user as { id: string }
  return typeof user_id === 'string' && user_id !== '' ? { id: user_id } : undefined
}
