import type { Channel } from '@parley/client'
import { type KeyboardEvent, useContext, useState } from 'react'
import type { Completion } from '../autocomplete/use-completion.tsx'
import { useChat } from '../chat/chat-context.ts'
import { finishReading, showsNewLine } from '../message-list/use-reading.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { shortcutOf } from '../shortcuts/shortcuts.ts'
import { InThread } from '../threads/thread-scope.ts'
import { Compositions, meaningOf } from './composer-keys.ts'
import type { Mark } from './emphasis.ts'
import { latestOwn, latestQuotable } from './latest-messages.ts'
import { isTouch } from './touch.ts'
import type { Writing } from './use-writing.ts'

const marks: readonly Mark[] = ['bold', 'italic', 'strike', 'code']

export interface BoxKeysOptions {
  channel: Channel
  writing: Writing
  completion: Completion
  onSend: () => void
  /** Escape was pressed and there was nothing else to close. */
  onEscape: (() => void) | undefined
}

export interface BoxKeys {
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onCompositionStart: () => void
  onCompositionEnd: () => void
}

/**
 * Handles the keys of the text box. An input method has them first, then the suggestions, then the command at the start
 * of the text; the remaining keys send, edit older messages, or close something. Every other key types.
 */
export function useBoxKeys(options: BoxKeysOptions): BoxKeys {
  const [compositions] = useState(() => new Compositions((task) => setTimeout(task)))
  const act = useActing(options, compositions)
  return {
    onKeyDown: (event) => {
      const free = !compositions.active && !isComposing(event.nativeEvent)
      if (!(free && completes(event, options)) && !act(event)) return
      // A handled key must not act again, in the browser or in an element around the box.
      event.preventDefault()
      event.stopPropagation()
    },
    onCompositionStart: () => compositions.started(),
    onCompositionEnd: () => compositions.ended(),
  }
}

/** Returns whether the suggestions or the command handled the key. */
function completes(event: KeyboardEvent<HTMLTextAreaElement>, { completion, writing }: BoxKeysOptions): boolean {
  if (completion.press(event)) return true
  const { commands } = writing
  const { selectionStart, selectionEnd } = event.currentTarget
  if (event.key !== 'Backspace' || selectionStart !== 0 || selectionEnd !== 0 || !commands.command) return false
  commands.end()
  return true
}

/** Returns whether the key did something. */
function useActing({ channel, writing, onSend, onEscape }: BoxKeysOptions, compositions: Compositions) {
  const { client, notices } = useChat()
  const thread = useContext(InThread)
  const [preferred] = usePreferences()
  const { composer, text, editing, quoted } = writing

  const endSomething = () => {
    if (editing) composer.cancelEdit()
    else if (quoted) composer.quote(undefined)
    else if (thread === undefined && showsNewLine(channel)) finishReading(channel)
    else if (onEscape && text === '') onEscape()
    else return false
    return true
  }
  const editOlder = () => {
    const older = latestOwn(channel.snapshot(), thread, client.userID, editing)
    if (older) composer.edit(older)
    return older !== undefined
  }
  const quoteLatest = () => {
    const latest = editing ? undefined : latestQuotable(channel.snapshot(), thread)
    if (latest) composer.quote(latest)
    return latest !== undefined
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { currentTarget } = event
    const mark = compositions.active ? undefined : shortcutOf(marks, event.nativeEvent, preferred)
    if (mark) {
      import('./emphasis.ts').then(
        ({ emphasize }) => emphasize(currentTarget, mark),
        (error) => notices.failed('part.failed', error),
      )
      return true
    }
    const meaning = meaningOf(event.nativeEvent, {
      composing: compositions.active,
      empty: text === '',
      walks: editing?.text === text && !text.slice(0, currentTarget.selectionStart).includes('\n'),
      touch: isTouch() || !preferred.enterSends,
      set: preferred,
    })
    switch (meaning) {
      case 'send':
        onSend()
        return true
      case 'escape':
        return endSomething()
      case 'editLast':
        return editOlder()
      case 'quoteLast':
        return quoteLatest()
      case undefined:
        return false
      default:
        return meaning satisfies never
    }
  }
}
