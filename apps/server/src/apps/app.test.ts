import assert from 'node:assert/strict'
import { it } from 'vitest'
import { Listener, outside } from '../testing/listener.ts'
import type { AppServer } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'

const appOf = async (company: AppServer) => (await company.does('GET', '/app')).app
const sets = (company: AppServer, settings: object) => company.does('PATCH', '/app', { body: settings })

onEveryStorage((stage) => {
  it('[SET-1] the server sees a number for its app, and every setting with its value', async () => {
    const { company } = await stage.company()
    const app = await appOf(company)
    assert.ok(Number.isInteger(app.id) && app.id > 0)
    assert.equal((await appOf(company)).id, app.id)
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

  it('[SET-2] what only has to be kept is kept, and its secret shown to nobody', async () => {
    const { company } = await stage.company()
    const kept = {
      ...{
        image_moderation_enabled: true,
        image_moderation_labels: ['nudity'],
        image_moderation_block_labels: ['gore'],
      },
      ...{ member_custom_on_messages_enabled: true, moderation_dashboard_preferences: { columns: ['text'] } },
    }
    await sets(company, { ...kept, datadog_info: { api_key: '0123456789abcdef', site: 'EU1', enabled: true } })
    const app = await appOf(company)
    assert.deepEqual(Object.fromEntries(Object.keys(kept).map((key) => [key, app[key]])), kept)
    assert.deepEqual(app.datadog_info, { api_key: '*****cdef', site: 'EU1', enabled: true })
    await sets(company, { datadog_info: { ...app.datadog_info, enabled: false } })
    assert.deepEqual((await appOf(company)).datadog_info, { api_key: '*****cdef', site: 'EU1', enabled: false })
  })

  it('[SET-2] a program that sends back all that it read changes nothing', async () => {
    const { company } = await stage.company()
    await sets(company, { sqs_key: '0123456789abcdef', allowed_flag_reasons: ['spam'], reminders_interval: 90 })
    const app = await appOf(company)
    await sets(company, app)
    assert.deepEqual(await appOf(company), app)
  })

  it('[SET-2] what is wrong in a setting is named, and nothing beside it', async () => {
    const { company } = await stage.company()
    const names = async (body: object) =>
      Object.keys((await company.isRefused(4, 'PATCH', '/app', { body })).exception_fields)
    assert.deepEqual(await names({ event_hooks: [{ hook_type: 'pigeon' }] }), ['event_hooks.0.hook_type'])
    assert.deepEqual(await names({ image_upload_config: { size_limit: '1' } }), ['image_upload_config.size_limit'])
    assert.deepEqual(await names({ multi_tenant_enabled: 'yes' }), ['multi_tenant_enabled'])
  })

  it('[SET-2] an address nobody could call is refused by its name', async () => {
    const { company } = await stage.company()
    for (const name of ['webhook_url', 'moderation_webhook_url', 'custom_action_handler_url']) {
      const refused = await company.isRefused(4, 'PATCH', '/app', { body: { [name]: 'ftp://example.com' } })
      assert.deepEqual(Object.keys(refused.exception_fields), [name])
    }
    await sets(company, { custom_action_handler_url: 'https://example.com/commands/{type}' })
  })
})

onEveryStorage((stage) => {
  const listener = new Listener()

  it('[SET-2] the address for moderation is told of that and of nothing else', async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const room = await company.opens([ada, bo])
    await sets(company, { moderation_webhook_url: `${listener.url}/moderation` })
    const { id } = await ada.says(room, 'Buy my watches')
    await bo.does('POST', '/moderation/flag', { body: { target_message_id: id } })
    await listener.hears('moderation.flagged')
    await listener.hears('review_queue_item.new')
    assert.deepEqual([...listener.of('message.new'), ...listener.of('message.flagged')], [])
  })
}, outside)

onEveryStorage((stage) => {
  it('[SET-2] while moderation is off its configurations find nothing, and block lists go on', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    for (const name of ['cakes', 'sweets'])
      await company.does('POST', '/blocklists', { body: { name, words: [name.slice(0, -1)] } })
    await company.does('PUT', '/channeltypes/messaging', { body: { blocklist: 'sweets', blocklist_behavior: 'block' } })
    const block_list_config = { rules: [{ name: 'cakes', action: 'remove' }] }
    await company.does('POST', '/api/v2/moderation/config', { body: { key: 'chat', block_list_config } })
    const becomes = async (text: string) => (await ada.says(room, text)).type
    assert.deepEqual([await becomes('cake'), await becomes('sweet')], ['error', 'error'])
    await sets(company, { moderation_enabled: false })
    assert.deepEqual([await becomes('cake'), await becomes('sweet')], ['regular', 'error'])
  })
})
