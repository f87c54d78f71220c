import { messagePath } from '../chat/message-path.ts'
import type { MessageKey } from '../i18n/catalogues.ts'
import { loadCatalogue } from '../i18n/catalogues.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import type { Product } from '../product.server.ts'
import type { PushNotice } from './push-sender.server.ts'
import { shortened } from './shortened.ts'
import { subscriptionsOf } from './subscription-store.server.ts'
import { groupNameOf, isWorthNotifying, type NewMessage } from './whom-to-notify.ts'

/** A new message, and those who are to be notified of it, as the chat server knows them. */
export interface WebhookMessage extends NewMessage {
  type: 'message.new'
  push_recipients?: string[]
}

/**
 * Tells those who do not have the product open of a new message, wherever they want that. However many they are, it
 * asks the database once, and the chat server nothing.
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
    body: shortened(message.text ?? '') || say(message.poll_id ? 'notifications.poll' : 'notifications.attachment'),
    tag: message.id,
    url: messagePath(cid, message.id),
  }
}
