import { type RefObject, useEffect, useState } from 'react'

/** The mouse selection in one list: the rows at both ends, in their order on the page. */
interface SelectedRows {
  first: string
  last: string
}

/**
 * The rows that a selection spans. They stay in the document while it lasts; otherwise it would lose rows that scroll
 * away.
 */
export function useSelectedRows(list: RefObject<HTMLElement | null>): SelectedRows | undefined {
  const [rows, setRows] = useState<SelectedRows>()
  useEffect(() => {
    const look = () => {
      const now = list.current ? selectedIn(list.current) : undefined
      setRows((before) => (before?.first === now?.first && before?.last === now?.last ? before : now))
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  return rows
}

/** The text of the part of the selection inside an element. */
export function selectedText(element: HTMLElement | null): string {
  const selection = document.getSelection()
  if (!element || !selection?.rangeCount || !selection.containsNode(element, true)) return ''
  const range = selection.getRangeAt(0).cloneRange()
  if (range.comparePoint(element, 0) >= 0) range.setStart(element, 0)
  if (range.comparePoint(element, element.childNodes.length) <= 0) range.setEnd(element, element.childNodes.length)
  return textOf(range.cloneContents())
}

/** A fragment as text: its lines, the signs of lists, and nothing that is no part of a message. */
function textOf(fragment: DocumentFragment): string {
  for (const tool of fragment.querySelectorAll('.chat-code-head, .chat-hidden')) tool.remove()
  for (const item of fragment.querySelectorAll('li'))
    item.prepend(`${item.getAttribute('value') ?? ''}${signOf(item)} `)
  // A paragraph that begins its item is on the line of its number.
  for (const block of fragment.querySelectorAll('p, li, pre, br'))
    if (!(block.tagName === 'P' && block.parentElement?.closest('li')?.firstElementChild === block)) block.before('\n')
  for (const paragraph of fragment.querySelectorAll('p + p')) paragraph.before('\n')
  return (fragment.textContent ?? '').trim()
}

function signOf({ parentElement }: HTMLElement): string {
  const sign = parentElement?.dataset.sign ?? ''
  return sign === '-' ? '–' : sign === '*' ? '•' : sign
}

/** Texts for a program that takes rich text: each a paragraph, with its lines. */
export function asHtml(texts: readonly string[]): string {
  const place = document.createElement('div')
  for (const text of texts) {
    const paragraph = document.createElement('p')
    paragraph.innerText = text
    place.append(paragraph)
  }
  return place.innerHTML
}

function selectedIn(list: HTMLElement): SelectedRows | undefined {
  const selection = document.getSelection()
  if (!selection?.rangeCount || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  const first = rowAt(list, range.startContainer)
  const last = rowAt(list, range.endContainer)
  return first !== undefined && last !== undefined ? { first, last } : undefined
}

function rowAt(list: HTMLElement, node: Node): string | undefined {
  const element = node instanceof Element ? node : node.parentElement
  return list.contains(element) ? element?.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
}
