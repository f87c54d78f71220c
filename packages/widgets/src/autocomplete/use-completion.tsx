import type { Channel, Composer } from '@parley/client'
import type { Command } from '@parley/protocol/commands'
import { type KeyboardEvent, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { may } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { personName } from '../chat/seen-name.ts'
import type { Elements } from '../elements.ts'
import { useTranslation } from '../i18n/translate.ts'
import { MEMBERS_REST_MS } from '../limits.ts'
import { replaceWords } from './replace-words.ts'
import type { Suggestion } from './suggestions.ts'
import { type Unfinished, unfinishedAt } from './unfinished.ts'

const SuggestionList = lazyPart(() => import('./SuggestionList.tsx'))

export interface CompletionOptions {
  channel: Channel
  composer: Composer
  box: RefObject<HTMLTextAreaElement | null>
  /** The text of the box. */
  text: string
  /** The commands that may begin the text; none if it has one already. */
  commands: readonly Command[]
  /** The whole text is the name of a member of the channel, without an "@". */
  asksSomebody: boolean
  onCommand: (command: Command) => void
}

export interface Completion {
  boxProps: {
    'aria-autocomplete': 'list'
    'aria-haspopup': 'listbox'
    'aria-controls': string | undefined
    'aria-activedescendant': string | undefined
    onSelect: () => void
    onBlur: () => void
  }
  /** Returns true if the list handled the key. */
  press: (event: KeyboardEvent) => boolean
  list: Elements
}

/**
 * Completes commands, users and emoji while the user types. The list opens over the box and handles arrows, Enter, Tab
 * and Escape while it is open; closed with Escape, it stays closed until another word begins [interface.md 7.12].
 */
export function useCompletion(options: CompletionOptions): Completion {
  const { channel, composer, box, text, commands, asksSomebody, onCommand } = options
  const listId = useId()
  const [caret, setCaret] = useState<number>()
  const unfinished = completable(channel, { text, caret, commands, asksSomebody })
  const [dismissed, setDismissed] = useState<Dismissed>()
  const word = unfinished && `${unfinished.kind} ${unfinished.from}`
  // The caret may leave the word and return: it is the same word as long as its first character remains.
  const isOver = dismissed && (word ? word !== dismissed.word : text[dismissed.from] !== dismissed.sign)
  if (isOver) setDismissed(undefined)

  const found = useSuggestions(channel, commands, dismissed ? undefined : unfinished)
  const [pointed, setPointed] = useState<{ of: readonly Suggestion[]; place: number }>()
  const active = pointed?.of === found ? pointed.place : 0
  const open = found.length > 0
  useSaying(found.length)

  const choose = (suggestion: Suggestion) => {
    const element = box.current
    if (!unfinished || !element) return
    const { from, to } = unfinished
    if (suggestion.kind === 'command') {
      replaceWords(element, 0, to, '')
      onCommand(suggestion.command)
    } else if (suggestion.kind === 'mention') {
      const { user } = suggestion
      composer.mention(user)
      replaceWords(element, from, to, `@${personName(user)} `)
    } else {
      replaceWords(element, from, to, suggestion.emoji)
      import('../emoji/emoji-memory.ts').then(
        ({ rememberEmoji }) => rememberEmoji(suggestion.emoji),
        () => {},
      )
    }
    setCaret(element.selectionStart)
  }

  const dismiss = () => {
    if (word) setDismissed({ word, from: unfinished.from, sign: text[unfinished.from] })
  }
  const press = (event: KeyboardEvent): boolean => {
    if (!open || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : -1
        setPointed({ of: found, place: (active + step + found.length) % found.length })
        return true
      }
      case 'Enter':
      case 'Tab':
        choose(found[active]!)
        return true
      case 'Escape':
        dismiss()
        return true
      default:
        return false
    }
  }

  return {
    boxProps: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': open ? `${listId}-${active}` : undefined,
      onSelect: () => {
        const { selectionStart, selectionEnd } = box.current ?? {}
        setCaret(selectionStart === selectionEnd ? selectionStart : undefined)
      },
      onBlur: () => setCaret(undefined),
    },
    press,
    list: open && (
      <Suspense fallback={null}>
        <SuggestionList
          id={listId}
          suggestions={found}
          active={active}
          onPoint={(place) => setPointed({ of: found, place })}
          onChoose={choose}
          onClose={dismiss}
        />
      </Suspense>
    ),
  }
}

/** A dismissed word, and its first character. */
interface Dismissed {
  word: string
  from: number
  sign: string | undefined
}

interface Writing {
  text: string
  /** Undefined while there is nothing to complete: the box has no focus, or its selection is not empty. */
  caret: number | undefined
  commands: readonly Command[]
  asksSomebody: boolean
}

/** The word to complete; a command only if one may begin the text, a name only if mentions are allowed. */
function completable(channel: Channel, { text, caret, commands, asksSomebody }: Writing): Unfinished | undefined {
  if (caret === undefined || caret > text.length) return undefined
  const unfinished = unfinishedAt(text, caret)
  if (asksSomebody && unfinished?.kind !== 'mention' && caret === text.length)
    return { kind: 'mention', query: text.trimStart(), from: 0, to: caret }
  if (unfinished?.kind === 'command') return commands.length > 0 ? unfinished : undefined
  if (unfinished?.kind === 'mention' && !asksSomebody && !may(channel.snapshot(), 'create-mention')) return undefined
  return unfinished
}

const none: readonly Suggestion[] = []

/** The suggestions. They stay until the next ones are known, so that the list does not flicker. */
function useSuggestions(channel: Channel, commands: readonly Command[], unfinished: Unfinished | undefined) {
  const { client, clock } = useChat()
  const { language } = useTranslation()
  const [found, setFound] = useState<{ kind: Unfinished['kind']; suggestions: readonly Suggestion[] }>()
  const { kind, query, from, to } = unfinished ?? {}
  const names = commands.map(({ name }) => name).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the commands are compared by their names.
  useEffect(() => {
    if (kind === undefined || query === undefined || from === undefined || to === undefined) return setFound(undefined)
    let current = true
    let cancel = () => {}
    const show = (suggestions: readonly Suggestion[]) => current && setFound({ kind, suggestions })
    // If loading fails there are no suggestions; the text is sent as it is.
    const quietly = () => {}
    void import('./suggestions.ts').then(({ suggestionsAtHand, asksServer, peopleFound, emojiFound }) => {
      if (!current) return
      const sources = { channel, commands, me: client.userID, language }
      const word = { kind, query, from, to }
      const known = suggestionsAtHand(word, sources)
      if (!known) return void emojiFound(query, sources).then(show, quietly)
      show(known)
      if (asksServer(word, sources))
        cancel = clock.after(MEMBERS_REST_MS, () => void peopleFound(query, known, sources).then(show, quietly))
    }, quietly)
    return () => {
      current = false
      cancel()
    }
  }, [channel, client, clock, language, kind, query, from, to, names])
  return unfinished && found?.kind === kind ? (found?.suggestions ?? none) : none
}

/** A text box has no expanded state, so the number of suggestions is announced, and that the list has closed. */
function useSaying(count: number) {
  const announce = useAnnounce()
  const before = useRef(0)
  useEffect(() => {
    if (before.current !== count) announce('suggestions', { count })
    before.current = count
  }, [count, announce])
}
