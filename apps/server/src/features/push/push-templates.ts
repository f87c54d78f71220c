import type { PushTemplate, PushTemplateRequest } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { changeApp } from '../../chat/apps/change-app.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { hasProvider, keyOf } from '../devices/push-providers.ts'
import { checkTemplate } from './push-content.ts'
import { templateKey } from './pushed-events.ts'

/** The templates of an app, those of one type or of one provider alone. */
export function templatesOf(app: App, type: string | undefined, name: string | undefined): PushTemplate[] {
  const isWanted = (id: string) => {
    const colon = id.indexOf(':')
    return (!type || id.slice(0, colon) === type) && (!name || id.slice(colon + 1) === name)
  }
  return [...app.pushTemplates.values()].filter((one) => isWanted(one.push_provider_internal_id))
}

/**
 * Sets the template of an event type, and whether it is pushed. Without a provider's name it applies to all providers
 * of the type that have no template of their own.
 *
 * @throws ChatError InputError (4) — the template makes no JSON, or there is no such provider
 */
export async function putTemplate(server: Server, app: App, request: PushTemplateRequest): Promise<PushTemplate> {
  const { event_type, push_provider_type: type, push_provider_name: name = '', enable_push, template } = request
  if (!hasProvider(app, type, name || null))
    throw inputError('push_provider_name', `there is no push provider ${name} of type ${type}`)
  if (template) checkTemplate('template', template, event_type)
  const key = templateKey(event_type, { type, name })
  const changed = await changeApp(server, app, async (change) => {
    const before = change.app.pushTemplates.get(key)
    const text = template ?? before?.template
    const body: Omit<PushTemplate, 'created_at' | 'updated_at'> = {
      event_type,
      enable_push: enable_push ?? before?.enable_push ?? false,
      ...(text && { template: text }),
      push_provider_internal_id: keyOf({ type, name }),
    }
    await change.put('push_template', key, body)
  })
  return changed.pushTemplates.get(key)!
}
