/** An app's webhook settings [administration.md 13.1, 13.2]. */
import { randomUUID } from 'node:crypto'
import type { AppSettings } from '@parley/protocol/apps'
import { isBuiltInEvent } from '@parley/protocol/events'
import { chatHookEvents, type EventHook, type EventHookRequest, moderationHookEvents } from '@parley/protocol/hooks'
import { PENDING_DAYS } from '@parley/protocol/limits'
import { inputError } from '../../platform/chat-error.ts'
import { isoOf, type Micros } from '../../platform/micros.ts'
import { unmasked } from './masked.ts'

const chat: ReadonlySet<string> = new Set(chatHookEvents)
const moderation: ReadonlySet<string> = new Set(moderationHookEvents)
/** Those that are set by an address alone. */
const LEGACY_ID = 'webhook_url'
const MODERATION_ID = 'moderation_webhook_url'
const LEGACY_PENDING_ID = 'async_moderation_config'
/** Hooks about waiting messages one app can have [administration.md 16]. */
const PENDING_WEBHOOKS = 2
const DAY_MS = 86_400_000

/** A webhook URL with its parsed settings. */
export interface Webhook {
  id: string
  url: string
  wants(type: string): boolean
  /** Those to whom a message is pushed, or those among them who are not connected, are added to its event. */
  pushRecipients?: 'all' | 'offline' | undefined
  /** It receives pending messages, and of these only the message [administration.md 13.8]. */
  isCallback?: true
}

/** The webhooks of an app that are called over HTTP. */
export function webhooksOf(settings: AppSettings): Webhook[] {
  const { event_hooks, webhook_url, webhook_events, moderation_webhook_url, push_config } = settings
  const { async_moderation_config: legacy } = settings
  const webhooks = event_hooks.flatMap(
    ({ id, hook_type, enabled, webhook_url: url, callback, ...about }): Webhook[] => {
      if (!enabled || !url) return []
      if (hook_type === 'webhook') {
        const { push_recipients: asked } = about
        return [
          { id, url, wants: wantedBy(about), pushRecipients: asked && push_config.offline_only ? 'offline' : asked },
        ]
      }
      return hook_type === 'pending_message' && isCalled(callback) ? [callbackTo(id, url)] : []
    },
  )
  if (webhook_url !== '')
    webhooks.push({ id: LEGACY_ID, url: webhook_url, wants: wantedBy({ event_types: webhook_events }) })
  if (moderation_webhook_url !== '')
    webhooks.push({
      id: MODERATION_ID,
      url: moderation_webhook_url,
      wants: wantedBy({ event_types: [], product: 'moderation' }),
    })
  if (legacy?.callback?.server_url && isCalled(legacy.callback))
    webhooks.push(callbackTo(LEGACY_PENDING_ID, legacy.callback.server_url))
  return webhooks
}

/** How long a message may wait for its commit, in milliseconds: the longest timeout of any webhook. */
export function pendingTimeout({ event_hooks, async_moderation_config: legacy }: AppSettings): number {
  const timeouts = event_hooks.flatMap(({ hook_type, enabled, timeout_ms }) =>
    hook_type === 'pending_message' && enabled && timeout_ms !== undefined ? [timeout_ms] : [],
  )
  if (legacy?.timeout_ms !== undefined) timeouts.push(legacy.timeout_ms)
  return timeouts.length > 0 ? Math.max(...timeouts) : PENDING_DAYS * DAY_MS
}

function isCalled({ mode }: { mode?: string } = {}): boolean {
  return mode === 'CALLBACK_MODE_REST'
}

function callbackTo(id: string, url: string): Webhook {
  return { id, url, wants: (type) => type === 'message.pending', isCallback: true }
}

/** Those of an app that would go to a queue, which no part of this server can write to. */
export function hasQueues({ event_hooks, sqs_url, sns_topic_arn }: AppSettings): boolean {
  return (
    sqs_url !== '' ||
    sns_topic_arn !== '' ||
    event_hooks.some(({ hook_type }) => hook_type === 'sqs' || hook_type === 'sns')
  )
}

/**
 * The hooks an app has from now on; what is not among them is gone.
 *
 * @throws ChatError InputError (4) — an event that does not exist, a webhook without an address, an id that another
 *   hook has, or too many hooks about waiting messages
 */
export function webhookSettings(before: AppSettings, asked: readonly EventHookRequest[], now: Micros): EventHook[] {
  if (asked.filter(({ hook_type }) => hook_type === 'pending_message').length > PENDING_WEBHOOKS)
    throw inputError('event_hooks', `an app can have at maximum ${PENDING_WEBHOOKS} hooks of type pending_message`)
  const taken = new Set([LEGACY_ID, MODERATION_ID, LEGACY_PENDING_ID])
  const known = new Map(before.event_hooks.map((webhook) => [webhook.id, webhook]))
  return asked.map((request) => {
    const { id = randomUUID(), enabled = true, event_types, ...rest } = request
    // Queued deliveries refer to the webhook by that id.
    if (taken.has(id)) throw inputError('event_hooks.id', `there is another hook with id ${id}`)
    taken.add(id)
    const was = known.get(id)
    const types = event_types ?? []
    const stranger = types.find((type) => !chat.has(type) && !moderation.has(type) && looksBuiltIn(type))
    if (stranger !== undefined) throw inputError('event_hooks.event_types', `there is no event ${stranger} for hooks`)
    if (rest.hook_type === 'webhook' || (rest.hook_type === 'pending_message' && isCalled(rest.callback)))
      checkWebhookUrl('event_hooks.webhook_url', rest.webhook_url ?? '')
    return {
      ...unmasked(rest, was),
      id,
      enabled,
      event_types: types,
      created_at: was?.created_at ?? isoOf(now),
      updated_at: isoOf(now),
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
}: Pick<EventHook, 'event_types' | 'product' | 'should_send_custom_events'>): Webhook['wants'] {
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
