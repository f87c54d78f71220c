import './swipe.css'

/** In pixels: how far a finger goes before a message follows it, how far the message goes to be answered, and at most. */
const BEGINS = 12
const ANSWERS = 48
const FARTHEST = 64
/** So near the edge of the screen a finger means the way back. */
const EDGE = 24

/** What takes a finger along for itself. */
const OWN_WAYS = 'pre, input, video, button'

type Finger = Pick<PointerEvent, 'clientX' | 'clientY' | 'pointerId' | 'target' | 'timeStamp'>

/** Lets a bubble follow a finger towards the end of its line; let go far enough, the message is answered. */
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
  // Another finger, or the next one, if this was lifted before anybody listened. It may itself not have come so far yet.
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
