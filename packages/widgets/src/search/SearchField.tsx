import type { KeyboardEvent, Ref } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { QUERY_CHARS } from '../limits.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon, SearchIcon } from '../theme/icons.tsx'

export interface SearchFieldProps {
  label: string
  text: string
  onChange: (text: string) => void
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  fieldRef?: Ref<HTMLInputElement>
  autoFocus?: boolean
}

/** A search field of one line. Style hooks: `.chat-search-field`. */
export function SearchField({ label, text, onChange, onKeyDown, fieldRef, autoFocus }: SearchFieldProps) {
  const t = useTranslate()
  return (
    <div className="chat-search-field">
      <SearchIcon />
      <input
        ref={fieldRef}
        // biome-ignore lint/a11y/noAutofocus: in a dialog, the user opened it to type.
        autoFocus={autoFocus}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        dir="auto"
        aria-label={label}
        placeholder={label}
        maxLength={QUERY_CHARS}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <IconButton
          label={t('search.clear')}
          onClick={(event) => {
            onChange('')
            event.currentTarget.parentElement?.querySelector('input')?.focus()
          }}
        >
          <CloseIcon />
        </IconButton>
      )}
    </div>
  )
}
