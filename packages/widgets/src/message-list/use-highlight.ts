import { useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** A message that was jumped to is marked this long. */
const HIGHLIGHT_MS = 2_000

/** The row that is marked, and how to mark one. */
export function useHighlight(): [key: string | undefined, mark: (key: string) => void] {
  const { clock } = useChat()
  const [highlighted, setHighlighted] = useState<string>()
  useEffect(() => {
    if (highlighted !== undefined) return clock.after(HIGHLIGHT_MS, () => setHighlighted(undefined))
  }, [highlighted, clock])
  return [highlighted, setHighlighted]
}
