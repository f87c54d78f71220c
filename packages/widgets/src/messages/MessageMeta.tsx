import type { Channel, LocalMessage } from '@parley/client'
import { Avatar } from '../avatar/Avatar.tsx'
import { personName } from '../chat/seen-name.ts'
import { useLasting } from '../chat/use-lasting.ts'
import { dateAndTime, listOf } from '../i18n/format.ts'
import { fullTime, timeOfDay } from '../i18n/row-time.ts'
import { type TextKey, useTranslation } from '../i18n/translate.ts'
import { READERS_SHOWN, SENDING_SHOWN_AFTER_MS } from '../limits.ts'
import type { Receipt } from '../reads/receipts.ts'
import { useReceipt } from '../reads/use-receipt.ts'
import { ClockIcon, DeliveredIcon, PinIcon, SentIcon } from '../theme/icons.tsx'
import { nameOf } from './message-name.ts'
import { isDeleted } from './message-parts.ts'

export interface MessageMetaProps {
  channel: Channel
  message: LocalMessage
  own: boolean
  id: string
  /** the last of its group shows its time; the others on hover and focus */
  shown: boolean
  entered?: boolean
  /** called to show the list of readers */
  onReaders?: () => void
}

/**
 * The small line under a bubble: time, edited and pinned marks, and the status of an own message. It describes the row
 * for assistive technology.
 */
export function MessageMeta({ channel, message, own, id, shown, entered, onReaders }: MessageMetaProps) {
  const { t, locale } = useTranslation()
  const receipt = useReceipt(channel, message.id)
  const { created_at, message_text_updated_at, message_updated_by_id: by } = message
  const edited = !isDeleted(message) && message_text_updated_at ? new Date(message_text_updated_at) : undefined
  return (
    <div className="chat-meta" id={id} data-shown={shown || receipt?.worded || message.pinned || undefined}>
      {message.pinned && (
        <span
          className="chat-meta-mark"
          title={
            message.pin_expires ? t('pins.until', { time: dateAndTime(locale, new Date(message.pin_expires)) }) : ''
          }
        >
          <PinIcon />
          <span>
            {message.pinned_by
              ? t('message.pinnedBy', { name: nameOf(t, { user: message.pinned_by }) })
              : t('message.pinned')}
          </span>
        </span>
      )}
      <time dateTime={message.created_at.toISOString()} title={fullTime(locale, message.created_at)}>
        {timeOfDay(locale, message.created_at)}
      </time>
      {edited && (
        <time dateTime={edited.toISOString()} title={fullTime(locale, edited)}>
          {by
            ? t('message.editedBy', { name: nameIn(channel, by), time: shortly(locale, edited, created_at) })
            : t('message.editedAt', { time: shortly(locale, edited, created_at) })}
        </time>
      )}
      {own && receipt && !isDeleted(message) && (
        <ReceiptMark receipt={receipt} group={isGroup(channel)} entered={entered} onReaders={onReaders} />
      )}
    </div>
  )
}

/** The display name of a member of the channel or an author in it; else the id. */
function nameIn(channel: Channel, id: string): string {
  const { members, messages } = channel.snapshot()
  const user = members[id]?.user ?? messages.find((message) => message.user.id === id)?.user
  return personName(user ?? { id })
}

/** The time alone on the day of the message, which is shown above. */
function shortly(locale: string, date: Date, sent: Date): string {
  return date.toDateString() === sent.toDateString() ? timeOfDay(locale, date) : dateAndTime(locale, date)
}

const deliveries: Record<Receipt['delivery'], TextKey> = {
  sending: 'status.sending',
  waiting: 'status.waiting',
  delivered: 'status.delivered',
  read: 'status.read',
}

interface ReceiptMarkProps {
  receipt: Receipt
  group: boolean
  entered: boolean | undefined
  onReaders: (() => void) | undefined
}

/**
 * Clock, one tick, two ticks; in groups also the avatars of members who have read to here, and a press lists them all
 * [MSG-18, MSG-19, READ-19].
 */
function ReceiptMark({ receipt, group, entered, onReaders }: ReceiptMarkProps) {
  const { t, language } = useTranslation()
  const { delivery, readers, readTo, worded } = receipt
  const isSending = delivery === 'sending'
  // If the server answers quickly, no clock is shown.
  const late = useLasting(isSending, SENDING_SHOWN_AFTER_MS)
  if (isSending && !late) return <span className="chat-receipt" data-delivery="sending" />

  const names = readers.map(personName)
  const label =
    delivery === 'read' && group ? t('status.readBy', { names: listOf(language, names) }) : t(deliveries[delivery])
  const isOnItsWay = onItsWay(delivery)
  const mark = (
    <>
      <DeliveryIcon delivery={delivery} />
      <span className={worded && !(group && delivery === 'read') ? undefined : 'chat-hidden'}>{label}</span>
      {group && readTo.length > 0 && (
        <span className="chat-receipt-faces" aria-hidden="true">
          {readTo.slice(0, READERS_SHOWN).map((user) => (
            <Avatar key={user.id} id={user.id} name={personName(user)} image={user.image} size="tiny" />
          ))}
          {readTo.length > READERS_SHOWN && <bdi>{t('status.more', { count: readTo.length - READERS_SHOWN })}</bdi>}
        </span>
      )}
    </>
  )
  if (group && onReaders && !isOnItsWay)
    return (
      <button
        type="button"
        className="chat-receipt"
        data-delivery={delivery}
        title={label}
        aria-haspopup="dialog"
        tabIndex={entered ? 0 : -1}
        onClick={onReaders}
      >
        {mark}
      </button>
    )
  return (
    <span className="chat-receipt" data-delivery={delivery} title={label}>
      {mark}
    </span>
  )
}

const onItsWay = (delivery: Receipt['delivery']) => delivery === 'sending' || delivery === 'waiting'

/** A clock while sending, one tick when sent, two once another user has read it. */
export function DeliveryIcon({ delivery }: Pick<Receipt, 'delivery'>) {
  return onItsWay(delivery) ? <ClockIcon /> : delivery === 'read' ? <DeliveredIcon /> : <SentIcon />
}

function isGroup(channel: Channel): boolean {
  return (channel.snapshot().data.member_count ?? 0) > 2
}
