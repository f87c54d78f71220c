import { useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useTranslation } from '../i18n/translate.ts'
import { dayName } from './day-name.ts'
import type { MessageRow } from './message-rows.ts'
import type { ScrollEngine } from './scroll-engine.ts'
import { useScrollView } from './use-scroll-engine.ts'
import { useToday } from './use-today.ts'

/** The chip stays this long after the last movement. */
const STAYS_MS = 1_000

/** The day of what is on top, while the reader scrolls. For the eye only: every day has its heading in the list. */
export function FloatingDate({ engine, rows }: { engine: ScrollEngine; rows: readonly MessageRow[] }) {
  const { language } = useTranslation()
  const today = useToday()
  const moving = useMoving(engine)
  const first = useScrollView(engine, (view) => view.first)
  const row = rows.find(({ key }) => key === first)
  return (
    <div className="chat-floating-date" data-shown={(moving && row !== undefined) || undefined} aria-hidden="true">
      {row && <span>{dayName(language, row.message.created_at, today)}</span>}
    </div>
  )
}

function useMoving(engine: ScrollEngine): boolean {
  const { clock } = useChat()
  const [moving, setMoving] = useState(false)
  useEffect(() => {
    let callOff = () => {}
    const stop = engine.onReaderScroll(() => {
      setMoving(true)
      callOff()
      callOff = clock.after(STAYS_MS, () => setMoving(false))
    })
    return () => {
      stop()
      callOff()
    }
  }, [engine, clock])
  return moving
}
