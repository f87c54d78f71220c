import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Avatar } from '../avatar/Avatar.tsx'
import type { Person } from '../chat/people.ts'
import { personName } from '../chat/seen-name.ts'
import { useTranslation } from '../i18n/translate.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { CloseIcon } from '../theme/icons.tsx'
import { useSenders } from './use-senders.ts'
import '../dialog/chip.css'
import './sender.css'

export interface SenderFieldProps {
  /** id of the selected user */
  from: string | undefined
  onChoose: (from: string | undefined) => void
}

/**
 * Finds a user by name, to filter by sender. The focus stays in the field, which points at the list.
 *
 * Style hooks: `.chat-sender`, `.chat-suggestion[aria-selected]`.
 */
export function SenderField({ from, onChoose }: SenderFieldProps) {
  const { t } = useTranslation()
  const [sought, setSought] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const chip = useRef<HTMLButtonElement>(null)
  const { senders, chosen } = useSenders(sought, from)
  const open = sought.trim() !== '' && senders.length > 0
  const active = Math.min(at, senders.length - 1)
  const seek = (text: string) => {
    setSought(text)
    setAt(0)
  }
  // The field and the chip replace each other, and pass the focus on.
  const choose = (person: Person) => {
    flushSync(() => {
      seek('')
      onChoose(person.id)
    })
    chip.current?.focus()
  }
  const giveUp = () => {
    flushSync(() => onChoose(undefined))
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || isComposing(event.nativeEvent)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((active + step + senders.length) % senders.length)
    else if (event.key === 'Enter') choose(senders[active]!)
    else if (event.key === 'Escape') seek('')
    else return
    event.preventDefault()
    // Escape closes only the list, and not the pane around it.
    event.stopPropagation()
  }
  if (chosen)
    return (
      <div className="chat-sender">
        <span>{t('search.from')}</span>
        <button
          ref={chip}
          type="button"
          className="chat-chip"
          aria-label={t('search.from.remove', { name: personName(chosen) })}
          onClick={giveUp}
        >
          <bdi>{personName(chosen)}</bdi>
          <CloseIcon />
        </button>
      </div>
    )
  return (
    <div className="chat-sender">
      <label htmlFor={`${id}-field`}>{t('search.from')}</label>
      <input
        ref={field}
        id={`${id}-field`}
        type="search"
        role="combobox"
        autoComplete="off"
        dir="auto"
        placeholder={t('search.from.find')}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? `${id}-${active}` : undefined}
        value={sought}
        onChange={(event) => seek(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => seek('')}
      />
      {open && (
        <div
          id={id}
          className="chat-suggestions"
          role="listbox"
          aria-label={t('search.people')}
          tabIndex={-1}
          // The field keeps the focus, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
        >
          {senders.map((person, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: it is the active descendant of the field.
            <div
              key={person.id}
              id={`${id}-${place}`}
              className="chat-suggestion"
              role="option"
              aria-selected={place === active}
              onPointerMove={() => place !== active && setAt(place)}
              onClick={() => choose(person)}
            >
              <Avatar id={person.id} name={personName(person)} image={person.image} size="small" />
              <bdi className="chat-suggestion-name">{personName(person)}</bdi>
              {typeof person.organization === 'string' && (
                <span className="chat-suggestion-about">{person.organization}</span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
