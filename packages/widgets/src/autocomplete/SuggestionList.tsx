import { useLayoutEffect, useRef } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { personTag } from '../avatar/person-tag.ts'
import { personName } from '../chat/seen-name.ts'
import { aboutCommand } from '../commands/commands.ts'
import type { TextKey } from '../i18n/translate.ts'
import { useTranslate } from '../i18n/translate.ts'
import type { Suggestion } from './suggestions.ts'

export interface SuggestionListProps {
  id: string
  suggestions: readonly Suggestion[]
  /** the index of the suggestion that Enter chooses */
  active: number
  onPoint: (place: number) => void
  onChoose: (suggestion: Suggestion) => void
  /** if nothing can be shown, no key must be handled */
  onClose: () => void
}

const labels: Record<Suggestion['kind'], TextKey> = {
  command: 'suggestions.commands',
  mention: 'suggestions.people',
  emoji: 'suggestions.emoji',
}

/**
 * The suggestions for the word at the caret, over the text box. The focus stays in the box; `optionId` names the active
 * option [interface.md 4.1].
 *
 * Style hooks: `.chat-suggestions`, `.chat-suggestion[aria-selected]`.
 */
export default function SuggestionList({ id, suggestions, active, onPoint, onChoose }: SuggestionListProps) {
  const t = useTranslate()
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const option = list.current?.children[active]
    if (option instanceof HTMLElement) showInside(option, list.current!)
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      className="chat-suggestions"
      role="listbox"
      aria-label={t(labels[suggestions[0]!.kind])}
      tabIndex={-1}
      // The box keeps the focus, and a phone its keyboard.
      onPointerDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and handles the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: it is the active descendant of the text box.
        <div
          key={suggestion.id}
          id={optionId(id, place)}
          className="chat-suggestion"
          role="option"
          aria-selected={place === active}
          onPointerMove={() => place !== active && onPoint(place)}
          onClick={() => onChoose(suggestion)}
        >
          <Words suggestion={suggestion} />
        </div>
      ))}
    </div>
  )
}

export function optionId(listId: string, place: number): string {
  return `${listId}-${place}`
}

function Words({ suggestion }: { suggestion: Suggestion }) {
  const t = useTranslate()
  switch (suggestion.kind) {
    case 'command': {
      const { command } = suggestion
      return (
        <>
          <bdi className="chat-suggestion-name" data-command>
            {`/${command.name}`}
          </bdi>
          <span className="chat-suggestion-about" data-start dir="auto">
            {aboutCommand(t, command)}
          </span>
        </>
      )
    }
    case 'mention': {
      const { user } = suggestion
      const name = personName(user)
      const tag = personTag(user)
      return (
        <>
          <Avatar id={user.id} name={name} image={user.image} size="small" />
          <bdi className="chat-suggestion-name">{name}</bdi>
          {tag && <span className="chat-tag">{t(tag)}</span>}
          {typeof user.organization === 'string' && <span className="chat-suggestion-about">{user.organization}</span>}
        </>
      )
    }
    case 'emoji':
      return (
        <>
          <span className="chat-suggestion-picture" data-emoji aria-hidden="true">
            {suggestion.emoji}
          </span>
          <span className="chat-suggestion-name">{suggestion.name}</span>
          {suggestion.shortName && <span className="chat-suggestion-about">{`:${suggestion.shortName}:`}</span>}
        </>
      )
    default:
      return suggestion satisfies never
  }
}

/** Scrolls only the list; nothing else on the page may move. */
function showInside(option: HTMLElement, list: HTMLElement) {
  const above = option.offsetTop - list.scrollTop
  const below = above + option.offsetHeight - list.clientHeight
  if (above < 0) list.scrollTop += above
  else if (below > 0) list.scrollTop += below
}
