/** The HTTP door: every call is authenticated, limited, checked and answered in the provider's shape here. */
import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { ChatError } from '../chat-error.ts'
import type { Server } from '../server.ts'
import { appOf, authenticate } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { type Endpoint, isCreated } from './endpoint.ts'
import { durationSince, errorAnswer } from './error-answer.ts'
import { parseJson } from './json.ts'
import type { Metrics } from './metrics.ts'
import { openApiSchemaOf } from './open-api.ts'
import { platformOf, RateLimits } from './rate-limits.ts'
import type { Tokens } from './tokens.ts'
import { Validator } from './validate.ts'

/** Bytes a JSON body may have: thirty attachments of 5 kB, a long text and custom data fit well. */
const BODY_BYTES = 512 * 1024

const corsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowedHeaders:
    'Authorization, stream-auth-type, X-Stream-Client, X-Stream-Ext, x-client-request-id, Content-Type'.split(', '),
  exposedHeaders: [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'x-client-request-id',
  ],
  maxAge: 86_400,
}

/** Starts nothing yet: gives the door with all endpoints behind it. */
export async function openDoor(
  server: Server,
  endpoints: readonly Endpoint[],
  tokens: Tokens,
  metrics: Metrics,
  log: Logger,
): Promise<FastifyInstance> {
  const door = Fastify({
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: 1_024 },
  })
  const limits = new RateLimits(server.clock, server.settings.rateLimitPerMinute)
  await door.register(cors, corsOptions)
  await door.register(swagger, {
    openapi: {
      info: {
        title: 'Parley chat server',
        version: '1',
        description: 'Speaks the v1 API of Stream Chat; not affiliated with Stream.io.',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    },
  })
  await door.register(swaggerUi, { routePrefix: '/docs' })

  door.removeAllContentTypeParsers()
  door.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  door.setValidatorCompiler(() => () => true)
  door.setSerializerCompiler(() => (answer) => JSON.stringify(answer))

  await door.register(async (routes) => {
    for (const endpoint of endpoints) addRoute(routes, server, endpoint, tokens, limits, metrics, log)
  })
  door.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  door.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    reply.type(metrics.contentType)
    return metrics.text()
  })
  door.setNotFoundHandler((request, reply) => {
    const error = new ChatError('DoesNotExistError', `there is no ${request.method} ${request.url.split('?')[0]}`)
    return refuse(reply, 'Call', error, performance.now())
  })
  door.setErrorHandler((error, request, reply) => {
    const operation = operationOf(request)
    const expected = asChatError(error)
    if (!(expected instanceof ChatError)) log.error({ operation, err: error }, 'a call failed')
    return refuse(reply, operation, expected, startOf(request))
  })
  return door
}

function addRoute(
  routes: FastifyInstance,
  server: Server,
  endpoint: Endpoint,
  tokens: Tokens,
  limits: RateLimits,
  metrics: Metrics,
  log: Logger,
) {
  const checkBody = endpoint.body && new Validator(endpoint.body)
  const checkQuery = endpoint.query && new Validator(endpoint.query)
  const checkPayload = endpoint.payload && new Validator(endpoint.payload)
  const count = metrics.calls(endpoint.name)

  routes.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: openApiSchemaOf(endpoint),
    config: { operation: endpoint.name },
    async onRequest(request) {
      starts.set(request, performance.now())
    },
    async handler(request, reply) {
      const start = startOf(request)
      const query = request.query as Record<string, string>
      const requestId = request.headers['x-client-request-id']
      if (requestId !== undefined) reply.header('x-client-request-id', requestId)
      try {
        const caller = await callerOf(server, tokens, request, endpoint.open === true)
        limit(limits, caller, endpoint.name, request, reply)
        const body = endpoint.body ? bodyOf(request) : {}
        checkBody?.check(body)
        checkQuery?.check(query)
        const payload = endpoint.payload ? payloadOf(query) : query
        checkPayload?.check(payload)
        const asked = caller.server ? await actingFor(server, caller, body, payload) : caller
        const params = request.params as Record<string, string>
        const answer = await endpoint.handle({ caller: asked, params, body, query: payload }, server)
        count(performance.now() - start, true)
        reply.code(isCreated(answer) ? 201 : (endpoint.status ?? 200))
        reply.type('application/json; charset=utf-8')
        return reply.send(JSON.stringify({ ...answer, duration: durationSince(start) }))
      } catch (error) {
        count(performance.now() - start, false)
        if (!(error instanceof ChatError)) log.error({ operation: endpoint.name, err: error }, 'a call failed')
        return refuse(reply, endpoint.name, error, start)
      }
    },
  })
}

const starts = new WeakMap<FastifyRequest, number>()
const startOf = (request: FastifyRequest) => starts.get(request) ?? performance.now()

function operationOf(request: FastifyRequest): string {
  return (request.routeOptions.config as { operation?: string } | undefined)?.operation ?? 'Call'
}

function refuse(reply: FastifyReply, operation: string, error: unknown, start: number) {
  const body = errorAnswer(operation, error, durationSince(start))
  return reply.code(body.StatusCode).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** What the framework itself refuses, in our words. */
function asChatError(error: unknown): unknown {
  if (error instanceof ChatError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413)
    return new ChatError('PayloadTooBigError', `the body has more than ${BODY_BYTES} bytes`)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ChatError('InputError', 'the request is not valid', { cause: error })
  return error
}

async function callerOf(server: Server, tokens: Tokens, request: FastifyRequest, open: boolean): Promise<Caller> {
  const query = request.query as Record<string, string | undefined>
  const { authorization = '', 'stream-auth-type': authType } = request.headers
  const apiKey = query.api_key
  if (open) return { app: await appOf(server, apiKey), server: false, user: undefined, connectionId: undefined }
  return authenticate(server, tokens, {
    apiKey,
    token: authorization.replace(/^Bearer\s+/i, ''),
    authType: typeof authType === 'string' ? authType : undefined,
    userId: query.user_id,
    connectionId: query.connection_id,
  })
}

function limit(limits: RateLimits, caller: Caller, operation: string, request: FastifyRequest, reply: FastifyReply) {
  const client = request.headers['x-stream-client']
  const platform = platformOf(typeof client === 'string' ? client : undefined, caller.server)
  const state = limits.count(caller.app.id, operation, platform)
  reply.header('X-RateLimit-Limit', state.limit)
  reply.header('X-RateLimit-Remaining', state.remaining)
  reply.header('X-RateLimit-Reset', state.reset)
  if (state.remaining === 0) reply.header('Retry-After', Math.max(1, state.reset - Math.floor(Date.now() / 1000)))
  limits.check(caller.app.id, operation, platform)
}

function bodyOf(request: FastifyRequest): unknown {
  const text = request.body
  return typeof text === 'string' && text !== '' ? parseJson(text, 'body') : {}
}

function payloadOf(query: Record<string, string>): unknown {
  return query.payload === undefined || query.payload === '' ? {} : parseJson(query.payload, 'payload')
}

/** Server side, the acting user may stand in the body, in its message, or in the query [messaging.md 1.2]. */
async function actingFor(server: Server, caller: Caller, body: unknown, query: unknown): Promise<Caller> {
  const id = namedIn(body) ?? namedIn((body as { message?: unknown }).message) ?? namedIn(query)
  if (id === undefined || id === caller.user?.id) return caller
  const user = await server.users.get(caller.app.id, id)
  if (!user)
    throw new ChatError('InputError', `could not find user ${id}`, { fields: { user_id: `could not find user ${id}` } })
  return { ...caller, user }
}

function namedIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { user_id, user } = value as { user_id?: unknown; user?: { id?: unknown } }
  if (typeof user_id === 'string') return user_id
  return typeof user?.id === 'string' ? user.id : undefined
}
