import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { afterAll, describe, it } from 'vitest'
import { now } from '../../../../../scripts/machine-time.ts'
import { startNats } from '../../../../../scripts/services/nats.ts'
import { startServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { readSettings } from '../settings.ts'
import { type Bus, connectNats } from './bus.ts'
import { busSettingsIn } from './bus-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-bus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A secret that must not appear in a log or in an error. */
const SECRET = 'h/u:s,h @%'
const SECRET_IN_URL = encodeURIComponent(SECRET)

interface Case {
  name: string
  /** What the servers demand. */
  config: string
  scheme?: 'tls'
  /** The credentials before the host. */
  login?: string
  env?: Record<string, string>
  /** Each one that we wait for in vain takes a while. */
  refusing?: number
  /** Without a way in, or with the wrong one, these are refused, each with a line that names the setting. */
  refused: { scheme?: 'nats'; login?: string; env?: Record<string, string | undefined>; names: string }[]
}

const nkey = aKey('user')
const otherNkey = aKey('user')
const jwt = aTrustChain()
const pki = certificates()

const cases: Case[] = [
  {
    name: 'a user and a password',
    config: `authorization { user: chat, password: "${SECRET}" }`,
    login: `chat:${SECRET_IN_URL}@`,
    refused: [
      { login: '', names: 'BUS_URL' },
      { login: `chat:${SECRET_IN_URL}x@`, names: 'BUS_URL' },
      { login: `${SECRET_IN_URL}@`, names: 'BUS_URL' },
      { login: '', env: { BUS_CREDENTIALS: nkey.file }, names: 'BUS_CREDENTIALS' },
    ],
  },
  {
    name: 'a token',
    config: `authorization { token: "${SECRET}" }`,
    login: `${SECRET_IN_URL}@`,
    refused: [
      { login: '', names: 'BUS_URL' },
      { login: `x${SECRET_IN_URL}@`, names: 'BUS_URL' },
    ],
  },
  {
    name: 'an nkey',
    config: `authorization { users: [{ nkey: ${nkey.publicKey} }] }`,
    env: { BUS_CREDENTIALS: nkey.file },
    refused: [
      { env: { BUS_CREDENTIALS: undefined }, names: 'BUS_CREDENTIALS' },
      { env: { BUS_CREDENTIALS: otherNkey.file }, names: 'BUS_CREDENTIALS' },
    ],
  },
  {
    name: 'a JWT',
    config: jwt.config,
    env: { BUS_CREDENTIALS: jwt.creds },
    refused: [
      { env: { BUS_CREDENTIALS: undefined }, names: 'BUS_CREDENTIALS' },
      { env: { BUS_CREDENTIALS: jwt.strangersCreds }, names: 'BUS_CREDENTIALS' },
    ],
  },
  {
    name: 'TLS, with a certificate of their own authority',
    config: `tls { cert_file: "${pki.server}", key_file: "${pki.serverKey}" }`,
    scheme: 'tls',
    env: { BUS_CA: pki.ca },
    refused: [
      { env: { BUS_CA: undefined }, names: 'BUS_CA' },
      { env: { BUS_CA: pki.otherCa }, names: 'BUS_CA' },
      // It wants TLS, so we use it, and do not take any certificate for good.
      { scheme: 'nats', env: { BUS_CA: undefined }, names: 'BUS_CA' },
    ],
  },
  {
    name: 'TLS and a certificate of ours',
    config: `tls { cert_file: "${pki.server}", key_file: "${pki.serverKey}", ca_file: "${pki.ca}", verify: true }`,
    scheme: 'tls',
    env: { BUS_CA: pki.ca, BUS_CERT: pki.client, BUS_KEY: pki.clientKey },
    refusing: 1,
    refused: [
      { env: { BUS_CERT: undefined, BUS_KEY: undefined }, names: 'BUS_CERT' },
      { env: { BUS_CERT: pki.otherCa, BUS_KEY: pki.otherCaKey }, names: 'BUS_CERT' },
      { env: { BUS_CA: pki.otherCa }, names: 'BUS_CA' },
    ],
  },
  {
    name: 'TLS and a password',
    config: `tls { cert_file: "${pki.server}", key_file: "${pki.serverKey}" }
      authorization { user: chat, password: "${SECRET}" }`,
    scheme: 'tls',
    login: `chat:${SECRET_IN_URL}@`,
    env: { BUS_CA: pki.ca },
    refused: [{ login: 'chat:wrong@', names: 'BUS_URL' }],
  },
]

describe.each(cases)('servers that demand $name', ({ config, scheme, login = '', env = {}, refused, refusing = 2 }) => {
  it('each of them accepts our login, and carries our messages', async () => {
    const nats = await startNats({ nodes: 2, config })
    try {
      const [here, there] = await Promise.all(
        nats.url.split(',').map((url) => open({ BUS_URL: at(url, login, scheme), ...env })),
      )
      await carries(here!.bus, there!.bus)
      await Promise.all([here!.bus.close(), there!.bus.close()])

      const all = await open({ BUS_URL: at(nats.url, login, scheme), ...env })
      await all.bus.close()
      assert.deepEqual(
        [here, there, all].flatMap((one) => one!.received),
        [],
      )
    } finally {
      await nats.stop()
    }
  })

  it('refuse any other login, and the line names the setting and no secret', async () => {
    const nats = await startNats({ nodes: refusing, config })
    try {
      for (const { scheme: theirs = scheme, login: other = login, env: others, names } of refused)
        await assert.rejects(
          open({ BUS_URL: at(nats.url, other, theirs), ...env, ...others }),
          ({ message }: Error) => {
            assert.ok(message.includes(names), message)
            assert.ok(!message.includes(SECRET) && !message.includes(SECRET_IN_URL) && !message.includes('\n'), message)
            return true
          },
          JSON.stringify({ other, others }),
        )
    } finally {
      await nats.stop()
    }
  })
})

it('nothing is sent in clear to servers without TLS where tls:// was asked for', async () => {
  await assert.rejects(
    open({ BUS_URL: at(process.env.TEST_NATS_URL!, 'chat:secret@', 'tls') }),
    /^SettingError: BUS_URL: .* does not speak TLS/,
  )
})

it('a certificate for another host is not believed', async () => {
  const config = `tls { cert_file: "${pki.elsewhere}", key_file: "${pki.elsewhereKey}" }`
  const nats = await startNats({ nodes: 1, config })
  try {
    await assert.rejects(open({ BUS_URL: at(nats.url, '', 'tls'), BUS_CA: pki.ca }), /^SettingError: BUS_CA: /)
  } finally {
    await nats.stop()
  }
})

it('a server whose login the bus refuses does not start, and names the wrong setting', async () => {
  const nats = await startNats({ nodes: 1, config: `authorization { token: "${SECRET}" }` })
  const database = await freshDatabase(randomBytes(6).toString('hex'))
  try {
    const env = { LOG_LEVEL: 'silent', DATABASE_URL: database.url, DATA_DIR: folder, FILES_SHARED: 'on' }
    const settings = readSettings({ ...env, BUS_URL: at(nats.url, 'wrong@') })
    await assert.rejects(
      startServer({ ...settings, port: 0 }),
      /^SettingError: BUS_URL: the bus at .* refuses this login$/,
    )
  } finally {
    await database.drop()
    await nats.stop()
  }
})

it('a node waits for a bus that is away at its start, reports it once, and then uses it', async () => {
  const before = await startNats({ nodes: 1 })
  const port = new URL(before.url).port
  await before.stop()
  const late = await open({ BUS_URL: before.url })
  assert.equal(late.received.length, 1)
  let returned = 0
  late.bus.onReturn(() => (returned += 1))

  const received: string[] = []
  late.bus.subscribe('news', (text) => received.push(text))
  late.bus.publish('news', 'nobody hears it')
  await late.bus.settled()
  await assert.rejects(late.bus.request('news', '?', 100), /out of reach/)
  const after = await startNats({ nodes: 1, config: `port: ${port}`, anyPort: false })
  try {
    await eventually(() => late.received.length === 2, 'the bus is back')
    assert.deepEqual([returned, late.received[1]], [1, 'back'])
    const other = await open({ BUS_URL: after.url })
    await carries(other.bus, late.bus)
    await other.bus.close()
  } finally {
    await late.bus.close()
    await after.stop()
  }
})

it('a login that is refused while a node runs is retried until it is accepted, and reported once', async () => {
  const secured = (token: string) => ({ nodes: 1, config: `authorization { token: ${token} }` })
  const first = await startNats(secured('one'))
  const port = new URL(first.url).port
  const here = await open({ BUS_URL: at(first.url, 'one@') })
  await first.stop()
  const second = await startNats({
    ...secured('two'),
    config: `${secured('two').config}\nport: ${port}`,
    anyPort: false,
  })
  // It tries several times a second.
  await eventually(() => here.received.some((line) => line.includes('refuses this login')), 'it is said')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  assert.equal(here.received.filter((line) => line.includes('refuses this login')).length, 1, here.received.join())
  await second.stop()
  const third = await startNats({
    ...secured('one'),
    config: `${secured('one').config}\nport: ${port}`,
    anyPort: false,
  })
  try {
    await eventually(() => here.received.at(-1) === 'back', 'it is let in again')
  } finally {
    await here.bus.close()
    await third.stop()
  }
})

async function open(env: Record<string, string | undefined>) {
  const received: string[] = []
  const bus = await connectNats(busSettingsIn(env)!, {
    failed: assert.ifError,
    away: (why) => void received.push(why),
    back: () => void received.push('back'),
  })
  return { bus, received }
}

async function carries(here: Bus, there: Bus) {
  const subject = randomBytes(6).toString('hex')
  const received: string[] = []
  there.subscribe(subject, (text) => received.push(text))
  await there.settled()
  // Servers exchange their subscriptions a moment later.
  await eventually(async () => {
    here.publish(subject, 'hello')
    await here.settled()
    await there.settled()
    return received[0] === 'hello'
  }, 'it is carried')
}

function at(urls: string, login: string, scheme?: string): string {
  return urls
    .split(',')
    .map((url) => url.replace(/^\w+:\/\//, `${scheme ?? 'nats'}://${login}`))
    .join()
}

function aKey(name: string) {
  const pair = nkeys.createUser()
  const file = join(folder, `${name}-${randomBytes(3).toString('hex')}.nk`)
  writeFileSync(file, `${Buffer.from(pair.getSeed())}\n`, { mode: 0o600 })
  return { publicKey: pair.getPublicKey(), file }
}

/** An operator, an account it signed, and a user that this signed; a stranger's account has no known signature. */
function aTrustChain() {
  const [operator, account, user, stranger] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
    nkeys.createAccount(),
  ]
  type Pair = typeof operator
  const sign = (issuer: Pair, subject: Pair, nats: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = {
      ...{ jti: randomBytes(16).toString('hex'), iat: Math.floor(now().getTime() / 1000), name: 'parley' },
      ...{ iss: issuer.getPublicKey(), sub: subject.getPublicKey(), nats: { version: 2, ...nats } },
    }
    const content = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`
    return `${content}.${Buffer.from(issuer.sign(Buffer.from(content))).toString('base64url')}`
  }
  const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const userLimits = { subs: -1, data: -1, payload: -1, pub: {}, sub: {} }
  const accountJwt = sign(operator, account, { type: 'account', limits })
  const write = (name: string, issuer: Pair) => {
    const file = join(folder, name)
    const userJwt = sign(issuer, user, { type: 'user', ...userLimits })
    const text = `-----BEGIN NATS USER JWT-----
${userJwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${Buffer.from(user.getSeed())}
------END USER NKEY SEED------
`
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  return {
    config: `operator: ${sign(operator, operator, { type: 'operator' })}
      resolver: MEMORY
      resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
    creds: write('chat.creds', account),
    strangersCreds: write('stranger.creds', stranger),
  }
}

/** An authority with a certificate for the servers and one for us, and another authority. */
function certificates() {
  const at = (name: string) => join(folder, name)
  const make = (name: string, san: string, signedBy?: string) =>
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'],
        ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-subj', `/CN=${name}`],
        ...(signedBy ? ['-CA', at(`${signedBy}.pem`), '-CAkey', at(`${signedBy}.key`)] : []),
        ...(signedBy ? ['-addext', 'basicConstraints=critical,CA:FALSE'] : []),
        ...(san ? ['-addext', `subjectAltName=${san}`] : []),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
  make('ca', '')
  make('other', '')
  make('server', 'IP:127.0.0.1', 'ca')
  make('elsewhere', 'DNS:localhost,IP:10.1.2.3', 'ca')
  make('client', '', 'ca')
  return {
    ...{ ca: at('ca.pem'), otherCa: at('other.pem'), otherCaKey: at('other.key') },
    ...{ server: at('server.pem'), serverKey: at('server.key') },
    ...{ elsewhere: at('elsewhere.pem'), elsewhereKey: at('elsewhere.key') },
    ...{ client: at('client.pem'), clientKey: at('client.key') },
  }
}
