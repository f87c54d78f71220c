/** What an app's administrators say about where its events go [administration.md 13.1, 13.2]. */
import { randomUUID } from 'node:crypto'
import type { AppSettings } from '@parley/protocol/apps'
import { isBuiltInEvent } from '@parley/protocol/events'
import { chatHookEvents, type EventHook, type EventHookRequest, moderationHookEvents } from '@parley/protocol/hooks'
import { isMasked, secretKeys } from '../apps/masked.ts'
import { inputError } from '../chat-error.ts'
import { isoOf, type Micros } from '../micros.ts'

const chat: ReadonlySet<string> = new Set(chatHookEvents)
const moderation: ReadonlySet<string> = new Set(moderationHookEvents)
/** The one that is set in the older form. */
const LEGACY_ID = 'webhook_url'

/** An address that is told what happens, made ready to be asked. */
export interface Hook {
  id: string
  url: string
  wants(type: string): boolean
}

/** The hooks of an app that are told over HTTP. */
export function hooksOf(settings: AppSettings): Hook[] {
  const { event_hooks, webhook_url, webhook_events } = settings
  const hooks = event_hooks.flatMap(({ id, hook_type, enabled, webhook_url: url, ...about }) =>
    hook_type === 'webhook' && enabled && url ? [{ id, url, wants: wantedBy(about) }] : [],
  )
  if (webhook_url !== '')
    hooks.push({ id: LEGACY_ID, url: webhook_url, wants: wantedBy({ event_types: webhook_events }) })
  return hooks
}

/** Those of an app that would go to a queue, which no part of this server can write to. */
export function hasQueues({ event_hooks, sqs_url, sns_topic_arn }: AppSettings): boolean {
  return sqs_url !== '' || sns_topic_arn !== '' || event_hooks.some(({ hook_type }) => hook_type !== 'webhook')
}

/**
 * The hooks an app has from now on; what is not among them is gone.
 *
 * @throws ChatError InputError (4) — an event that does not exist, or a webhook without an address
 */
export function hookSettings(before: AppSettings, asked: readonly EventHookRequest[], now: Micros): EventHook[] {
  const known = new Map(before.event_hooks.map((hook) => [hook.id, hook]))
  return asked.map((request) => {
    const { id = randomUUID(), enabled = true, event_types, ...rest } = request
    const was = known.get(id)
    const types = event_types ?? []
    const stranger = types.find((type) => !chat.has(type) && !moderation.has(type) && looksBuiltIn(type))
    if (stranger !== undefined) throw inputError('event_hooks.event_types', `there is no event ${stranger} for hooks`)
    if (rest.hook_type === 'webhook') checkWebhookUrl('event_hooks.webhook_url', rest.webhook_url ?? '')
    const kept = Object.fromEntries(
      Object.entries(rest).map(([key, value]) =>
        secretKeys.has(key) && isMasked(value) ? [key, was?.[key as keyof EventHook]] : [key, value],
      ),
    ) as typeof rest
    return {
      ...kept,
      ...{ id, enabled, event_types: types },
      ...{ created_at: was?.created_at ?? isoOf(now), updated_at: isoOf(now) },
    }
  })
}

/** @throws ChatError InputError (4) */
export function checkWebhookUrl(field: string, url: string) {
  const { protocol } = URL.parse(url) ?? {}
  if (protocol !== 'http:' && protocol !== 'https:')
    throw inputError(field, `${field} must be an http or https address`)
}

function wantedBy({
  event_types,
  product = 'all',
  should_send_custom_events: custom = true,
}: Pick<EventHook, 'event_types' | 'product' | 'should_send_custom_events'>): Hook['wants'] {
  const named = new Set(event_types)
  const ofChat = product === 'all' || product === 'chat'
  const ofModeration = product === 'all' || product === 'moderation'
  return (type) => {
    if (named.size > 0 && !named.has(type)) return false
    if (chat.has(type)) return ofChat
    if (moderation.has(type)) return ofModeration
    return ofChat && custom && !isBuiltInEvent(type)
  }
}

/** An app's own events have names of their own; what begins like one of ours and is none is a slip. */
function looksBuiltIn(type: string): boolean {
  return isBuiltInEvent(type) || /^(message|channel|member|reaction|user)\./.test(type)
}
