import { plainText } from '@parley/protocol/text/plain-text'
import { messagePath } from '../chat/message-path.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { loadCatalogue } from '../i18n/catalogues.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import type { Product } from '../product.server.ts'
import type { PushNotice } from './push-sender.server.ts'
import { shortened } from './shortened.ts'
import { subscriptionsOf } from './subscription-store.server.ts'
import { groupNameOf, isWorthNotifying, type NewMessage } from './whom-to-notify.ts'

/** The webhook of a new message, with the users to notify as the chat server knows them. */
export interface WebhookMessage extends NewMessage {
  type: 'message.new'
  push_recipients?: string[]
}

/**
 * Pushes a new message to users who do not have the product open, to each browser that they have subscribed. However
 * many there are, it takes one database query, and no call to the chat server.
 */
export async function notify({ database, push }: Product, event: WebhookMessage): Promise<void> {
  const { push_recipients: told = [] } = event
  if (told.length === 0 || !isWorthNotifying(event)) return
  const subscriptions = await subscriptionsOf(database, told, new Date())
  if (subscriptions.length === 0) return

  const notices = new Map<string, PushNotice>()
  for (const subscription of subscriptions) {
    const { language } = subscription
    const notice = notices.get(language) ?? (await noticeOf(event, language))
    notices.set(language, notice)
    push.send(subscription, notice)
  }
}

async function noticeOf(event: NewMessage, language: string): Promise<PushNotice> {
  const { cid, message } = event
  const i18n = await loadCatalogue(chooseLanguage(language, null))
  const say = (key: MessageKey, values: object = {}) => i18n._(key, { ...values })
  const group = groupNameOf(event)
  const sender = message.user?.name || say('notifications.somebody')
  return {
    title: shortened(group ? say('notifications.inGroup', { sender, group }) : sender),
    body:
      shortened(plainText(message.text ?? '')) ||
      say(message.poll_id ? 'notifications.poll' : 'notifications.attachment'),
    tag: message.id,
    url: messagePath(cid, message.id),
  }
}
