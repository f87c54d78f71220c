import './swipe.css'

/** In px: how far a finger moves before the message follows, how far the message moves to be answered, and at most. */
const BEGINS = 12
const ANSWERS = 48
const FARTHEST = 64
/** This near to the edge of the screen, a swipe is the browser's "back". */
const EDGE = 24

/** Elements that use horizontal swipes themselves. */
const OWN_WAYS = 'pre, input, video, button'

type Finger = Pick<PointerEvent, 'clientX' | 'clientY' | 'pointerId' | 'target' | 'timeStamp'>

/** Lets a bubble follow a finger towards the end of its line; released far enough, the message is answered. */
export function follow(bubble: HTMLElement, from: Finger, answer: () => void) {
  if (from.clientX < EDGE || window.innerWidth - from.clientX < EDGE) return
  if (from.target instanceof Element && from.target.closest(OWN_WAYS)) return
  const isRightToLeft = getComputedStyle(bubble.parentElement!).direction === 'rtl'
  const until = new AbortController()
  let isBegun = false
  let drawn = 0
  const end = () => {
    until.abort()
    bubble.style.translate = ''
    delete bubble.dataset.swipe
  }
  const hear = (name: 'pointermove' | 'pointerup' | 'pointercancel', act: (event: PointerEvent) => void) =>
    addEventListener(name, (event) => event.pointerId === from.pointerId && act(event), { signal: until.signal })
  // Another finger, or the next one, if this one was lifted before the listeners were added. It may itself not have
  // moved far enough yet.
  addEventListener('pointerdown', ({ timeStamp }) => timeStamp > from.timeStamp && end(), { signal: until.signal })
  hear('pointercancel', end)
  hear('pointermove', ({ clientX, clientY }) => {
    const right = clientX - from.clientX
    const along = isRightToLeft ? -right : right
    if (!isBegun && (Math.abs(clientY - from.clientY) > BEGINS || along < -BEGINS)) return end()
    isBegun ||= along > BEGINS
    if (!isBegun) return
    drawn = Math.min(FARTHEST, Math.max(0, along - BEGINS))
    bubble.style.translate = `${isRightToLeft ? -drawn : drawn}px`
    bubble.dataset.swipe = drawn >= ANSWERS ? 'answers' : 'begun'
  })
  hear('pointerup', () => {
    end()
    if (drawn >= ANSWERS) answer()
  })
}
