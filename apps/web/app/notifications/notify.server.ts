import type { MessageKey } from '../i18n/catalogues.ts'
import { loadCatalogue } from '../i18n/catalogues.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import type { Product } from '../product.server.ts'
import type { PushNotice } from './push-sender.server.ts'
import { shortened } from './shortened.ts'
import { othersWithSubscriptions, subscriptionsOf } from './subscription-store.server.ts'
import { type NewMessage, whomToNotify } from './whom-to-notify.ts'

/** An event shows this many members at most; of a larger group the others are asked for. */
const MEMBERS_SHOWN = 50

/** Tells those who do not have the product open of a new message, wherever they want that. */
export async function notify({ database, chat, push }: Product, event: NewMessage): Promise<void> {
  if (!chat) return
  const members = event.members ?? []
  const told = whomToNotify(event, members)
  if (members.length >= MEMBERS_SHOWN) {
    const others = await othersWithSubscriptions(
      database,
      members.map(({ user_id }) => user_id),
    )
    told.push(...whomToNotify(event, await chat.membersAmong(event.cid, others, event.message.user?.id)))
  }
  const subscriptions = await subscriptionsOf(database, told, new Date())
  if (subscriptions.length === 0) return

  const group = members.length > 2 ? await chat.nameOf(event.cid) : undefined
  const notices = new Map<string, PushNotice>()
  for (const subscription of subscriptions) {
    const { language } = subscription
    const notice = notices.get(language) ?? (await noticeOf(event, group, language))
    notices.set(language, notice)
    push.send(subscription, notice)
  }
}

async function noticeOf(
  { cid, message }: NewMessage,
  group: string | undefined,
  language: string,
): Promise<PushNotice> {
  const i18n = await loadCatalogue(chooseLanguage(language, null))
  const say = (key: MessageKey, values: object = {}) => i18n._(key, { ...values })
  const sender = message.user?.name || say('notifications.somebody')
  return {
    title: shortened(group ? say('notifications.inGroup', { sender, group }) : sender),
    body: shortened(message.text ?? '') || say(message.poll_id ? 'notifications.poll' : 'notifications.attachment'),
    tag: message.id,
    url: `/chat/${encodeURIComponent(cid)}?message=${encodeURIComponent(message.id)}`,
  }
}
