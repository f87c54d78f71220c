import type { PushProvider, PushTemplate } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { perApp } from '../../chat/apps/per-app.ts'

/** An app's push settings. */
export type PushRules = Pick<App, 'pushProviders' | 'pushTemplates' | 'settings'>

/** The events an app pushes; none without a provider [administration.md 8.4]. */
export function pushedEvents(app: PushRules): ReadonlySet<string> {
  const working = [...app.pushProviders.values()].filter(isWorking)
  if (working.length === 0) return new Set()
  if (app.settings.push_config.version !== 'v3') return new Set(['message.new'])
  return new Set([...app.pushTemplates.values()].flatMap((one) => (one.enable_push ? one.event_type : [])))
}

/** `pushedEvents` of an app, cached. */
export const pushedEventsOf = perApp(pushedEvents)

/** Whether a provider pushes an event: newer apps set this for each. */
function isPushed(app: PushRules, provider: PushProvider, type: string): boolean {
  if (app.settings.push_config.version !== 'v3') return type === 'message.new'
  return templateFor(app, provider, type)?.enable_push === true
}

/** The template of a provider, or the one for all of its type. */
export function templateFor(app: PushRules, { type, name }: ProviderName, event: string): PushTemplate | undefined {
  const { pushTemplates: templates } = app
  return templates.get(templateKey(event, { type, name })) ?? templates.get(templateKey(event, { type, name: '' }))
}

type ProviderName = Pick<PushProvider, 'type' | 'name'>

/** Neither events nor types have a colon. */
export const templateKey = (event: string, { type, name }: ProviderName) => `${event}:${type}:${name}`

/**
 * The provider for a device; a device that names none can use any enabled one of its type.
 *
 * @param event  an event that the provider has to push
 */
export function providerOf(
  app: PushRules,
  device: { push_provider: string; push_provider_name?: string },
  event?: string,
): PushProvider | undefined {
  const { push_provider: type, push_provider_name: name } = device
  const fitting = [...app.pushProviders.values()].filter(
    (one) =>
      one.type === type &&
      isWorking(one) &&
      (name === undefined || one.name === name) &&
      (event === undefined || isPushed(app, one, event)),
  )
  return fitting.find((one) => one.name === '') ?? fitting[0]
}

function isWorking({ disabled_at }: PushProvider): boolean {
  return disabled_at === undefined
}
