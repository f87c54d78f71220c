import type { PushProvider } from '@parley/protocol/devices'
import { createSigner } from 'fast-jwt'
import type { App } from '../../chat/apps/app.ts'
import { OutboundError } from '../../platform/outbound/outbound-fetch.ts'
import type { Content } from './push-content.ts'
import { isPassing, jsonOf, type Outcome, type Push, type PushServices, REQUEST_MS } from './push-services.ts'

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const TOKEN_URI = 'https://oauth2.googleapis.com/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const ASSERTION_SECONDS = 3_600

/** Sends a push to a device registered with Firebase. */
export async function toFirebase(
  services: PushServices,
  app: App,
  provider: PushProvider,
  { id, device, content }: Push,
): Promise<Outcome> {
  const account = accountOf(provider)
  const host = (provider.firebase_host || services.addresses.firebase).replace(/\/+$/, '')
  const { status, body } = await services.lines.post(
    `${host}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`,
    {
      headers: {
        authorization: `Bearer ${await tokenOf(services, app, provider, account)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        message: { ...content, ...(content.apns !== undefined && onIphones(content, id)), token: device },
      }),
      timeLimitMs: REQUEST_MS,
    },
  )
  if (status === 200) return 'delivered'
  const { code, text, isTokenBad } = errorOf(body)
  const why = `Firebase said ${status} ${code} ${text}`.trim()
  if (code === 'UNREGISTERED' || (status === 400 && isTokenBad)) return { why, gone: true }
  if (status === 401) services.forgetToken(app, provider)
  return { why, ...((status === 401 || isPassing(status)) && { again: true }) }
}

/** An iPhone shows once what comes twice. */
function onIphones({ apns }: Content, id: string): Content {
  const { headers, ...rest } = apns as { headers?: object }
  return { apns: { ...rest, headers: { 'apns-collapse-id': id, ...headers } } }
}

interface Account {
  project_id: string
  client_email: string
  private_key: string
  token_uri: string
}

/** @throws OutboundError — what the provider has is no service account's JSON */
function accountOf({ firebase_credentials: text = '' }: PushProvider): Account {
  const { project_id, client_email, private_key, token_uri = TOKEN_URI } = jsonOf(text)
  if ([project_id, client_email, private_key, token_uri].some((field) => typeof field !== 'string' || field === ''))
    throw new OutboundError('forbidden', 'the provider needs firebase_credentials, the JSON of a service account')
  return { project_id, client_email, private_key, token_uri } as Account
}

function tokenOf(
  services: PushServices,
  app: App,
  provider: PushProvider,
  { client_email, private_key, token_uri }: Account,
): Promise<string> {
  return services.token(app, provider, provider.firebase_credentials!, async () => {
    const iat = Math.floor(services.now / 1000)
    const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat, exp: iat + ASSERTION_SECONDS }
    const { status, body } = await services.fetch(token_uri, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion: signed(claims, private_key) }).toString(),
    })
    const { access_token: token, expires_in: seconds } = jsonOf(body.toString())
    if (status === 200 && typeof token === 'string') return { token, lifetimeMs: Number(seconds ?? 0) * 1000 }
    throw new OutboundError(isPassing(status) ? 'unreachable' : 'forbidden', `${token_uri} gave no token: ${status}`)
  })
}

function signed(claims: object, key: string): string {
  try {
    return createSigner({ algorithm: 'RS256', key })(claims)
  } catch (cause) {
    throw new OutboundError('forbidden', 'the private_key of the service account cannot be used', { cause })
  }
}

function errorOf(body: string) {
  const error = (jsonOf(body).error ?? {}) as {
    status?: string
    message?: string
    details?: { errorCode?: string; fieldViolations?: { field?: string }[] }[]
  }
  const { details = [], message: text = '' } = error
  return {
    code: details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error.status ?? '',
    text,
    isTokenBad:
      text.includes('not a valid FCM registration token') ||
      details.some(({ fieldViolations = [] }) => fieldViolations.some(({ field }) => field === 'message.token')),
  }
}
