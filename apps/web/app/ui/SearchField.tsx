import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from './Icon.tsx'

/** The debounce of the search; Enter searches at once. */
const REST_MS = 250

/** A search field that searches while the user types. Enter that confirms an input method's word does not search. */
export function SearchField({ label, search, onSearch, autoFocus }: SearchFieldProps) {
  const [text, setText] = useState(search)
  const [asked, setAsked] = useState(search)
  const [found, setFound] = useState(search)
  if (search !== found) {
    setFound(search)
    // The search did not start here: Back has restored an earlier query.
    if (search !== asked) {
      setAsked(search)
      setText(search)
    }
  }
  const words = text.trim()
  const ask = () => {
    setAsked(words)
    onSearch(words)
  }
  const askAtRest = useEffectEvent(ask)
  useEffect(() => {
    if (words === asked) return
    const timer = setTimeout(() => askAtRest(), REST_MS)
    return () => clearTimeout(timer)
  }, [words, asked])

  return (
    <search className="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing && nativeEvent.keyCode !== 229) ask()
        }}
        autoComplete="off"
        enterKeyHint="search"
        // biome-ignore lint/a11y/noAutofocus: only in a dialog that was opened to search
        autoFocus={autoFocus}
      />
    </search>
  )
}

interface SearchFieldProps {
  label: string
  /** The present query. */
  search: string
  onSearch: (text: string) => void
  autoFocus?: boolean
}
