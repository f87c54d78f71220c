import type { Channel } from '@parley/client'
import { memo, useState } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { Message } from '../messages/Message.tsx'
import { messagePartIds } from '../messages/message-parts.ts'
import { dayName } from './day-name.ts'
import type { MessageRow } from './message-rows.ts'
import { useToday } from './use-today.ts'

export interface MessageRowViewProps {
  channel: Channel
  row: MessageRow
  /** unique on the page */
  rowId: string
  onJump: (messageId: string) => void
}

/** The inside of one row: the lines above the message, and the message. */
export const MessageRowView = memo(function MessageRowView({ channel, row, rowId, onJump }: MessageRowViewProps) {
  return (
    <>
      {row.startsDay && <DaySeparator day={row.message.created_at} />}
      {row.newCount !== undefined && <NewMessages count={row.newCount} />}
      <RowBody channel={channel} row={row} rowId={rowId} onJump={onJump} />
    </>
  )
})

function RowBody({ channel, row, rowId, onJump }: MessageRowViewProps) {
  const [unmuted, setUnmuted] = useState(false)
  if (row.count > 1) return <DeletedMessages count={row.count} rowId={rowId} />
  if (row.muted && !unmuted) return <MutedMessage rowId={rowId} entered={row.entered} onShow={() => setUnmuted(true)} />
  return (
    <Message
      channel={channel}
      message={row.message}
      group={row.group}
      own={row.own}
      rowId={rowId}
      entered={row.entered}
      onJump={onJump}
    />
  )
}

function DaySeparator({ day }: { day: Date }) {
  const { language } = useTranslation()
  const today = useToday()
  return (
    <h3 className="chat-day">
      <time dateTime={isoDay(day)}>{dayName(language, day, today)}</time>
    </h3>
  )
}

function NewMessages({ count }: { count: number }) {
  const { t } = useTranslation()
  return <h3 className="chat-new-line">{t('messages.new', { count })}</h3>
}

function DeletedMessages({ count, rowId }: { count: number; rowId: string }) {
  const { t } = useTranslation()
  return (
    <p id={messagePartIds(rowId).body} className="chat-folded-row">
      {t('messages.deleted', { count })}
    </p>
  )
}

function MutedMessage({ rowId, entered, onShow }: { rowId: string; entered: boolean; onShow: () => void }) {
  const { t } = useTranslation()
  return (
    <p className="chat-folded-row">
      <span id={messagePartIds(rowId).body}>{t('messages.muted')}</span>
      <button type="button" className="chat-button" data-kind="quiet" tabIndex={entered ? 0 : -1} onClick={onShow}>
        {t('messages.muted.show')}
      </button>
    </p>
  )
}

/** The viewer's calendar day: an ISO time would be the day in Greenwich. */
function isoDay(day: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
