import { isComposing } from '../shortcuts/composing.ts'

/** What a key in the text box means. */
export type ComposerKey = 'send' | 'editLast' | 'quoteLast' | 'escape'

export interface KeyPress {
  key: string
  keyCode: number
  shiftKey: boolean
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  isComposing: boolean
}

export interface KeyScene {
  /** the composition guard of `Compositions` says that an input method is at work */
  composing: boolean
  empty: boolean
  /** on a touch keyboard Enter is always a new line */
  touch: boolean
}

/** The meaning of a key press, or undefined when the text box itself takes it. */
export function meaningOf(press: KeyPress, { composing, empty, touch }: KeyScene): ComposerKey | undefined {
  if (composing || isComposing(press)) return undefined
  switch (press.key) {
    case 'Enter':
      if (press.ctrlKey || press.metaKey) return 'send'
      return press.shiftKey || press.altKey || touch ? undefined : 'send'
    case 'ArrowUp':
      if (!empty || press.ctrlKey || press.metaKey || press.altKey) return undefined
      return press.shiftKey ? 'quoteLast' : 'editLast'
    case 'Escape':
      return 'escape'
    default:
      return undefined
  }
}

/**
 * Knows whether an input method is composing. It stays true for one task after
 * the composition ended, because Safari tells of the end before it tells of the
 * Enter key that caused it.
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
