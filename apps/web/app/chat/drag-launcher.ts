/** A pointer that moves less, in pixels, is a click, not a drag. */
const SLOP = 10

/**
 * Makes the launcher follow the pointer that is pressed on it, and calls `onMove` when it is released in the other half
 * of the window. The click that ends a drag is swallowed.
 */
export function dragLauncher(launcher: HTMLElement, from: { clientX: number; pointerId: number }, onMove: () => void) {
  const until = new AbortController()
  const half = (x: number) => x < window.innerWidth / 2
  let isDragged = false
  const end = () => {
    until.abort()
    launcher.style.translate = ''
  }
  const hear = (name: 'pointermove' | 'pointerup' | 'pointercancel', act: (event: PointerEvent) => void) =>
    addEventListener(name, (event) => event.pointerId === from.pointerId && act(event), { signal: until.signal })
  hear('pointermove', ({ buttons, clientX }) => {
    if (buttons === 0) return end()
    isDragged ||= Math.abs(clientX - from.clientX) > SLOP
    if (isDragged) launcher.style.translate = `${clientX - from.clientX}px`
  })
  hear('pointercancel', end)
  hear('pointerup', ({ clientX }) => {
    end()
    if (!isDragged) return
    const once = new AbortController()
    const swallow = (event: Event) => event.stopPropagation()
    addEventListener('click', swallow, { capture: true, signal: once.signal })
    setTimeout(() => once.abort())
    if (half(clientX) !== half(from.clientX)) onMove()
  })
}
