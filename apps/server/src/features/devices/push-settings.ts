/** An app's push settings in the older form: one provider of each type, without a name. */
import type { PushConfigs, PushNotifications, PushProvider, PushProviderRequest } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import type { Change } from '../../chat/apps/change-app.ts'
import { masked } from '../../chat/apps/masked.ts'
import { isoOf } from '../../platform/micros.ts'
import { keyOf, putInto, shownProviders } from './push-providers.ts'

type Config = keyof PushConfigs
type Field = Exclude<keyof PushProviderRequest, 'type' | 'name'>

/** What the settings call the fields of a provider [administration.md 8.2, 8.3]. */
const configs: Record<Config, { type: PushProvider['type']; fields: Record<string, Field> }> = {
  apn_config: {
    type: 'apn',
    fields: {
      auth_key: 'apn_auth_key',
      auth_type: 'apn_auth_type',
      bundle_id: 'apn_topic',
      team_id: 'apn_team_id',
      key_id: 'apn_key_id',
      host: 'apn_host',
      development: 'apn_development',
      p12_cert: 'apn_p12_cert',
      notification_template: 'apn_notification_template',
    },
  },
  firebase_config: {
    type: 'firebase',
    fields: {
      credentials_json: 'firebase_credentials',
      server_key: 'firebase_server_key',
      notification_template: 'firebase_notification_template',
      data_template: 'firebase_data_template',
      apn_template: 'firebase_apn_template',
    },
  },
  huawei_config: { type: 'huawei', fields: { id: 'huawei_app_id', secret: 'huawei_app_secret' } },
  xiaomi_config: { type: 'xiaomi', fields: { package_name: 'xiaomi_package_name', secret: 'xiaomi_app_secret' } },
}

/**
 * Makes or changes the providers without a name that a request describes. Callers that send all settings they know send
 * empty ones too, which describe nothing.
 *
 * @throws ChatError InputError (4) — one more than fit
 */
export async function putNameless(change: Change, request: PushConfigs): Promise<void> {
  for (const [config, { type, fields }] of Object.entries(configs)) {
    const said = request[config as Config]
    if (said === undefined) continue
    const key = keyOf({ type, name: '' })
    const isKnown = change.app.pushProviders.has(key)
    if (said === null) {
      if (isKnown) await change.remove('push_provider', key)
      continue
    }
    const { Disabled, ...described } = said
    const values = Object.entries(described).flatMap(([field, value]) =>
      fields[field] === undefined || value === '' ? [] : [[fields[field], value] as const],
    )
    if (!isKnown && !values.some(([, value]) => value !== false)) continue
    await putInto(change, {
      type,
      name: '',
      ...Object.fromEntries(values),
      ...(Disabled !== undefined && { disabled_at: Disabled ? isoOf(change.now) : null }),
    })
  }
}

/** The push settings of an app as it sees them again, without a secret. */
export function pushNotifications(app: App): PushNotifications {
  const providers = shownProviders(app)
  const enabled = (type: PushProvider['type']) =>
    providers.some((provider) => provider.type === type && provider.disabled_at === undefined)
  const nameless = (config: Config, hidden: readonly string[]) => {
    const { type, fields } = configs[config]
    const provider = app.pushProviders.get(keyOf({ type, name: '' }))
    const shown = provider === undefined ? {} : masked(provider)
    return Object.fromEntries(
      Object.entries(fields).flatMap(([field, key]) => {
        const value = shown[key as keyof typeof shown]
        return value === undefined || hidden.includes(field) ? [] : [[field, value]]
      }),
    )
  }
  return {
    ...app.settings.push_config,
    apn: { enabled: enabled('apn'), development: false, ...nameless('apn_config', ['auth_key', 'p12_cert']) },
    firebase: { enabled: enabled('firebase'), ...nameless('firebase_config', ['server_key']) },
    huawei: { enabled: enabled('huawei') },
    xiaomi: { enabled: enabled('xiaomi') },
    ...(providers.length > 0 && { providers }),
  }
}
