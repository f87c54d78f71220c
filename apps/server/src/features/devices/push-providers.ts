import type { PushProvider, PushProviderRequest } from '@parley/protocol/devices'
import type { App } from '../../chat/apps/app.ts'
import { type Change, changeApp } from '../../chat/apps/change-app.ts'
import { isMasked, masked, secretKeys } from '../../chat/apps/masked.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { checkTemplate } from '../push/push-content.ts'

/** Push providers one app can have [administration.md 16]. */
const PROVIDERS = 25

/** No type has a colon in it. */
export const keyOf = ({ type, name }: { type: string; name: string }) => `${type}:${name}`

/** What an app may see of its push providers again [DEV-5]. */
export function shownProviders(app: App): PushProvider[] {
  return [...app.pushProviders.values()].map(masked)
}

/** Whether an app has a provider of this type with this name; without a name any will do. */
export function hasProvider(app: App, type: string, name: string | null): boolean {
  return [...app.pushProviders.values()].some((one) => one.type === type && (name === null || one.name === name))
}

/**
 * Makes a push provider, or changes the one of its type and name; a secret sent as it was shown stays [DEV-6].
 *
 * @throws ChatError InputError (4) — one more than fit
 */
export async function putProvider(server: Server, app: App, request: PushProviderRequest): Promise<PushProvider> {
  const changed = await changeApp(server, app, (change) => putInto(change, request))
  return masked(changed.pushProviders.get(keyOf(request))!)
}

/** As a part of a change of the app; see `putProvider`. */
export async function putInto(change: Change, request: PushProviderRequest): Promise<void> {
  const key = keyOf(request)
  const known = change.app.pushProviders.get(key)
  if (!known && change.app.pushProviders.size >= PROVIDERS)
    throw inputError('push_provider', `an app can have at maximum ${PROVIDERS} push providers`)
  const { created_at: _, updated_at: __, ...before } = known ?? {}
  const { disabled_at, ...said } = request
  for (const [field, value] of Object.entries(said))
    if (field.endsWith('_template') && typeof value === 'string' && value) checkTemplate(field, value, 'message.new')
  const fields = Object.entries(said).filter(([field, value]) => !(secretKeys.has(field) && isMasked(value)))
  const body: Partial<PushProvider> = {
    ...before,
    ...Object.fromEntries(fields),
    ...(disabled_at && { disabled_at }),
  }
  if (disabled_at === null) {
    delete body.disabled_at
    delete body.disabled_reason
  }
  await change.put('push_provider', key, body)
}

/** @throws ChatError DoesNotExistError (16) [DEV-7] */
export async function deleteProvider(server: Server, app: App, type: string, name: string): Promise<void> {
  const key = keyOf({ type, name })
  await changeApp(server, app, async (change) => {
    if (!change.app.pushProviders.has(key))
      throw new ChatError('DoesNotExistError', `Can't find push provider ${name} of type ${type}`)
    await change.remove('push_provider', key)
    for (const [template, { push_provider_internal_id: id }] of change.app.pushTemplates)
      if (id === key) await change.remove('push_template', template)
  })
}
