import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { remember, remembered } from '../ui/browser-memory.ts'

/** The device remembers the panel's size. */
const SIZE_KEY = 'parley.widget.size'

/** In pixels, like all sizes here. */
interface Size {
  inline: number
  block: number
}
const USUAL: Size = { inline: 380, block: 600 }
const LEAST: Size = { inline: 320, block: 400 }
const WIDEST = 560
/** Share of the window's height, and the space left for the launcher; the style sheet has the same values. */
const HIGHEST = 0.9
const LEFT = 128

/** One press of an arrow key. */
const STEP = 24
/** A pointer that moves less than this is a click, not a drag. */
const SLOP = 4

/** How far each arrow key moves the corner, to the right and down. */
const steps: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/**
 * The size of the panel, and the grip at its free corner. Dragging and the arrow keys move the corner; a click toggles
 * between the largest and the default size.
 */
export function usePanelSize() {
  const [size, setSize] = useState(rememberedSize)
  const from = useRef<{ x: number; y: number; size: Size; moved: boolean }>(undefined)
  const keep = (wanted: Size) => {
    const next = within(wanted)
    setSize(next)
    remember(SIZE_KEY, next)
  }
  /** The free corner is the upper one on the side away from the window's edge. */
  const moved = (grip: Element, before: Size, right: number, down: number) =>
    keep({ inline: before.inline + (isOnTheLeft(grip) ? -right : right), block: before.block - down })

  const grip = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY, size: within(size), moved: false }
    },
    onPointerMove({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
      const { current } = from
      if (!current) return
      const [right, down] = [clientX - current.x, clientY - current.y]
      current.moved ||= Math.hypot(right, down) > SLOP
      if (current.moved) moved(currentTarget, current.size, right, down)
    },
    onLostPointerCapture() {
      // The click that ends a drag comes after this event.
      setTimeout(() => {
        from.current = undefined
      })
    },
    onClick() {
      if (from.current?.moved) return
      const largest = within({ inline: Number.POSITIVE_INFINITY, block: Number.POSITIVE_INFINITY })
      const isLargest = size.inline === largest.inline && size.block === largest.block
      keep(isLargest ? USUAL : largest)
    },
    onKeyDown(event: KeyboardEvent) {
      const step = steps[event.key]
      if (!step) return
      event.preventDefault()
      moved(event.currentTarget, within(size), ...step)
    },
  }
  return { style: { '--panel-inline': `${size.inline}px`, '--panel-block': `${size.block}px` }, grip }
}

function isOnTheLeft(grip: Element): boolean {
  const panel = grip.parentElement!.getBoundingClientRect()
  return grip.getBoundingClientRect().left < panel.left + panel.width / 2
}

function within({ inline, block }: Size): Size {
  const highest = Math.round(Math.min(window.innerHeight * HIGHEST, window.innerHeight - LEFT))
  return {
    inline: Math.min(WIDEST, Math.max(LEAST.inline, inline)),
    block: Math.min(highest, Math.max(LEAST.block, block)),
  }
}

function rememberedSize(): Size {
  const { inline, block } = (remembered(SIZE_KEY) ?? {}) as Partial<Size>
  return Number.isFinite(inline) && Number.isFinite(block) ? { inline: inline!, block: block! } : USUAL
}
