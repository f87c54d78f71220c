import { isComposing } from '../shortcuts/composing.ts'
import { type Pressed, type ShortcutsSet, shortcutOf } from '../shortcuts/shortcuts.ts'

/** The action of a key in the text box. */
export type ComposerKey = (typeof shortcuts)[number] | 'escape'
const shortcuts = ['send', 'editLast', 'quoteLast'] as const

export interface KeyPress extends Pressed {
  keyCode: number
  isComposing: boolean
}

export interface KeyScene {
  /** `Compositions` reports that an input method is composing */
  composing: boolean
  empty: boolean
  /** the first line of an edit without changes, where the key may move to an older message */
  walks: boolean
  /** on a touch keyboard Enter is always a new line */
  touch: boolean
  /** the key preferences */
  set: ShortcutsSet
}

/** The action of a key press, or undefined if the text box handles it. */
export function meaningOf(press: KeyPress, { composing, empty, walks, touch, set }: KeyScene): ComposerKey | undefined {
  if (composing || isComposing(press)) return undefined
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press
  const asked = shortcutOf(shortcuts, press, set)
  if (asked === 'send' || (asked && empty) || (asked === 'editLast' && walks)) return asked
  if (key === 'Escape') return 'escape'
  return key !== 'Enter' || ctrlKey || metaKey || altKey || shiftKey || touch ? undefined : 'send'
}

/**
 * Whether an input method is composing. It stays true for one task after the composition ended, because Safari reports
 * the end before the Enter key that caused it.
 *
 * @param later  runs a task after the current one
 */
export class Compositions {
  #later: (task: () => void) => void
  #composing = false
  #begun = 0
  constructor(later: (task: () => void) => void) {
    this.#later = later
  }

  get active() {
    return this.#composing
  }

  started() {
    this.#begun += 1
    this.#composing = true
  }

  ended() {
    const ended = this.#begun
    this.#later(() => {
      if (this.#begun === ended) this.#composing = false
    })
  }
}
