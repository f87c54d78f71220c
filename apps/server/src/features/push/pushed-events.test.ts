import assert from 'node:assert/strict'
import type { PushProvider, PushTemplate } from '@parley/protocol/devices'
import { it } from 'vitest'
import { type PushRules, providerOf, pushedEvents, templateFor, templateKey } from './pushed-events.ts'

const provider = (type: PushProvider['type'], name: string, fields: Partial<PushProvider> = {}): PushProvider => ({
  ...{ type, name, created_at: '2030-01-01T00:00:00Z', updated_at: '2030-01-01T00:00:00Z' },
  ...fields,
})
const template = (event_type: string, type: string, name: string, enable_push = true): [string, PushTemplate] => [
  templateKey(event_type, { type, name } as PushProvider),
  { event_type, enable_push, push_provider_internal_id: `${type}:${name}` } as PushTemplate,
]

function rules(version: 'v2' | 'v3', providers: PushProvider[], templates: [string, PushTemplate][] = []): PushRules {
  return {
    pushProviders: new Map(providers.map((one) => [`${one.type}:${one.name}`, one])),
    pushTemplates: new Map(templates),
    settings: { push_config: { version } } as PushRules['settings'],
  }
}

const paused = { disabled_at: '2030-01-01T00:00:00Z' }

it('devices are notified of the configured events, where a provider works', () => {
  const templates = [template('reaction.new', 'apn', ''), template('message.new', 'apn', '', false)]
  const events = (...given: Parameters<typeof rules>) => [...pushedEvents(rules(...given))]
  assert.deepEqual(events('v2', [], templates), [])
  assert.deepEqual(events('v2', [provider('apn', 'main', paused)], templates), [])
  assert.deepEqual(events('v2', [provider('apn', 'main')], templates), ['message.new'])
  assert.deepEqual(events('v3', [provider('apn', 'main')], templates), ['reaction.new'])
})

it('a template of a provider takes precedence over the one for its type', () => {
  const app = rules('v3', [], [template('message.new', 'apn', ''), template('message.new', 'apn', 'main', false)])
  const of = (name: string, type: PushProvider['type'] = 'apn') =>
    templateFor(app, { type, name }, 'message.new')?.enable_push
  assert.deepEqual([of('main'), of('other'), of('main', 'huawei')], [false, true, undefined])
})

it('a device is reached by the provider it names, or by any working one of its type', () => {
  const all = [provider('apn', 'a', paused), provider('apn', 'b'), provider('apn', ''), provider('huawei', 'c')]
  const found = (
    device: { push_provider: string; push_provider_name?: string },
    app = rules('v2', all),
    event?: string,
  ) => providerOf(app, device, event)?.name
  assert.equal(found({ push_provider: 'apn' }), '')
  assert.equal(found({ push_provider: 'apn' }, rules('v2', all.slice(0, 2))), 'b')
  assert.equal(found({ push_provider: 'apn', push_provider_name: 'b' }), 'b')
  assert.equal(found({ push_provider: 'apn', push_provider_name: 'a' }), undefined)
  assert.equal(found({ push_provider: 'xiaomi' }), undefined)
  // One that pushes the event.
  assert.equal(found({ push_provider: 'apn' }, rules('v2', all), 'message.new'), '')
  assert.equal(found({ push_provider: 'apn' }, rules('v2', all), 'reaction.new'), undefined)
  const newer = rules('v3', all, [template('reaction.new', 'apn', 'b'), template('reaction.new', 'huawei', 'c', false)])
  assert.equal(found({ push_provider: 'apn' }, newer, 'reaction.new'), 'b')
  assert.equal(found({ push_provider: 'huawei' }, newer, 'reaction.new'), undefined)
})
