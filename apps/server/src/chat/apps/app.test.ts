import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { allowLoopback, Listener } from '../../testing/listener.ts'
import type { AppServer } from '../../testing/test-user.ts'

const appOf = async (appServer: AppServer) => (await appServer.does('GET', '/app')).app
const sets = (appServer: AppServer, settings: object) => appServer.does('PATCH', '/app', { body: settings })

onEveryStorage((fixture) => {
  it('[SET-1] the server gets a numeric app id, and every setting with its value', async () => {
    const { appServer } = await fixture.createApp()
    const app = await appOf(appServer)
    assert.ok(Number.isInteger(app.id) && app.id > 0)
    assert.equal((await appOf(appServer)).id, app.id)
    assert.deepEqual(
      [app.moderation_enabled, app.moderation_webhook_url, app.image_moderation_enabled, app.image_moderation_labels],
      [true, '', false, []],
    )
    assert.deepEqual(
      [app.allow_multi_user_devices, app.campaign_enabled, app.use_hook_v2, app.call_types],
      [false, true, true, {}],
    )
    assert.equal('moderation_dashboard_preferences' in app || 'datadog_info' in app, false)
  })

  it('[SET-2] a setting without effect here is stored, and its secret is never shown', async () => {
    const { appServer } = await fixture.createApp()
    const kept = {
      ...{
        image_moderation_enabled: true,
        image_moderation_labels: ['nudity'],
        image_moderation_block_labels: ['gore'],
      },
      ...{ member_custom_on_messages_enabled: true, moderation_dashboard_preferences: { columns: ['text'] } },
    }
    await sets(appServer, { ...kept, datadog_info: { api_key: '0123456789abcdef', site: 'EU1', enabled: true } })
    const app = await appOf(appServer)
    assert.deepEqual(Object.fromEntries(Object.keys(kept).map((key) => [key, app[key]])), kept)
    assert.deepEqual(app.datadog_info, { api_key: '*****cdef', site: 'EU1', enabled: true })
    await sets(appServer, { datadog_info: { ...app.datadog_info, enabled: false } })
    assert.deepEqual((await appOf(appServer)).datadog_info, { api_key: '*****cdef', site: 'EU1', enabled: false })
  })

  it('[SET-2] sending back all settings as read changes nothing', async () => {
    const { appServer } = await fixture.createApp()
    await sets(appServer, { sqs_key: '0123456789abcdef', allowed_flag_reasons: ['spam'], reminders_interval: 90 })
    const app = await appOf(appServer)
    await sets(appServer, app)
    assert.deepEqual(await appOf(appServer), app)
  })

  it('[SET-2] the error for an invalid setting names that setting only', async () => {
    const { appServer } = await fixture.createApp()
    const names = async (body: object) =>
      Object.keys((await appServer.isRefused(4, 'PATCH', '/app', { body })).exception_fields)
    assert.deepEqual(await names({ event_hooks: [{ hook_type: 'pigeon' }] }), ['event_hooks.0.hook_type'])
    assert.deepEqual(await names({ image_upload_config: { size_limit: '1' } }), ['image_upload_config.size_limit'])
    assert.deepEqual(await names({ multi_tenant_enabled: 'yes' }), ['multi_tenant_enabled'])
  })

  it('[SET-2] a URL that cannot be called is refused by name', async () => {
    const { appServer } = await fixture.createApp()
    for (const name of ['webhook_url', 'moderation_webhook_url', 'custom_action_handler_url']) {
      const refused = await appServer.isRefused(4, 'PATCH', '/app', { body: { [name]: 'ftp://example.com' } })
      assert.deepEqual(Object.keys(refused.exception_fields), [name])
    }
    await sets(appServer, { custom_action_handler_url: 'https://example.com/commands/{type}' })
  })
})

onEveryStorage((fixture) => {
  const listener = new Listener()

  it('[SET-2] the moderation webhook URL receives moderation events only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await sets(appServer, { moderation_webhook_url: `${listener.url}/moderation` })
    const { id } = await ada.sends(room, 'Buy my watches')
    await bo.does('POST', '/moderation/flag', { body: { target_message_id: id } })
    await listener.receives('moderation.flagged')
    await listener.receives('review_queue_item.new')
    assert.deepEqual([...listener.of('message.new'), ...listener.of('message.flagged')], [])
  })
}, allowLoopback)

onEveryStorage((fixture) => {
  it('[SET-2] while moderation is off its configurations have no effect, and block lists still apply', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    for (const name of ['cakes', 'sweets'])
      await appServer.does('POST', '/blocklists', { body: { name, words: [name.slice(0, -1)] } })
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { blocklist: 'sweets', blocklist_behavior: 'block' },
    })
    const block_list_config = { rules: [{ name: 'cakes', action: 'remove' }] }
    await appServer.does('POST', '/api/v2/moderation/config', { body: { key: 'chat', block_list_config } })
    const becomes = async (text: string) => (await ada.sends(room, text)).type
    assert.deepEqual([await becomes('cake'), await becomes('sweet')], ['error', 'error'])
    await sets(appServer, { moderation_enabled: false })
    assert.deepEqual([await becomes('cake'), await becomes('sweet')], ['regular', 'error'])
  })
})
