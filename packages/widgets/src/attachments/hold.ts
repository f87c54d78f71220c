import { Cell, type Live } from '@parley/client'

/** How far a finger slides to cancel a recording, and to lock it, in px. */
const CANCEL_PX = 96
const LOCK_PX = 72

/** Position of a finger that holds a recording; both directions from 0 to 1. */
export interface HoldState {
  at: 'held' | 'locked' | 'released' | 'cancelled'
  towardsCancel: number
  towardsLock: number
}

/** Where the finger touched down. */
export type Touch = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>

/**
 * A finger on the microphone, from the moment it holds until it lifts: sliding to the start of the line cancels the
 * recording, sliding up locks it, so that it goes on without the finger [interface.md 7.14]. The listeners are on the
 * window, since the recorder replaces the button.
 */
export class Hold implements Live<HoldState> {
  #cell = new Cell<HoldState>({ at: 'held', towardsCancel: 0, towardsLock: 0 })
  #from: Touch
  #rightToLeft: boolean
  #listening = new AbortController()
  constructor(from: Touch, rightToLeft: boolean) {
    this.#from = from
    this.#rightToLeft = rightToLeft
    const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', then: (event: PointerEvent) => void) =>
      addEventListener(type, (event) => event.pointerId === from.pointerId && then(event), this.#listening)
    listen('pointermove', (event) => this.#move(event))
    listen('pointerup', () => this.#end('released'))
    // The system cancelled the touch: the recording is kept.
    listen('pointercancel', () => this.lock())
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  /** The recording goes on without the finger. */
  lock() {
    this.#end('locked')
  }

  #move({ clientX, clientY }: PointerEvent) {
    const away = (this.#from.clientX - clientX) * (this.#rightToLeft ? -1 : 1)
    const towardsCancel = share(away, CANCEL_PX)
    const towardsLock = share(this.#from.clientY - clientY, LOCK_PX)
    if (towardsCancel === 1) this.#end('cancelled')
    else if (towardsLock === 1) this.lock()
    else this.#cell.set({ at: 'held', towardsCancel, towardsLock })
  }

  #end(at: HoldState['at']) {
    this.#listening.abort()
    this.#cell.set({ at, towardsCancel: 0, towardsLock: 0 })
  }
}

function share(px: number, whole: number): number {
  return Math.min(1, Math.max(0, px / whole))
}
