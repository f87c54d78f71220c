import { createHash } from 'node:crypto'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { OutboundError, type OutboundPolicy, outboundLookup } from '../../platform/outbound/outbound-fetch.ts'

/** A connection idle for this long is closed. */
const IDLE_MS = 300_000
/** Only the error of an answer is read. */
const ANSWER_CHARS = 4_096

export interface LineCall {
  headers: Record<string, string>
  body: string
  timeLimitMs: number
  /** A certificate with its key, in the form PKCS #12, for who wants to see one on connecting. */
  certificate?: Buffer
}

export interface LineAnswer {
  status: number
  body: string
}

/**
 * Lines over HTTP/2 to push services, which are kept: very many small calls, and one handshake. They lead where
 * `outboundFetch` would.
 */
export class Lines {
  #policy: OutboundPolicy
  #open = new Map<string, Promise<ClientHttp2Session>>()
  constructor(policy: OutboundPolicy) {
    this.#policy = policy
  }

  /** @throws OutboundError */
  async post(url: string, { headers, body, timeLimitMs, certificate }: LineCall): Promise<LineAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<LineAnswer>()
    const { origin, pathname } = new URL(url)
    const key = `${origin} ${certificate ? createHash('sha256').update(certificate).digest('hex') : ''}`
    const line = this.#line(key, origin, certificate)
    const failed = (cause: unknown) =>
      reject(
        cause instanceof OutboundError
          ? cause
          : new OutboundError('unreachable', `${origin} could not be reached`, { cause }),
      )
    const cancel = this.#policy.clock.after(timeLimitMs, () => {
      failed(new OutboundError('too slow', `no answer within ${timeLimitMs} ms`))
      // The next call opens a new connection: this one may be dead.
      this.#forget(key, line)
      line.then((session) => session.close(), failed)
    })
    line
      .then((session) => {
        const stream = session.request({ ':method': 'POST', ':path': pathname, ...headers })
        const answer: LineAnswer = { status: 0, body: '' }
        stream.setEncoding('utf8')
        stream.on('response', (headers) => {
          answer.status = Number(headers[':status'])
        })
        stream.on('data', (chunk: string) => {
          if (answer.body.length < ANSWER_CHARS) answer.body += chunk
        })
        stream.on('end', () => {
          if (answer.status > 0) resolve(answer)
        })
        stream.on('error', failed)
        stream.on('close', () => failed(new OutboundError('unreachable', `${origin} ended the call`)))
        stream.end(body)
        promise.catch(() => stream.close(constants.NGHTTP2_CANCEL))
      })
      .catch(failed)
    try {
      return await promise
    } finally {
      cancel()
    }
  }

  /** Closes all connections; calls that wait for an answer fail. */
  close() {
    const lines = [...this.#open.values()]
    this.#open.clear()
    for (const line of lines)
      line.then(
        (session) => session.destroy(),
        () => {},
      )
  }

  #line(key: string, origin: string, certificate: Buffer | undefined): Promise<ClientHttp2Session> {
    const open = this.#open.get(key)
    if (open) return open
    const line = this.#connected(origin, certificate, () => this.#forget(key, line))
    this.#open.set(key, line)
    line.catch(() => this.#forget(key, line))
    return line
  }

  async #connected(origin: string, pfx: Buffer | undefined, ended: () => void): Promise<ClientHttp2Session> {
    const lookup = await outboundLookup(this.#policy, origin)
    const session = open(origin, { lookup, ...(pfx && { pfx }) })
    session.setTimeout(IDLE_MS, () => session.close())
    // Each call on it fails for itself.
    session.on('error', ended)
    session.on('goaway', ended)
    session.on('close', ended)
    session.unref()
    return session
  }

  #forget(key: string, line: Promise<ClientHttp2Session>) {
    if (this.#open.get(key) === line) this.#open.delete(key)
  }
}

function open(...args: Parameters<typeof connect>): ClientHttp2Session {
  try {
    return connect(...args)
  } catch (cause) {
    throw new OutboundError('forbidden', 'the certificate cannot be used', { cause })
  }
}
