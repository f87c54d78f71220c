import { Cell, type Clock, type Live } from '@parley/client'
import { listOfPeople } from '../i18n/format.ts'
import { truncate } from '../i18n/graphemes.ts'
import type { TextValues, Translation } from '../i18n/translate.ts'
import { ANNOUNCED_CHARS, BURST_LIMIT, BURST_WINDOW_MS, SPOKEN_STAYS_MS } from '../limits.ts'
import { type AnnouncedEvent, type Announcements, announcements } from './announcements.ts'

export interface Spoken {
  id: number
  text: string
}
export interface LiveRegions {
  polite: readonly Spoken[]
  assertive: readonly Spoken[]
}

/**
 * The announcer of the kit: decides which events are announced, when, and how urgently.
 *
 * Messages that arrive close together become one sentence, a stream of reactions becomes the latest one. It is
 * independent of the DOM; `snapshot` holds the content of the two live regions.
 */
export class Announcer implements Live<LiveRegions> {
  /** The sentences in the current language; the chat root keeps it up to date. */
  translation: Translation
  #clock: Clock
  #cell = new Cell<LiveRegions>({ polite: [], assertive: [] })
  #spoken = 0
  #messages: Announcements['message'][] = []
  #latest = new Map<AnnouncedEvent, TextValues>()
  constructor(translation: Translation, clock: Clock) {
    this.translation = translation
    this.#clock = clock
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  announce<Event extends AnnouncedEvent>(event: Event, values: Announcements[Event]) {
    const { policy } = announcements[event]
    if (policy.speaks === 'now') this.#speak(event, values)
    else if (policy.speaks === 'burst') this.#collect(values as Announcements['message'])
    else this.#settle(event, values, policy.afterMs)
  }

  /** Up to three messages are read one by one; more within the window are counted. */
  #collect(message: Announcements['message']) {
    this.#messages.push(message)
    if (this.#messages.length > 1) return
    this.#clock.after(BURST_WINDOW_MS, () => {
      const messages = this.#messages.splice(0)
      if (messages.length <= BURST_LIMIT) {
        for (const { author, text } of messages) {
          this.#speak('message', { author, text: truncate(text, ANNOUNCED_CHARS) })
        }
        return
      }
      const { t, language } = this.translation
      const authors = listOfPeople(t, language, [...new Set(messages.map(({ author }) => author))])
      this.#say('polite', t('said.messages', { count: messages.length, authors }))
    })
  }

  #settle(event: AnnouncedEvent, values: TextValues, afterMs: number) {
    const waiting = this.#latest.has(event)
    this.#latest.set(event, values)
    if (waiting) return
    this.#clock.after(afterMs, () => {
      const latest = this.#latest.get(event)
      this.#latest.delete(event)
      if (latest) this.#speak(event, latest)
    })
  }

  #speak(event: AnnouncedEvent, values: TextValues) {
    const { says, priority } = announcements[event]
    this.#say(priority, says === 'text' ? String(values.text) : this.translation.t(says, values))
  }

  #say(priority: keyof LiveRegions, text: string) {
    this.#spoken += 1
    const spoken = { id: this.#spoken, text }
    const change = (change: (all: readonly Spoken[]) => readonly Spoken[]) => {
      const regions = this.snapshot()
      this.#cell.set({ ...regions, [priority]: change(regions[priority]) })
    }
    change((all) => [...all, spoken])
    this.#clock.after(SPOKEN_STAYS_MS, () => change((all) => all.filter((other) => other !== spoken)))
  }
}
