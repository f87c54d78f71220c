import { TIP_CLEARS_PX, TIP_GAP_PX, TIP_RESTS_MS } from '../limits.ts'
import './tips.css'

/** Of what is inside of a row, that which cannot be read in full where it stands. */
const INSIDE = 'time[title], bdi[title], .chat-file-name[title]'

/**
 * Shows the title of what has the focus by keys, as the browser shows it to a pointer that rests: what a button without
 * words does, when exactly a message was sent, how a name goes on that was cut [WCAG 2.2, 1.4.13]. It stays as long as the
 * focus rests there, can be pointed at, and goes with Escape. Assistive technology hears the same from the element itself.
 *
 * @returns ends it
 */
export function showTips(root: HTMLElement): () => void {
  const tip = document.createElement('div')
  tip.className = 'chat-tip'
  tip.popover = 'manual'
  tip.setAttribute('aria-hidden', 'true')
  root.append(tip)
  let rests: ReturnType<typeof setTimeout> | undefined

  const hide = () => {
    clearTimeout(rests)
    if (tip.matches(':popover-open')) tip.hidePopover()
  }
  const show = (focused: Element) => {
    if (document.activeElement !== focused || !focused.matches(':focus-visible')) return
    const telling = partsOf(focused, root).filter(tellsMore)
    if (telling.length === 0) return
    tip.textContent = telling.map(({ title }) => title).join('\n')
    tip.showPopover()
    place(tip, telling[0]!.getBoundingClientRect(), focused.getBoundingClientRect())
  }
  const focused = ({ target }: Event) => {
    hide()
    rests = setTimeout(() => show(target as Element), TIP_RESTS_MS)
  }
  const keyed = ({ key }: KeyboardEvent) => {
    if (!/^(Control|Shift|Alt|Meta)$/.test(key)) hide()
  }
  const end = new AbortController()
  const passive = { signal: end.signal, capture: true, passive: true }
  root.addEventListener('focusin', focused, passive)
  root.addEventListener('focusout', hide, passive)
  window.addEventListener('keydown', keyed, passive)
  window.addEventListener('scroll', hide, passive)
  window.addEventListener('resize', hide, passive)
  window.addEventListener('pointerdown', (event) => event.target === tip || hide(), passive)
  // Who selects what it says keeps the focus.
  tip.addEventListener('mousedown', (event) => event.preventDefault(), { signal: end.signal })
  rests = setTimeout(() => document.activeElement && show(document.activeElement), TIP_RESTS_MS)
  return () => {
    end.abort()
    clearTimeout(rests)
    tip.remove()
  }
}

/** What has a title here: the element or what it stands in, and what stands in it. */
function partsOf(focused: Element, root: HTMLElement): HTMLElement[] {
  const around = focused.closest<HTMLElement>('[title]')
  const own = around && around !== root && root.contains(around) ? [around] : []
  return [...own, ...focused.querySelectorAll<HTMLElement>(INSIDE)]
}

/** Whether a title says more than what is seen. */
function tellsMore(part: HTMLElement): boolean {
  if (!part.title || !part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  if ([part, ...part.querySelectorAll('*')].some(isCut)) return true
  return part.matches('time, button') && !part.innerText.includes(part.title)
}

const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible'

/**
 * Under what it speaks of, or over it where there is no room; never beyond the edges. A row that is low stays clear.
 *
 * @param told  what it speaks of, which stands in what has the focus or around it
 */
function place(tip: HTMLElement, told: DOMRect, focused: DOMRect) {
  const { width, height } = tip.getBoundingClientRect()
  const clear = focused.height <= TIP_CLEARS_PX && focused.height > told.height ? focused : told
  const below = clear.bottom + TIP_GAP_PX
  const top = below + height <= innerHeight ? below : Math.max(0, clear.top - TIP_GAP_PX - height)
  const isRtl = getComputedStyle(tip).direction === 'rtl'
  const wanted = told.width >= width ? told.left + told.width / 2 - width / 2 : isRtl ? told.right - width : told.left
  const left = Math.min(Math.max(TIP_GAP_PX, wanted), innerWidth - width - TIP_GAP_PX)
  tip.style.translate = `${left}px ${top}px`
}
