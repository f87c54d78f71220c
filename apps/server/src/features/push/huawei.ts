import type { PushProvider } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { OutboundError } from '../../platform/outbound/outbound-fetch.ts'
import { isPassing, jsonOf, type Outcome, type Push, type PushServices } from './push-services.ts'

const SUCCESS = '80000000'
/** No token of the call is good; a call has one. */
const GONE = '80300007'
/** The access token is not good any more. */
const stale: ReadonlySet<unknown> = new Set(['80200001', '80200003'])

/** Sends a push to a Huawei phone, whose app builds the notification from the data. */
export async function toHuawei(
  services: PushServices,
  app: App,
  provider: PushProvider,
  { device, content }: Push,
): Promise<Outcome> {
  const { huawei_app_id: id = '' } = provider
  const answer = await services.fetch(`${services.addresses.huawei}/v1/${encodeURIComponent(id)}/messages:send`, {
    headers: {
      Authorization: `Bearer ${await tokenOf(services, app, provider)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      message: { data: JSON.stringify(content.data), android: { urgency: 'HIGH' }, token: [device] },
    }),
  })
  const { code, msg } = jsonOf(answer.body.toString())
  if (code === SUCCESS) return 'delivered'
  const why = `Huawei said ${answer.status} ${code ?? ''} ${msg ?? ''}`.trim()
  if (code === GONE) return { why, gone: true }
  const isStale = stale.has(code)
  if (isStale) services.forgetToken(app, provider)
  return { why, ...((isStale || isPassing(answer.status)) && { again: true }) }
}

function tokenOf(services: PushServices, app: App, provider: PushProvider): Promise<string> {
  const { huawei_app_id: client_id = '', huawei_app_secret: client_secret = '' } = provider
  return services.token(app, provider, `${client_id} ${client_secret}`, async () => {
    if (client_id === '' || client_secret === '')
      throw new OutboundError('forbidden', 'the provider needs huawei_app_id and huawei_app_secret')
    const { status, body } = await services.fetch(services.addresses.huaweiTokens, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
    })
    const { access_token: token, expires_in: seconds } = jsonOf(body.toString())
    if (status === 200 && typeof token === 'string') return { token, lifetimeMs: Number(seconds ?? 0) * 1000 }
    throw new OutboundError(isPassing(status) ? 'unreachable' : 'forbidden', `Huawei gave no token: ${status}`)
  })
}
