import { Cell, type Live } from '@parley/client'
import type { Hours } from '../i18n/locale-with.ts'
import type { ShortcutsSet } from '../shortcuts/shortcuts.ts'
import type { Theme } from '../theme/theme.ts'

/** The user's preferences; every one has a default [interface.md 7.28]. */
export interface PreferenceValues extends ShortcutsSet {
  /** overrides the product's theme */
  theme: Theme | undefined
  /** one of the kit's, or one that the page adds */
  language: string | undefined
  /** as usual in the language by default */
  hours: Hours | undefined
  density: 'comfortable' | 'compact'
  messages: 'bubbles' | 'flat'
  /** link previews are shown under the text */
  previews: boolean
  /** which version of pictures is loaded before a press; by default less if the device saves data */
  pictures: 'auto' | 'full' | 'asked'
  /** animations play by themselves, unless the device prefers reduced motion */
  gifs: boolean
  /** when the messages of an open channel are marked read */
  reading: 'seen' | 'byHand'
  /** which messages are announced to screen readers as they arrive */
  announcements: 'all' | 'mentions' | 'off'
  /** the author's name is announced with every message, not only with the first of a group */
  authors: boolean
  /** sending an own message is announced */
  sent: boolean
  /** typing users are announced */
  typists: boolean
  sounds: boolean
  /** where the next voice message plays automatically */
  voices: 'direct' | 'all' | 'off'
  enterSends: boolean
  /** smileys become emoji while the user types */
  smileys: boolean
  /** sending does not scroll to the end of the list */
  stays: boolean
}

export const defaults: PreferenceValues = {
  theme: undefined,
  language: undefined,
  hours: undefined,
  density: 'comfortable',
  messages: 'bubbles',
  previews: true,
  pictures: 'auto',
  gifs: true,
  reading: 'seen',
  announcements: 'all',
  authors: true,
  sent: false,
  typists: false,
  sounds: false,
  voices: 'direct',
  enterSends: true,
  smileys: false,
  stays: false,
  shortcuts: true,
  keys: {},
}

/** Whether a stored value is valid; an invalid one counts as not set. */
const allowed: { readonly [Name in keyof PreferenceValues]: (value: unknown) => boolean } = {
  theme: oneOf('light', 'dark', 'system'),
  language: (value) => typeof value === 'string' && /^[a-z]{2,3}(-\w+)*$/.test(value),
  hours: oneOf('h12', 'h23'),
  density: oneOf('comfortable', 'compact'),
  messages: oneOf('bubbles', 'flat'),
  previews: oneOf(true, false),
  pictures: oneOf('auto', 'full', 'asked'),
  gifs: oneOf(true, false),
  reading: oneOf('seen', 'byHand'),
  announcements: oneOf('all', 'mentions', 'off'),
  authors: oneOf(true, false),
  sent: oneOf(true, false),
  typists: oneOf(true, false),
  sounds: oneOf(true, false),
  voices: oneOf('direct', 'all', 'off'),
  enterSends: oneOf(true, false),
  smileys: oneOf(true, false),
  stays: oneOf(true, false),
  shortcuts: oneOf(true, false),
  keys: (value) => value instanceof Object,
}

/** The browser's storage; `localStorage` if there is one. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>

/** The preferences of one user on this device; other tabs follow. */
export class Preferences implements Live<PreferenceValues> {
  #place: string
  #memory: Memory | undefined
  #cell: Cell<PreferenceValues>
  constructor(userId: string | undefined, memory: Memory | undefined) {
    this.#place = `parley.preferences.${userId ?? ''}`
    this.#memory = memory
    this.#cell = new Cell(this.#read())
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  set(values: Partial<PreferenceValues>) {
    this.#cell.set({ ...this.snapshot(), ...values })
    try {
      this.#memory?.setItem(this.#place, JSON.stringify(this.snapshot()))
    } catch {
      // If the browser's storage is full, they are kept while the page is open.
    }
  }

  /** Another tab has written to the browser's storage, under this key. */
  heard(key: string | null) {
    if (key === this.#place || key === null) this.#cell.set(this.#read())
  }

  #read(): PreferenceValues {
    try {
      const kept: unknown = JSON.parse(this.#memory?.getItem(this.#place) ?? '{}')
      const known = Object.entries(kept as object).filter(([name, value]) =>
        allowed[name as keyof PreferenceValues]?.(value),
      )
      return { ...defaults, ...Object.fromEntries(known) }
    } catch {
      return defaults
    }
  }
}

function oneOf(...values: unknown[]) {
  return (value: unknown) => values.includes(value)
}
