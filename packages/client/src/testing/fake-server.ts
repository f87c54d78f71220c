/** A fake server for a client: tests define what calls answer and what sockets send. */
import { ChatClient, type ChatClientOptions } from '../chat-client.ts'
import type { Socket } from '../connection/runner.ts'
import { calls, soon, toWrite } from '../on-demand.ts'
import type { OwnUser, UserRequest } from '../shapes.ts'
import { developmentToken, type TokenOrProvider } from '../token.ts'
import { FakeClock } from './fake-clock.ts'
import { ada, me } from './wire.ts'

export interface Call {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body
  body: any
}

type Respond = (call: Call) => unknown

/** An error answer. */
export class Refusal {
  readonly status: number
  readonly body: unknown
  constructor(code: number, status: number, detail: string) {
    this.status = status
    this.body = {
      code,
      message: `Op failed with error: "${detail}"`,
      StatusCode: status,
      duration: '1ms',
      more_info: '',
      details: [],
    }
  }
}

export class FakeServer {
  readonly calls: Call[] = []
  readonly sockets: FakeSocket[] = []
  #responses: { method: string; path: string; respond: Respond }[] = []

  /** Sets what a call answers from now on; a promise delays the answer. */
  answers(method: string, path: string, respond: Respond | object) {
    const given = typeof respond === 'function' ? (respond as Respond) : () => respond
    this.#responses.unshift({ method, path, respond: given })
  }

  /** Delays the answer to a call until the test gives it. */
  holds(method: string, path: string) {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.answers(method, path, () => promise)
    return {
      give: (answer: object) => settled(resolve, answer),
      break: () => settled(reject, new TypeError('fetch failed')),
    }
  }

  callsTo(method: string, path: string) {
    return this.calls.filter((call) => call.method === method && call.path === path)
  }

  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (!socket) throw new Error('No socket was opened.')
    return socket
  }

  fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const call: Call = {
      method: init?.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: init?.headers as Record<string, string>,
      body: bodyOf(init?.body),
    }
    this.calls.push(call)
    const found = this.#responses.find(({ method, path }) => method === call.method && path === call.path)
    const answer = await Promise.race([aborted(init?.signal), found ? found.respond(call) : {}])
    if (answer instanceof Refusal) return Response.json(answer.body, { status: answer.status })
    return Response.json({ duration: '1ms', ...(answer as object) })
  }

  get Socket() {
    const server = this
    return class extends FakeSocket {
      constructor(url: string) {
        super(url)
        server.sockets.push(this)
      }
    }
  }
}

export class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  onerror: Socket['onerror'] = null
  readonly url: URL
  readonly sent: unknown[] = []
  closedWith: number | undefined
  constructor(url: string) {
    this.url = new URL(url)
  }

  send(frame: string) {
    this.sent.push(JSON.parse(frame))
  }

  close(code?: number) {
    this.closedWith = code
    queueMicrotask(() => this.onclose?.({ code: code ?? 1005, reason: '' }))
  }

  says(frame: object | string) {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) })
  }

  /** Sends the first frame of a good connection. */
  confirms(own: OwnUser = me(ada), connectionID = 'c1') {
    this.says({
      type: 'health.check',
      connection_id: connectionID,
      cid: '*',
      created_at: '2026-01-05T09:00:00Z',
      me: own,
    })
  }

  refuses(code: number, message = 'no', status = 401) {
    this.says({ error: { code, message, StatusCode: status, duration: '0ms', more_info: '', details: [] } })
  }

  breaks(code = 1006) {
    this.onclose?.({ code, reason: '' })
  }
}

export function aWorld(options: Partial<ChatClientOptions> = {}) {
  const clock = new FakeClock()
  const server = new FakeServer()
  const client = new ChatClient('key', {
    baseURL: 'https://chat.example.com',
    clock,
    random: () => 0,
    fetch: server.fetch,
    WebSocket: server.Socket,
    ...options,
  })
  return { client, server, clock }
}

/** A client with Ada connected. */
export async function aConnectedWorld(
  options: Partial<ChatClientOptions> & { own?: OwnUser; token?: TokenOrProvider; user?: UserRequest } = {},
) {
  const { own = me(ada), user = { id: own.id }, token = developmentToken(own.id), ...rest } = options
  await Promise.all([soon.fetch(), toWrite.fetch(), calls.fetch()])
  const world = aWorld(rest)
  const connected = world.client.connectUser(user, token)
  await settle()
  world.server.socket.confirms(own)
  await connected
  return world
}

/** Lets all pending microtasks and immediate work run. */
export async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}

async function settled<Value>(settleWith: (value: Value) => void, value: Value) {
  settleWith(value)
  await settle()
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

function bodyOf(body: unknown): unknown {
  return body === undefined || body instanceof FormData ? body : JSON.parse(String(body))
}
