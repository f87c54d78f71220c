/** People of a story: they speak the wire, and whatever they are told is held against its schema. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ChannelState } from '@parley/protocol/channels'
import { chatEvents } from '@parley/protocol/events'
import type { Message } from '@parley/protocol/messages'
import type { TSchema } from 'typebox'
import { WebSocket } from 'ws'
import type { Endpoint } from '../chat/api/endpoint.ts'
import { v2PathsOf } from '../chat/api/v2-paths.ts'
import { fromV2, toV2 } from '../chat/api/v2-shapes.ts'
import { endpoints } from '../operations.ts'
import { inputError } from '../platform/chat-error.ts'
import type { AppRow } from '../platform/database/tables.ts'
import { Validator } from '../platform/http/validate.ts'
import { noteExchange } from './exchanges.ts'
import type { FakeClock } from './fake-clock.ts'
import { statusesOf } from './statuses.ts'
import { mistimed } from './times.ts'

export interface ReceivedEvent {
  type: string
  cid?: string
  // biome-ignore lint/suspicious/noExplicitAny: a story looks into events of every shape.
  [field: string]: any
}

// biome-ignore lint/suspicious/noExplicitAny: a story looks into answers of every shape.
type Answer = any

interface CallOptions {
  body?: unknown
  /** In place of a body. */
  form?: FormData
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
}

interface Called {
  status: number
  body: Answer
  headers: Headers
}

/** How long a story waits for a fact before it fails. */
const PATIENCE_MS = 5_000

/** A call of v1 as a client of v2 makes it. */
function inV2({ body: schema, payload }: Endpoint, { body, query, ...others }: CallOptions): CallOptions {
  const nested = (shape: TSchema, value: unknown) => toV2(shape, value, { nanoseconds: true })
  const isJson = typeof body === 'object' && body !== null
  return {
    ...others,
    ...(body !== undefined && { body: schema && isJson ? nested(schema, body) : body }),
    ...(query && {
      query: {
        ...query,
        ...(payload &&
          isObject(query.payload) && { payload: JSON.stringify(nested(payload, JSON.parse(query.payload))) }),
      },
    }),
    headers: { 'X-Stream-Client': 'stream-python 1', ...others.headers },
  }
}

function isObject(json: string | undefined): json is string {
  try {
    return typeof JSON.parse(json ?? '') === 'object'
  } catch {
    return false
  }
}

function endpointAt(method: string, path: string): Endpoint | undefined {
  const { pathname } = new URL(path, 'http://localhost')
  return endpoints.find(
    (endpoint) =>
      endpoint.method === method && new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}/?$`).test(pathname),
  )
}

/** A web token signed with a secret; what it claims is the story's business. */
export function sign(secret: string, claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part(header)}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

/** Anybody who can make calls. */
class Caller {
  readonly url: string
  readonly app: AppRow
  readonly clock: FakeClock
  token: string
  /** In `v2` every call is made at its path of v2, in the shapes of v2; what is asked and answered reads as in v1. */
  generation: 'v1' | 'v2' = process.env.WIRE_GENERATION === 'v2' ? 'v2' : 'v1'
  constructor(url: string, app: AppRow, clock: FakeClock, token: string) {
    this.url = url
    this.app = app
    this.clock = clock
    this.token = token
  }

  /** Makes a call and gives its status and JSON, whatever they are. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
    const endpoint = this.generation === 'v2' ? endpointAt(method, path) : undefined
    if (!endpoint) return this.#callAsIs(method, path, options)
    const called = await this.#callAsIs(method, v2PathsOf(path)[0] ?? path, inV2(endpoint, options))
    return called.status < 300 ? { ...called, body: fromV2(endpoint.answer, called.body) } : called
  }

  async #callAsIs(method: string, path: string, options: CallOptions): Promise<Called> {
    const url = new URL(this.url + path)
    for (const [name, value] of Object.entries({ api_key: this.app.key, ...this.always(), ...options.query }))
      if (value !== undefined) url.searchParams.set(name, value)
    const answer = await fetch(url, {
      method,
      headers: {
        Authorization: this.token,
        'stream-auth-type': this.token === '' ? 'anonymous' : 'jwt',
        ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.form && { body: options.form }),
      ...(options.body !== undefined && {
        body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
      }),
    })
    const text = await answer.text()
    const body = text === '' ? undefined : JSON.parse(text)
    if (answer.ok) holdAgainstSchema(method, path, answer.status, body)
    if (body) noteExchange({ method, path, query: options.query, body: options.body }, body, { refused: !answer.ok })
    return { status: answer.status, body, headers: answer.headers }
  }

  /** Makes a call that must succeed. */
  async does(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    checkParameters(method, path, options.query ?? {})
    const { status, body } = await this.call(method, path, options)
    assert.ok(status === 200 || status === 201, `${method} ${path} → ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Makes a call that must be refused with this code, in the provider's shape; gives the error's body. */
  async isRefused(code: number, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { status, body } = await this.call(method, path, options)
    assert.equal(body?.code, code, `${method} ${path} → ${status} ${JSON.stringify(body)}`)
    assert.equal(body.StatusCode, status)
    assert.match(body.message, /^\w+ failed with error: ".+"$/s)
    for (const field of Object.keys(body.exception_fields ?? {})) assert.notEqual(field, '', body.message)
    assert.equal(typeof body.duration, 'string')
    return body
  }

  protected always(): Record<string, string | undefined> {
    return {}
  }
}

/** The company's own server, which has the secret. */
export class AppServer extends Caller {
  constructor(url: string, app: AppRow, clock: FakeClock) {
    super(url, app, clock, sign(app.secret, { server: true }))
  }

  /** Makes users with these ids. */
  async createUsers(...ids: string[]) {
    const users = Object.fromEntries(ids.map((id) => [id, { id, name: id[0]!.toUpperCase() + id.slice(1) }]))
    await this.does('POST', '/users', { body: { users } })
  }

  /** The same server, which calls another node. */
  at({ url }: { url: string }): AppServer {
    return new AppServer(url, this.app, this.clock)
  }

  user(id: string, url = this.url): TestUser {
    return new TestUser(id, url, this.app, this.clock)
  }

  /** A channel of these people, made by the first of them; gives its cid. */
  async opens(members: readonly TestUser[], data: object = {}, type = 'messaging'): Promise<string> {
    const id = `room-${randomUUID()}`
    const body = { data: { created_by_id: members[0]!.id, members: members.map((member) => member.id), ...data } }
    await this.does('POST', `/channels/${type}/${id}/query`, { body })
    return `${type}:${id}`
  }
}

/** One user with at most one socket; a second device is another Person of the same id. */
export class TestUser extends Caller {
  readonly id: string
  connectionId: string | undefined
  /** The own user as the first frame told it. */
  me: Answer
  readonly events: ReceivedEvent[] = []
  /** Code and reason the socket was closed with. */
  closed: { code: number } | undefined
  #socket: WebSocket | undefined
  #waiting = new Set<() => void>()
  #problems: string[] = []
  constructor(id: string, url: string, app: AppRow, clock: FakeClock) {
    super(url, app, clock, sign(app.secret, { user_id: id }))
    this.id = id
  }

  protected override always() {
    return { user_id: this.id, connection_id: this.connectionId }
  }

  /** Another device of the same user. */
  device(url = this.url): TestUser {
    return new TestUser(this.id, url, this.app, this.clock)
  }

  /** Opens the socket; resolves with the first frame, which may be a refusal. */
  async connects(
    options: {
      token?: string
      query?: Record<string, string>
      details?: object
      headers?: Record<string, string>
    } = {},
  ): Promise<ReceivedEvent> {
    const url = new URL(`${this.url.replace(/^http/, 'ws')}/connect`)
    const token = options.token ?? this.token
    const json = {
      user_id: this.id,
      user_details: { id: this.id, ...options.details },
      server_determines_connection_id: true,
    }
    const query = {
      json: JSON.stringify(json),
      api_key: this.app.key,
      authorization: token,
      'stream-auth-type': token === '' ? 'anonymous' : 'jwt',
      ...options.query,
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const socket = new WebSocket(url, { headers: options.headers ?? {} })
    this.#socket = socket
    this.closed = undefined
    socket.on('message', (data) => this.#hear(JSON.parse(String(data))))
    socket.on('close', (code) => {
      this.closed = { code }
      this.connectionId = undefined
      this.#wake()
    })
    socket.on('error', () => {})
    const already = this.events.length
    await this.#until(() => this.events.length > already || this.closed !== undefined, 'the first frame')
    const first = this.events[already]
    assert.ok(first, 'the socket closed before it said anything')
    if (first.type === 'health.check') {
      this.connectionId = first.connection_id
      this.me = first.me
    }
    return first
  }

  async leaves() {
    this.#socket?.close()
    await this.ends()
  }

  /** Sends a ping as the protocol of sockets has it, and waits for its answer. */
  async pings() {
    this.#socket!.ping()
    await once(this.#socket!, 'pong')
  }

  /** Waits until the socket is closed, by whomever. */
  async ends() {
    await this.#until(() => this.closed !== undefined, 'the end of the socket')
  }

  /** Leaves what comes in the socket where it is. */
  stopsReading() {
    this.#socket!.pause()
  }

  /** Sends a raw frame. */
  whispers(text: string) {
    this.#socket!.send(text)
  }

  /** Connects, if need be, and watches a channel; gives its state. */
  async watches(cid: string): Promise<ChannelState> {
    if (!this.connectionId) await this.connects()
    return this.opensChannel(cid, { watch: true })
  }

  /** The channel's state as a fresh fetch gives it. */
  opensChannel(cid: string, options: object = {}): Promise<ChannelState> {
    return this.does('POST', `${path(cid)}/query`, { body: { state: true, ...options } })
  }

  async sends(cid: string, text: string, fields: object = {}): Promise<Message> {
    const answer = await this.does('POST', `${path(cid)}/message`, { body: { message: { text, ...fields } } })
    return answer.message
  }

  async reads(cid: string, body: object = {}) {
    return (await this.does('POST', `${path(cid)}/read`, { body })).event
  }

  async unread(cid: string): Promise<number> {
    const state = await this.opensChannel(cid)
    return state.read.find((read) => read.user.id === this.id)?.unread_messages ?? 0
  }

  /** Waits for an event that has not been taken yet, and takes it. */
  async receives(type: string, matches: (event: ReceivedEvent) => boolean = () => true): Promise<ReceivedEvent> {
    const find = () => this.events.findIndex((event) => event.type === type && matches(event))
    await this.#until(() => find() >= 0, type)
    return this.events.splice(find(), 1)[0]!
  }

  /** Waits until an event that has not been taken is there, and leaves it. */
  async sees(matches: (event: ReceivedEvent) => boolean) {
    await this.#until(() => this.events.some(matches), 'an event')
  }

  /** Everything told so far and not taken; what is on its way has arrived when this resolves. */
  async received(): Promise<ReceivedEvent[]> {
    const before = this.events.filter((event) => event.type === 'health.check').length
    this.whispers(JSON.stringify([{ type: 'health.check', client_id: `${this.id}--story` }]))
    await this.#until(
      () => this.events.filter((event) => event.type === 'health.check').length > before,
      'the answer to a health check',
    )
    const told = this.events.filter((event) => event.type !== 'health.check')
    this.events.length = 0
    return told
  }

  /** The types of everything told so far and not taken. */
  async receivedTypes(): Promise<string[]> {
    return (await this.received()).map((event) => event.type)
  }

  #hear(event: ReceivedEvent) {
    const check = validators.get(event.type)
    try {
      check?.(event)
    } catch (error) {
      this.#problems.push(`${event.type}: ${JSON.stringify((error as { fields?: object }).fields)}`)
    }
    this.events.push(event)
    this.#wake()
  }

  #wake() {
    for (const wake of [...this.#waiting]) wake()
  }

  async #until(fact: () => boolean, what: string) {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look)
        const told = this.events.map(({ type }) => type).join(', ')
        reject(new Error(`${this.id} waited in vain for ${what} (told: ${told})`))
      }, PATIENCE_MS)
      const look = () => {
        if (!fact()) return
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
    assert.deepEqual(this.#problems, [], `${this.id} was told events that do not fit their schemas`)
  }
}

/** `/channels/{type}/{id}` of a cid. */
export function path(cid: string): string {
  return `/channels/${cid.replace(':', '/')}`
}

/** Whether something has a shape, and its times are written as all others. */
export function checkOf(schema: TSchema): (value: unknown) => void {
  const validator = new Validator(schema)
  return (value) => {
    validator.check(value)
    const [time] = mistimed(schema, value)
    if (time !== undefined) throw inputError(time, `${time} is not the form of a time`)
  }
}

const validators = new Map(Object.entries(chatEvents).map(([name, schema]) => [name, checkOf(schema)]))

/** Parameters of every call: who makes it, in which app [messaging.md 1.2]. */
const everywhere = ['api_key', 'user_id', 'connection_id']

const answers = endpoints.map(({ method, path: pattern, query, payload, answer }) => ({
  method,
  parameters: new Set([...everywhere, ...(payload ? ['payload'] : []), ...Object.keys(query?.properties ?? {})]),
  statuses: statusesOf(method, pattern),
  pattern: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`),
  check: checkOf(answer),
}))

/** A story asks nothing of a call that its schema does not name; who tries what happens then makes the call otherwise. */
function checkParameters(method: string, path: string, query: object) {
  const found = answers.find((answer) => answer.method === method && answer.pattern.test(path))
  const unknown = Object.keys(query).find((name) => found && !found.parameters.has(name))
  if (unknown !== undefined)
    throw new Error(`${method} ${path} was asked with ${unknown}, which its schema does not know`)
}

function holdAgainstSchema(method: string, path: string, status: number, body: unknown) {
  const found = answers.find((answer) => answer.method === method && answer.pattern.test(path))
  if (found && !found.statuses.includes(status)) throw new Error(`${method} ${path} answered with status ${status}`)
  try {
    found?.check(body)
  } catch (error) {
    throw new Error(
      `${method} ${path} answered what its schema does not know: ${JSON.stringify((error as { fields?: object }).fields)}`,
    )
  }
}
