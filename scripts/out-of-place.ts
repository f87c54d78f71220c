import type { Page } from 'playwright-core'

/**
 * Text of the interface that cannot be read: cut off or covered by other text, and a page that scrolls sideways. A line
 * each; empty when all is well.
 *
 * User-written text may be cut with an ellipsis, as names in a narrow row are; the interface's own text may not, unless
 * a title shows it in full.
 *
 * @param isOurs  matches the interface's own text, as the source of a regular expression
 */
export async function outOfPlace(page: Page, isOurs = '.'): Promise<string[]> {
  return page.evaluate((isOurs) => {
    /** Visible from this size on. */
    const TOLERANCE_PX = 2
    const ours = new RegExp(isOurs)
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px too wide`)

    const texts = wordsShown()
    for (const text of texts) {
      const cut = ours.test(text.words) && cutBy(text)
      if (cut) found.push(`cut off: "${text.words}" by ${nameOf(cut)}`)
      const cover = coverOf(text)
      if (cover) found.push(`covered: "${text.words}" by ${nameOf(cover)}`)
    }
    texts.forEach((a, i) => {
      for (const b of texts.slice(i + 1))
        if (a.layer === b.layer && a.lines.some((one) => b.lines.some((other) => overlap(one, other))))
          found.push(`one over the other: "${a.words}" and "${b.words}"`)
    })
    return found

    interface Shown {
      words: string
      element: Element
      box: DOMRect
      /** The visible lines of it. */
      lines: Box[]
      layer: Element | null
    }
    interface Box {
      left: number
      right: number
      top: number
      bottom: number
    }

    function wordsShown(): Shown[] {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const shown: Shown[] = []
      while (walker.nextNode()) {
        const words = walker.currentNode.textContent!.trim()
        const element = walker.currentNode.parentElement!
        if (words === '' || element.closest('.chat-hidden, script, style, option, [inert]')) continue
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const box = range.getBoundingClientRect()
        if (box.width <= 1 || box.height <= 1) continue
        const lines = [...range.getClientRects()]
          .map((line) => seenOf(element, line))
          .filter((line) => isOnTop(element, line))
        shown.push({ words: words.slice(0, 80), element, box, lines, layer: layerOf(element) })
      }
      return shown
    }

    /** The visible part of a line inside its clipping ancestors. */
    function seenOf(element: Element, { left, right, top, bottom }: Box): Box {
      const seen = { left, right, top, bottom }
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at)
        const frame = at.getBoundingClientRect()
        if (overflowX !== 'visible') {
          seen.left = Math.max(seen.left, frame.left)
          seen.right = Math.min(seen.right, frame.right)
        }
        if (overflowY !== 'visible') {
          seen.top = Math.max(seen.top, frame.top)
          seen.bottom = Math.min(seen.bottom, frame.bottom)
        }
      }
      return seen
    }

    /** Menus, dialogs and floating elements cover the rest on purpose. */
    function layerOf(element: Element): Element | null {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (['fixed', 'absolute', 'sticky'].includes(getComputedStyle(at).position)) return at
      return null
    }

    function isOnTop(element: Element, { left, right, top, bottom }: Box): boolean {
      if (right <= left || bottom <= top) return false
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return there !== null && (element.contains(there) || there.contains(element))
    }

    /** What covers one end of a line whose middle is visible. A floating element may cover text. */
    function coverOf({ element, lines, layer }: Shown): Element | undefined {
      for (const { left, right, top, bottom } of lines)
        for (const x of [left + TOLERANCE_PX, right - TOLERANCE_PX]) {
          const there = document.elementFromPoint(x, (top + bottom) / 2)
          const isRelated = !there || element.contains(there) || there.contains(element)
          if (!isRelated && layerOf(there) === layer) return there
        }
      return undefined
    }

    /** What clips a part of the text and cannot be scrolled. */
    function cutBy({ element, box }: Shown): Element | undefined {
      for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at)
        const frame = at.getBoundingClientRect()
        const wide = box.right > frame.right + TOLERANCE_PX || box.left < frame.left - TOLERANCE_PX
        const high = box.bottom > frame.bottom + TOLERANCE_PX || box.top < frame.top - TOLERANCE_PX
        if (at.getAttribute('title') === element.textContent) return undefined
        if (wide && (overflowX === 'hidden' || overflowX === 'clip')) return at
        if (high && (overflowY === 'hidden' || overflowY === 'clip')) return at
        // Scrollable text can be read.
        if (['auto', 'scroll'].includes(overflowX) || ['auto', 'scroll'].includes(overflowY)) return undefined
        if (position === 'fixed') return undefined
      }
      return undefined
    }

    /** Adjacent lines touch; text that shares a third of its height cannot be read. */
    function overlap(a: Box, b: Box): boolean {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      return wide > TOLERANCE_PX && high > Math.min(a.bottom - a.top, b.bottom - b.top) / 3
    }

    function nameOf(element: Element): string {
      return `${element.localName}.${element.className}`
    }
  }, isOurs)
}
