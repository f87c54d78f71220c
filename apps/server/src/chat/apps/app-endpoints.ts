import { AppAnswer, UpdateAppRequest } from '@parley/protocol/apps'
import { Done } from '@parley/protocol/wire'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { channelTypeWire } from '../channels/channel-type-wire.ts'
import { masked } from './masked.ts'
import { numberOfApp } from './number-of-app.ts'
import { updateApp } from './update-app.ts'

/** All settings for the app's server; a client receives the public ones and no secret [SET-1, SET-4]. */
const get = endpoint({ name: 'GetApp', method: 'GET', path: '/app', answer: AppAnswer }, async ({ caller }, server) => {
  const { app } = caller
  const { settings } = app
  const translation_enabled = server.translator !== undefined
  if (!caller.server)
    return {
      app: {
        name: app.name,
        file_upload_config: settings.file_upload_config,
        image_upload_config: settings.image_upload_config,
        auto_translation_enabled: settings.auto_translation_enabled,
        async_url_enrich_enabled: settings.async_url_enrich_enabled,
      },
      translation_enabled,
    }
  const { revoke_tokens_issued_before, push_config: _, ...rest } = settings
  return {
    app: {
      ...masked(rest),
      ...(rest.datadog_info && { datadog_info: masked(rest.datadog_info) }),
      event_hooks: rest.event_hooks.map(masked),
      ...(revoke_tokens_issued_before !== null && { revoke_tokens_issued_before }),
      ...Object.assign({}, ...server.extensions.apps.map(({ shown }) => shown?.(app))),
      id: numberOfApp(app.id),
      name: app.name,
      organization: '',
      placement: app.placement,
      suspended: app.suspended,
      suspended_explanation: app.stored.suspended_explanation ?? '',
      permission_version: 'v2' as const,
      policies: {},
      allow_multi_user_devices: false,
      campaign_enabled: true,
      use_hook_v2: true,
      call_types: {},
      grants: app.scope.grants as Record<string, string[]>,
      channel_configs: Object.fromEntries(
        [...app.types.values()].map((type) => [type.name, channelTypeWire(type, 'names')]),
      ),
    },
    translation_enabled,
  }
})

const update = endpoint(
  { name: 'UpdateApp', method: 'PATCH', path: '/app', body: UpdateAppRequest, answer: Done, serverOnly: true },
  async ({ caller, body }, server) => {
    await updateApp(server, caller.app, body)
    return {}
  },
)

export const appEndpoints: Endpoint[] = [get, update]
