import { TOOLTIP_CLEARS_PX, TOOLTIP_GAP_PX, TOOLTIP_RESTS_MS } from '../limits.ts'
import { longPress } from '../messages/use-long-press.ts'
import './tooltips.css'

/** The elements in a row whose text may be cut. */
const INSIDE = 'time[title], bdi[title], .chat-file-name[title], .chat-meta [title]'
/** Where a long press shows a tooltip: the line under a message, and system messages. */
const HELD = '.chat-meta, [data-kind="system"]'

/**
 * Shows the title of the focused element to keyboard users, as the browser shows it on hover: the name of an icon
 * button, the exact time of a message, the rest of a name that was cut [WCAG 2.2, 1.4.13]. It stays while the element
 * has the focus, can be hovered, and closes with Escape. A long press on the time of a message shows the same, until
 * the next touch. Assistive technology gets it from the element itself.
 *
 * @param begun  a long press in progress
 * @returns stops it
 */
export function showTooltips(root: HTMLElement, begun?: PointerEvent): () => void {
  const tooltip = document.createElement('div')
  tooltip.className = 'chat-tip'
  tooltip.popover = 'manual'
  tooltip.setAttribute('aria-hidden', 'true')
  root.append(tooltip)
  let rests: ReturnType<typeof setTimeout> | undefined

  const hide = () => {
    clearTimeout(rests)
    if (tooltip.matches(':popover-open')) tooltip.hidePopover()
  }
  const show = (focused: Element) => {
    if (document.activeElement !== focused || !focused.matches(':focus-visible')) return
    tell(focused, partsOf(focused, root))
  }
  const tell = (around: Element, parts: readonly HTMLElement[], { over = false } = {}) => {
    const telling = parts.filter(tellsMore)
    if (telling.length === 0) return
    tooltip.textContent = telling.map(({ title }) => title).join('\n')
    tooltip.showPopover()
    place(tooltip, telling[0]!.getBoundingClientRect(), around.getBoundingClientRect(), over)
  }
  const focused = ({ target }: Event) => {
    hide()
    rests = setTimeout(() => show(target as Element), TOOLTIP_RESTS_MS)
  }
  let held: Element | null | undefined
  // The finger is over the element below it.
  const pressed = longPress(
    () => held && tell(held, [...held.querySelectorAll<HTMLElement>('[title]')], { over: true }),
  )
  const down = (event: PointerEvent) => {
    held = (event.target as Element).closest(HELD)
    if (held) pressed.onPointerDown(event)
    else pressed.onPointerCancel()
  }
  const keyed = ({ key }: KeyboardEvent) => {
    if (!/^(Control|Shift|Alt|Meta)$/.test(key)) hide()
  }
  const end = new AbortController()
  const passive = { signal: end.signal, capture: true, passive: true }
  root.addEventListener('focusin', focused, passive)
  root.addEventListener('focusout', hide, passive)
  root.addEventListener('pointerdown', down, passive)
  root.addEventListener('pointermove', pressed.onPointerMove, passive)
  root.addEventListener('pointerup', pressed.onPointerUp, passive)
  root.addEventListener('pointercancel', pressed.onPointerCancel, passive)
  window.addEventListener('keydown', keyed, passive)
  window.addEventListener('scroll', hide, passive)
  window.addEventListener('resize', hide, passive)
  window.addEventListener('pointerdown', (event) => event.target === tooltip || hide(), passive)
  // Selecting its text keeps the focus.
  tooltip.addEventListener('mousedown', (event) => event.preventDefault(), { signal: end.signal })
  rests = setTimeout(() => document.activeElement && show(document.activeElement), TOOLTIP_RESTS_MS)
  if (begun) down(begun)
  return () => {
    end.abort()
    clearTimeout(rests)
    pressed.onPointerCancel()
    tooltip.remove()
  }
}

/** The elements with a title here: the element or its ancestor, and its descendants. */
function partsOf(focused: Element, root: HTMLElement): HTMLElement[] {
  const around = focused.closest<HTMLElement>('[title]')
  const own = around && around !== root && root.contains(around) ? [around] : []
  return [...own, ...focused.querySelectorAll<HTMLElement>(INSIDE)]
}

/** Whether a title contains more than the visible text. */
function tellsMore(part: HTMLElement): boolean {
  if (!part.title || !part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  if ([part, ...part.querySelectorAll('*')].some(isCut)) return true
  return part.matches('time, button, .chat-meta *') && !seenIn(part).includes(part.title)
}

/** The visible text of an element, without text for screen readers. */
function seenIn(part: HTMLElement): string {
  const seen = part.cloneNode(true) as HTMLElement
  for (const hidden of seen.querySelectorAll('.chat-hidden')) hidden.remove()
  return seen.textContent
}

const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible'

/**
 * Under its element, or over it if there is no room; always within the window. A low row is not covered.
 *
 * @param told  its element, inside the focused one or around it
 * @param over  over it wherever there is room
 */
function place(tooltip: HTMLElement, told: DOMRect, focused: DOMRect, over: boolean) {
  const { width, height } = tooltip.getBoundingClientRect()
  const clear = focused.height <= TOOLTIP_CLEARS_PX && focused.height > told.height ? focused : told
  const below = clear.bottom + TOOLTIP_GAP_PX
  const above = clear.top - TOOLTIP_GAP_PX - height
  const goesBelow = over ? above < 0 : below + height <= innerHeight
  const top = goesBelow ? below : Math.max(0, above)
  const isRtl = getComputedStyle(tooltip).direction === 'rtl'
  const wanted = told.width >= width ? told.left + told.width / 2 - width / 2 : isRtl ? told.right - width : told.left
  const left = Math.min(Math.max(TOOLTIP_GAP_PX, wanted), innerWidth - width - TOOLTIP_GAP_PX)
  tooltip.style.translate = `${left}px ${top}px`
}
