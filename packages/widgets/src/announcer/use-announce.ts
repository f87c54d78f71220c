import { useCallback } from 'react'
import { useChat } from '../chat/chat-context.ts'
import type { AnnouncedEvent, Announcements } from './announcements.ts'

/** The values an event needs; none for an event that needs none. */
type Said<Event extends AnnouncedEvent> = keyof Announcements[Event] extends never ? [] : [Announcements[Event]]

/** Announces to screen readers: `announce('copied')`, `announce('older', { count: 25 })`. */
export function useAnnounce() {
  const { announcer } = useChat()
  return useCallback(
    <Event extends AnnouncedEvent>(event: Event, ...[values]: Said<Event>) =>
      announcer.announce(event, values ?? ({} as Announcements[Event])),
    [announcer],
  )
}
