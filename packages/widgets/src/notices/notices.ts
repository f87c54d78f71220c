import { Cell, type Clock, type Live } from '@parley/client'
import type { TextKey, TextValues } from '../i18n/translate.ts'
import { NOTICE_LIFE_MS } from '../limits.ts'

export type NoticeKind = 'info' | 'success' | 'warning' | 'error'

export interface Notice {
  id: number
  kind: NoticeKind
  /** the key of the sentence, so that it follows a change of language */
  key: TextKey
  values?: TextValues
  /** how often it was repeated while the notice was shown */
  times: number
  /** for support, behind "Details": "error code 17: …" */
  details?: string
  action?: { label: TextKey; run: () => void }
  /** its duration although it has an action, for actions that are available elsewhere, too */
  lifeMs?: number
  /** announced already by another component */
  silent?: boolean
  /** called when it is gone, after its time or closed by the user */
  onGone?: () => void
}

export interface NoticeOptions {
  values?: TextValues
  details?: string
  action?: Notice['action']
  lifeMs?: number
  silent?: boolean
  onGone?: () => void
}

/**
 * The notices on screen, oldest first. One disappears after six seconds, but never while it is hovered or has focus,
 * and never if it has an action that is available nowhere else; a repeated notice increments a counter.
 */
export class Notices implements Live<readonly Notice[]> {
  #clock: Clock
  #cell = new Cell<readonly Notice[]>([])
  #alarms = new Map<number, () => void>()
  #shown = 0
  constructor(clock: Clock) {
    this.#clock = clock
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  /** A failure; `error` is the reason, for support. */
  failed(key: TextKey, error?: unknown): Notice {
    return this.show('error', key, error === undefined ? {} : { details: detailsOf(error) })
  }

  show(kind: NoticeKind, key: TextKey, options: NoticeOptions = {}): Notice {
    const same = this.snapshot().find((notice) => notice.key === key && sameValues(notice.values, options.values))
    if (same) {
      const again = { ...same, ...options, times: same.times + 1 }
      this.#cell.set(this.snapshot().map((notice) => (notice === same ? again : notice)))
      this.resume(again.id)
      return again
    }
    this.#shown += 1
    const notice: Notice = { id: this.#shown, kind, key, times: 1, ...options }
    this.#cell.set([...this.snapshot(), notice])
    this.resume(notice.id)
    return notice
  }

  close(id: number) {
    this.pause(id)
    const gone = this.snapshot().find((notice) => notice.id === id)
    this.#cell.set(this.snapshot().filter((notice) => notice !== gone))
    gone?.onGone?.()
  }

  /** It is hovered or has focus: it stays. */
  pause(id: number) {
    this.#alarms.get(id)?.()
    this.#alarms.delete(id)
  }

  /** It is no longer hovered or focused: its six seconds start again. */
  resume(id: number) {
    this.pause(id)
    const notice = this.snapshot().find((notice) => notice.id === id)
    const lifeMs = notice?.lifeMs ?? (notice?.action ? undefined : NOTICE_LIFE_MS)
    if (lifeMs === undefined) return
    this.#alarms.set(
      id,
      this.#clock.after(lifeMs, () => this.close(id)),
    )
  }
}

/** "error code 17: …", for the details of a notice. */
export function detailsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function sameValues(a: TextValues = {}, b: TextValues = {}) {
  return JSON.stringify(a) === JSON.stringify(b)
}
