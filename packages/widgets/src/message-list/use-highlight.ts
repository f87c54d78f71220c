import { useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { HIGHLIGHT_MS } from '../limits.ts'

/** The highlighted row, and the function that highlights one. */
export function useHighlight(): [key: string | undefined, mark: (key: string) => void] {
  const { clock } = useChat()
  const [highlighted, setHighlighted] = useState<string>()
  useEffect(() => {
    if (highlighted !== undefined) return clock.after(HIGHLIGHT_MS, () => setHighlighted(undefined))
  }, [highlighted, clock])
  return [highlighted, setHighlighted]
}
