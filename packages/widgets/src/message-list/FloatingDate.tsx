import { type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useTranslation } from '../i18n/translate.ts'
import { FLOATING_DATE_MS } from '../limits.ts'
import { dayName } from './day-name.ts'
import { AskForDate } from './MessageRowView.tsx'
import type { MessageRow } from './message-rows.ts'
import type { ScrollEngine } from './scroll-engine.ts'
import { useScrollView } from './use-scroll-engine.ts'
import { useToday } from './use-today.ts'

/** If a day's own line is this near to the chip, in px, the chip is hidden: it would repeat the line and cover it. */
const ROOM_PX = 12

/**
 * The day of the topmost message, shown while the reader scrolls; pressing it opens the date dialog. For pointers only:
 * every day has a heading in the list that does the same.
 */
export function FloatingDate({ engine, rows }: { engine: ScrollEngine; rows: readonly MessageRow[] }) {
  const { language } = useTranslation()
  const today = useToday()
  const chip = useRef<HTMLDivElement>(null)
  const moving = useMoving(engine, chip)
  const first = useScrollView(engine, (view) => view.first)
  const row = rows.find(({ key }) => key === first)
  const ask = useContext(AskForDate)
  return (
    <div
      ref={chip}
      className="chat-floating-date"
      data-shown={(moving && row !== undefined) || undefined}
      aria-hidden="true"
    >
      {row && (
        <button
          type="button"
          tabIndex={-1}
          // It is hidden from screen readers, so it must not take the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => ask?.(row.message.created_at)}
        >
          {dayName(language, row.message.created_at, today)}
        </button>
      )}
    </div>
  )
}

/** Whether the reader is scrolling the list and the chip has room. */
function useMoving(engine: ScrollEngine, chip: RefObject<HTMLElement | null>): boolean {
  const { clock } = useChat()
  const [moving, setMoving] = useState(false)
  useEffect(() => {
    let cancel = () => {}
    const stop = engine.onReaderScroll(() => {
      setMoving(!meetsDay(chip.current))
      cancel()
      cancel = clock.after(FLOATING_DATE_MS, () => setMoving(false))
    })
    return () => {
      stop()
      cancel()
    }
  }, [engine, clock, chip])
  return moving
}

/** Whether the chip would lie over a day's own line, or above the first message. */
function meetsDay(chip: HTMLElement | null): boolean {
  const list = chip?.parentElement
  const rows = list?.querySelector('.chat-scroll-rows')
  if (!chip || !list || !rows) return false
  const { top, bottom } = chip.getBoundingClientRect()
  if (rows.getBoundingClientRect().top > top) return true
  return [...list.querySelectorAll('.chat-day')].some((day) => {
    const line = day.getBoundingClientRect()
    return line.bottom > top - ROOM_PX && line.top < bottom + ROOM_PX
  })
}
