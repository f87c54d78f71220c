import type { PushProvider } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { OutboundError } from '../../platform/outbound/outbound-fetch.ts'
import { isPassing, jsonOf, type Outcome, type Push, type PushServices } from './push-services.ts'

/** A push can have no receiver that is one. */
const NO_TARGET = 20301

/** Sends a push to a Xiaomi phone, whose app builds the notification from the data. */
export async function toXiaomi(
  services: PushServices,
  _app: App,
  { xiaomi_app_secret: secret = '', xiaomi_package_name: name = '' }: PushProvider,
  { device, content }: Push,
): Promise<Outcome> {
  if (secret === '' || name === '')
    throw new OutboundError('forbidden', 'the provider needs xiaomi_app_secret and xiaomi_package_name')
  const form = {
    registration_id: device,
    restricted_package_name: name,
    pass_through: '1',
    payload: JSON.stringify(content.data),
    ...(content.alert as { title: string; description: string }),
  }
  const answer = await services.fetch(`${services.addresses.xiaomi}/v3/message/regid`, {
    headers: { Authorization: `key=${secret}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const { result, code, reason } = jsonOf(answer.body.toString())
  if (result === 'ok') return 'delivered'
  const why = `Xiaomi said ${answer.status} ${code ?? ''} ${reason ?? ''}`.trim()
  return { why, ...(code === NO_TARGET && { gone: true }), ...(isPassing(answer.status) && { again: true }) }
}
