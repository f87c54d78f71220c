import type { Channel } from '@parley/client'
import { createContext, memo, useContext, useState } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { Message } from '../messages/Message.tsx'
import { messagePartIds } from '../messages/message-parts.ts'
import { dayName, isoDay } from './day-name.ts'
import type { MessageRow } from './message-rows.ts'
import { useToday } from './use-today.ts'

export interface MessageRowViewProps {
  channel: Channel
  row: MessageRow
  /** unique on the page */
  rowId: string
  onJump: (messageId: string) => void
}

/** Opens the date dialog; without it the names of days are not buttons. */
export const AskForDate = createContext<((day: Date) => void) | undefined>(undefined)

/** The content of one row: the lines above the message, and the message. */
export const MessageRowView = memo(function MessageRowView({ channel, row, rowId, onJump }: MessageRowViewProps) {
  return (
    <>
      {row.startsDay && <DaySeparator day={row.message.created_at} entered={row.entered} />}
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

function DaySeparator({ day, entered }: { day: Date; entered: boolean }) {
  const { t, language } = useTranslation()
  const today = useToday()
  const ask = useContext(AskForDate)
  const name = <time dateTime={isoDay(day)}>{dayName(language, day, today)}</time>
  return (
    <h3 className="chat-day">
      {ask ? (
        <button type="button" tabIndex={entered ? 0 : -1} title={t('messages.date')} onClick={() => ask(day)}>
          {name}
        </button>
      ) : (
        name
      )}
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
