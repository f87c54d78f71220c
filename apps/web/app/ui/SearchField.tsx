import { useEffect, useState } from 'react'
import { Icon } from './Icon.tsx'

/** Typing rests this long before the search goes out; Enter sends it at once. */
const REST_MS = 250

/** A search field that searches while one types. Enter that confirms an input method's word does not search. */
export function SearchField({ label, search, onSearch, autoFocus }: SearchFieldProps) {
  const [text, setText] = useState(search)

  useEffect(() => {
    if (text.trim() === search) return
    const timer = setTimeout(() => onSearch(text.trim()), REST_MS)
    return () => clearTimeout(timer)
  }, [text, search, onSearch])

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
          if (key === 'Enter' && !nativeEvent.isComposing && nativeEvent.keyCode !== 229) onSearch(text.trim())
        }}
        autoComplete="off"
        enterKeyHint="search"
        // biome-ignore lint/a11y/noAutofocus: only where a dialog was opened to search
        autoFocus={autoFocus}
      />
    </search>
  )
}

interface SearchFieldProps {
  label: string
  /** What is being searched for now. */
  search: string
  onSearch: (text: string) => void
  autoFocus?: boolean
}
