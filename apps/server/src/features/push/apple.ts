import type { PushProvider } from '@parley/protocol/devices'
import { createSigner } from 'fast-jwt'
import type { App } from '../../chat/apps/app.ts'
import { OutboundError } from '../../platform/outbound/outbound-fetch.ts'
import type { Content } from './push-content.ts'
import { isPassing, jsonOf, type Outcome, type Push, type PushServices, REQUEST_MS } from './push-services.ts'

const FINISHED = 'https://api.push.apple.com'
const IN_DEVELOPMENT = 'https://api.sandbox.push.apple.com'
/** Apple wants a token that is younger than an hour, and not a new one each time. */
const TOKEN_MS = 50 * 60_000
/** How long a push waits for a phone that is off. */
const KEPT_SECONDS = 28 * 86_400

/** Apple accepts an invisible push only with these headers. */
const IN_BACKGROUND = { 'apns-push-type': 'background', 'apns-priority': '5' }

/** Apple's reasons for a device that no push will reach any more; a wrong topic does not mean that. */
const gone: ReadonlySet<unknown> = new Set(['BadDeviceToken', 'Unregistered', 'ExpiredToken'])

/** Sends a push to an iPhone. */
export async function toApple(
  services: PushServices,
  app: App,
  provider: PushProvider,
  { id, device, content }: Push,
): Promise<Outcome> {
  const { apn_topic: topic, apn_host: host, apn_development: isInDevelopment, apn_p12_cert: certificate } = provider
  const address = host || services.addresses.apn || (isInDevelopment ? IN_DEVELOPMENT : FINISHED)
  const isSigned = provider.apn_auth_type !== 'certificate'
  const { status, body } = await services.lines.post(
    `${withScheme(address)}/3/device/${encodeURIComponent(device.toWellFormed())}`,
    {
      headers: {
        ...(isSigned && { authorization: `bearer ${await tokenOf(services, app, provider)}` }),
        ...(topic && { 'apns-topic': topic }),
        ...(isSeen(content) ? { 'apns-push-type': 'alert', 'apns-priority': '10' } : IN_BACKGROUND),
        'apns-expiration': String(Math.floor(services.now / 1000) + KEPT_SECONDS),
        'apns-collapse-id': id,
      },
      body: JSON.stringify(content),
      timeLimitMs: REQUEST_MS,
      ...(!isSigned && { certificate: Buffer.from(certificate ?? '', 'base64') }),
    },
  )
  if (status === 200) return 'delivered'
  const { reason } = jsonOf(body)
  const why = `Apple said ${status} ${reason ?? ''}`.trim()
  if (gone.has(reason)) return { why, gone: true }
  if (reason !== 'ExpiredProviderToken') return { why, ...(isPassing(status) && { again: true }) }
  services.forgetToken(app, provider)
  return { why, again: true }
}

function isSeen({ aps }: Content): boolean {
  const { alert, badge, sound, 'content-available': background } = (aps ?? {}) as Record<string, unknown>
  return background !== 1 || [alert, badge, sound].some((shown) => shown !== undefined)
}

/** Some write a host without the way to it. */
function withScheme(host: string): string {
  return (/^https?:\/\//.test(host) ? host : `https://${host}`).replace(/\/+$/, '')
}

function tokenOf(services: PushServices, app: App, provider: PushProvider): Promise<string> {
  const { apn_auth_key: key = '', apn_key_id: kid = '', apn_team_id: iss = '' } = provider
  return services.token(app, provider, `${kid} ${iss} ${key}`, async () => {
    if (key === '' || kid === '' || iss === '')
      throw new OutboundError('forbidden', 'the provider needs apn_auth_key, apn_key_id and apn_team_id')
    const iat = Math.floor(services.now / 1000)
    try {
      return { token: createSigner({ algorithm: 'ES256', key, kid })({ iss, iat }), lifetimeMs: TOKEN_MS }
    } catch (cause) {
      throw new OutboundError('forbidden', 'apn_auth_key is no key that can be used', { cause })
    }
  })
}
