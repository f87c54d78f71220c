import { Cell, type Live } from '@parley/client'

/** How far a finger slides to throw a recording away, and to let go of it, in px. */
const CANCEL_PX = 96
const LOCK_PX = 72

/** Where a finger stands that holds a recording; both ways from 0 to 1. */
export interface HoldState {
  at: 'held' | 'locked' | 'released' | 'cancelled'
  towardsCancel: number
  towardsLock: number
}

/** Where a finger went down. */
export type Touch = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY'>

/**
 * A finger on the microphone, from the moment it holds until it lifts: it slides to the side where the line begins to
 * throw the recording away, and up to let go of it while it goes on [interface.md 7.14]. Heard on the window, since
 * what it is on gives way to the recorder.
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
