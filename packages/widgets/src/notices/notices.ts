import { Cell, type Clock, type Live } from '@parley/client'
import type { TextKey, TextValues } from '../i18n/translate.ts'
import { NOTICE_LIFE_MS } from '../limits.ts'

export type NoticeKind = 'info' | 'success' | 'warning' | 'error'

export interface Notice {
  id: number
  kind: NoticeKind
  /** which sentence, so that it follows a change of language */
  key: TextKey
  values?: TextValues
  /** how often the same thing happened while the notice stood */
  times: number
  /** for support, behind "Details": "error code 17: …" */
  details?: string
  action?: { label: TextKey; run: () => void }
  /** how long it stays although it offers something that can be done elsewhere, too */
  lifeMs?: number
  /** said already in the place where it happened */
  silent?: boolean
  /** it is gone, whether its time was over or somebody closed it */
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
 * The notices on screen, oldest first. One goes by itself after six seconds,
 * never while somebody points at it or has focus in it, and never when it holds
 * an action that is found nowhere else; the same notice again counts up instead of standing twice.
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

  /** Something did not work; `error` is why, for support. */
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

  /** Somebody looks at it: it stays. */
  pause(id: number) {
    this.#alarms.get(id)?.()
    this.#alarms.delete(id)
  }

  /** Nobody looks at it any more: its six seconds begin anew. */
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
