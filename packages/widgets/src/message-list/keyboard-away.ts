import { KEYBOARD_AWAY_PX } from '../limits.ts'

/**
 * Hides the on-screen keyboard once a finger has dragged a list down far enough [interface.md 9]: only the text field
 * loses the focus. The focus moves to the list, so that it does not fall to the page. Only the finger scrolls while it
 * is down.
 *
 * @param from  where the finger came down, and the scroll position then
 */
export function follow(list: HTMLElement, from: Pick<TouchEvent, 'timeStamp'> & Pick<Element, 'scrollTop'>) {
  const until = new AbortController()
  const end = () => until.abort()
  const options = { signal: until.signal, passive: true }
  addEventListener('touchend', end, options)
  addEventListener('touchcancel', end, options)
  // Another finger, or the next one, if this one was lifted before the listeners were added.
  addEventListener('touchstart', ({ timeStamp }) => timeStamp > from.timeStamp && end(), options)
  const look = () => {
    if (from.scrollTop - list.scrollTop <= KEYBOARD_AWAY_PX) return
    end()
    putAway(list)
  }
  list.addEventListener('touchmove', look, options)
  list.addEventListener('scroll', look, options)
}

function putAway(list: HTMLElement) {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return
  // Fields outside the chat panel are not touched, and neither is a text selection that is about to be used.
  if (field.closest('.chat') !== list.closest('.chat') || field.selectionStart !== field.selectionEnd) return
  const feed = list.querySelector<HTMLElement>('[role=feed]') ?? list
  feed.tabIndex = -1
  feed.style.outline = 'none'
  feed.addEventListener(
    'blur',
    () => {
      feed.removeAttribute('tabindex')
      feed.style.outline = ''
    },
    { once: true },
  )
  feed.focus({ preventScroll: true })
}
