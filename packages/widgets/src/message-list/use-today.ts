import { useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** The current day of the viewer; changes at local midnight. */
export function useToday(): Date {
  const { clock } = useChat()
  const [today, setToday] = useState(() => new Date(clock.now()))
  useEffect(() => {
    const midnight = new Date(today)
    midnight.setHours(24, 0, 0, 0)
    return clock.after(midnight.getTime() - clock.now(), () => setToday(new Date(clock.now())))
  }, [clock, today])
  return today
}
