import { TOOLTIP_CLEARS_PX, TOOLTIP_GAP_PX, TOOLTIP_RESTS_MS } from '../limits.ts'
import { longPress } from '../messages/use-long-press.ts'
import './tooltips.css'

/** Of what is inside of a row, that which cannot be read in full where it stands. */
const INSIDE = 'time[title], bdi[title], .chat-file-name[title], .chat-meta [title]'
/** Where a finger may rest to hear more: what stands under a message, and lines that nobody has said. */
const HELD = '.chat-meta, [data-kind="system"]'

/**
 * Shows the title of what has the focus by keys, as the browser shows it to a pointer that rests: what a button without
 * words does, when exactly a message was sent, how a name goes on that was cut [WCAG 2.2, 1.4.13]. It stays as long as the
 * focus rests there, can be pointed at, and goes with Escape. A finger that rests on the time of a message is shown the
 * same, until the next one comes. Assistive technology hears it from the element itself.
 *
 * @param begun  a finger that rests somewhere already
 * @returns ends it
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
  // The finger lies over what is below it.
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
  // Who selects what it says keeps the focus.
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
  return part.matches('time, button, .chat-meta *') && !seenIn(part).includes(part.title)
}

/** The words of an element, without those for assistive technology alone. */
function seenIn(part: HTMLElement): string {
  const seen = part.cloneNode(true) as HTMLElement
  for (const hidden of seen.querySelectorAll('.chat-hidden')) hidden.remove()
  return seen.textContent
}

const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible'

/**
 * Under what it speaks of, or over it where there is no room; never beyond the edges. A row that is low stays clear.
 *
 * @param told  what it speaks of, which stands in what has the focus or around it
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
