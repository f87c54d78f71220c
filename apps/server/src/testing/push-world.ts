import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { PushProviderRequest } from '@parley/protocol/devices'
import { createVerifier } from 'fast-jwt'
import { afterAll, beforeEach } from 'vitest'
import { eventually } from './eventually.ts'

/** A push that a device received. */
export interface DeliveredPush {
  service: 'apn' | 'firebase' | 'huawei' | 'xiaomi'
  device: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into pushes of every shape.
  content: any
}

/**
 * A status with its body, silence, or a connection that breaks. Unlike Apple and Google, some services refuse with 200.
 */
type Answer = { status: number; body?: object } | 'nothing' | 'broken'

const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } }
const google = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem } as never) as unknown as KeyPair
const apple = generateKeyPairSync('ec', { namedCurve: 'P-256', ...pem } as never) as unknown as KeyPair
interface KeyPair {
  publicKey: string
  privateKey: string
}

/**
 * Fake push services on this machine: they authenticate callers as the real ones do, record pushes, and answer as the
 * test wants.
 */
export class PushWorld {
  delivered: DeliveredPush[] = []
  answers: (push: DeliveredPush) => Answer = accepting
  /** Tokens that were given out, by whom. */
  tokens: string[] = []
  #http = createServer((request, response) => void this.#answer(request, response))
  #http2 = createHttp2Server((request, response) => void this.#answer(request, response))
  #sessions = new Set<Pick<ServerHttp2Session, 'close' | 'destroy'>>()

  /** Call before the fixture starts, which needs its address. */
  static async open(): Promise<PushWorld> {
    const world = new PushWorld()
    world.#http2.on('session', (session) => world.#sessions.add(session))
    await new Promise<void>((resolve) => world.#http.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => world.#http2.listen(0, '127.0.0.1', resolve))
    beforeEach(() => {
      world.delivered = []
      world.tokens = []
      world.answers = accepting
    })
    afterAll(async () => {
      world.#http.closeAllConnections()
      world.#breakLines()
      await new Promise((resolve) => world.#http.close(resolve))
      await new Promise((resolve) => world.#http2.close(resolve))
    })
    return world
  }

  /** Settings of a server that finds the services here. */
  get settings() {
    const [lines, calls] = [this.#http2, this.#http].map((server) => {
      const { port } = server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    }) as [string, string]
    return {
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      FIREBASE_URL: lines,
      APN_URL: lines,
      HUAWEI_URL: calls,
      HUAWEI_TOKEN_URL: `${calls}/huawei-token`,
      XIAOMI_URL: calls,
    }
  }

  get firebase(): PushProviderRequest {
    const account = {
      ...{ project_id: 'tea', client_email: 'tea@example.com', private_key: google.privateKey },
      token_uri: `${this.settings.HUAWEI_URL}/google-token`,
    }
    return { type: 'firebase', name: 'main', firebase_credentials: JSON.stringify(account) }
  }

  get apn(): PushProviderRequest {
    const key = { apn_auth_key: apple.privateKey, apn_key_id: 'KEY1', apn_team_id: 'TEAM1', apn_topic: 'com.tea' }
    return { type: 'apn', name: 'main', ...key }
  }

  get huawei(): PushProviderRequest {
    return { type: 'huawei', name: 'main', huawei_app_id: 'tea', huawei_app_secret: 'huawei-secret' }
  }

  get xiaomi(): PushProviderRequest {
    return { type: 'xiaomi', name: 'main', xiaomi_package_name: 'com.tea', xiaomi_app_secret: 'xiaomi-secret' }
  }

  /** The pushes that a device received. */
  to(device: string): DeliveredPush[] {
    return this.delivered.filter((push) => push.device === device)
  }

  async receives(count: number): Promise<DeliveredPush[]> {
    await eventually(() => this.delivered.length >= count, `${count} pushes were delivered`)
    return this.delivered
  }

  /** Ends the lines of all who call, as a service does every now and then. */
  hangsUp() {
    for (const session of this.#sessions) session.close()
    this.#sessions.clear()
  }

  #breakLines() {
    for (const session of this.#sessions) session.destroy()
    this.#sessions.clear()
  }

  async #answer(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse) {
    const say = (status: number, body: object = {}) => {
      const answer = response as ServerResponse
      answer.writeHead(status, { 'content-type': 'application/json' })
      answer.end(JSON.stringify(body))
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const [, place, ...path] = request.url!.split('/')
    if (place === 'google-token' || place === 'huawei-token') {
      if (!mayHaveToken(place, new URLSearchParams(text))) return say(401)
      this.tokens.push(place)
      return say(200, { access_token: `${place}-${this.tokens.length}`, expires_in: 3_600 })
    }
    const push = deliveredIn(place!, path, text, request.headers as IncomingMessage['headers'])
    if (!this.#mayDeliver(push)) return say(403, { reason: 'InvalidProviderToken' })
    this.delivered.push(push)
    const answer = this.answers(push)
    if (answer === 'broken') this.#breakLines()
    else if (answer !== 'nothing')
      say(answer.status, answer.body ?? (answer.status === 200 ? accepted[push.service] : {}))
  }

  #mayDeliver({ service, headers: { authorization = '', ...headers } }: DeliveredPush): boolean {
    switch (service) {
      case 'apn':
        return headers['apns-topic'] === 'com.tea' && isOfApple(authorization)
      case 'firebase':
        return /^Bearer google-token-\d+$/.test(authorization)
      case 'huawei':
        return /^Bearer huawei-token-\d+$/.test(authorization)
      case 'xiaomi':
        return authorization === 'key=xiaomi-secret'
    }
  }
}

const accepting = (): Answer => ({ status: 200 })
const accepted = {
  apn: {},
  firebase: { name: 'projects/tea/messages/1' },
  huawei: { code: '80000000', msg: 'Success' },
  xiaomi: { result: 'ok', code: 0 },
}

function deliveredIn(place: string, path: string[], text: string, headers: DeliveredPush['headers']): DeliveredPush {
  if (place === '3') return { service: 'apn', device: path.at(-1)!, headers, content: JSON.parse(text) }
  if (place === 'v3') {
    const form = Object.fromEntries(new URLSearchParams(text))
    const content = { ...form, payload: JSON.parse(form.payload!) }
    return { service: 'xiaomi', device: form.registration_id!, headers, content }
  }
  const { message } = JSON.parse(text)
  if (path[0] === 'projects') return { service: 'firebase', device: message.token, headers, content: message }
  return {
    service: 'huawei',
    device: message.token[0],
    headers,
    content: { ...message, data: JSON.parse(message.data) },
  }
}

function mayHaveToken(place: string, form: URLSearchParams): boolean {
  if (place === 'huawei-token') return form.get('client_id') === 'tea' && form.get('client_secret') === 'huawei-secret'
  const claims = createVerifier({ key: google.publicKey, algorithms: ['RS256'] })(form.get('assertion')!)
  return claims.iss === 'tea@example.com' && /firebase\.messaging$/.test(claims.scope) && claims.exp > claims.iat
}

function isOfApple(authorization: string): boolean {
  const verify = createVerifier({ key: apple.publicKey, algorithms: ['ES256'], complete: true })
  const { header, payload } = verify(authorization.replace(/^bearer /, ''))
  return header.kid === 'KEY1' && payload.iss === 'TEAM1'
}
