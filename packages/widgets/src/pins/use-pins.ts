import type { Channel, LocalMessage, Message } from '@parley/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { PINS_PAGE } from '../limits.ts'
import type { Summarized } from '../messages/message-summary.ts'

/** A pinned message, loaded in the channel or not. */
export interface Pin extends Summarized {
  id: string
  user: LocalMessage['user']
  said: Date
  pinned: Date
  by: { id: string; name?: string } | undefined
  /** the pin expires at this time [PIN-5] */
  ends: Date | undefined
}

export interface Pins {
  /** Newest pin first. */
  pins: readonly Pin[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  load: () => void
  /** It was unpinned here; the event may follow later. */
  forget: (id: string) => void
}

/** Every pinned message of a channel, page by page; pins, unpins, deletions and expiries are followed [PIN-4]. */
export function usePins(channel: Channel): Pins {
  const { client, clock } = useChat()
  const [known, setKnown] = useState<ReadonlyMap<string, Pin>>(() => pinsIn(channel))
  const [at, setAt] = useState<Pins['at']>('loading')
  const [hasMore, setHasMore] = useState(false)
  const [oldest, setOldest] = useState<string>()
  /** Messages changed by events while a page is loading: the page may contain older versions of them. */
  const told = useRef<Set<string>>(undefined)

  const load = useCallback(
    async (before?: string) => {
      const meanwhile = new Set<string>()
      told.current = meanwhile
      setAt('loading')
      try {
        const page = { limit: PINS_PAGE, ...(before !== undefined && { pinned_at_before: before }) }
        const { messages } = await channel.getPinnedMessages(page)
        // The answer to an earlier request is older than that to the last one.
        if (told.current !== meanwhile) return
        told.current = undefined
        const found = messages.filter(({ id }) => !meanwhile.has(id)).flatMap(entryOf)
        setKnown((now) => new Map([...[...now].filter(([id]) => before !== undefined || meanwhile.has(id)), ...found]))
        setOldest(messages.at(-1)?.pinned_at ?? before)
        setHasMore(messages.length === PINS_PAGE)
        setAt('loaded')
      } catch {
        if (told.current === meanwhile) setAt('failed')
      }
    },
    [channel],
  )
  useEffect(() => {
    void load()
    const recovered = client.on('connection.recovered', () => void load())
    return () => recovered.unsubscribe()
  }, [client, load])

  const forget = useCallback((id: string) => {
    told.current?.add(id)
    setKnown((now) => (now.has(id) ? new Map([...now].filter(([key]) => key !== id)) : now))
  }, [])
  useEffect(() => {
    const changed = ({ message }: { message: unknown }) => {
      const { id, pinned, type } = message as Message
      if (!pinned || type === 'deleted') return forget(id)
      told.current?.add(id)
      setKnown((now) => new Map([...now, ...entryOf(message as Message)]))
    }
    const listening = [
      channel.on('message.updated', changed),
      channel.on('message.undeleted', changed),
      channel.on('message.deleted', ({ message }) => forget(message.id)),
    ]
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
    }
  }, [channel, forget])

  const now = clock.now()
  const ends = [...known.values()].flatMap(({ ends }) => (ends ? [ends.getTime()] : []))
  const next = Math.min(...ends)
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const isOver = ({ ends }: Pin) => ends !== undefined && ends.getTime() <= clock.now()
    const sweep = () => setKnown((known) => new Map([...known].filter(([, pin]) => !isOver(pin))))
    return clock.after(Math.min(Math.max(0, next - now), TIMER_MAX_MS), sweep)
  })

  const pins = useMemo(() => [...known.values()].sort((a, b) => b.pinned.getTime() - a.pinned.getTime()), [known])
  return { pins, at, hasMore, load: () => void load(oldest), forget }
}

/** Timers have a maximum delay; then the expiry is checked again. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** The pins in the channel's state, shown while the first page is loading. */
function pinsIn(channel: Channel): ReadonlyMap<string, Pin> {
  return new Map(channel.snapshot().pinned_messages.flatMap(entryOf))
}

function entryOf(message: Message | LocalMessage): [string, Pin][] {
  if (!message.pinned_at) return []
  const { id, user, text, type, attachments, poll, pinned_by, pin_expires } = message
  const pin: Pin = {
    id,
    user: user as LocalMessage['user'],
    text: text ?? '',
    type,
    attachments: attachments ?? [],
    poll: poll ?? undefined,
    said: new Date(message.created_at),
    pinned: new Date(message.pinned_at),
    by: pinned_by ?? undefined,
    ends: pin_expires ? new Date(pin_expires) : undefined,
  }
  return [[id, pin]]
}
