/** The one way to other people's servers: link previews, hooks, commands and pushes go through here. */
import { lookup, Resolver } from 'node:dns/promises'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'

const TIME_LIMIT_MS = 5_000
const SIZE_LIMIT_BYTES = 1_048_576
const REDIRECTS = 3
const NAME_SERVERS = { timeout: 1_500, tries: 2 }
/** What IPv6 has given out so far is `2000::/3`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')

export interface OutboundRequest {
  method?: 'GET' | 'HEAD' | 'POST'
  /** They are not repeated after a redirect, `Accept` left aside. */
  headers?: Record<string, string>
  /** A call with a body follows no redirect: it is answered with the redirect itself. */
  body?: string | Buffer
  /** For name look-up, redirects and the whole answer together. */
  timeLimitMs?: number
  /** Of the answer as it is after unzipping. */
  sizeLimitBytes?: number
  /** Of an answer that is too long the beginning is kept; otherwise it fails. */
  cutLong?: boolean
  /**
   * Takes the body of an answer of status 200 in pieces, so that it is never held as a whole; then it is empty here.
   */
  into?: (piece: Buffer) => Promise<void>
  redirects?: number
}

export interface OutboundResponse {
  /** Where the answer came from, after redirects. */
  url: string
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * Which targets are allowed, and the clock. Every call states which of two it is: targets that an operator or an app's
 * own server chose are allowed by `ALLOWED_PRIVATE_HOSTS`; addresses that users write never are.
 */
export interface OutboundPolicy {
  /** `host` or `host:port`: these may have private addresses and any port. */
  privateHosts: readonly string[]
  /** `host:port` that is not reached whatever its address: the server itself. */
  refusedHosts?: () => readonly string[]
  clock: Clock
}

/** For webhooks, command handlers and pushes: what the operator allows besides public addresses. */
export function operatorPolicy(settings: { allowedPrivateHosts: readonly string[] }, clock: Clock): OutboundPolicy {
  return { privateHosts: settings.allowedPrivateHosts, clock }
}

/**
 * For addresses that users write: link previews, pictures, files of an import. They are public, whatever the operator
 * allows others, and never this server's own, which would be asked from inside and in circles.
 *
 * @param publicUrl where clients reach this server
 * @param neighbours hosts on this machine that tests take for public ones; no setting leads here
 */
export function publicPolicy(
  clock: Clock,
  publicUrl: () => string,
  neighbours: readonly string[] = [],
): OutboundPolicy {
  return { privateHosts: neighbours, refusedHosts: () => hostsOf(publicUrl()), clock }
}

/** On both of the usual ports where it has one of them, since one leads to the other. */
function hostsOf(address: string): string[] {
  const url = new URL(address)
  return url.port === '' ? [`${url.hostname}:80`, `${url.hostname}:443`] : [url.host]
}

/** Gives all addresses of a name; `trusted` is one that the operator named. */
export type Resolve = (host: string, trusted: boolean) => Promise<string[]>

/** Why nothing came back. `forbidden` is our own rule, the others are the other side's doing. */
export type OutboundFailure = 'forbidden' | 'unreachable' | 'too slow' | 'too long' | 'too many redirects'

export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: OutboundFailure
  constructor(reason: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Calls a server at an address from outside this server. It reaches public addresses on the usual ports only, as a
 * guard against SSRF: names are resolved here, the addresses are checked, and the connection goes to the checked
 * address, whatever the name resolves to later.
 *
 * @param resolve looks up names; tests replace it
 * @throws OutboundError
 */
export async function outboundFetch(
  policy: OutboundPolicy,
  url: string,
  call: OutboundRequest = {},
  resolve: Resolve = systemResolve,
): Promise<OutboundResponse> {
  const timeLimitMs = call.timeLimitMs ?? TIME_LIMIT_MS
  const controller = new AbortController()
  const { signal } = controller
  const cancel = policy.clock.after(timeLimitMs, () =>
    controller.abort(new OutboundError('too slow', `no answer within ${timeLimitMs} ms`)),
  )
  try {
    let at = parsed(url)
    let headers = call.headers ?? {}
    for (let left = call.redirects ?? REDIRECTS; ; left--) {
      const addresses = await orAborted(addressesOf(at, policy, resolve), signal)
      const answer = await orAborted(visit(at, addresses, { ...call, headers }, signal), signal)
      const next = call.body === undefined ? redirectOf(answer, at) : undefined
      if (!next) return answer
      if (left === 0) throw new OutboundError('too many redirects', `${url} redirects too often`)
      at = next
      headers = headers.Accept === undefined ? {} : { Accept: headers.Accept }
    }
  } finally {
    cancel()
  }
}

/**
 * Names that operators name may stand in the machine's own list of hosts, which only the system's look-up knows. It
 * occupies a thread that files and zipping need too, so names that strangers choose are asked of the name servers.
 */
async function systemResolve(host: string, trusted: boolean): Promise<string[]> {
  if (trusted) return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  const resolver = new Resolver(NAME_SERVERS)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * Looks up where a connection may go that is kept for longer than a call, under the same rules.
 *
 * @throws OutboundError
 */
export async function outboundLookup(policy: OutboundPolicy, url: string): Promise<LookupFunction> {
  return leadingTo(await addressesOf(parsed(url), policy, systemResolve))
}

/** Connects to checked addresses, whatever the name resolves to later. */
function leadingTo(addresses: readonly string[]): LookupFunction {
  return (_host, options, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  }
}

function parsed(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new OutboundError('forbidden', `${text} is not an http or https address`)
  return url
}

/** @throws OutboundError — the host may not be reached, or has no address */
async function addressesOf(
  url: URL,
  { privateHosts, refusedHosts }: OutboundPolicy,
  resolve: Resolve,
): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  // A name may end in a dot, and is the same one.
  if (refusedHosts?.().includes(`${url.hostname.replace(/\.+$/, '')}:${port}`))
    throw new OutboundError('forbidden', `${host} is this server itself`)
  const trusted = privateHosts.includes(host) || privateHosts.includes(`${url.hostname}:${port}`)
  if (!trusted && url.port !== '') throw new OutboundError('forbidden', `port ${port} of ${host} is not for us`)
  const addresses = isIP(host)
    ? [host]
    : await resolve(host, trusted).catch((error: unknown) => {
        throw new OutboundError('unreachable', `${host} has no address`, { cause: error })
      })
  if (addresses.length === 0) throw new OutboundError('unreachable', `${host} has no address`)
  const usable = trusted ? addresses : addresses.filter(isPublic)
  if (usable.length === 0) throw new OutboundError('forbidden', `${host} is not a public address`)
  return usable
}

/** Everything special is refused: private, loopback, link-local, multicast, and IPv4 in the clothes of IPv6. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.parse(address)
  return ip.range() === 'unicast' && (ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_IPV6, 3))
}

function visit(
  url: URL,
  addresses: readonly string[],
  call: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  const failed = (error: unknown) => {
    if (signal.aborted) reject(signal.reason)
    else if (error instanceof OutboundError) reject(error)
    else reject(new OutboundError('unreachable', `${url.host} could not be reached`, { cause: error }))
  }
  const { request } = url.protocol === 'https:' ? https : http
  const asked = request(url, {
    method: call.method ?? (call.body === undefined ? 'GET' : 'POST'),
    headers: {
      'User-Agent': 'Mozilla/5.0 (compatible; Parley)',
      'Accept-Encoding': 'identity',
      ...call.headers,
    },
    // A separate connection: a kept one might have been opened after another call's check.
    agent: false,
    lookup: leadingTo(addresses),
    signal,
  })
  asked.on('error', failed)
  // Without a listener, Node closes the connection and reports nothing.
  asked.on('upgrade', (_response, socket) => {
    socket.destroy()
    failed(new OutboundError('unreachable', `${url.host} wants to speak another protocol`))
  })
  asked.on('response', (response) => {
    bodyOf(response, call).then(
      (body) => resolve({ url: url.href, status: response.statusCode ?? 0, headers: response.headers, body }),
      failed,
    )
  })
  asked.end(call.body)
  return promise
}

async function bodyOf(response: IncomingMessage, call: OutboundRequest): Promise<Buffer> {
  const limit = call.sizeLimitBytes ?? SIZE_LIMIT_BYTES
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of plainOf(response)) {
      size += chunk.length
      const goesOn = size <= limit
      if (goesOn && call.into && response.statusCode === 200) await call.into(chunk)
      else chunks.push(chunk)
      if (goesOn) continue
      if (!call.cutLong) throw new OutboundError('too long', `the answer has more than ${limit} bytes`)
      break
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** The answer as it was before it was zipped. What unzips without end is cut off like any other long answer. */
function plainOf(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']
  const unzip =
    coding === 'gzip'
      ? createGunzip()
      : coding === 'br'
        ? createBrotliDecompress()
        : coding === 'deflate'
          ? createInflate()
          : undefined
  if (!unzip) return response
  response.on('error', (error) => unzip.destroy(error))
  return response.pipe(unzip)
}

function redirectOf({ status, headers }: OutboundResponse, at: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined
  const next = URL.parse(headers.location, at)
  return parsed(next?.href ?? headers.location)
}

function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
