import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls'
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  errors,
  nkeyAuthenticator,
} from '@nats-io/transport-node'
import { SettingError } from '../../../../process/settings.ts'

/** How the bus is reached, and as whom. */
export interface BusSettings {
  /** `host` or `host:port`, without a login */
  servers: string[]
  /** Nothing is sent or received without TLS. */
  isEncrypted: boolean
  login: { user: string; pass: string } | { token: string } | undefined
  /** A `.creds` file, which holds a JWT and a seed, or a file that holds the seed of an nkey. */
  credentialsFile: string | undefined
  /** PEM files; `ca` for a bus whose certificate no public authority signed, the others for one that wants ours. */
  caFile: string | undefined
  certFile: string | undefined
  keyFile: string | undefined
}

const FILES = ['BUS_CREDENTIALS', 'BUS_CA', 'BUS_CERT', 'BUS_KEY'] as const
type BusEnvironment = { readonly [Name in 'BUS_URL' | (typeof FILES)[number]]?: string | undefined }

const URL_FORM = /^(nats|tls):\/\/(?:([^@/]*)@)?([^@/?#]+)$/
/** The seed of a user's nkey, alone on a line. */
const SEED_FORM = /^\s*(SU[A-Z2-7]{56})\s*$/m
/** Node's error codes for a certificate that it does not trust. */
const UNTRUSTED = /CERT|ERR_TLS|UNABLE_TO_(VERIFY|GET)/
const PORT = 4222
/** A server greets at once. */
const GREETING_MS = 1_000

/**
 * The bus that the environment names; undefined for none. Its files are read once, to see that they are good.
 *
 * @throws SettingError with one line that names the wrong setting, and no secret
 */
export function busSettingsIn(env: BusEnvironment): BusSettings | undefined {
  const { BUS_URL: url = '' } = env
  const files = {
    credentialsFile: env.BUS_CREDENTIALS || undefined,
    caFile: env.BUS_CA || undefined,
    certFile: env.BUS_CERT || undefined,
    keyFile: env.BUS_KEY || undefined,
  }
  if (url === '') {
    for (const name of FILES) if (env[name]) throw new SettingError(`${name} is of no use without BUS_URL`)
    return undefined
  }

  const parts = url.split(',').map((one) => partsOf(one.trim()))
  const isEncrypted = parts[0]!.scheme === 'tls'
  if (parts.some(({ scheme }) => (scheme === 'tls') !== isEncrypted))
    throw new SettingError('BUS_URL must be nats:// for all servers, or tls:// for all')
  const logins = new Set(parts.flatMap(({ login }) => login ?? []))
  if (logins.size > 1) throw new SettingError('BUS_URL must have the same login for all servers, or have it once')
  const [login] = logins
  if (login !== undefined && files.credentialsFile)
    throw new SettingError('BUS_CREDENTIALS and a login in BUS_URL do not go together')
  for (const [name, file] of [
    ['BUS_CA', files.caFile],
    ['BUS_CERT', files.certFile],
  ] as const)
    if (file && !isEncrypted) throw new SettingError(`${name} is for TLS; write BUS_URL as tls://host:port`)
  if (Boolean(files.certFile) !== Boolean(files.keyFile)) throw new SettingError('BUS_CERT and BUS_KEY go together')

  const settings = { servers: parts.map(({ host }) => host), isEncrypted, login: loginIn(login), ...files }
  checkFiles(settings)
  return settings
}

/** What the NATS client has to know of them. */
export function connectionOptions(settings: BusSettings): ConnectionOptions {
  const { servers, isEncrypted, login, credentialsFile, caFile, certFile, keyFile } = settings
  const tls = {
    ...(caFile && { caFile }),
    ...(certFile && { certFile }),
    ...(keyFile && { keyFile }),
    // The client hands Node's own options on as well.
    checkServerIdentity: (host: string, certificate: PeerCertificate) => checkIdentity(servers, host, certificate),
  }
  return {
    servers,
    ...login,
    ...(credentialsFile && { authenticator: authenticatorOf(credentialsFile) }),
    ...(isEncrypted && { tls }),
  }
}

/**
 * What an operator has to change, when the bus is there and cannot be used: one line without secrets. Undefined when it
 * is merely away.
 */
export function refusalOf(error: unknown, settings: BusSettings): string | undefined {
  const { login, credentialsFile, servers } = settings
  const at = servers.join()
  const { code = '', message } = rootOf(error) as Error & { code?: string }
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
    if (credentialsFile) return `BUS_CREDENTIALS: the bus at ${at} refuses the credentials in ${credentialsFile}`
    if (login) return `BUS_URL: the bus at ${at} refuses this login`
    return `BUS_URL: the bus at ${at} wants a login: nats://user:password@host:port, nats://token@host:port or BUS_CREDENTIALS`
  }
  if (message.includes("does not support 'tls'"))
    return `BUS_URL: the bus at ${at} does not speak TLS; nothing is said to it in clear`
  if (UNTRUSTED.test(code)) return `BUS_CA: the certificate of the bus at ${at} is not trusted: ${message}`
  return undefined
}

/**
 * A server that rejects our certificate ends the connection without an error; its greeting, which is in clear, shows
 * that it verifies client certificates. Undefined when it does not, or is away.
 */
export async function certificateWanted({ servers, isEncrypted, certFile }: BusSettings): Promise<string | undefined> {
  if (!isEncrypted) return undefined
  const greetings = await Promise.all(servers.map(greetingOf))
  if (!greetings.some((greeting) => greeting.includes('"tls_verify":true'))) return undefined
  const at = servers.join()
  if (certFile) return `BUS_CERT: the bus at ${at} does not accept the certificate in ${certFile}`
  return `BUS_CERT: the bus at ${at} wants a certificate of ours`
}

/** The server's first line; empty when it sends none. */
function greetingOf(server: string): Promise<string> {
  const { hostname, port } = new URL(`http://${server}`)
  return new Promise((resolve) => {
    let received = ''
    const socket = createConnection({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORT) })
    const end = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(GREETING_MS, end)
    socket.on('error', end).on('close', end)
    socket.on('data', (piece) => {
      received += piece
      if (received.includes('\n')) end()
    })
  })
}

function partsOf(url: string): { scheme: string; login: string | undefined; host: string } {
  const [, scheme, login, host] = URL_FORM.exec(url) ?? []
  const parsed = host === undefined ? null : URL.parse(`http://${host}`)
  // The URL itself may hold a password.
  if (!scheme || !host || !parsed || parsed.pathname !== '/')
    throw new SettingError(
      'BUS_URL must be nats://host:port or tls://host:port, several divided by commas; a login goes before the host (user:password@), with what is special in it written as %xx',
    )
  return { scheme, login, host }
}

/** A name alone is a token, as everywhere with NATS. */
function loginIn(text: string | undefined): BusSettings['login'] {
  if (!text) return undefined
  const colon = text.indexOf(':')
  try {
    if (colon === -1) return { token: decodeURIComponent(text) }
    return { user: decodeURIComponent(text.slice(0, colon)), pass: decodeURIComponent(text.slice(colon + 1)) }
  } catch {
    throw new SettingError('BUS_URL has a login that is not written right: what is special in it is written as %xx')
  }
}

function checkFiles({ credentialsFile, caFile, certFile, keyFile }: BusSettings) {
  if (credentialsFile) {
    const file = read('BUS_CREDENTIALS', credentialsFile)
    try {
      authenticatorFor(file)('nonce')
    } catch {
      throw new SettingError(
        `BUS_CREDENTIALS: ${credentialsFile} holds neither a JWT with its seed nor the seed of an nkey`,
      )
    }
  }
  const ca = caFile && read('BUS_CA', caFile)
  if (ca) check(`BUS_CA: ${caFile} holds no certificate`, { ca })
  const cert = certFile && read('BUS_CERT', certFile)
  if (cert) check(`BUS_CERT: ${certFile} holds no certificate`, { cert })
  const key = keyFile && read('BUS_KEY', keyFile)
  if (key) check(`BUS_KEY: ${keyFile} holds no key for the certificate in BUS_CERT`, { cert: cert || undefined, key })
}

function check(otherwise: string, context: { ca?: string; cert?: string | undefined; key?: string }) {
  // What holds no certificate at all is taken for none.
  if (context.ca !== undefined && !context.ca.includes('-----BEGIN CERTIFICATE-----')) throw new SettingError(otherwise)
  try {
    createSecureContext(context)
  } catch {
    throw new SettingError(otherwise)
  }
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SettingError(`${name}: ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** Reads the file again at each connection, since credentials are renewed while a node runs. */
function authenticatorOf(file: string): Authenticator {
  return (nonce) => authenticatorFor(readFileSync(file, 'utf8'))(nonce)
}

function authenticatorFor(credentials: string): Authenticator {
  const seed = SEED_FORM.exec(credentials)?.[1]
  if (seed !== undefined && !credentials.includes('JWT')) return nkeyAuthenticator(Buffer.from(seed))
  return credsAuthenticator(Buffer.from(credentials))
}

/**
 * The certificate has to be for one of the servers that `BUS_URL` names. For a server named by its address the client
 * does not report which, and cluster members advertise addresses too.
 */
function checkIdentity(servers: readonly string[], host: string, certificate: PeerCertificate): Error | undefined {
  const hosts = servers.map((server) => new URL(`http://${server}`).hostname.replace(/^\[|\]$/g, ''))
  const outcomes = hosts.map((name) => checkServerIdentity(name, certificate))
  return outcomes.includes(undefined) ? undefined : checkServerIdentity(hosts[0] ?? host, certificate)
}

function rootOf(error: unknown): unknown {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Error ? rootOf(cause) : error
}
